import axios from 'axios';

/**
 * Creates a client of the messaging service.
 *
 * @example
 * const messaging = createMessaging({ apiKey: process.env.MESSAGING_API_KEY });
 * await messaging.send({ channel: 'SMS', to: '+15550100001', content: 'Hello' });
 */
export function createMessaging({ apiKey, baseURL = 'https://api.example.com/v1' }) {
  const http = axios.create({ baseURL, headers: { 'x-api-key': apiKey } });
  return {
    send: async (message) => (await http.post('/messages/send', message)).data,
    status: async (id) => (await http.get(`/messages/${id}`)).data,
    contacts: async (query) => (await http.get('/contacts', { params: query })).data,
    sendCampaign: async (id) => (await http.post(`/campaigns/${id}/send`)).data,
  };
}
