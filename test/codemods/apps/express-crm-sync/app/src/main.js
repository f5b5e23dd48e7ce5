import { Messaging } from './messaging.js';

export default async function main({ key }) {
  const messaging = new Messaging({ apiKey: key });
  const contact = await messaging.addContact({ phone: '+15550100001', firstName: 'Ada' });
  const greeted = await messaging.greet('+15550100001');
  return { contact: typeof contact, greeted: typeof greeted };
}
