import { describe, expect, test } from 'vitest';
import { buildReport, type ReportOptions } from '../../src/report/build.ts';
import type { Report } from '../../src/report/model.ts';
import { dayInMs, hourInMs } from '../../src/contract/times.ts';
import { daily, daysAgo, hashOf, hoursAgo, now, reportDefaults, type StoreContent, storeWith } from '../helpers/usage-store.ts';

const acme = { name: 'Acme', keys: ['mk_acme_'], plan: 'Free', owner: 'Ada', contact: 'ada@acme.test', note: 'first' } as const;
const bolt = { name: 'Bolt', keys: [`hash:${hashOf('mk_bolt_1')}`], plan: 'Pro' } as const;

async function report(content: StoreContent, options: Partial<ReportOptions> = {}): Promise<Report> {
  const { reader } = await storeWith(content);
  return buildReport(reader, { since: { ago: 90 * dayInMs }, ...reportDefaults, workspaces: [acme, bolt], now, ...options });
}

const named = <T extends { readonly name: string | null }>(rows: readonly T[], name: string): T => {
  const row = rows.find((each) => each.name === name);
  if (row === undefined) throw new Error(`no ${name} among ${rows.map((each) => each.name).join(', ')}`);
  return row;
};

describe('calls', () => {
  const traffic = [
    { key: 'mk_acme_1', calls: daily(20, 1, 10) },
    { key: 'mk_acme_1', endpoint: 'POST /v1/messages/send', status: 400, outcome: 'local' as const, calls: daily(5, 5, 3) },
    { key: 'mk_acme_2', client: 'curl/8.5', v2Calls: 2, calls: daily(3, 3, 4) },
    { key: 'mk_bolt_1', endpoint: 'POST /v1/contacts', status: 503, outcome: 'failed' as const, calls: daily(9, 9, 2) },
    { key: 'mk_new_77', calls: daily(8, 8, 1) },
    { client: 'Mozilla/5.0', endpoint: 'unlisted', status: 401, outcome: 'local' as const, calls: daily(7, 7, 5) },
  ];

  test('are added up in all, with how they ended', async () => {
    const { total } = await report({ traffic });
    expect(total).toMatchObject({
      calls: 215,
      v2Calls: 200 + 8 + 2 + 1,
      outcomes: { translated: 205, local: 8, failed: 2 },
      errors: { client: 8, server: 2, aborted: 0 },
      statuses: [
        { status: 200, calls: 205 },
        { status: 400, calls: 3 },
        { status: 401, calls: 5 },
        { status: 503, calls: 2 },
      ],
      duration: { mean: 10, longest: 10 },
    });
  });

  test('are told by workspace, unknown keys first and those never seen last', async () => {
    const { workspaces } = await report({ traffic }, { workspaces: [acme, bolt, { name: 'Core', keys: ['mk_core'] }] });
    expect(workspaces.map(({ name, origin, usage }) => [name, origin, usage.calls])).toEqual([
      [`mk_new_7…${hashOf('mk_new_77').slice(0, 8)}`, 'unknown', 1],
      ['Acme', 'configured', 207],
      ['Bolt', 'configured', 2],
      ['Core', 'configured', 0],
    ]);
    expect(named(workspaces, 'Acme')).toMatchObject({ plan: 'Free', owner: 'Ada', contact: 'ada@acme.test', note: 'first', clients: 2 });
  });

  test('are told by key, client and endpoint', async () => {
    const { keys, clients, endpoints } = await report({ traffic });
    expect(keys.map(({ hash, prefix, workspace, usage }) => [hash, prefix, workspace, usage.calls])).toContainEqual([
      hashOf('mk_acme_2'),
      'mk_acme_',
      'Acme',
      4,
    ]);
    expect(clients.map(({ product, workspace, usage }) => [product, workspace, usage.calls])).toContainEqual(['Mozilla/5.0', null, 5]);
    expect(
      endpoints.map(({ endpoint, successor, clients: callers, workspaces, usage }) => [
        endpoint,
        successor,
        callers,
        workspaces,
        usage.calls,
      ]),
    ).toEqual([
      ['GET /v1/messages/:id', 'GET /v2/messages/:id', 3, 2, 205],
      ['unlisted', null, 1, 0, 5],
      ['POST /v1/messages/send', 'POST /v2/messages/send', 1, 1, 3],
      ['POST /v1/contacts', 'POST /v2/contacts', 1, 1, 2],
    ]);
  });

  test("without a key are nobody's, and stand apart", async () => {
    const { unidentified } = await report({ traffic });
    expect(unidentified).toMatchObject({
      clients: 1,
      usage: { calls: 5 },
      endpoints: [{ endpoint: 'unlisted', successor: null, calls: 5, errors: 5 }],
    });
  });

  test("have the client's endpoints and networks with them", async () => {
    const { clients } = await report({ traffic: [{ key: 'mk_acme_1', networks: ['192.0.2.0/24'], calls: daily(2, 1, 1) }] });
    expect(clients[0]).toMatchObject({
      endpoints: [{ endpoint: 'GET /v1/messages/:id', successor: 'GET /v2/messages/:id', calls: 2, errors: 0 }],
      sources: [{ network: '192.0.2.0/24', lastSeen: new Date(daysAgo(1) - 60_000).toISOString() }],
    });
  });

  test('before the period are no part of it, but who made them is known', async () => {
    const { total, workspaces } = await report(
      { traffic: [{ key: 'mk_acme_1', calls: daily(50, 40, 1) }] },
      { since: { ago: 30 * dayInMs } },
    );
    expect(total.calls).toBe(0);
    expect(named(workspaces, 'Acme')).toMatchObject({
      usage: { first: null },
      firstSeen: new Date(daysAgo(50) - 60_000).toISOString(),
      lastSeen: new Date(daysAgo(40) - 60_000).toISOString(),
    });
  });
});

describe('labels', () => {
  test('of the record stand where this configuration knows nothing of a key', async () => {
    const { workspaces } = await report({ traffic: [{ key: 'mk_old_1', workspace: 'Oldies', calls: daily(2, 1, 1) }] });
    expect(workspaces[0]).toMatchObject({ name: 'Oldies', origin: 'labelled', plan: null });
  });

  test('of this configuration come before those of the record', async () => {
    const { workspaces } = await report({ traffic: [{ key: 'mk_acme_1', workspace: 'Oldies', calls: daily(2, 1, 1) }] });
    expect(workspaces[0]).toMatchObject({ name: 'Acme', origin: 'configured' });
  });

  test('that changed leave a client one client', async () => {
    const key = 'mk_old_1';
    const { clients, workspaces } = await report({
      traffic: [
        { key, calls: daily(9, 8, 1) },
        { key, workspace: 'Oldies', calls: daily(7, 1, 1) },
      ],
    });
    expect(clients).toHaveLength(1);
    expect(clients[0]).toMatchObject({ workspace: 'Oldies', usage: { calls: 9 } });
    expect(workspaces.filter(({ origin }) => origin !== 'configured')).toHaveLength(1);
  });
});

describe('the trend', () => {
  test('goes day by day, and knows nothing of days that were not recorded', async () => {
    const { trend, period, workspaces } = await report(
      { traffic: [{ key: 'mk_acme_1', calls: daily(2, 1, 7) }], recorded: [[2.5, 0]] },
      { since: { ago: 4 * dayInMs } },
    );
    expect(period).toEqual({ since: '2026-11-16T00:00:00.000Z', until: '2026-11-20T12:00:00.000Z', size: 'day' });
    expect(trend.map(({ calls, v2Calls, recorded }) => [calls, v2Calls, recorded])).toEqual([
      [null, null, 0],
      [null, null, 0],
      [7, 7, 1],
      [7, 7, 1],
      [0, 0, 1],
    ]);
    expect(named(workspaces, 'Acme').trend).toEqual([null, null, 7, 7, 0]);
  });

  test('goes hour by hour over a short time', async () => {
    const { trend, period } = await report(
      { traffic: [{ key: 'mk_acme_1', calls: [[hoursAgo(2) + 1, 3]] }], recorded: [[2.5 / 24, 0]] },
      { since: { ago: 4 * hourInMs } },
    );
    expect(period.size).toBe('hour');
    expect(trend.map(({ calls, recorded }) => [calls, recorded])).toEqual([
      [null, 0],
      [0, 0.5],
      [3, 1],
      [0, 1],
    ]);
  });

  test('goes day by day over a short time of which the hours are gone', async () => {
    const { trend, period } = await report(
      { traffic: [{ key: 'mk_acme_1', calls: daily(60, 58, 5) }], rolledUp: true },
      { since: { ago: 60.2 * dayInMs }, until: { ago: 58.4 * dayInMs } },
    );
    expect(period).toEqual({ since: '2026-09-21T00:00:00.000Z', until: '2026-09-24T00:00:00.000Z', size: 'day' });
    expect(trend.map(({ calls }) => calls)).toEqual([5, 5, 5]);
  });
});

describe('the change', () => {
  test('compares with the same time before', async () => {
    const { total, before } = await report(
      { traffic: [{ key: 'mk_acme_1', calls: daily(19, 1, (day) => (day < 10 ? 20 : 5)) }] },
      { since: { ago: 9 * dayInMs } },
    );
    expect(before).toEqual({ since: '2026-11-01T00:00:00.000Z', until: '2026-11-10T12:00:00.000Z' });
    expect(total.change).toEqual({ calls: 200, ratio: -0.775 });
  });

  test('is not known where the time before was not recorded', async () => {
    const { total, before } = await report(
      { traffic: [{ key: 'mk_acme_1', calls: daily(9, 1, 5) }], recorded: [[15, 0]] },
      { since: { ago: 10 * dayInMs } },
    );
    expect(before).toBeNull();
    expect(total.change).toBeNull();
  });

  test('has no ratio where nothing was called before', async () => {
    const { total } = await report({ traffic: [{ key: 'mk_acme_1', calls: daily(9, 1, 5) }] }, { since: { ago: 10 * dayInMs } });
    expect(total.change).toEqual({ calls: 0, ratio: null });
  });
});

describe('what is ignored', () => {
  const traffic = [
    { key: 'mk_acme_1', calls: daily(40, 30, 1) },
    { key: 'mk_acme_1', client: 'k6/0.50', calls: daily(10, 0, 2) },
  ];
  const ignore = [{ client: 'k6', reason: 'our own check' }];

  test('is no part of any sum, but told as such', async () => {
    const { total, trend, clients, ignored, workspaces } = await report({ traffic }, { ignore });
    expect(total.calls).toBe(11);
    expect(trend.reduce((sum, { calls }) => sum + (calls ?? 0), 0)).toBe(11);
    expect(clients.map(({ product }) => product)).toEqual(['axios/1.7.0']);
    expect(named(workspaces, 'Acme').usage.calls).toBe(11);
    expect(ignored).toEqual([{ reason: 'our own check', calls: 22, v2Calls: 22, clients: 1, last: new Date(now - 60_000).toISOString() }]);
  });

  test('keeps nothing from being safe', async () => {
    expect((await report({ traffic }, { ignore })).verdict.state).toBe('safe');
    expect((await report({ traffic })).verdict.state).toBe('not_yet');
  });
});

describe('an endpoint that is ignored of a client', () => {
  const client = 'probe/1';
  const traffic = [
    { key: 'mk_acme_1', client, endpoint: 'GET /v1/messages', calls: daily(40, 0, 2) },
    { key: 'mk_acme_1', client, calls: [...daily(30, 30, 5), ...daily(23, 23, 5)] },
    { key: 'mk_acme_2', client, endpoint: 'GET /v1/messages', calls: daily(9, 0, 1) },
  ];
  const ignore = [{ client, endpoint: 'GET /v1/messages', reason: 'health check' }];

  test.each([false, true])('counts nowhere, while its other calls do (rolled up: %s)', async (rolledUp) => {
    const { total, trend, clients, ignored, verdict } = await report({ traffic, rolledUp }, { ignore });
    expect(total.calls).toBe(10);
    expect(trend.reduce((sum, { calls }) => sum + (calls ?? 0), 0)).toBe(10);
    expect(clients.map(({ lastSeen, quiet }) => [lastSeen, quiet.longestPause])).toEqual([
      [new Date(daysAgo(23) - 60_000).toISOString(), 7 * dayInMs],
    ]);
    expect(ignored).toMatchObject([{ calls: 92, clients: 2 }]);
    expect(verdict.state).toBe('safe');
  });

  test('counts for others', async () => {
    const others = await report(
      { traffic: [...traffic, { key: 'mk_acme_3', endpoint: 'GET /v1/messages', calls: daily(2, 2, 1) }] },
      { ignore },
    );
    expect(others.verdict.state).toBe('not_yet');
  });
});

describe('the limits', () => {
  const minutes = (calls: number, length: number, from: number) =>
    Array.from({ length }, (_, minute): [number, number] => [hoursAgo(from) + minute * 60_000, calls]);

  test('are those of the plan, against all keys of the workspace together', async () => {
    const { workspaces } = await report({
      traffic: [
        { key: 'mk_acme_1', calls: minutes(2, 30, 4) },
        { key: 'mk_acme_2', v2Calls: 2, endpoint: 'POST /v1/contacts', calls: minutes(1, 30, 3.5) },
      ],
    });
    expect(named(workspaces, 'Acme').limit).toEqual({
      limit: { plan: 'Free', perHour: 100, basis: 'published' },
      clockHour: { since: '2026-11-20T08:00:00.000Z', until: '2026-11-20T09:00:00.000Z', v2Calls: 120 },
      sliding: { since: '2026-11-20T07:59:00.000Z', until: '2026-11-20T09:00:00.000Z', v2Calls: 120 },
      older: null,
      fit: 'exceeds',
      refused: { clockHour: 20, sliding: 20 },
      smallestPlan: 'Pro',
      notShown: ['Starter', 'Growth'],
      tame: { endpoint: 'GET /v1/messages/:id', v2Calls: 60, share: 0.5 },
      savers: null,
    });
  });

  test('are judged by the last 30 days, whatever was before', async () => {
    const traffic = [{ key: 'mk_acme_1', calls: [...minutes(20, 30, 80 * 24), ...minutes(2, 30, 4)] }];
    const { workspaces } = await report({ traffic }, { since: { ago: 90 * dayInMs } });
    expect(named(workspaces, 'Acme').limit).toMatchObject({
      sliding: { v2Calls: 60 },
      older: { since: '2026-09-01T11:29:00.000Z', v2Calls: 600 },
      fit: 'fits',
      refused: { clockHour: 0, sliding: 0 },
      smallestPlan: 'Free',
    });
  });

  test('count what is ignored too, as it uses up the quota', async () => {
    const { workspaces } = await report(
      {
        traffic: [
          { key: 'mk_acme_1', calls: minutes(2, 30, 4) },
          { key: 'mk_acme_1', client: 'k6/0.50', calls: minutes(3, 30, 4) },
        ],
      },
      { ignore: [{ client: 'k6', reason: 'our own check' }] },
    );
    expect(named(workspaces, 'Acme').limit.clockHour?.v2Calls).toBe(150);
  });
});

test('a client seen from as many networks as the record keeps may have been elsewhere, and is not ignored for them', async () => {
  const from = (count: number) => Array.from({ length: count }, (_, index) => `10.0.${index}.0/24`);
  const traffic = [
    { key: 'mk_acme_1', networks: from(7), calls: daily(3, 1, 1) },
    { key: 'mk_acme_2', networks: from(8), calls: daily(3, 1, 1) },
  ];
  const { keys } = await report({ traffic }, { ignore: [{ network: '10.0.0.0/16', reason: 'our own' }] });
  expect(keys.map(({ hash }) => hash)).toEqual([hashOf('mk_acme_2')]);
});

test('a report on a time that is over tells of what came later only that it is not safe', async () => {
  const { total, clients, workspaces, verdict, made, sunset } = await report(
    {
      traffic: [
        { key: 'mk_acme_1', calls: daily(60, 50, 1) },
        { key: 'mk_bolt_1', calls: daily(20, 1, 1) },
      ],
    },
    { until: { ago: 30 * dayInMs } },
  );
  expect([total.calls, clients.length, verdict.state, made, sunset.days]).toEqual([11, 1, 'not_yet', new Date(now).toISOString(), 70]);
  expect(verdict.blockers).toEqual([{ code: 'later_calls', clients: 1, last: new Date(daysAgo(1) - 60_000).toISOString() }]);
  expect([named(workspaces, 'Acme').verdict.state, named(workspaces, 'Bolt').verdict.state]).toEqual(['safe', 'not_yet']);
});

test('a call that a wrong clock put into the future is not safe', async () => {
  const traffic = [{ key: 'mk_acme_1', calls: [...daily(30, 20, 1), ...daily(-2, -2, 1)] }];
  const { verdict } = await report({ traffic, rolledUp: true });
  expect(verdict).toMatchObject({ state: 'not_yet', blockers: [{ code: 'later_calls', clients: 1 }] });
});

test('later calls that are ignored are in no way of a verdict', async () => {
  const traffic = [
    { key: 'mk_acme_1', calls: daily(60, 50, 1) },
    { key: 'mk_acme_1', endpoint: 'unlisted', calls: daily(20, 1, 1) },
    { key: 'mk_acme_1', client: 'uptime/1', calls: daily(20, 1, 1) },
  ];
  const ignore = [
    { endpoint: 'unlisted', reason: 'scanners' },
    { client: 'uptime', reason: 'our own' },
  ];
  expect((await report({ traffic }, { ignore, until: { ago: 30 * dayInMs } })).verdict.state).toBe('safe');
});

test('a report of which all is ignored says so', async () => {
  const traffic = [{ key: 'mk_acme_1', calls: daily(20, 1, 1) }];
  const { verdict } = await report({ traffic }, { ignore: [{ client: 'axios', reason: 'ours' }] });
  expect(verdict).toMatchObject({ state: 'unknown', blockers: [{ code: 'all_ignored' }] });
});

test('a key of which everything is ignored has no workspace', async () => {
  const traffic = [{ key: 'mk_new_1', endpoint: 'unlisted', calls: daily(3, 1, 1) }];
  const { workspaces, keys, clients } = await report(
    { traffic },
    { workspaces: [], ignore: [{ endpoint: 'unlisted', reason: 'scanners' }] },
  );
  expect([workspaces, keys, clients]).toEqual([[], [], []]);
});

test('the sunset is counted from the end of the period', async () => {
  const { sunset } = await report({ traffic: [] });
  expect(sunset).toEqual({ deprecatedSince: '2026-06-01T00:00:00.000Z', at: '2026-12-31T00:00:00.000Z', days: 40, passed: false });
  const after = await report({ traffic: [] }, { assumptions: { sunsetAt: '2026-11-20T12:00:00Z' } });
  expect(after.sunset).toMatchObject({ days: 0, passed: true });
});

test('an empty store says that it is empty', async () => {
  const empty = await report({ traffic: [], recorded: [] }, { workspaces: [] });
  expect(empty).toMatchObject({
    verdict: { state: 'unknown', blockers: [{ code: 'no_record' }] },
    burnDown: { outlook: { state: 'none', reason: 'no_calls' } },
    total: { calls: 0, duration: null, first: null },
    coverage: { share: 0, recordedSince: null, recordedUntil: null },
    workspaces: [],
    unidentified: null,
  });
});

test('the report is plain data: JSON brings back the same', async () => {
  const made = await report({ traffic: [{ key: 'mk_acme_1', calls: daily(60, 1, (day) => 100 - day) }] });
  expect(JSON.parse(JSON.stringify(made))).toEqual(made);
});
