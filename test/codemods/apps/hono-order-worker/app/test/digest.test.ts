import assert from 'node:assert/strict';
import test from 'node:test';
import { digest } from '../src/jobs/digest.ts';

function fakeEnv() {
  const kept = new Map<string, string>();
  return {
    MESSAGING_URL: 'https://api.example.com/v1',
    MESSAGING_KEY: 'test-key',
    CACHE: { put: async (key: string, value: string) => void kept.set(key, value), get: async (key: string) => kept.get(key) ?? null },
  } as any;
}

test('keeps what was sent', async (t) => {
  const fetched = t.mock.method(globalThis, 'fetch', async () => new Response('{"data":[]}'));
  const env = fakeEnv();

  await digest(env);

  assert.equal(await env.CACHE.get('digest'), '{"data":[]}');
  const [input, init] = fetched.mock.calls[0].arguments as unknown as [URL, RequestInit];
  assert.equal(String(input), 'https://api.example.com/v1/messages?limit=100');
  assert.equal((init.headers as Headers).get('x-api-key'), 'test-key');
});
