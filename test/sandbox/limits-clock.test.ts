/** The windows of the limits where the clock is turned (api.md §8): what becomes of their counts. */
import { describe, expect, test as base } from 'vitest';
import { sandboxFixtures, type TestSandbox } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

const windows = [
  ['perMinute', '/v1', '2026-08-01T11:59:59Z', ({ dashboard }: TestSandbox) => dashboard.usage('demo').minute[0]?.used],
  ['perDay', '/v1', '2026-07-31T23:59:59Z', ({ dashboard }: TestSandbox) => dashboard.usage('demo').day.used],
  ['perHour', '/v2', '2026-08-01T11:59:59Z', ({ dashboard }: TestSandbox) => dashboard.usage('demo').hour.used],
] as const;

describe.each(windows)('%s of %s', (limit, version, before, used) => {
  const start = '2026-08-01T12:00:00Z';
  const next = async ({ call }: TestSandbox): Promise<number> => (await call(`GET ${version}/messages`)).status;
  const useUp = async (sandbox: TestSandbox): Promise<void> => {
    sandbox.dashboard.changeWorkspace('demo', { limits: { [limit]: 1 } });
    expect([await next(sandbox), await next(sandbox), used(sandbox)]).toEqual([200, 429, 1]);
  };

  test('a window before one that is used up has its own count', async ({ sandbox }) => {
    await useUp(sandbox);
    await sandbox.clock.set(before);
    expect(used(sandbox)).toBe(0);
    expect([await next(sandbox), await next(sandbox), used(sandbox)]).toEqual([200, 429, 1]);
  });
  test('a window begins anew when the clock comes back to it after calls in another one', async ({ sandbox }) => {
    await useUp(sandbox);
    await sandbox.clock.set(before);
    await next(sandbox);
    await sandbox.clock.set(start);
    expect(used(sandbox)).toBe(0);
    expect([await next(sandbox), await next(sandbox)]).toEqual([200, 429]);
  });
  test('a window keeps its count while no other one has calls, wherever the clock has been', async ({ sandbox }) => {
    await useUp(sandbox);
    await sandbox.clock.set(before);
    await sandbox.clock.set('2026-08-01T12:00:59Z');
    expect([used(sandbox), await next(sandbox)]).toEqual([1, 429]);
  });
});
