import { endpoint } from '../http/endpoint.ts';

export interface Outgoing {
  channel: 'SMS' | 'WHATSAPP' | 'EMAIL';
  to: string;
  content: string;
}

export const sendMessage = endpoint<{ messageId: string }, Outgoing>('POST', '/v1/messages/send');
export const getMessage = endpoint<{ status: string }>('GET', '/v1/messages/:id');
export const createContact = endpoint<{ id: string }, { phone: string }>('POST', '/v1/contacts');
export const getContact = endpoint<{ id: string; phone: string }>('GET', '/v1/contacts/:id');
