import type { NotifyConfig } from './config.ts';

export class MessagingError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export class MessagingClient {
  private readonly config: NotifyConfig;

  constructor(config: NotifyConfig) {
    this.config = config;
  }

  sendText(to: string, content: string) {
    return this.request('POST', '/v1/messages/send', { channel: 'SMS', to, content });
  }

  message(id: string) {
    return this.request('GET', `/v1/messages/${encodeURIComponent(id)}`);
  }

  upsertContact(contact: { phone: string; firstName: string }) {
    return this.request('POST', '/v1/contacts', contact);
  }

  private async request(method: string, path: string, body?: unknown): Promise<any> {
    const response = await fetch(this.config.baseUrl + path, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-api-key': this.config.apiKey,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(this.config.timeoutMs),
    });
    if (!response.ok) throw new MessagingError(response.status, `${method} ${path} answered ${response.status}`);
    return response.json();
  }
}
