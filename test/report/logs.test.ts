import { expect, test } from 'vitest';
import { renderCsv } from '../../src/report/formats/csv.ts';
import { renderMarkdown } from '../../src/report/formats/markdown.ts';
import { renderTable } from '../../src/report/formats/table.ts';
import { dayInMs } from '../../src/contract/times.ts';
import type { Report } from '../../src/report/model.ts';
import { daily, daysAgo, hashOf } from '../helpers/usage-store.ts';
import { content, reportOf, sampleLogs } from './formats/sample.ts';
import { parseCsv } from './formats/parse-csv.ts';

/** The rows of CSV by the names of their columns. */
function rowsOf(text: string): readonly Readonly<Record<string, string>>[] {
  const [heads = [], ...rows] = parseCsv(text);
  return rows.map((row) => Object.fromEntries(heads.map((head, index) => [head, row[index] ?? ''])));
}

const logged = { ...content, logs: sampleLogs };
const at = (days: number): string => new Date(daysAgo(days)).toISOString();

test('names each source of access logs, how far it reaches, and who called past the proxies', async () => {
  const { logs = [] } = await reportOf(logged);
  expect(
    logs.map(({ name, first, last, lines, calls, refused, lastCall, clients }) => [
      name,
      first,
      last,
      lines,
      calls,
      refused,
      lastCall,
      clients,
    ]),
  ).toEqual([
    ['edge', at(30), at(0.5), 1_000, 4, 1, at(1), 3],
    ['old', at(90), at(60), 1_000, 1, 1, null, 1],
  ]);
  const [edge] = logs;
  expect(
    edge?.busiest.map(({ product, network, workspace, calls, refused, last }) => [product, network, workspace, calls, refused, last]),
  ).toEqual([
    ['legacy/2.1', '198.51.100.0/24', 'Acme', 2, 1, at(1)],
    ['curl/8.5', null, `mk_lost_…${hashOf('mk_lost_1').slice(0, 8)}`, 1, 0, at(3)],
    ['axios/1.7.0', '198.51.100.0/24', null, 1, 0, at(4)],
  ]);
  expect(edge?.endpoints).toEqual([
    { endpoint: 'GET /v1/messages/:id', successor: 'GET /v2/messages/:id', calls: 3, last: at(1) },
    { endpoint: 'POST /v1/contacts', successor: 'POST /v2/contacts', calls: 1, last: at(2) },
  ]);
  expect(edge?.workspaces.map(({ name, calls }) => [name, calls])).toEqual([
    ['Acme', 2],
    [`mk_lost_…${hashOf('mk_lost_1').slice(0, 8)}`, 1],
  ]);
});

test('changes no figure of the record, and no recorded time', async () => {
  const { verdict: _verdict, workspaces, logs: _logs, ...rest } = await reportOf(logged);
  const { verdict: _before, workspaces: rows, logs, ...without } = await reportOf(content);
  expect(logs).toBeUndefined();
  expect(rest).toEqual(without);
  expect(workspaces.map(({ verdict: _own, logged: _found, ...row }) => row)).toEqual(rows.map(({ verdict: _own, ...row }) => row));
});

test('says of a workspace what logs tell of its keys, without refused calls', async () => {
  const { workspaces } = await reportOf(logged);
  expect(workspaces.flatMap(({ name, logged: found }) => (found === undefined ? [] : [[name, found]]))).toEqual([
    ['Acme', { calls: 1, last: at(1), sources: ['edge'] }],
  ]);
});

test('takes a workspace that logs alone show for one that calls', async () => {
  const store = { traffic: [{ key: 'mk_acme_1', calls: daily(60, 40, 1) }], logs: sampleLogs };
  const unseen = async (logs: typeof sampleLogs) =>
    (await reportOf({ ...store, logs })).verdict.conditions.flatMap((condition) =>
      condition.code === 'never_seen_workspaces' ? condition.names : [],
    );
  expect(await unseen([])).toEqual(['Bolt', 'Core']);
  expect(await unseen([{ source: 'edge', reach: [9, 0], calls: [{ key: 'mk_core_1', days: 100 }] }])).toEqual(['Bolt']);
});

test('says of one customer alone what is theirs, and that somebody called who may be', async () => {
  const store = { traffic: [{ key: 'mk_acme_1', calls: daily(60, 40, 1) }], logs: sampleLogs };
  const { logs, verdict } = await reportOf(store, { of: { workspaces: ['Acme'], owners: [] } });
  expect(logs?.map(({ name, clients, calls }) => [name, clients, calls])).toEqual([
    ['log 1', 1, 2],
    ['log 2', 0, 0],
  ]);
  expect(verdict.blockers).toMatchObject([
    { code: 'logged_calls', known: true, sources: ['log 1'], clients: 1, last: at(1) },
    { code: 'logged_calls', known: false, sources: ['log 1'], clients: 2, last: at(3) },
  ]);
  const used = {
    ...store,
    logs: [
      {
        source: 'edge',
        reach: [30, 0] as const,
        calls: [
          { key: 'mk_acme_1', days: 2 },
          { key: 'mk_bolt_1', days: 1 },
        ],
      },
    ],
  };
  const own = await reportOf(used, { of: { workspaces: ['Acme'], owners: [] } });
  expect(own.logs?.map(({ clients, lastCall }) => [clients, lastCall])).toEqual([[1, at(2)]]);
  expect(own.verdict.blockers).toMatchObject([{ code: 'logged_calls', known: true, clients: 1, last: at(2) }]);
});

test.each([
  ['without a key', { days: 2 }, ['unknown', 'unknown', 'unknown']],
  ['with a key that no proxy has seen, and the configuration knows', { key: 'mk_core_9', days: 2 }, ['safe', 'safe', 'not_yet']],
])('says of each customer alone, and found, what the report of all says: calls %s', async (_name, call, states) => {
  const store = {
    traffic: [
      { key: 'mk_acme_1', calls: daily(60, 40, 1) },
      { key: 'mk_bolt_1', calls: daily(60, 30, 1) },
    ],
    logs: [{ source: 'edge', reach: [30, 0] as const, calls: [call] }],
  };
  const rarestJob = dayInMs;
  const all = await reportOf(store, { rarestJob });
  const stateOf = ({ workspaces }: Report, wanted: string) => workspaces.find(({ name }) => name === wanted)?.verdict.state;
  for (const [index, name] of ['Acme', 'Bolt', 'Core'].entries()) {
    const own = await reportOf(store, { rarestJob, of: { workspaces: [name], owners: [] } });
    const found = await reportOf(store, { rarestJob, find: { search: '', workspace: name } });
    const searched = await reportOf(store, { rarestJob, find: { search: name } });
    expect([all, own, found, searched].map((report) => stateOf(report, name))).toEqual(Array(4).fill(states[index]));
  }
});

test('knows as of then what logs told until then', async () => {
  const until = { ago: 3.5 * 86_400_000 };
  const last = async (asOfThen: boolean) => (await reportOf({ traffic: [], logs: sampleLogs }, { until, asOfThen })).logs?.[0]?.lastCall;
  expect([await last(false), await last(true)]).toEqual([at(1), at(4)]);
});

test('leaves out what the configuration says to ignore, as of the record', async () => {
  const ignore = [
    { reason: 'ours', client: 'axios' },
    { reason: 'probe', endpoint: 'unlisted', neverAccepted: true as const },
    { reason: 'elsewhere', network: '203.0.113.0/24' },
  ];
  const { logs = [] } = await reportOf(logged, { ignore });
  expect(logs.map(({ name, calls, ignored }) => [name, calls, ignored])).toEqual([
    ['edge', 3, 1],
    ['old', 0, 1],
  ]);
});

test('stands in the table and in Markdown, and in CSV by log and by workspace', async () => {
  const report = await reportOf(logged);
  for (const groupBy of ['workspace', 'log'] as const) {
    const table = renderTable(report, { groupBy, width: 140, color: false });
    expect(table).toMatch(/Source +Format +v1 calls +Refused +Clients +Last served .*Reaches until/);
    expect(table).toMatch(/edge +combined +4 +1 +3 +24 h +.*2026-11-20 00:00 UTC/);
    expect(renderMarkdown(report, { groupBy })).toContain('### Past the proxies\n\n| Source | Client |');
  }
  const byLog = rowsOf(renderCsv(report, { groupBy: 'log' }));
  expect(byLog.map((row) => [row['source'], row['client'], row['calls'], row['reaches_until']])).toEqual([
    ['edge', 'legacy/2.1', '2', at(0.5)],
    ['edge', 'curl/8.5', '1', at(0.5)],
    ['edge', 'axios/1.7.0', '1', at(0.5)],
    ['old', 'axios/1.7.0', '1', at(60)],
  ]);
  const acme = rowsOf(renderCsv(report, { groupBy: 'workspace' })).find((row) => row['workspace'] === 'Acme');
  expect([acme?.['logged_calls'], acme?.['logged_in']]).toEqual(['1', 'edge']);
  const text = renderTable(report, { groupBy: 'workspace', width: Infinity, color: false });
  expect(text).toContain('3 clients called v1 past the proxies, as access logs show (edge); the last call was 24 hours ago');
  expect(text).toContain('Access logs were read of edge (2026-10-21 to 2026-11-20)');
});
