import { buildApp } from './app.ts';
import { readConfig } from './config.ts';

/** One reminder, from the call to the message, as the smoke test after a deployment has it. */
export default async function main({ key }: { key: string }) {
  const app = buildApp(readConfig({ MESSAGING_API_KEY: key }));
  const payload = { user: 'u1', phone: '+15550100005', text: 'Dentist at 9' };
  const sent = await app.inject({ method: 'POST', url: '/v1/reminders', payload });
  const { id } = sent.json();
  const status = await app.inject({ url: `/v1/reminders/${id}` });
  const added = await app.inject({ method: 'POST', url: '/v1/contacts', payload: { phone: '+15550100005' } });
  await app.close();
  return { sent: sent.statusCode, status: status.statusCode, added: added.statusCode };
}
