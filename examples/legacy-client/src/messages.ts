import axios from 'axios';
import { config } from './config.ts';
import { serviceHeaders } from './headers.ts';

export interface Message {
  readonly channel: 'WHATSAPP' | 'SMS' | 'EMAIL';
  readonly to: string;
  readonly content: string;
}

const http = axios.create({ baseURL: config.baseUrl, timeout: 10_000, headers: serviceHeaders() });

/** Returns the id of the message. */
export async function sendMessage(message: Message): Promise<string> {
  const { data } = await http.post('/v1/messages/send', message);
  return data.messageId;
}

/** Returns the delivery status. */
export async function deliveryStatus(messageId: string): Promise<string> {
  const { data } = await http.get(`/v1/messages/${encodeURIComponent(messageId)}`);
  return data.data.status;
}

export async function recentMessages(): Promise<(Message & { readonly messageId: string })[]> {
  const { data } = await http.get('/v1/messages');
  return data.data;
}
