import { createMessaging } from './clients/messaging';
import { Invitations } from './services/invitations';
import { sendNewsletter } from './services/newsletter';

export default async function main({ key }: { key: string }) {
  const lines: string[] = [];
  const messaging = createMessaging(key, (line) => lines.push(line.replace(/\d+ ms/, '')));
  const invitations = new Invitations(messaging);
  const id = await invitations.invite('Ada', '+14155550101');
  const again = await invitations.invite('Ada', '+14155550101');
  const newsletter = await sendNewsletter(messaging, 'June');
  return { same: id === again, name: await invitations.nameOf(id), names: await invitations.names(5), sent: typeof newsletter, calls: lines.length };
}
