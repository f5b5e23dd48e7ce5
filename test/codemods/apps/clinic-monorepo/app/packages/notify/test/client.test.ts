import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { remind } from '../src/index.ts';
import { MessagingClient, MessagingError } from '../src/client.ts';

afterEach(() => mock.restoreAll());

const client = () => new MessagingClient({ baseUrl: 'https://api.example.com', apiKey: 'test-key', timeoutMs: 1000 });

test('keeps the contact, then writes to it', async () => {
  const calls: string[] = [];
  mock.method(globalThis, 'fetch', async (url: string, init: RequestInit) => {
    calls.push(`${init.method} ${new URL(url).pathname.replace(/^\/v\d+/, '')}`);
    return Response.json({ messageId: 'm1' }, { status: 201 });
  });

  const sent = await remind({ patient: { phone: '+15550100007', firstName: 'Ada' }, startsAt: new Date('2026-03-01') }, client());

  assert.deepEqual(calls, ['POST /contacts', 'POST /messages/send']);
  assert.equal(sent.messageId, 'm1');
});

test('tells what was answered', async () => {
  mock.method(globalThis, 'fetch', async () => new Response('', { status: 402 }));

  await assert.rejects(client().message('m2'), (error) => error instanceof MessagingError && error.status === 402);
});
