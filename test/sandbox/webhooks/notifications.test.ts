import { describe, expect, test } from 'vitest';
import { after, day, raise, startReceiver, startService } from './service.ts';

describe('api.md §6: five consecutive failed deliveries', () => {
  test('the workspace is notified once, and the endpoint stays active', async () => {
    const service = startService();
    const webhook = service.register((await startReceiver(500)).url);
    await raise(service);
    await service.clock.advance(35_000);
    expect(service.deliveries.notifications(service.workspace)).toEqual([]);
    await service.clock.advance(day);
    await raise(service);
    await service.clock.advance(day);
    expect(service.deliveries.notifications(service.workspace)).toEqual([
      {
        id: expect.stringMatching(/^ntf_/),
        webhookId: webhook.id,
        url: webhook.url,
        at: after(75),
        message: `5 deliveries in a row to ${webhook.url} have failed. The endpoint stays active`,
      },
    ]);
    expect(webhook).toMatchObject({ paused: false, failures: 10 });
  });
  test('a success ends the streak; five more failures are told again', async () => {
    const service = startService();
    const fails = [500, 500, 500, 500, 500];
    const webhook = service.register((await startReceiver(...fails, 200, ...fails)).url);
    await raise(service);
    await service.clock.advance(75_000);
    await raise(service);
    expect(webhook.failures).toBe(0);
    await raise(service);
    await service.clock.advance(75_000);
    expect(service.deliveries.notifications(service.workspace).map(({ at }) => at)).toEqual([75, 150].map(after));
  });
  test('four failures and a success are told to nobody', async () => {
    const service = startService();
    const webhook = service.register((await startReceiver(500, 500, 500, 500, 200)).url);
    await raise(service);
    await service.clock.advance(day);
    expect([webhook.failures, service.deliveries.notifications(service.workspace)]).toEqual([0, []]);
  });
  test('each endpoint is counted by itself', async () => {
    const service = startService();
    const [good, failing] = [service.register((await startReceiver()).url), service.register((await startReceiver(500)).url)];
    await raise(service);
    await service.clock.advance(day);
    expect(service.deliveries.notifications(service.workspace).map(({ webhookId }) => webhookId)).toEqual([failing.id]);
    expect(good.failures).toBe(0);
  });
  test('another workspace is told nothing', async () => {
    const service = startService();
    service.register((await startReceiver(500)).url);
    const other = service.store.createWorkspace('Other', 'Free');
    await raise(service);
    await service.clock.advance(day);
    expect(service.deliveries.notifications(other)).toEqual([]);
  });

  describe('webhookAttemptsCountAsDeliveries off', () => {
    const off = { assumptions: { webhookAttemptsCountAsDeliveries: false } };

    test('an event counts once, when its last attempt has failed', async () => {
      const service = startService(off);
      const webhook = service.register((await startReceiver(500)).url);
      const failures: number[] = [];
      for (let events = 0; events < 5; events++) {
        await raise(service);
        await service.clock.advance(74_999);
        failures.push(webhook.failures);
        await service.clock.advance(1);
      }
      expect(failures).toEqual([0, 1, 2, 3, 4]);
      expect(service.deliveries.notifications(service.workspace).map(({ at }) => at)).toEqual([after(375)]);
    });
    test('an event that arrives in the end ends the streak', async () => {
      const service = startService(off);
      const fails = [500, 500, 500, 500];
      const webhook = service.register((await startReceiver(...fails, 500, ...fails, 200)).url);
      await raise(service);
      await service.clock.advance(75_000);
      await raise(service);
      expect(webhook.failures).toBe(1);
      await service.clock.advance(75_000);
      expect(webhook.failures).toBe(0);
    });
  });
});
