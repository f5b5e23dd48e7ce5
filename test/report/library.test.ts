import { describe, expect, test } from 'vitest';
import { renderUsageReport, usageReport } from '../../src/index.ts';
import { daily, hashOf, now, storeWith } from '../helpers/usage-store.ts';

const traffic = [{ key: 'mk_acme_1', calls: daily(20, 1, 3) }];

describe('the report as a library', () => {
  test('is made of a store, with what the configuration would say', async () => {
    const { path } = await storeWith({ traffic });
    const report = await usageReport({
      store: path,
      since: '10d',
      workspaces: [{ name: 'Acme', keys: [`hash:${hashOf('mk_acme_1')}`] }],
      now,
    });
    expect(report).toMatchObject({
      total: { calls: 30 },
      workspaces: [{ name: 'Acme', origin: 'configured' }],
      verdict: { state: 'not_yet' },
    });
    expect(await renderUsageReport(report, 'markdown')).toContain('**NOT YET**');
  });

  test.each([
    [{ since: 'yesterday' }, { name: 'ConfigError', key: 'since' }],
    [{ ignore: [{ reason: 'all' }] }, { name: 'ConfigError' }],
    [{ sinec: '1d' }, { name: 'ConfigError', key: 'sinec' }],
    [{ store: '/no/such/usage.db' }, { name: 'StoreError', code: 'STORE_MISSING' }],
  ])('names what is wrong in %j', async (given, error) => {
    await expect(usageReport({ store: 'usage.db', ...given })).rejects.toMatchObject(error);
  });
});
