import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { startFakeMessaging } from './support/fake-messaging.ts';

describe('POST /v1/reminders', () => {
  let app: FastifyInstance;
  let fake: Awaited<ReturnType<typeof startFakeMessaging>>;

  before(async () => {
    fake = await startFakeMessaging();
    app = buildApp(readConfig({ MESSAGING_BASE_URL: fake.url, MESSAGING_API_KEY: 'test-key' }));
  });
  beforeEach(() => void fake.seen.splice(0));
  after(async () => {
    await app.close();
    await fake.close();
  });

  it('sends the reminder', async () => {
    const response = await app.inject({ method: 'POST', url: '/v1/reminders', payload: { user: 'u1', phone: '+15550100001', text: 'Hi' } });
    assert.equal(response.statusCode, 202);
    assert.deepEqual(fake.seen, [
      { method: 'POST', path: '/v1/messages/send', body: { channel: 'SMS', to: '+15550100001', content: 'Hi' } },
    ]);
  });

  it('gives its status', async () => {
    const response = await app.inject({ url: '/v1/reminders/m1' });
    assert.deepEqual(response.json(), { data: { messageId: 'm1', status: 'DELIVERED' } });
    assert.equal(fake.seen[0]!.path, '/v1/messages/m1');
  });

  it('adds subscribers', async () => {
    const response = await app.inject({ method: 'POST', url: '/v1/contacts', payload: { phone: '+15550100001' } });
    assert.equal(response.statusCode, 201);
  });
});
