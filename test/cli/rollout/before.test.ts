import { expect, it } from 'vitest';
import { recordedBefore } from '../../../src/cli/rollout/baseline.ts';
import { LogLines } from '../../helpers/proxy.ts';
import { daysAgo, hoursAgo, now, storeWith } from '../../helpers/usage-store.ts';

it('reads what v1 answered each workspace in two weeks', async () => {
  const acme = { key: 'ak_acme_1', workspace: 'Acme' };
  const { path } = await storeWith({
    traffic: [
      { ...acme, outcome: 'observed', status: 200, calls: [[daysAgo(1), 7]] },
      { ...acme, outcome: 'compared', status: 404, calls: [[daysAgo(2), 2]] },
      { ...acme, outcome: 'observed', status: 503, calls: [[hoursAgo(1), 1]] },
      // By v2, or too long ago.
      { ...acme, outcome: 'translated', status: 500, calls: [[daysAgo(1), 50]] },
      { ...acme, outcome: 'observed', status: 500, calls: [[daysAgo(30), 50]] },
      { outcome: 'observed', status: 401, calls: [[daysAgo(1), 3]] },
    ],
  });
  const baseline = await recordedBefore(path, now, new LogLines().logger);
  expect(baseline).toEqual(
    new Map([
      ['Acme', { calls: 10, refused: 2, failed: 1 }],
      [null, { calls: 3, refused: 0, failed: 3 }],
    ]),
  );
});

it('goes on without a record that cannot be read, and says so', async () => {
  const log = new LogLines();
  const baseline = await recordedBefore('/nowhere/usage.db', now, log.logger);
  expect([baseline.size, log.of('rollout_baseline_missing').length]).toEqual([0, 1]);
});
