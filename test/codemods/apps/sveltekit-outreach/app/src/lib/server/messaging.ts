import { env } from '$env/dynamic/private';

export interface Contact {
  id: string;
  phone: string;
  name?: string;
}

const baseUrl = env.MESSAGING_URL ?? 'https://api.example.com/v1';

export function createMessaging(fetcher: typeof fetch) {
  async function call(path: string, init: RequestInit = {}) {
    const response = await fetcher(`${baseUrl}${path}`, {
      ...init,
      headers: { 'content-type': 'application/json', 'x-api-key': env.MESSAGING_API_KEY ?? '', ...init.headers },
    });
    if (!response.ok) throw new Error(`The service answered ${response.status}`);
    const { data } = await response.json();
    return data;
  }

  return {
    contacts: (limit: number) => call(`/contacts?limit=${limit}`),
    addContact: (contact: { phone: string; name: string }) => call('/contacts', { method: 'POST', body: JSON.stringify(contact) }),
    send: (to: string, text: string) => call('/messages/send', { method: 'POST', body: JSON.stringify({ channel: 'SMS', to, content: text }) }),
    message: (id: string) => call(`/messages/${encodeURIComponent(id)}`),
    sendCampaign: (id: string) => call(`/campaigns/${encodeURIComponent(id)}/send`, { method: 'POST' }),
  };
}

export type Messaging = ReturnType<typeof createMessaging>;
