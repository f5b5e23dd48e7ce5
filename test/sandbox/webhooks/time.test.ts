import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { createAddressRules } from '../../../src/sandbox/webhooks/address.ts';
import { attemptsAtOnce } from '../../../src/sandbox/webhooks/deliveries.ts';
import { startReceiver, startService, type Answer, type Receiver } from './service.ts';

const { each: most } = attemptsAtOnce;

// Only these: the connections are real ones.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A sandbox whose clock stands still, and a receiver that has been called and has not answered. */
async function callReceiver(answer: Answer): Promise<{ readonly sandbox: Sandbox; readonly receiver: Receiver }> {
  const sandbox = createSandbox({ clock: '2026-08-01T12:00:00Z', allowPrivateWebhooks: true });
  const receiver = await startReceiver(answer);
  await sandbox.dashboard.registerWebhook('demo', { url: receiver.url });
  sandbox.dashboard.raise('demo', 'lead.created');
  await receiver.count(1);
  return { sandbox, receiver };
}

describe('api.md §§6 and 8: 8 seconds', () => {
  test('a receiver that has not answered by then has failed', async () => {
    const { sandbox } = await callReceiver(() => undefined);
    await vi.advanceTimersByTimeAsync(7_999);
    expect(sandbox.dashboard.deliveries('demo')).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await sandbox.clock.idle();
    expect(sandbox.dashboard.deliveries('demo')).toMatchObject([{ delivered: false, error: { code: 'TIMEOUT' } }]);
  });
  test('a receiver that answers in the last millisecond is in time', async () => {
    const late = Promise.withResolvers<void>();
    const { sandbox } = await callReceiver((_req, res) => void late.promise.then(() => res.writeHead(204).end()));
    await vi.advanceTimersByTimeAsync(7_999);
    late.resolve();
    await sandbox.clock.idle();
    expect(sandbox.dashboard.deliveries('demo')).toMatchObject([{ delivered: true, response: { status: 204 } }]);
  });
  test('they begin with the attempt itself, where it has waited for others', async () => {
    const service = startService({ timeout: 8_000, maxRecords: 1_000 });
    const late = Promise.withResolvers<void>();
    const hang: Answer = () => undefined;
    const last: Answer = (_req, res) => void late.promise.then(() => res.end());
    const receiver = await startReceiver(...Array.from({ length: most }, () => hang), last);
    service.register(receiver.url);
    for (let i = 0; i <= most; i++) service.events.raise(service.workspace, 'lead.created');
    await receiver.count(most);
    await vi.advanceTimersByTimeAsync(8_000);
    await receiver.count(most + 1);
    await vi.advanceTimersByTimeAsync(7_999);
    late.resolve();
    await service.clock.idle();
    const log = service.deliveries.log(service.workspace);
    expect(log.map(({ delivered }) => delivered)).toEqual([...log.slice(1).map(() => false), true]);
  });
  test('looking the name up is part of it', async () => {
    const [asked, found] = [Promise.withResolvers<void>(), Promise.withResolvers<string[]>()];
    const resolve = (): Promise<string[]> => {
      asked.resolve();
      return found.promise;
    };
    const timeout = 8_000;
    const { clock, events, deliveries, register, workspace } = startService({
      timeout,
      addresses: createAddressRules({ allowPrivate: true, resolve, timeout }),
    });
    const receiver = await startReceiver(() => undefined);
    register(receiver.url.replace('127.0.0.1', 'hook.example'));
    events.raise(workspace, 'lead.created');
    await asked.promise;
    await vi.advanceTimersByTimeAsync(5_000);
    found.resolve(['127.0.0.1']);
    await receiver.count(1);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(deliveries.log(workspace)).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await clock.idle();
    expect(deliveries.log(workspace)).toMatchObject([{ delivered: false, error: { code: 'TIMEOUT' } }]);
  });
});
