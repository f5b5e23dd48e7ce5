import { randomUUID } from 'node:crypto';
import { Resource } from './resource.js';

export interface Message {
  messageId: string;
  status?: string;
}

export interface NewMessage {
  channel: 'WHATSAPP' | 'SMS' | 'EMAIL';
  to: string;
  content: string;
}

export class Messages extends Resource<Message, NewMessage> {
  protected readonly path = '/messages';

  send(message: NewMessage, idempotencyKey = randomUUID()): Promise<Message> {
    return this.client.request('POST', `${this.path}/send`, { body: message, idempotencyKey });
  }
}
