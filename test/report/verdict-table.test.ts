/** The decision table of docs/verdict.md: each of its rows is tried. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verdictTitles } from '../../src/report/text/verdict-wording.ts';
import type { IgnoreRule } from '../../src/usage/ignored.ts';
import { buildReport, type ReportOptions } from '../../src/report/build.ts';
import { otherCallers } from '../../src/usage/model.ts';
import { projectRoot } from '../helpers/build.ts';
import { daily, daysAgo, now, reportDefaults, type StoreContent, storeWith, type Traffic } from '../helpers/usage-store.ts';

interface Situation {
  readonly store: Partial<StoreContent>;
  readonly options?: Partial<ReportOptions>;
  /** The workspace whose verdict it is; of all together where it is not said. */
  readonly of?: string;
}

const acme = (from: number, to: number, more: Partial<Traffic> = {}): Traffic => ({ key: 'mk_acme_1', calls: daily(from, to, 1), ...more });
const once = (days: number): Traffic => ({ key: 'mk_acme_1', calls: [[daysAgo(days), 1]] });
const monthly = { rarestJob: 31 * 86_400_000 };
const quarterly = { workspaces: [{ name: 'Acme', keys: ['mk_acme'], rarestJob: 92 * 86_400_000 }] };
const quiet = [acme(100, 40)];
const ours: IgnoreRule = { reason: 'ours', client: 'axios' };
const refused = { status: 401, outcome: 'local' } as const;
const minutes = (count: number): number => count / 1_440;

const situations: Readonly<Record<string, Situation>> = {
  'a client called within 14 days': { store: { traffic: [acme(100, 13)] } },
  'a client called within twice its longest pause': { store: { traffic: [acme(100, 90), once(60)] } },
  'a client is quiet by its own rhythm, but not for the rarest job': { store: { traffic: [acme(100, 20)] }, options: monthly },
  'a client called on one day only, within the rarest job': { store: { traffic: [once(20)] }, options: monthly },
  'an unknown key was used within the rarest job of any workspace': {
    store: { recorded: [[390, 0]], traffic: [acme(380, 150), { key: 'mk_other_1', calls: [[daysAgo(50), 1]] }] },
    options: quarterly,
  },
  'the same product calls from the same network under an unknown key': {
    store: {
      traffic: [
        acme(100, 40, { networks: ['192.0.2.0/24'] }),
        { key: 'mk_other_1', networks: ['192.0.2.0/24'], client: 'axios/1.9.0', calls: daily(39, 0, 1) },
      ],
    },
    options: { workspaces: [{ name: 'Acme', keys: ['mk_acme'] }] },
    of: 'Acme',
  },
  'the same product called under an unknown key, and is quiet by its own rhythm, but not for the rarest job': {
    store: {
      traffic: [
        acme(100, 60, { networks: ['192.0.2.0/24'] }),
        { key: 'mk_other_1', networks: ['192.0.2.0/24'], client: 'axios/1.9.0', calls: daily(59, 20, 1) },
      ],
    },
    options: { workspaces: [{ name: 'Acme', keys: ['mk_acme'] }], ...monthly },
    of: 'Acme',
  },
  'the same product called under an unknown key within the rarest job of that workspace': {
    store: {
      recorded: [[390, 0]],
      traffic: [
        acme(380, 150, { networks: ['192.0.2.0/24'] }),
        { key: 'mk_other_1', networks: ['192.0.2.0/24'], calls: [[daysAgo(50), 1]] },
      ],
    },
    options: quarterly,
    of: 'Acme',
  },
  'somebody without a workspace called whom v2 accepted': {
    store: { traffic: [...quiet, { client: otherCallers, calls: daily(3, 1, 1) }] },
  },
  'somebody without a workspace called within the rarest job of any workspace': {
    store: { recorded: [[390, 0]], traffic: [acme(380, 150), { client: otherCallers, calls: [[daysAgo(50), 1]] }] },
    options: quarterly,
  },
  'somebody called after the time that the report speaks of': {
    store: { traffic: [...quiet, { key: 'mk_bolt_1', calls: daily(5, 1, 1) }] },
    options: { until: { ago: 10 * 86_400_000 } },
  },
  'an access log has a call past the proxies within the quiet time': {
    store: { traffic: quiet, logs: [{ source: 'edge', reach: [60, 0], calls: [{ days: 25 }] }] },
    options: monthly,
  },
  'an access log has a call with a key of the workspace within its quiet time': {
    store: { traffic: quiet, logs: [{ source: 'edge', reach: [60, 0], calls: [{ key: 'mk_acme_2', days: 25 }] }] },
    options: { workspaces: [{ name: 'Acme', keys: ['mk_acme'] }], ...monthly },
    of: 'Acme',
  },
  'an access log has a call without a key within the quiet time': {
    store: { traffic: quiet, logs: [{ source: 'edge', reach: [60, 0], calls: [{ days: 25 }] }] },
    options: { workspaces: [{ name: 'Acme', keys: ['mk_acme'] }], ...monthly },
    of: 'Acme',
  },
  'an access log has a call with a key that nobody knows within the quiet time': {
    store: { traffic: quiet, logs: [{ source: 'edge', reach: [60, 0], calls: [{ key: 'zz_new_1', days: 25 }] }] },
    options: { workspaces: [{ name: 'Acme', keys: ['mk_acme'] }], ...monthly },
    of: 'Acme',
  },
  'calls could not be recorded': { store: { traffic: quiet, lost: [[3, 2.99, 5]] } },
  'a client was erased that called too recently': {
    store: { traffic: [...quiet, { key: 'mk_bolt_1', calls: daily(20, 5, 1) }], erased: ['mk_bolt_1'] },
  },
  'nothing was ever recorded': { store: { recorded: [] } },
  'no call was ever recorded': { store: {} },
  'all recorded calls are ignored': { store: { traffic: [acme(20, 0)] }, options: { ignore: [ours] } },
  'v2 never accepted a recorded call': { store: { traffic: [acme(20, 0, refused)] } },
  'the record is shorter than twice the rarest job': { store: { traffic: [acme(50, 40)], recorded: [[61, 0]] }, options: monthly },
  'what is kept of the record is shorter than twice the rarest job': {
    // Its quarterly job will run in nine days; what told of it is forgotten.
    store: {
      recorded: [[250, 0]],
      traffic: [
        { key: 'mk_acme_1', calls: [174, 83].map((days) => [daysAgo(days), 1]) },
        { key: 'mk_bolt_1', workspace: 'Bolt', calls: daily(240, 40, 1) },
      ],
      rolledUp: true,
      keepDays: 60,
    },
    options: quarterly,
  },
  'less than 99.5 % of the quiet time was recorded': {
    store: { traffic: quiet, recorded: Array.from({ length: 2 * 120 }, (_, half) => [120 - half / 2, 119.51 - half / 2] as const) },
  },
  'a gap lies where the rarest job may have called, since its last recorded call': {
    store: {
      traffic: [acme(100, 40)],
      recorded: [
        [120, 20.01],
        [20, 0],
      ],
    },
    options: monthly,
  },
  'gaps lie where somebody may have called who was never seen': {
    store: {
      traffic: [acme(80, 70)],
      recorded: [
        [80, 50.01],
        [50, 20.01],
        [20, 0],
      ],
    },
    options: monthly,
  },
  'a proxy fell silent without having ended': { store: { traffic: quiet, unended: [120, minutes(10)] } },
  'a proxy fell silent longer ago than the record is kept': {
    store: { traffic: [acme(100, 20)], recorded: [[120, 0]], unended: [120, 60], rolledUp: true, keepDays: 28 },
  },
  'a proxy that is configured never recorded': { store: { traffic: quiet }, options: { replicas: ['proxy', 'second'] } },
  'a proxy that is configured ended, and did not begin again': {
    // It may have begun again where it does not reach the store.
    store: {
      traffic: quiet,
      recorded: [
        [120, 0],
        [120, 15],
      ],
      replicas: ['proxy', 'second'],
    },
    options: { replicas: ['proxy', 'second'] },
  },
  'a proxy recorded by a clock that was wrong': { store: { traffic: quiet, wrongClock: [34, 20, 14] } },
  'an access log that had calls ends more than two days ago': {
    store: { traffic: quiet, logs: [{ source: 'edge', reach: [60, 3], calls: [{ days: 50 }] }] },
    options: monthly,
  },
  'an access log that had calls has no line for more than a day of the quiet time': {
    store: { traffic: quiet, logs: [{ source: 'edge', reach: [60, 0], holes: [[40, 30]], calls: [{ days: 50 }] }] },
    options: monthly,
  },
  'all clients are quiet for long enough, in a whole record': { store: { traffic: quiet }, options: monthly },
  'a client that v2 always refused goes on calling': {
    store: { traffic: [...quiet, { key: 'guess_1', calls: daily(30, 0, 9), ...refused }] },
  },
  'a proxy ended and began again within a minute, each night': {
    store: { traffic: quiet, recorded: Array.from({ length: 120 }, (_, day) => [120 - day, 119 - day + minutes(0.5)] as const) },
    options: monthly,
  },
  'another proxy ended for good, and the rest went on': {
    store: {
      traffic: quiet,
      recorded: [
        [120, 0],
        [120, 60],
      ],
    },
  },
  'a proxy fell silent, and recorded again under its name before the quiet time': {
    store: {
      traffic: [acme(100, 60)],
      unended: [120, 50],
      recorded: [
        [120, 0],
        [49.9, 0],
      ],
      replicas: ['proxy', 'silent'],
    },
  },
  'a proxy began after another whose clock was ahead, and is recording now': {
    store: {
      traffic: quiet,
      // Two hours ahead for a minute, as a machine begins whose clock is not set yet.
      recorded: [[120 - 2 / 24, 120 - 2 / 24 - minutes(1)]],
      unended: [120, 0],
      clockOfUnended: 120,
    },
  },
  'a successor begins by a clock that is half a minute late': {
    store: {
      traffic: quiet,
      unended: [120, 10],
      recorded: [
        [120, 0],
        [10 + minutes(0.5), 0],
      ],
      replicas: ['proxy', 'silent'],
    },
  },
  'an access log has calls, and none within the quiet time': {
    store: { traffic: quiet, logs: [{ source: 'edge', reach: [60, 1], calls: [{ days: 33 }, { key: 'mk_acme_1', days: 40 }] }] },
    options: monthly,
  },
  'an access log has calls that were refused alone': {
    store: {
      traffic: quiet,
      logs: [
        {
          source: 'edge',
          reach: [60, 20],
          calls: [...[401, 403, 410].map((status) => ({ days: 21, status })), { days: 21, endpoint: 'unlisted', status: 404 }],
        },
      ],
    },
    options: monthly,
  },
  'an access log that had calls has no line for more than a day before the quiet time': {
    store: { traffic: quiet, logs: [{ source: 'edge', reach: [60, 0], holes: [[45, 35]], calls: [{ days: 50 }] }] },
    options: monthly,
  },
  'an access log that never had a call ends long ago': {
    store: { traffic: quiet, logs: [{ source: 'edge', reach: [60, 30], calls: [] }] },
    options: monthly,
  },
};

interface Row {
  readonly situation: string;
  readonly state: string;
  readonly blocker: string;
}

const rows = readFileSync(join(projectRoot, 'docs/verdict.md'), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, , state = '']) => /^(?:SAFE|UNKNOWN|NOT YET)/.test(state))
  .map(([, situation = '', state = '', blocker = '']): Row => ({
    situation,
    state: state.replace(/ \(.*\)$/, ''),
    blocker: blocker.replaceAll('`', ''),
  }));

test('the table has a row for each situation that is tried, and none besides', () => {
  expect(rows.map(({ situation }) => situation)).toEqual(Object.keys(situations));
});

test.each(rows)('$situation: $state', async ({ situation, state, blocker }) => {
  const { store, options, of } = situations[situation] ?? { store: {} };
  const { reader } = await storeWith({ traffic: [], ...store });
  const report = await buildReport(reader, { ...reportDefaults, since: { ago: 90 * 86_400_000 }, now, ...options });
  const verdict = of === undefined ? report.verdict : report.workspaces.find(({ name }) => name === of)?.verdict;
  const codes: readonly string[] = verdict?.blockers.map(({ code }) => code) ?? [];
  expect([verdictTitles[verdict?.state ?? 'unknown'], codes.find((code) => code === blocker) ?? codes[0] ?? '']).toEqual([state, blocker]);
});
