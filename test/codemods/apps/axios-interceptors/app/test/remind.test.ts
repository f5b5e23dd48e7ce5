import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { messagingClient } from '../src/http/create-client.ts';
import { isKnown, remindOne, statusOf } from '../src/remind.ts';
import { startFakeService } from './fake-service.ts';

let service: Awaited<ReturnType<typeof startFakeService>>;

before(async () => {
  service = await startFakeService('test-key');
});
after(() => service.close());

test('reminds of an appointment', async () => {
  const messaging = messagingClient('test-key', service.base);
  assert.equal(await remindOne(messaging, { phone: '+15550100001', at: '10:00' }), 'm1');
  assert.deepEqual(
    service.asked.map(({ method, url }) => `${method} ${url}`),
    ['POST /v1/contacts', 'POST /v1/messages/send'],
  );
  assert.deepEqual(service.asked.at(-1)?.body, { channel: 'SMS', to: '+15550100001', content: 'See you at 10:00.' });
});

test('asks what became of a message', async () => {
  const messaging = messagingClient('test-key', service.base);
  assert.equal(await statusOf(messaging, 'm1'), 'DELIVERED');
  assert.equal(await isKnown(messaging, 'c9'), false);
});
