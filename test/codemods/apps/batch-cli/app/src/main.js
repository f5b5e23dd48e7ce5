import { allContacts } from './contacts.js';
import { launchCampaign, send, statsOf, statusOf } from './messages.js';

export async function exportContacts({ key, notify, campaign, write }) {
  let count = 0;
  for await (const contact of allContacts(key)) {
    write(`${JSON.stringify(contact)}\n`);
    count++;
  }
  if (campaign !== undefined) {
    await launchCampaign(key, campaign);
    await statsOf(key, campaign);
  }
  if (notify === undefined) return { count };
  const { messageId } = await send(key, notify, `${count} contacts were exported.`);
  const { status } = await statusOf(key, messageId);
  return { count, status };
}

export default async function main({ key }) {
  const lines = [];
  const result = await exportContacts({ key, notify: '+15550100001', write: (line) => lines.push(line) });
  return { ...result, lines };
}
