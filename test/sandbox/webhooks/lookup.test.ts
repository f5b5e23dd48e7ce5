import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { createAddressRules } from '../../../src/sandbox/webhooks/address.ts';
import { startSandbox } from '../../helpers/sandbox.ts';

/** A resolver that never comes to an end. */
const asked = vi.hoisted(() => vi.fn<(host: string) => Promise<never>>(() => new Promise(() => undefined)));
vi.mock('node:dns/promises', () => ({ lookup: asked }));

describe('a name that does not resolve in time', () => {
  test('is refused where an endpoint is registered on v2', async () => {
    await using sandbox = await startSandbox({ webhookTimeout: 20 });
    const { status, body } = await sandbox.call('POST /v2/webhooks', { json: { url: 'https://hook.example/' } });
    expect({ status, body }).toMatchObject({ status: 400, body: { success: false } });
  });
  test('is refused where an endpoint is registered in the dashboard', async () => {
    const { dashboard } = createSandbox({ webhookTimeout: 20 });
    await expect(dashboard.registerWebhook('demo', { url: 'https://hook.example/' })).rejects.toMatchObject({
      code: 'WEBHOOK_URL',
      message: expect.stringContaining('hook.example did not resolve in time'),
    });
  });

  describe('by default', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => void vi.useRealTimers());

    test('has as long as a receiver has to answer: 8 seconds', async () => {
      let over = false;
      const checked = createAddressRules({ allowPrivate: false }).check('https://hook.example/');
      void checked.then(() => (over = true));
      await vi.advanceTimersByTimeAsync(7_999);
      expect(over).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect([await checked, vi.getTimerCount()]).toMatchObject([{ problem: 'UNRESOLVED' }, 0]);
    });
    test('ends at once where it is given up, and leaves no timer', async () => {
      const stop = new AbortController();
      const checked = createAddressRules({ allowPrivate: false }).check('https://hook.example/', stop.signal);
      stop.abort();
      expect([await checked, vi.getTimerCount()]).toMatchObject([{ problem: 'UNRESOLVED' }, 0]);
    });
  });
});
