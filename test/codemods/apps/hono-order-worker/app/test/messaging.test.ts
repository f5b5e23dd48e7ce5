import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { createMessaging, MessagingError } from '../src/lib/messaging.ts';

const env = { MESSAGING_URL: 'https://api.example.com/v1', MESSAGING_KEY: 'test-key' };

describe('createMessaging', () => {
  let calls: { url: string; init: RequestInit }[];
  let answer: Response;

  beforeEach(() => {
    calls = [];
    answer = Response.json({ messageId: 'm1' });
    mock.method(globalThis, 'fetch', async (url: string, init: RequestInit) => {
      calls.push({ url, init });
      return answer;
    });
  });
  afterEach(() => mock.restoreAll());

  it('sends a text with the key', async () => {
    assert.deepEqual(await createMessaging(env).sendText('+15550100002', 'Ready'), { messageId: 'm1' });

    const [{ url, init }] = calls;
    assert.equal(url, 'https://api.example.com/v1/messages/send');
    assert.equal(init.method, 'POST');
    assert.equal(new Headers(init.headers).get('x-api-key'), 'test-key');
    assert.deepEqual(JSON.parse(String(init.body)), { channel: 'SMS', to: '+15550100002', content: 'Ready' });
  });

  it('asks for a page of contacts', async () => {
    await createMessaging(env).contacts(3);
    const url = new URL(calls[0].url);
    assert.equal(url.pathname, '/v1/contacts');
    assert.equal(url.searchParams.get('page'), '3');
    assert.equal((calls[0].init.headers as Record<string, string>)['x-api-key'], 'test-key');
  });

  it('names what failed', async () => {
    answer = new Response('no', { status: 404 });
    await assert.rejects(createMessaging(env).message('m/1'), (error: MessagingError) => error.status === 404);
    assert.ok(calls[0].url.endsWith('/v1/messages/m%2F1'));
  });
});
