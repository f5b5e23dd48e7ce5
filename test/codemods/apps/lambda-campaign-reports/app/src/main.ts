import { handler as campaignReport } from './handlers/campaign-report.ts';
import { handler as contacts } from './handlers/contacts.ts';
import { handler as orderPaid } from './handlers/order-paid.ts';

/** All handlers once, as the offline emulator calls them. */
export default async function main({ key }: { key: string }) {
  Object.assign(process.env, { MESSAGING_API_KEY: key, REPORT_PHONE: '+15550100009' });
  const http = (method: string, body?: string) => ({ requestContext: { http: { method, path: '/v1/contacts' } }, body }) as any;
  await orderPaid({ Records: [{ body: JSON.stringify({ order: 'A-1', phone: '+15550100003' }) }] } as any, {} as any, () => {});
  const created = (await contacts(http('POST', JSON.stringify({ phone: '+15550100003' })))) as { statusCode: number };
  const listed = (await contacts(http('GET'))) as { statusCode: number };
  const reported = await campaignReport({ campaign: 'c-unknown' });
  return { created: created.statusCode, listed: listed.statusCode, reported: Object.keys(reported) };
}
