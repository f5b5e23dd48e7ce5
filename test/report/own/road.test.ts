import { expect, test } from 'vitest';
import { dayInMs } from '../../../src/contract/times.ts';
import { buildReport } from '../../../src/report/build.ts';
import { usualThresholds } from '../../../src/rollout/noise.ts';
import type { Brownout, Match } from '../../../src/rollout/rules.ts';
import { daily, hashOf, now, reportDefaults, storeWith } from '../../helpers/usage-store.ts';

const workspaces = ['Acme', 'Bolt'].map((name) => ({ name, keys: [`mk_${name.toLowerCase()}_`] }));

const brownout = (match: Match, exempt: readonly string[] = []): Brownout => ({
  name: 'only one',
  match,
  exempt,
  at: now + dayInMs,
  for: 60_000,
  ramp: 0,
  status: 503,
});

test.each<[string, Brownout, number]>([
  ['of all', brownout({}), 1],
  ['of a share of the keys', brownout({ percent: 0.1 }), 1],
  ['of an endpoint', brownout({ endpoint: ['GET /v1/contacts'] }), 1],
  ['of their name', brownout({ workspace: ['Bolt', 'Acme'] }), 1],
  ['of another name', brownout({ workspace: ['Bolt'] }), 0],
  ['that spares them', brownout({}, ['Acme']), 0],
  ['of unknown keys', brownout({ unknown: true }), 0],
  ['of their client, whatever its version', brownout({ client: ['sync'] }), 1],
  ['of another client', brownout({ client: ['sync/2'] }), 0],
  ['of their key', brownout({ keys: [`hash:${hashOf('mk_acme_1')}`] }), 1],
  ['of keys that may begin like theirs', brownout({ keys: ['mk_acme_1_and_more'] }), 1],
  ['of another key', brownout({ keys: ['mk_bolt'] }), 0],
])('the report of one workspace has the brownouts that can be about it: %s', async (_what, one, announced) => {
  const { reader } = await storeWith({ traffic: [{ key: 'mk_acme_1', client: 'sync/1', calls: daily(5, 0, 1) }] });
  const compare = { sample: 1, concurrency: 1, share: 0.1, noise: usualThresholds, equal: [] };
  const rollout = { rules: [], brownouts: [one], compare, atSunset: 'stay', announce: true } as const;
  const of = { workspaces: ['Acme'], owners: [] };
  const report = await buildReport(reader, { ...reportDefaults, workspaces, rollout, of, since: { ago: 90 * dayInMs }, now });
  expect(report.rollout?.announced ?? []).toHaveLength(announced);
});
