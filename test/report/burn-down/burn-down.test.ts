import { describe, expect, test } from 'vitest';
import { buildReport, type ReportOptions } from '../../../src/report/build.ts';
import type { Report } from '../../../src/report/model.ts';
import { dayInMs, hourInMs } from '../../../src/contract/times.ts';
import { type Calls, daily, daysAgo, hashOf, now, reportDefaults, type StoreContent, storeWith } from '../../helpers/usage-store.ts';

const acme = { name: 'Acme', keys: ['mk_acme_'] };
const bolt = { name: 'Bolt', keys: ['mk_bolt_'] };
const unknownName = (key: string): string => `${key.slice(0, 8)}…${hashOf(key).slice(0, 8)}`;

async function report(content: StoreContent, options: Partial<ReportOptions> = {}): Promise<Report> {
  const { reader } = await storeWith(content);
  return buildReport(reader, { since: { ago: 90 * dayInMs }, ...reportDefaults, workspaces: [acme, bolt], now, ...options });
}

const burnDown = async (...given: Parameters<typeof report>): Promise<Report['burnDown']> => (await report(...given)).burnDown;

const every = (days: number, from: number, to: number): readonly Calls[] =>
  Array.from({ length: Math.floor((from - to) / days) + 1 }, (_, index) => [daysAgo(from - index * days), 3]);

/** By day, as many days back as the key says. */
const countsOf = ({ days }: Report['burnDown'], ...back: readonly number[]) =>
  back.map((day) => {
    const start = new Date(Math.floor(daysAgo(day) / dayInMs) * dayInMs).toISOString();
    return days.find((each) => each.start === start)?.workspaces;
  });

describe('who is active on a day', () => {
  test('called in the seven days that end with it', async () => {
    const burning = await burnDown({ traffic: [{ key: 'mk_acme_1', calls: daily(40, 20, 2) }] });
    expect(countsOf(burning, 41, 40, 20, 14, 13, 0)).toEqual([0, 1, 1, 1, 0, 0]);
    expect(burning.days).toHaveLength(121);
  });

  test('is told from the first day of the record, whatever the period is, but for no more than 180 days', async () => {
    const traffic = [{ key: 'mk_acme_1', calls: daily(250, 1, 1) }];
    const [short, long] = [
      await burnDown({ traffic }, { since: { ago: dayInMs } }),
      await burnDown({ traffic, recorded: [[250, 0]] }, { since: { ago: 10 * dayInMs } }),
    ];
    expect(short.days).toHaveLength(180);
    expect(long.days).toHaveLength(180);
    expect(countsOf(long, 179, 90, 0)).toEqual([1, 1, 1]);
  });

  test('is not known where nothing was recorded', async () => {
    const recorded = [
      [30, 21],
      [17, 0],
    ] as const;
    const burning = await burnDown({ traffic: [{ key: 'mk_acme_1', calls: [...daily(29, 22, 1), ...daily(16, 0, 1)] }], recorded });
    expect(countsOf(burning, 31, 30, 22, 20, 18, 16)).toEqual([undefined, 0, 1, null, null, 1]);
    expect(burning.days.at(-1)?.recorded).toBe(1);
    expect(burning.days.find(({ workspaces }) => workspaces === null)?.recorded).toBeLessThan(1);
  });

  test('is one client with all versions of a product, and under all labels of its key', async () => {
    const { now: week, days } = await burnDown({
      traffic: [
        { key: 'mk_acme_1', client: 'app/1.0', calls: daily(20, 3, 1) },
        { key: 'mk_acme_1', client: 'app/1.1', calls: daily(3, 0, 1) },
        { key: 'mk_old_1', workspace: 'Old', calls: daily(20, 5, 1) },
        { key: 'mk_old_1', workspace: 'Older', calls: daily(4, 0, 1) },
        { key: 'mk_acme_2', client: 'app/1.0', calls: daily(20, 0, 1) },
      ],
    });
    expect(week).toMatchObject({ workspaces: 2, clients: 3, unknownKeys: 0 });
    expect(days.at(-1)).toMatchObject({ workspaces: 2, clients: 3 });
    expect(days.at(-10)).toMatchObject({ workspaces: 2, clients: 3 });
  });

  test('is nobody whom v2 never accepted, and nobody who is ignored, whole or at some endpoints', async () => {
    const traffic = [
      { key: 'mk_scan_1', status: 401, calls: daily(20, 0, 5) },
      { key: 'mk_acme_1', client: 'uptime/1', calls: daily(20, 0, 5) },
      { key: 'mk_bolt_1', client: 'health/1', endpoint: 'GET /v1/contacts', calls: daily(20, 0, 5) },
      { key: 'mk_bolt_1', client: 'health/1', endpoint: 'POST /v1/contacts', calls: daily(20, 9, 5) },
    ];
    const ignore = [
      { reason: 'ours', client: 'uptime' },
      { reason: 'ours', client: 'health', endpoint: 'GET /v1/contacts' },
    ];
    const { now: week, before, days } = await burnDown({ traffic }, { ignore });
    expect(week).toMatchObject({ workspaces: 0, clients: 0, calls: 0 });
    expect(before).toMatchObject({ workspaces: 1, clients: 1, calls: 25 });
    expect(days.at(-1)).toMatchObject({ workspaces: 0, clients: 0 });
  });

  test('without a key is a client, and no workspace', async () => {
    const { now: week } = await burnDown({ traffic: [{ calls: daily(3, 0, 1) }] });
    expect(week).toMatchObject({ workspaces: 0, clients: 1, calls: 4 });
  });
});

describe('the last seven days', () => {
  const edge = daysAgo(7);

  test.each([false, true])('begin at the minute, as far as minutes are kept (rolled up: %s)', async (rolledUp) => {
    const calls: Calls[] = [
      [edge - 3 * hourInMs, 100],
      [edge + hourInMs, 20],
      [daysAgo(2), 3],
      [daysAgo(14) - 2 * hourInMs, 1_000],
      [daysAgo(14) + 2 * hourInMs, 7],
    ];
    const { burnDown: burning, workspaces } = await report({ traffic: [{ key: 'mk_acme_1', calls }], rolledUp });
    expect(burning.now).toMatchObject({ since: new Date(edge).toISOString(), workspaces: 1, clients: 1, calls: 23, recorded: 1 });
    expect(burning.before).toMatchObject({ workspaces: 1, clients: 1, calls: 107 });
    expect(workspaces.find(({ name }) => name === 'Acme')?.now).toEqual({ calls: 23, clients: 1 });
    expect(workspaces.find(({ name }) => name === 'Bolt')?.now).toEqual({ calls: 0, clients: 0 });
  });

  test('are those of the end of a period that is over', async () => {
    const { now: week } = await burnDown({ traffic: [{ key: 'mk_acme_1', calls: daily(40, 20, 2) }] }, { until: { ago: 20 * dayInMs } });
    expect(week).toMatchObject({ workspaces: 1, until: new Date(Math.ceil(daysAgo(20) / dayInMs) * dayInMs).toISOString() });
  });

  test('tell unknown keys among the workspaces', async () => {
    const { now: week } = await burnDown({
      traffic: [
        { key: 'mk_new_1', calls: daily(30, 0, 1) },
        { key: 'mk_acme_1', calls: daily(30, 0, 1) },
      ],
    });
    expect(week).toMatchObject({ workspaces: 2, unknownKeys: 1 });
  });
});

describe('who left', () => {
  test('in the last seven days is named, and not who left earlier or still calls', async () => {
    const { left, resting } = await burnDown({
      traffic: [
        { key: 'mk_acme_1', calls: daily(60, 10, 1) },
        { key: 'mk_bolt_1', calls: daily(60, 20, 1) },
        { key: 'mk_new_1', calls: daily(60, 2, 1) },
      ],
    });
    expect(left).toEqual([{ workspace: 'Acme', last: new Date(daysAgo(10) - 60_000).toISOString(), probably: [] }]);
    expect(resting).toEqual([]);
  });

  test('is nobody whose own pauses are as long', async () => {
    const { left, resting, now: week } = await burnDown({ traffic: [{ key: 'mk_acme_1', calls: every(30, 110, 20) }] });
    expect(week.workspaces).toBe(0);
    expect(left).toEqual([]);
    expect(resting).toEqual([
      { workspace: 'Acme', last: new Date(daysAgo(20)).toISOString(), until: new Date(daysAgo(20) + 45 * dayInMs).toISOString() },
    ]);
  });

  test('is a workspace once its last client has left', async () => {
    const monthly = { key: 'mk_acme_1', client: 'monthly/1', calls: every(30, 110, 20) };
    const { left, resting } = await burnDown({ traffic: [{ key: 'mk_acme_1', calls: daily(60, 10, 1) }, monthly] });
    expect(left).toEqual([]);
    expect(resting).toHaveLength(1);
  });

  test('is nobody of whom nothing could be recorded', async () => {
    const recorded = [
      [90, 9.5],
      [1, 0],
    ] as const;
    const { left, now: week } = await burnDown({ traffic: [{ key: 'mk_acme_1', calls: daily(60, 10, 1) }], recorded });
    expect(week).toMatchObject({ workspaces: 0 });
    expect(week.recorded).toBeLessThan(0.2);
    expect(left).toEqual([]);
  });

  test('may go on under an unknown key, which is new then', async () => {
    const networks = ['192.0.2.0/24'];
    const { left, new: newcomers } = await burnDown({
      traffic: [
        { key: 'mk_acme_1', networks, calls: daily(60, 8, 1) },
        { key: 'mk_new_77', networks, calls: daily(5, 0, 1) },
      ],
    });
    expect(left).toMatchObject([{ workspace: 'Acme', probably: [unknownName('mk_new_77')] }]);
    expect(newcomers).toMatchObject([{ workspace: unknownName('mk_new_77'), probably: 'Acme' }]);
  });
});

describe('who came back', () => {
  test('had been quiet for longer than its own pauses', async () => {
    const calls = [...daily(90, 60, 1), ...daily(3, 0, 1)];
    const { cameBack } = await burnDown({
      traffic: [
        { key: 'mk_acme_1', calls },
        { key: 'mk_bolt_1', calls: every(30, 92, 2) },
      ],
    });
    expect(cameBack).toEqual([{ workspace: 'Acme', since: '2026-11-17T00:00:00.000Z', quiet: 56 * dayInMs, wasSafe: true }]);
  });

  test('had not paused for a week of holidays alone', async () => {
    const { cameBack } = await burnDown({ traffic: [{ key: 'mk_acme_1', calls: [...daily(90, 12, 1), ...daily(1, 0, 1)] }] });
    expect(cameBack).toEqual([]);
  });

  test('is nobody who may have called while nothing was recorded', async () => {
    const recorded = [
      [90, 30],
      [10, 0],
    ] as const;
    const calls = [...daily(90, 31, 1), ...daily(5, 0, 1)];
    expect((await burnDown({ traffic: [{ key: 'mk_acme_1', calls }], recorded })).cameBack).toEqual([]);
  });

  test('may have been away for longer than the burn-down goes back', async () => {
    const calls = [...daily(300, 250, 1), ...daily(1, 0, 1)];
    const { cameBack } = await burnDown({ traffic: [{ key: 'mk_acme_1', calls }], recorded: [[300, 0]] });
    expect(cameBack).toMatchObject([{ workspace: 'Acme', wasSafe: true }]);
  });
});

describe('who is new', () => {
  const traffic = [
    { key: 'mk_acme_1', calls: daily(3, 0, 1) },
    { key: 'mk_bolt_1', calls: daily(9, 0, 1) },
  ];

  test('called for the first time in the last seven days', async () => {
    expect((await burnDown({ traffic })).new).toEqual([
      { workspace: 'Acme', first: new Date(daysAgo(3) - 60_000).toISOString(), probably: null },
    ]);
  });

  test('is nobody in a record of less than two weeks', async () => {
    expect((await burnDown({ traffic, recorded: [[10, 0]] })).new).toEqual([]);
  });
});

test('an empty store has no days', async () => {
  const { days, now: week } = await burnDown({ traffic: [], recorded: [] });
  expect(days).toEqual([]);
  expect(week).toMatchObject({ workspaces: 0, clients: 0, calls: 0, recorded: 0 });
});
