import { expect, it } from 'vitest';
import { recordedBefore } from '../../../src/cli/rollout/baseline.ts';
import { hourInMs } from '../../../src/contract/times.ts';
import { LogLines } from '../../helpers/proxy.ts';
import { daysAgo, hoursAgo, now, storeWith } from '../../helpers/usage-store.ts';

const compared = { setup: 's', workspace: 'Acme', endpoint: 'GET /v1/contacts', path: '', v1: '', v2: '', noise: 0 } as const;

it('reads what v1 answered each workspace in two weeks, and what comparing asked within an hour', async () => {
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
    comparisons: [
      // Ten hours of comparing, of which the last counts; and half an hour of it.
      { ...compared, kind: 'calls', count: 100, first: now - 10 * hourInMs, last: now - 1 },
      { ...compared, kind: 'skipped', path: 'busy', count: 9, first: now - 10, last: now - 1 },
      { ...compared, workspace: null, kind: 'calls', count: 4, first: now - hourInMs / 2, last: now - 1 },
      { ...compared, workspace: 'Bolt', kind: 'calls', count: 4, first: daysAgo(2), last: daysAgo(1) },
    ],
  });
  const { baseline, questionsAsked } = await recordedBefore(path, now, new LogLines().logger);
  expect(baseline).toEqual(
    new Map([
      ['Acme', { calls: 10, refused: 2, failed: 1 }],
      [null, { calls: 3, refused: 0, failed: 3 }],
    ]),
  );
  expect(questionsAsked).toEqual(
    new Map([
      ['Acme', 11],
      [null, 4],
    ]),
  );
});

it('goes on without a record that cannot be read, and says so', async () => {
  const log = new LogLines();
  const { baseline, questionsAsked } = await recordedBefore('/nowhere/usage.db', now, log.logger);
  expect([baseline.size, questionsAsked.size, log.of('rollout_baseline_missing').length]).toEqual([0, 0, 1]);
});
