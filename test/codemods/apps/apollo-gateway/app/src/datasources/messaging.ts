import { type AugmentedRequest, RESTDataSource } from '@apollo/datasource-rest';
import type { Contact, Message } from '../types.ts';

export class MessagingAPI extends RESTDataSource {
  override baseURL = process.env.MESSAGING_URL ?? 'https://api.example.com/v1/';

  private readonly apiKey: string;

  constructor(apiKey: string) {
    super();
    this.apiKey = apiKey;
  }

  override willSendRequest(_path: string, request: AugmentedRequest) {
    request.headers['x-api-key'] = this.apiKey;
  }

  async contacts(page: number, limit: number): Promise<Contact[]> {
    const { data } = await this.get<{ data: Contact[] }>('contacts', { params: { page: String(page), limit: String(limit) } });
    return data;
  }

  contact(id: string): Promise<Contact> {
    return this.get<Contact>(`contacts/${encodeURIComponent(id)}`);
  }

  updateContact(id: string, changes: Partial<Contact>): Promise<Contact> {
    return this.put<Contact>(`contacts/${id}`, { body: changes });
  }

  send(to: string, content: string): Promise<{ messageId: string }> {
    return this.post('messages/send', { body: { channel: 'SMS', to, content } });
  }

  message(id: string): Promise<Message> {
    return this.get(`messages/${id}`, { cacheOptions: { ttl: 30 } });
  }
}
