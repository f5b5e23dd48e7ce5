import axios, { type AxiosInstance } from 'axios';

export class HttpSms {
  private readonly http: AxiosInstance;

  constructor(apiKey: string) {
    this.http = axios.create({ baseURL: 'https://api.httpsms.com', headers: { 'x-api-key': apiKey } });
  }

  async send(to: string, content: string): Promise<string> {
    const { data } = await this.http.post('/v1/messages/send', { to, content });
    return data.data.id;
  }

  async list(limit = 20): Promise<unknown[]> {
    const { data } = await this.http.get('/v1/messages', { params: { limit } });
    return data.data;
  }
}
