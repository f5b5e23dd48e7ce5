import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { fetcher } from '../lib/api.ts';

test('the fetcher of the browser shows the key that can only read', async () => {
  process.env.NEXT_PUBLIC_MESSAGING_KEY = 'read-key';
  const fetch = mock.method(globalThis, 'fetch', async () => Response.json({ data: [] }));
  await fetcher('/v1/messages');
  const [url, init] = fetch.mock.calls[0]!.arguments as unknown as [string, RequestInit];
  assert.equal(url, 'https://api.example.com/v1/messages');
  assert.equal(new Headers(init.headers).get('x-api-key'), 'read-key');
  mock.restoreAll();
});
