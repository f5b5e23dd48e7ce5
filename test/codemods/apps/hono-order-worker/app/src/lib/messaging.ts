import type { Bindings } from '../env.ts';

export class MessagingError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'MessagingError';
    this.status = status;
  }
}

export interface Contact {
  id: string;
  phone?: string;
  email?: string;
}

type MessagingEnv = Pick<Bindings, 'MESSAGING_URL' | 'MESSAGING_KEY'>;

/** The messaging service, with the key that is bound to the worker. */
export function createMessaging(env: MessagingEnv) {
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${env.MESSAGING_URL}${path}`, {
      method,
      headers: {
        'x-api-key': env.MESSAGING_KEY,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new MessagingError(response.status, `${method} ${path}: ${response.status}`);
    return (await response.json()) as T;
  }

  return {
    sendText: (to: string, content: string) =>
      call<{ messageId: string }>('POST', '/messages/send', { channel: 'SMS', to, content }),
    message: (id: string) => call<unknown>('GET', `/messages/${encodeURIComponent(id)}`),
    contacts: (page = 1) => call<unknown>('GET', `/contacts?page=${page}&limit=50`),
    addContact: (contact: Omit<Contact, 'id'>) => call<Contact>('POST', '/contacts', contact),
  };
}

export type Messaging = ReturnType<typeof createMessaging>;
