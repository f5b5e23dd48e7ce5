import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError, MessagingClient } from '../src/index.js';

function fakeFetch(status: number, body: unknown) {
  const calls: { url: string; init: RequestInit }[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    calls.push({ url, init });
    return new Response(JSON.stringify(body), { status });
  };
  return { calls, fetch: fetch as typeof globalThis.fetch };
}

test('sends a message with a key of its own', async () => {
  const { calls, fetch } = fakeFetch(201, { messageId: 'm1' });
  const client = new MessagingClient({ apiKey: 'test-key', fetch });

  assert.deepEqual(await client.messages.send({ channel: 'SMS', to: '+15550100001', content: 'Hi!' }), { messageId: 'm1' });

  assert.equal(calls.length, 1);
  assert.equal(calls[0]!.init.method, 'POST');
  assert.match((calls[0]!.init.headers as Record<string, string>)['user-agent']!, /^acme-messaging-node\//);
});

test('says what the service said', async () => {
  const { fetch } = fakeFetch(429, { error: 'Too many', code: 'API_KEY_RATE_LIMITED' });
  const client = new MessagingClient({ apiKey: 'test-key', fetch });

  await assert.rejects(client.contacts.list({ page: 2 }), (error: ApiError) => error.isRetryable && error.status === 429);
});
