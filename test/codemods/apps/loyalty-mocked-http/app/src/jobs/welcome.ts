import { contacts, type Member } from '../api/contacts.ts';
import { messages } from '../api/messages.ts';
import { pointsOf } from '../api/points.ts';

export async function welcome(member: Member): Promise<string | undefined> {
  if (!(await contacts.ensure(member))) return undefined;
  const points = await pointsOf(member.phone);
  const { messageId } = await messages.send(member.phone, `Welcome! You have ${points} points.`);
  return messageId;
}
