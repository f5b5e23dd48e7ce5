import { messaging } from './client';
import { contact, sent } from './schemas';

export async function say(to: string, content: string): Promise<string> {
  const answer = await messaging.post('messages/send', { json: { channel: 'WHATSAPP', to, content } }).json();
  return sent.parse(answer).messageId;
}

export async function phoneOf(id: string): Promise<string | undefined> {
  const answer = contact.safeParse(await messaging.get(`contacts/${id}`).json());
  return answer.success ? answer.data.data.phone : undefined;
}

export const addContact = async (name: string, phone: string) =>
  contact.parse(await messaging.post('contacts', { json: { name, phone }, throwHttpErrors: false }).json()).data;
