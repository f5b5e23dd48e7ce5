/** The first and the last instant that a clock can show. */
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../helpers/sandbox.ts';
import { startReceiver } from './webhooks/service.ts';

const last = '9999-12-31T23:59:59.999Z';
const instants = ['1970-01-01T00:00:00.000Z', '9999-12-31T23:59:58.000Z', last];

describe.each(instants)('at %s', (clock) => {
  test('a snapshot with a retry to come is restored, and what it says of times are such', async () => {
    const receiver = await startReceiver(500, 500, () => undefined);
    await using sandbox = await startSandbox({ clock, allowPrivateWebhooks: true, assumptions: { webhookBackoffMax: 1 } });
    await sandbox.dashboard.registerWebhook('demo', { url: receiver.url });
    sandbox.dashboard.raise('demo', 'booking.created');
    await receiver.count(1);
    const snapshot: unknown = JSON.parse(JSON.stringify(sandbox.snapshot()));
    sandbox.restore(snapshot);
    expect(sandbox.snapshot()).toEqual(snapshot);
    expect(JSON.stringify(snapshot)).not.toMatch(/"[+-]\d{6}-/);
  });
});

test.each([
  ['1970-01-01T00:00:00.000Z', '1970-01-02T00:00:00.000Z'],
  ['9999-12-31T23:59:58.000Z', last],
])('a daily limit that is used up at %s says that it resets at %s', async (clock, resetAt) => {
  await using sandbox = await startSandbox({ clock, assumptions: { sunsetAt: last } });
  sandbox.dashboard.changeWorkspace('demo', { limits: { perDay: 1 } });
  await sandbox.call('GET /v1/messages');
  expect(await sandbox.call('GET /v1/messages')).toMatchObject({ status: 429, body: { resetAt } });
});

test('what fails at the last instant is tried again then, and not for ever', async () => {
  const receiver = await startReceiver(500);
  await using sandbox = await startSandbox({ clock: last, allowPrivateWebhooks: true });
  await sandbox.dashboard.registerWebhook('demo', { url: receiver.url });
  sandbox.dashboard.raise('demo', 'lead.created');
  await sandbox.clock.idle();
  expect(sandbox.dashboard.deliveries('demo').map(({ attempt, at }) => [attempt, at])).toEqual(
    [5, 4, 3, 2, 1].map((attempt) => [attempt, last]),
  );
});
