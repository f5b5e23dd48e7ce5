import { contacts } from './api/contacts.ts';
import { messages } from './api/messages.ts';
import { settings } from './settings.ts';

/** What the nightly check does. */
export default async function main({ key }: { key: string }) {
  Object.assign(settings.messaging, { key });
  const isNew = await contacts.ensure({ phone: '+15550100006' });
  const listed = await contacts.list();
  const { messageId } = await messages.send('+15550100006', 'Hello');
  return { isNew, listed: typeof listed, messageId, kept: await messages.get(messageId) };
}
