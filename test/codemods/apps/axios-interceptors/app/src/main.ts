import { messagingClient } from './http/create-client.ts';
import { isKnown, remindOne, statusOf } from './remind.ts';

export default async function main({ key }: { key: string }) {
  const messaging = messagingClient(key);
  const messageId = await remindOne(messaging, { phone: '+15550100001', at: '10:00' });
  return { status: await statusOf(messaging, messageId), nobody: await isKnown(messaging, 'nobody') };
}
