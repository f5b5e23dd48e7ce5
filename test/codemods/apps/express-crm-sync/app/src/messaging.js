import axios from 'axios';

/** The messaging service: contacts of the CRM are kept there, and greeted once. */
export class Messaging {
  constructor({ apiKey, baseURL = 'https://api.example.com' }) {
    this.http = axios.create({ baseURL, timeout: 10_000, headers: { 'x-api-key': apiKey } });
  }

  async addContact({ phone, firstName }) {
    const { data } = await this.http.post('/v1/contacts', { phone, firstName });
    return data;
  }

  async greet(phone) {
    const { data } = await this.http.post('/v1/messages/send', { channel: 'SMS', to: phone, content: 'Welcome!' });
    return data;
  }
}
