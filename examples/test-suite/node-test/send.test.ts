import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { createSandbox } from 'migrate-v2';
import { sendMessage, type Service } from '../send.ts';

const message = { channel: 'SMS', to: '+15550100', content: 'Your table is ready' } as const;

// One service for all tests, on a clock that stands still. With Node 24, `await using` closes one for each test.
const sandbox = createSandbox({ clock: '2026-12-30T12:00:00Z' });
const { url } = await sandbox.listen();
after(() => sandbox.close());

const waited: number[] = [];
const service: Service = {
  base: url,
  key: sandbox.demo.readWriteKey,
  wait: async (seconds) => {
    waited.push(seconds);
    await sandbox.clock.advance(`${seconds}s`);
  },
};

// The same service, key and ids as at first; it takes less than a millisecond.
beforeEach(() => {
  sandbox.reset();
  waited.length = 0;
});

test('a message is sent', async () => {
  const messageId = await sendMessage(service, message);
  assert.equal(sandbox.dashboard.messages('demo')[0]?.messageId, messageId);
});

test('past the hourly quota, it is sent in the next hour', async () => {
  sandbox.dashboard.changeWorkspace('demo', { limits: { perHour: 1 } });
  await sendMessage(service, message);
  await sendMessage(service, message);
  assert.deepEqual(waited, [3_600]);
  assert.equal(sandbox.dashboard.messages('demo').length, 2);
});

test('while the service is down for a moment, it is sent a little later', async () => {
  sandbox.faults.add({ route: 'POST /v2/messages/send', fault: { kind: 'error', status: 503, retryAfter: 30 }, times: 1 });
  await sendMessage(service, message);
  assert.deepEqual(waited, [30]);
});

test('where the service stays down, it is said that the message was not sent', async () => {
  sandbox.faults.add({ route: '/v2/*', fault: { kind: 'error', status: 500 } });
  await assert.rejects(sendMessage(service, message), /not sent: 500/);
});
