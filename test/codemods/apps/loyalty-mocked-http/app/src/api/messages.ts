import { api } from './http.ts';

export const messages = {
  send: (to: string, content: string) => api<{ messageId: string }>('messages/send', { method: 'POST', json: { channel: 'WHATSAPP', to, content } }),
  get: (id: string) => api<Record<string, unknown>>(`messages/${id}`),
};
