import { createSandbox } from 'migrate-v2';
import { expect, test } from 'vitest';
import { sendMessage, type Service } from '../send.ts';

const message = { channel: 'SMS', to: '+15550100', content: 'Your table is ready' } as const;

/** A service of the test's own, on a clock that stands still; gone at the end of the test. */
async function startService() {
  const sandbox = createSandbox({ clock: '2026-12-30T12:00:00Z' });
  const { url } = await sandbox.listen();
  const waited: number[] = [];
  const service: Service = {
    base: url,
    key: sandbox.demo.readWriteKey,
    wait: async (seconds) => {
      waited.push(seconds);
      await sandbox.clock.advance(`${seconds}s`);
    },
  };
  return { sandbox, service, waited, [Symbol.asyncDispose]: () => sandbox.close() };
}

test('a message is sent', async () => {
  await using started = await startService();
  const messageId = await sendMessage(started.service, message);
  expect(started.sandbox.dashboard.messages('demo')).toMatchObject([{ messageId, ...message }]);
});

test('past the hourly quota, it is sent in the next hour', async () => {
  await using started = await startService();
  started.sandbox.dashboard.changeWorkspace('demo', { limits: { perHour: 1 } });
  await sendMessage(started.service, message);
  await sendMessage(started.service, message);
  expect(started.waited).toEqual([3_600]);
  expect(started.sandbox.dashboard.messages('demo')).toHaveLength(2);
});

test('while the service is down for a moment, it is sent a little later', async () => {
  await using started = await startService();
  started.sandbox.faults.add({ route: 'POST /v2/messages/send', fault: { kind: 'error', status: 503, retryAfter: 30 }, times: 1 });
  await sendMessage(started.service, message);
  expect(started.waited).toEqual([30]);
});

test('where the service stays down, it is said that the message was not sent', async () => {
  await using started = await startService();
  started.sandbox.faults.add({ route: '/v2/*', fault: { kind: 'error', status: 500 } });
  await expect(sendMessage(started.service, message)).rejects.toThrow('not sent: 500');
});

test('on the day after v1 is switched off, messages are still sent', async () => {
  await using started = await startService();
  await started.sandbox.clock.advance('2d');
  expect((await fetch(`${started.service.base}/v1/messages`)).status).toBe(410);
  await sendMessage(started.service, message);
});
