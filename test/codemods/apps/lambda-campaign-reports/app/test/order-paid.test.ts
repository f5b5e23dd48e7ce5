import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { handler } from '../src/handlers/order-paid.ts';

const event = { Records: [{ body: '{"order":"A-7","phone":"+15550100004"}' }] } as any;
const original = globalThis.fetch;
const sent: unknown[] = [];

before(() => {
  process.env.MESSAGING_API_KEY = 'secret';
  process.env.MESSAGING_API_URL = 'https://api.example.com/v1';
  process.env.BILLING_URL = 'https://billing.example.net/v1';
  process.env.BILLING_KEY = 'billing-secret';
  globalThis.fetch = (async (input: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    if (input.startsWith('https://billing.example.net/v1/invoices/') && headers.get('x-api-key') === 'billing-secret') return Response.json({ total: 12 });
    if (input === 'https://api.example.com/v1/messages/send') {
      if (headers.get('x-api-key') !== 'secret') return Response.json({ error: 'unauthorized' }, { status: 401 });
      sent.push(JSON.parse(String(init.body)));
      return Response.json({ messageId: 'm7' });
    }
    throw new Error(`unexpected ${init.method} ${input}`);
  }) as typeof fetch;
});
after(() => {
  globalThis.fetch = original;
  for (const name of ['MESSAGING_API_KEY', 'MESSAGING_API_URL', 'BILLING_URL', 'BILLING_KEY']) delete process.env[name];
});

test('tells the customer', async () => {
  await handler(event, {} as any, () => {});
  assert.deepEqual(sent, [{ channel: 'SMS', to: '+15550100004', content: 'Order A-7 is paid: 12.' }]);
});
