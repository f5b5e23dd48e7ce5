import { describe, expect, test } from 'vitest';
import { dayInMs } from '../../../src/contract/times.ts';
import { digestText } from '../../../src/report/digest/text.ts';
import { daily, daysAgo } from '../../helpers/usage-store.ts';
import { digestOf, pastProxies, sample, steady, withBrownout, workspaces } from './sample.ts';

const names = (rows: readonly { readonly workspace: string }[]): readonly string[] => rows.map(({ workspace }) => workspace);

test('the week begins at a midnight, so that a cron that is late leaves no time between two digests', async () => {
  const { week, before } = await digestOf();
  expect([before, week]).toEqual([
    { since: '2026-11-06T00:00:00.000Z', until: '2026-11-13T00:00:00.000Z' },
    { since: '2026-11-13T00:00:00.000Z', until: '2026-11-20T12:00:00.000Z' },
  ]);
});

test('who was SAFE a week ago and calls again came back', async () => {
  const { cameBack } = await digestOf();
  expect(cameBack).toEqual([
    {
      workspace: 'Core',
      owner: null,
      contact: 'core@example.test',
      since: '2026-11-18T00:00:00.000Z',
      quiet: 47 * dayInMs,
      wasSafe: true,
      calls: 8,
    },
  ]);
});

test('an unknown key that comes back is told among unknown keys alone', async () => {
  const { cameBack, unknownKeys } = await digestOf({ traffic: [{ key: 'mk_new_77', calls: [...daily(60, 40, 1), ...daily(2, 0, 1)] }] });
  expect([cameBack, unknownKeys.map(({ isNew }) => isNew)]).toEqual([[], [false]]);
});

test.each([
  ['who was quiet for two weeks came back, though it was not SAFE', 18, 1],
  ['who was quiet for less never left', 12, 0],
])('%s', async (_name, quietFrom, many) => {
  const traffic = [{ key: 'mk_core_1', calls: [...daily(60, quietFrom, 1), ...daily(2, 0, 1)] }];
  const { cameBack } = await digestOf({ traffic }, { rarestJob: 60 * 86_400_000 });
  expect(cameBack.map(({ wasSafe }) => wasSafe)).toEqual(Array.from({ length: many }, () => false));
});

test('who called for the first time is new, with its clients; so is a client of somebody who goes on', async () => {
  const { new: newcomers, newClients } = await digestOf();
  expect(newcomers).toEqual([expect.objectContaining({ workspace: 'Dart', calls: 28 })]);
  expect(newClients).toEqual([expect.objectContaining({ workspace: 'Acme', product: 'batch/1.0', network: '198.51.100.0/24' })]);
});

test('an update of a client is no new client, and no client that left; nor is one with another key of its workspace', async () => {
  const traffic = [
    { key: 'mk_acme_1', client: 'legacy/2.1', calls: daily(60, 9, 5) },
    { key: 'mk_acme_1', client: 'legacy/2.2', calls: daily(8, 0, 5) },
    { key: 'mk_acme_2', client: 'legacy/2.2', calls: daily(3, 0, 5) },
  ];
  expect(await digestOf({ traffic })).toMatchObject({ newClients: [], leftClients: [], changed: false });
});

test('who has been quiet for a week stopped, and a client of somebody who goes on', async () => {
  const { left, leftClients } = await digestOf();
  expect(names(left)).toEqual(['Bolt']);
  expect(leftClients).toEqual([expect.objectContaining({ workspace: 'Acme', product: 'cron/1' })]);
});

test.each([
  ['a client that runs every ten days has not stopped between two runs', [37, 27, 17, 9], []],
  ['it has once it pauses for much longer than ever before', [58, 50, 42, 34, 26, 18], ['cron/1']],
  ['a client that stopped earlier is told no more', [50, 49, 48], []],
])('%s', async (_name, days, expected) => {
  const traffic = [...steady.traffic, { key: 'mk_acme_1', client: 'cron/1', calls: days.map((day) => [daysAgo(day) - 1, 1] as const) }];
  const { leftClients } = await digestOf({ traffic });
  expect(leftClients.map(({ product }) => product)).toEqual(expected);
});

test('keys that nobody knows are told by their calls, new ones as new; one that v2 refuses is not', async () => {
  const { unknownKeys } = await digestOf();
  expect(unknownKeys).toMatchObject([
    { isNew: false, calls: 40, products: ['curl/8.5'] },
    { isNew: true, calls: 30, products: ['axios/1.7.0'], networks: ['2001:db8::/48'] },
  ]);
});

test('a limit that is met now and was not a week ago is new', async () => {
  const { limits } = await digestOf();
  expect(limits).toMatchObject([
    { workspace: 'Acme', plan: 'Free', perHour: 100, fit: 'exceeds', before: 'fits', isNew: true, v2Calls: 148 },
  ]);
});

test('a limit that was met a week ago is told, and is no news', async () => {
  const traffic = [{ key: 'mk_acme_1', calls: [...daily(60, 0, 5), [daysAgo(12), 140] as const, [daysAgo(2), 140] as const] }];
  expect(await digestOf({ traffic })).toMatchObject({ limits: [{ before: 'exceeds', isNew: false }], changed: false });
});

test('who calls is counted for both weeks, and calls of each', async () => {
  const { calling } = await digestOf();
  expect(calling).toEqual({
    now: expect.objectContaining({ workspaces: 5, unknownKeys: 2, clients: 6, calls: 292 }),
    before: expect.objectContaining({ workspaces: 3, unknownKeys: 1, clients: 4, calls: 88 }),
  });
});

test('two weeks of the same are no news: what is left is whom to talk to', async () => {
  const digest = await digestOf(steady);
  expect(digest).toMatchObject({ changed: false, cameBack: [], new: [], left: [], unknownKeys: [] });
  expect(digest.first).toEqual([{ step: 'call_busiest', workspace: 'Acme', owner: 'Ada', contact: 'ada@acme.test', calls: 40 }]);
});

test.each([
  ['began within the week', [[5, 0]], null],
  ['began in the week before', [[10, 0]], 'unknown'],
  [
    'has a gap in the week',
    [
      [60, 5],
      [3, 0],
    ],
    'not_yet',
  ],
] as const)('where the record %s the weeks are not compared, which is told', async (_name, recorded, before) => {
  const digest = await digestOf({ traffic: [{ key: 'mk_acme_1', calls: daily(4, 0, 1) }], recorded });
  expect(digest).toMatchObject({ newClients: [], leftClients: [], left: [], changed: true, calling: { before: null } });
  expect(digest.comparison.comparable).toBe(false);
  expect(digest.verdict.before === null).toBe(before === null);
  expect(digest.first.some(({ step }) => step === 'mend_record')).toBe(before === 'not_yet');
});

test('a gap says nothing of clients that were not seen before it, and that nobody can tell is news', async () => {
  const traffic = [...steady.traffic, { key: 'mk_acme_1', client: 'batch/1.0', calls: daily(2, 0, 1) }];
  const recorded = [
    [60, 5],
    [3, 0],
  ] as const;
  expect(await digestOf({ traffic, recorded })).toMatchObject({ newClients: [], cameBack: [], new: [], left: [], changed: true });
});

test('a store without a record is no reason to throw', async () => {
  const digest = await digestOf({ traffic: [], recorded: [] });
  expect(digest).toMatchObject({ verdict: { now: 'unknown', before: null }, comparison: { recordedSince: null, recorded: 0 }, first: [] });
});

test('SAFE now, and not a week ago, is news: v1 can be switched off', async () => {
  const traffic = [{ key: 'mk_core_1', calls: daily(60, 18, 2) }];
  const digest = await digestOf({ traffic });
  expect(digest).toMatchObject({ changed: true, verdict: { now: 'safe' }, first: [{ step: 'switch_off' }] });
  expect(digest.verdict.before).not.toBe('safe');
});

test('SAFE of one customer alone is named as that, and switches nothing off', async () => {
  const traffic = [
    { key: 'mk_core_1', calls: daily(60, 18, 2) },
    { key: 'mk_bolt_1', calls: daily(60, 0, 2) },
  ];
  const digest = await digestOf({ traffic }, { of: { workspaces: ['Core'], owners: [] } });
  expect(digest).toMatchObject({ of: ['Core'], verdict: { now: 'safe' }, first: [] });
  const { title, verdict } = digestText(digest);
  expect([title, verdict.text]).toEqual([
    expect.stringMatching(/^v1 use of Core from /),
    expect.stringMatching(/; this says nothing of v1 as a whole$/),
  ]);
});

test('the verdict of a week ago knows nothing of who has called since', async () => {
  const { verdict } = await digestOf({ traffic: [{ key: 'mk_core_1', calls: [...daily(70, 50, 2), ...daily(2, 1, 4)] }] });
  expect(verdict).toEqual({ now: 'not_yet', before: 'safe' });
});

test('a brownout within a week is news, and to be announced; a later one is only told', async () => {
  const next = await digestOf(steady, { rollout: withBrownout('one hour', 6) });
  expect(next).toMatchObject({ changed: true, brownouts: [{ name: 'one hour', status: 503 }], first: [{ step: 'announce_brownout' }] });
  const later = await digestOf(steady, { rollout: withBrownout('one day', 8) });
  expect(later).toMatchObject({ changed: false, brownouts: [{ name: 'one day' }], first: [{ step: 'call_busiest' }] });
});

test('what to do first names each workspace once, the most urgent thing of it', async () => {
  const { first } = await sample();
  expect(first.map((step) => [step.step, 'workspace' in step ? step.workspace : ''])).toEqual([
    ['ask_why_back', 'Core'],
    ['ask_promise', 'Acme'],
    ['announce_brownout', ''],
    ['name_key', ''],
    ['name_key', ''],
  ]);
  const promised = workspaces.map((each) => ({ ...each, status: { status: 'promised' as const, until: daysAgo(2.5) } }));
  const { first: both } = await digestOf(undefined, { workspaces: promised });
  expect(both.filter((step) => 'workspace' in step && step.workspace === 'Core')).toMatchObject([{ step: 'ask_why_back' }]);
});

test.each([
  ['promised a day that is over, and still calls', 'Acme', -2, { changed: true, overdue: [true], first: 'ask_promise' }],
  ['promised a day that was over long ago', 'Acme', -20, { changed: false, overdue: [true], first: 'ask_promise' }],
  ['promised one of the next days', 'Acme', 3, { changed: true, overdue: [false], first: undefined }],
  ['promised a later day', 'Acme', 20, { changed: false, overdue: [], first: undefined }],
  ['kept it', 'Bolt', -2, { changed: false, overdue: [], first: 'call_busiest' }],
])('who %s', async (_name, name, inDays, expected) => {
  const until = Math.floor(daysAgo(-inDays) / dayInMs) * dayInMs;
  const marked = workspaces.map((each) => (each.name === name ? { ...each, status: { status: 'promised' as const, until } } : each));
  const traffic = [...steady.traffic, { key: 'mk_bolt_1', calls: daily(60, 40, 1) }];
  const { changed, promises, first } = await digestOf({ traffic }, { workspaces: marked });
  expect({ changed, overdue: promises.map(({ overdue }) => overdue), first: first[0]?.step }).toEqual(expected);
});

test('the report of another time has its own week before', async () => {
  const { week, new: newcomers } = await digestOf(undefined, { until: { at: daysAgo(2.5) } });
  expect(week).toEqual({ since: '2026-11-11T00:00:00.000Z', until: '2026-11-18T00:00:00.000Z' });
  expect(newcomers).toMatchObject([{ workspace: 'Dart', calls: 7 }]);
});

describe('calls past the proxies, as access logs show them,', () => {
  test('are told by whom and where, new ones as new', async () => {
    const { logs, changed } = await digestOf(pastProxies);
    expect(changed).toBe(true);
    expect(logs.calls).toMatchObject([{ sources: ['edge'], known: true, clients: 3 }]);
    expect(logs.callers.map(({ source, workspace, product, network, isNew }) => [source, workspace, product, network, isNew])).toEqual([
      ['edge', 'Bolt', 'bolt/1', '198.51.100.0/24', true],
      ['edge', expect.stringMatching(/^mk_lost_…/), 'curl/8.5', null, true],
      ['edge', null, 'axios/1.7.0', '198.51.100.0/24', false],
    ]);
  });

  test('are the first thing to do, and so are logs that end', async () => {
    const { first, logs } = await digestOf(pastProxies);
    expect(logs.ended.map(({ name }) => name)).toEqual(['old']);
    expect(first).toMatchObject([
      { step: 'import_logs', name: 'old' },
      { step: 'send_through_proxy', clients: 3, sources: ['edge'], names: ['Bolt', expect.stringMatching(/^mk_lost_…/)] },
    ]);
  });

  test('are no news where they are the same as a week ago, and logs ended before', async () => {
    const calls = [{ days: 1 }, { days: 9 }, { days: 30 }];
    const logs = [{ source: 'edge', reach: [40, 0], calls }, ...(pastProxies.logs ?? []).slice(1)] as const;
    const { changed, logs: told } = await digestOf({ ...steady, logs });
    expect([changed, told.callers.map(({ isNew }) => isNew), told.ended.length]).toEqual([false, [false], 1]);
  });

  test('of one who gets through no more are told no more', async () => {
    const logs = [{ source: 'edge', reach: [200, 0], calls: [{ days: 150 }] }] as const;
    expect((await digestOf({ ...steady, logs })).logs).toEqual({ calls: [], ended: [], callers: [] });
    expect((await digestOf(steady)).logs).toEqual({ calls: [], ended: [], callers: [] });
  });

  test('of one customer alone are told without those of others', async () => {
    const digest = await digestOf(pastProxies, { of: { workspaces: ['Acme'], owners: [] } });
    expect(JSON.stringify(digest)).not.toMatch(/edge|bolt|lost/i);
    expect(digest).toMatchObject({
      logs: { calls: [{ known: false, clients: 2 }], callers: [] },
      first: [{ step: 'import_logs' }, { step: 'send_through_proxy' }],
    });
  });
});

test('who will miss the date is told, with whom to ask, beside whether it will be in time', async () => {
  const late = workspaces.map((each) =>
    each.name === 'Acme' ? { ...each, status: { status: 'promised' as const, until: daysAgo(-80.5) } } : each,
  );
  const { outlook, misses } = await digestOf(steady, { workspaces: late });
  expect(outlook).toMatchObject({ state: 'forecast', inTime: 0 });
  expect(misses).toEqual([
    {
      workspace: 'Acme',
      owner: 'Ada',
      contact: 'ada@acme.test',
      calls: 40,
      reason: 'promised_late',
      probability: null,
      promised: '2027-02-09T00:00:00.000Z',
    },
  ]);
});
