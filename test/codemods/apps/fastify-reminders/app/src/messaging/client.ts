import { request, type Dispatcher } from 'undici';

export interface MessagingOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly dispatcher?: Dispatcher;
}

export class MessagingFailure extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, text: string) {
    super(`messaging answered ${statusCode}: ${text}`);
    this.statusCode = statusCode;
  }
}

/** Reminders go out through the messaging service. */
export class MessagingClient {
  readonly #options: MessagingOptions;

  constructor(options: MessagingOptions) {
    this.#options = options;
  }

  send(to: string, content: string) {
    return this.#call<{ messageId: string }>('POST', '/v1/messages/send', { channel: 'SMS', to, content });
  }

  status(messageId: string) {
    return this.#call<Record<string, unknown>>('GET', `/v1/messages/${messageId}`);
  }

  contact(id: string) {
    return this.#call<Record<string, unknown>>('GET', `/v1/contacts/${id}`);
  }

  addContact(contact: { phone: string; email?: string }) {
    return this.#call<Record<string, unknown>>('POST', '/v1/contacts', contact);
  }

  async #call<T>(method: 'GET' | 'POST', path: string, payload?: unknown): Promise<T> {
    const { baseUrl, apiKey, dispatcher } = this.#options;
    const { statusCode, body } = await request(`${baseUrl}${path}`, {
      method,
      dispatcher,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: payload === undefined ? undefined : JSON.stringify(payload),
    });
    if (statusCode >= 400) throw new MessagingFailure(statusCode, await body.text());
    return (await body.json()) as T;
  }
}
