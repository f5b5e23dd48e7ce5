import { ofetch } from 'ofetch';

const api = ofetch.create({ baseURL: 'https://inbox.vendor.cloud', headers: { 'x-api-key': process.env.INBOX_KEY ?? '' } });

export const inbox = () => api('/v1/messages');
export const reply = (to: string, content: string) => api('/v1/messages/send', { method: 'POST', body: { to, content } });
