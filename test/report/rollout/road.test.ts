/** The road from v1 to v2, from the record to the report. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { dayInMs } from '../../../src/contract/times.ts';
import { buildReport } from '../../../src/report/build.ts';
import type { Rollout } from '../../../src/rollout/rules.ts';
import { usualThresholds } from '../../../src/rollout/noise.ts';
import { openReader } from '../../../src/usage/store/open.ts';
import { daily, daysAgo, now, reportDefaults, storeWith } from '../../helpers/usage-store.ts';
import { roadContent, roadReport, roadWorkspaces, stepOf } from './sample.ts';

const rolloutWith = (workspace: readonly string[] | undefined): Rollout => ({
  rules: [{ name: 'Echo first', match: { workspace }, stage: 'translate' }],
  brownouts: [],
  compare: { sample: 1, concurrency: 8, share: 0.05, noise: usualThresholds, equal: [] },
  atSunset: 'translate',
  announce: true,
});

test('each workspace stands somewhere, and has a next step', async () => {
  const { workspaces, rollout } = await roadReport(roadContent, { workspaces: roadWorkspaces });
  const roads = workspaces.map(({ name, road }) => [name, road?.stages.find(({ current }) => current)?.stage, road?.next?.step]);
  expect(roads.toSorted()).toEqual([
    ['Acme', 'compare', 'mend'],
    ['Bolt', 'compare', 'translate'],
    ['Core', 'translate', 'move_client'],
    ['Dune', 'observe', 'compare'],
    ['Echo', 'observe', 'release'],
    [expect.stringContaining('mk_new_7'), undefined, 'wait_for_calls'],
  ]);
  const of = (wanted: string) => workspaces.find(({ name }) => name === wanted)?.road;
  expect(of('Acme')).toMatchObject({
    compared: { calls: 800, askedAgain: 40, differences: 3, noise: 1 },
    skipped: [{ reason: 'busy', calls: 12 }],
    before: { calls: 861, errors: expect.closeTo(21 / 861) },
    after: null,
  });
  expect(of('Bolt')).toMatchObject({ uncompared: ['GET /v1/campaigns'], compared: { calls: 1_240, differences: 0 } });
  expect(of('Dune')).toMatchObject({ refused: 6 });
  expect(of('Echo')).toMatchObject({ tripped: ['Echo first'] });
  expect(rollout?.differences.map(({ path, advice }) => [path, advice])).toEqual([
    ['data[].name', 'map_answer'],
    ['data[].createdAt', 'equal_instant'],
    ['to', 'map_request'],
  ]);
});

test('where a workspace stands does not depend on how long the period is', async () => {
  const roadsOf = async (days: number) => {
    const { workspaces } = await roadReport(roadContent, { workspaces: roadWorkspaces, since: { ago: days * dayInMs } });
    return workspaces.map(({ name, road }) => [name, road?.stages, road?.next?.step]).toSorted();
  };
  expect(await roadsOf(0.1)).toEqual(await roadsOf(90));
});

test('the steps are those of the period and those that still hold, the newest first', async () => {
  const steps = [...(roadContent.steps ?? []), stepOf('released', daysAgo(1), 'Echo first'), stepOf('stopped', daysAgo(0.5))];
  const kindsOf = async (days: number) => {
    const { rollout } = await roadReport({ ...roadContent, steps }, { since: { ago: days * 86_400_000 } });
    return rollout?.steps.map(({ kind }) => kind);
  };
  expect(await kindsOf(90)).toEqual(['stopped', 'released', 'tripped', 'resumed', 'stopped']);
  expect(await kindsOf(1.5)).toEqual(['stopped', 'released']);
});

test('a guard that nobody released holds, however long ago it tripped', async () => {
  const { rollout } = await roadReport(roadContent, { since: { ago: 3_600_000 } });
  expect(rollout).toMatchObject({ steps: [{ kind: 'tripped' }], tripped: [{ rule: 'Echo first' }] });
});

test.each([
  ['the workspaces that it names', ['Dune'], ['Dune']],
  ['those whose calls went back to v1 with it where it names none', undefined, ['Echo']],
])('with the configuration, a rule that was taken back is about %s', async (_what, workspace, expected) => {
  const { workspaces } = await roadReport(roadContent, { workspaces: roadWorkspaces, rollout: rolloutWith(workspace) });
  expect(workspaces.flatMap(({ name, road }) => (road?.tripped.length === 0 ? [] : [name]))).toEqual(expected);
});

test('without the configuration, it is not about who has not called since, nor about who is translated still', async () => {
  const traffic = [
    ...roadContent.traffic,
    { key: 'mk_quiet_1', calls: daily(12, 3, 30) },
    { key: 'mk_partly_1', calls: daily(12, 0, 30) },
    { key: 'mk_partly_1', outcome: 'observed' as const, calls: daily(12, 0, 30) },
  ];
  const { workspaces } = await roadReport({ ...roadContent, traffic }, { workspaces: roadWorkspaces });
  expect(workspaces.flatMap(({ name, road }) => (road?.tripped.length === 0 ? [] : [name]))).toEqual(['Echo']);
});

test('everybody waits where all is stopped', async () => {
  const steps = [stepOf('stopped', daysAgo(1))];
  const { workspaces, rollout } = await roadReport({ ...roadContent, steps }, { workspaces: roadWorkspaces });
  expect(new Set(workspaces.map(({ road }) => road?.next?.step))).toEqual(new Set(['resume']));
  expect(rollout?.stopped).toBe(new Date(daysAgo(1)).toISOString());
});

test('ignored calls are nowhere on the road', async () => {
  const { rollout, workspaces } = await roadReport(roadContent, { ignore: [{ reason: 'ours', client: 'axios' }] });
  expect(workspaces.map(({ road }) => road?.stages)).toEqual([[]]);
  expect(rollout?.brownouts).toMatchObject([{ calls: 3 }]);
});

test('calls to an endpoint that is ignored are nowhere, either', async () => {
  const ignore = [{ reason: 'ours', endpoint: 'GET /v1/campaigns' }];
  const { workspaces } = await roadReport(roadContent, { workspaces: roadWorkspaces, ignore });
  expect(workspaces.find(({ name }) => name === 'Bolt')?.road).toMatchObject({ uncompared: [], before: { calls: 1_470 } });
});

test('a record without a roll-out has no road', async () => {
  const report = await roadReport({ traffic: [{ key: 'mk_acme_1', calls: daily(9, 0, 3) }] }, { rollout: rolloutWith(undefined) });
  expect('rollout' in report || report.workspaces.some((row) => 'road' in row)).toBe(false);
});

test('of a store of the version before, which knows of no road, the report is as it was', async () => {
  const { path, reader } = await storeWith({ traffic: [{ key: 'mk_acme_1', calls: daily(9, 0, 3) }] });
  const options = { ...reportDefaults, since: { ago: 90 * dayInMs }, now };
  const before = await buildReport(reader, options);
  const db = new DatabaseSync(path);
  db.exec(
    'DROP TABLE mark; DROP TABLE step; DROP TABLE comparison; DROP TABLE ledger; DROP TABLE fleet; DROP TABLE saving; PRAGMA user_version = 2',
  );
  db.close();
  const older = await openReader(path);
  expect(await buildReport(older, options)).toEqual(before);
  await older.close();
});

test('the verdict is the same whatever happens on the road', async () => {
  const { verdict } = await roadReport(roadContent, { workspaces: roadWorkspaces });
  expect(verdict).toEqual((await roadReport({ traffic: roadContent.traffic }, { workspaces: roadWorkspaces })).verdict);
});
