import type { Env } from '../env.ts';

export type Channel = 'SMS' | 'EMAIL' | 'WHATSAPP';

export interface MessagingClient {
  sendMessage(to: string, content: string, channel?: Channel): Promise<{ messageId: string }>;
  getCampaign(id: string): Promise<Record<string, unknown>>;
  sendCampaign(id: string): Promise<void>;
  listContacts(query?: { page?: number; limit?: number }): Promise<Record<string, unknown>>;
  createContact(contact: Record<string, unknown>): Promise<{ created: boolean; contact: unknown }>;
}

export function createMessagingClient(env: Pick<Env, 'MESSAGING_API_URL' | 'MESSAGING_API_KEY'>): MessagingClient {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json', 'X-Api-Key': env.MESSAGING_API_KEY };

  const request = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${env.MESSAGING_API_URL}${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    if (response.status >= 500) throw new Error(`messaging: ${response.status}`);
    return response;
  };

  return {
    async sendMessage(to, content, channel = 'SMS') {
      const response = await request('POST', '/messages/send', { channel, to, content });
      return response.json();
    },
    async getCampaign(id) {
      return (await request('GET', `/campaigns/${id}`)).json();
    },
    async sendCampaign(id) {
      await request('POST', `/campaigns/${id}/send`);
    },
    async listContacts({ page = 1, limit = 25 } = {}) {
      const query = new URLSearchParams({ page: String(page), limit: String(limit) });
      return (await request('GET', `/contacts?${query}`)).json();
    },
    async createContact(contact) {
      const response = await request('POST', '/contacts', contact);
      const { data } = await response.json();
      return { created: response.status === 201, contact: data };
    },
  };
}
