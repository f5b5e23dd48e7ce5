import { MessagingClient } from '../src/index.js';

export default async function main({ key }: { key: string }) {
  const statuses: unknown[] = [];
  const client = new MessagingClient({ apiKey: key, onEvent: (_name, { path, status }) => statuses.push([path, status]) });
  const contact = await client.contacts.upsert({ phone: '+15550100001', firstName: 'Ada' });
  const { messageId } = await client.messages.send({ channel: 'SMS', to: '+15550100001', content: 'Hi!' }, 'quickstart-1');
  const message = await client.messages.get(messageId);
  const campaign = await client.campaigns.create({ name: 'Spring' });
  await client.campaigns.launch(campaign.id);
  const unknown = await client.contacts.get('nobody').catch(({ name, status }) => `${name} ${status}`);
  return { contact: typeof contact, message: typeof message, unknown, statuses: statuses.map(([, status]) => status) };
}
