import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { createAddressRules } from '../../../src/sandbox/webhooks/address.ts';
import { startSandbox } from '../../helpers/sandbox.ts';

/** A resolver that never comes to an end. */
const asked = vi.hoisted(() => vi.fn<(host: string) => Promise<never>>(() => new Promise(() => undefined)));
vi.mock('node:dns/promises', () => ({ lookup: asked }));

describe('the time that a name has to resolve', () => {
  test('is limited where an endpoint is registered on v2: the URL is refused', async () => {
    await using sandbox = await startSandbox({ webhookTimeout: 20 });
    const { status, body } = await sandbox.call('POST /v2/webhooks', { json: { url: 'https://hook.example/' } });
    expect({ status, body }).toMatchObject({ status: 400, body: { success: false } });
  });

  describe('without waiting for it:', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => void vi.useRealTimers());

    test('is the receivers’ timeout where one is registered in the dashboard', async () => {
      const { dashboard } = createSandbox({ webhookTimeout: 20 });
      const refused = dashboard.registerWebhook('demo', { url: 'https://hook.example/' }).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(20);
      expect(vi.getTimerCount()).toBe(0);
      expect(await refused).toMatchObject({
        code: 'WEBHOOK_URL',
        message: expect.stringContaining('hook.example did not resolve in time'),
      });
    });
    test('is 8 seconds where nothing else is said', async () => {
      let over = false;
      const checked = createAddressRules({ allowPrivate: false }).check('https://hook.example/');
      void checked.then(() => (over = true));
      await vi.advanceTimersByTimeAsync(7_999);
      expect(over).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect([await checked, vi.getTimerCount()]).toMatchObject([{ problem: 'UNRESOLVED' }, 0]);
    });
    test('ends where the check is given up, and no timer is left', async () => {
      const stop = new AbortController();
      const checked = createAddressRules({ allowPrivate: false }).check('https://hook.example/', stop.signal);
      stop.abort();
      expect([await checked, vi.getTimerCount()]).toMatchObject([{ problem: 'UNRESOLVED' }, 0]);
    });
  });
});
