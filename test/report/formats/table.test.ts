import { describe, expect, test } from 'vitest';
import { renderTable } from '../../../src/report/formats/table.ts';
import type { GroupBy } from '../../../src/config/report-formats.ts';
import type { Report } from '../../../src/report/model.ts';
import { dayInMs } from '../../../src/contract/times.ts';
import { daily, hashOf } from '../../helpers/usage-store.ts';
import type { ReportOptions } from '../../../src/report/build.ts';
import { content, decline, reportOf, road, sample } from './sample.ts';

const lines = (report: Report, groupBy: GroupBy = 'workspace', width = 80): string[] =>
  renderTable(report, { groupBy, width, color: false }).split('\n');

/** From a line that begins so to the end of its section. */
function section(all: readonly string[], beginning: string): readonly string[] {
  const from = all.findIndex((line) => line.startsWith(beginning));
  return from === -1 ? [] : all.slice(from, all.indexOf('', from));
}

describe('the table', () => {
  test('begins with the period, the verdict and what stands in its way', async () => {
    expect(lines(await sample()).slice(0, 5)).toEqual([
      'v1 usage from 2026-08-22 00:00 UTC to 2026-11-20 12:00 UTC',
      '',
      'NOT YET: v1 is still in use',
      '  - 2 clients of 2 workspaces called too recently: Acme (legacy/2.1),',
      '    mk_new_7…4142d438 (axios/1.7.0); the last call was 1 minute ago (2026-11-20',
    ]);
  });

  test('has calls with their trend, in which what was not recorded is marked, and the days to the sunset', async () => {
    const all = lines(await sample());
    expect(section(all, 'v1 calls')[0]).toMatch(/^v1 calls {3}2,666 {2}·{6}▁{3,}█[▁-█]+$/);
    expect(all).toContain('Sunset     40 days until v1 is switched off on 2026-12-31 00:00 UTC');
    expect(all.join(' ')).toMatch(/\(· stands for what\s+was not/);
  });

  test('tells how the calls were answered', async () => {
    expect(section(lines(await sample()), 'Answers').slice(0, 2)).toEqual([
      'Answers    2,556 by v2, 5 by the proxy alone, 105 without an answer of v2;',
      '           errors: 5 with 4xx, 105 with 5xx; 0 left by the client',
    ]);
  });

  test('tells of the calls that v2 did not serve', async () => {
    const answers = section(lines(await reportOf({ traffic: [decline, ...road] })), 'Answers').map((line) => line.trim());
    expect(answers.join(' ')).toMatch(
      /0 without an answer of v2, 1,500 by v1 as it is, 2 by v1 while v2 was compared, 4 refused in a brownout; errors: 0 with 4xx, 4 with 5xx/,
    );
  });

  test('compares with the time before where that was recorded', async () => {
    const report = await reportOf(
      { traffic: [{ key: 'mk_acme_1', calls: daily(19, 1, (day) => (day < 10 ? 4 : 3)) }] },
      { since: { ago: 10 * dayInMs } },
    );
    const all = lines(report);
    expect(section(all, 'v1 calls')[0]).toMatch(/^v1 calls {3}\d+ \(−\d+% against the time before\) {2}/);
    expect(section(lines(report, 'workspace', 120), 'Workspace')[0]).toContain('Change');
  });

  test('has unknown keys before the workspaces, with what the configuration needs to name them', async () => {
    const all = lines(await sample());
    expect(section(all, 'Unknown key')).toEqual([
      'Unknown key        For the configuration  7 days  Calls  Last call  Clients',
      `mk_new_7…4142d438  hash:${hashOf('mk_new_77')}      20     28        2 d  axios/1.7.0`,
    ]);
    expect(all.findIndex((line) => line.startsWith('Unknown key'))).toBeLessThan(all.findIndex((line) => line.startsWith('Workspace')));
  });

  test('has owner, plan, limit and verdict of each workspace', async () => {
    expect(section(lines(await sample()), 'Workspace')).toEqual([
      'Workspace  Owner                7 days  Last call  Plan     v2 calls/h  Verdict',
      'Acme       Ada <ada@acme.test>      48      1 min  Free      26 of 100  NOT YET',
      'Bolt       Bob                       0       20 d  Pro      5 of 1,000  UNKNOWN',
      'Core                                 0      never  Starter           –  UNKNOWN',
    ]);
  });

  test('leaves out what matters least where the terminal is narrow', async () => {
    const heads = async (width: number): Promise<string | undefined> => section(lines(await sample(), 'workspace', width), 'Workspace')[0];
    expect(await heads(140)).toMatch(/Owner +7 days +Calls +Trend +First call +Last call +Plan +v2 calls\/h +Verdict$/);
    expect(await heads(60)).toBe('Workspace  Owner                7 days  Last call  Verdict');
    expect(await heads(45)).toBe('Workspace  7 days  Last call  Verdict');
  });

  test('says which limits are exceeded, by how much, what plan fits and what to tame', async () => {
    const limits = async (options?: Partial<ReportOptions>): Promise<string> =>
      section(lines(await reportOf(content, options)), 'Limits')
        .join(' ')
        .replace(/ +/g, ' ');
    expect(await limits({ until: { ago: 40 * dayInMs } })).toContain(
      'Acme: up to 150 v2 calls in 60 minutes (from 2026-09-21 11:00 UTC): exceeds the 100 an hour of Free; 179 calls would have been refused with 429; the smallest plan that fits is Pro (the limit of Starter and Growth is not shown: ask); tame GET /v1/messages/:id first',
    );
    expect(await limits()).toContain('fits into the 100 an hour of Free; earlier up to 150 (from 2026-09-21');
  });

  test('names the v2 call that replaces each endpoint', async () => {
    expect(section(lines(await sample()), 'v1 endpoint')[1]).toBe('GET /v1/messages/:id    GET /v2/messages/:id          1  2,435       0');
  });

  test('tells gaps as gaps, and ignored calls with their reason', async () => {
    const all = lines(await sample());
    expect(section(all, 'Not recorded')).toContain('  - 2026-11-17 12:00 UTC to 2026-11-17 12:14 UTC (14 minutes): a proxy served');
    expect(section(all, 'Ignored')).toContain('  - 42 calls of 1 client: our own check');
  });

  test('tells calls without a key as such', async () => {
    expect(section(lines(await sample()), 'Without a key')).toContain('  5 calls of 1 client: Mozilla/5.0; nobody knows whose they are');
  });

  test.each([
    ['key', 'Key        Hash'],
    ['client', 'Client  '],
    ['endpoint', 'v1 endpoint             Replaced by'],
  ] as const)('by %s has the rows of these alone', async (groupBy, head) => {
    const all = lines(await sample(), groupBy);
    expect(section(all, head).length).toBeGreaterThan(1);
    expect(section(all, 'Workspace')).toEqual([]);
  });

  test('shows so many rows, and says where the others are', async () => {
    const traffic = Array.from({ length: 60 }, (_, index) => ({ key: `mk_${index}_key`, calls: daily(1, 1, 1) }));
    const rows = section(lines(await reportOf({ traffic }), 'key'), 'Key');
    expect(rows).toHaveLength(52);
    expect(rows.at(-1)).toBe('… and 10 more: --format csv has them all');
  });

  test('goes on with who calls now, down to the sunset', async () => {
    expect(section(lines(await sample(), 'workspace', 200), 'Calling')[0]).toBe(
      'Calling    2 workspaces and 2 clients in the last 7 days, 1 unknown key among them (2 and 2 in the 7 days before)  ▁▁▁▃▅▅▅▅▅▅█████████▅▆███╌╌╌╌╌╌╌╌╌╌╌╌╌╌┤',
    );
  });

  test('says whether all will have stopped in time, or why nobody can say', async () => {
    const inTime = async (store: Parameters<typeof reportOf>[0]): Promise<string> =>
      section(lines(await reportOf(store), 'workspace', 1_000), 'In time')[0] ?? '';
    expect(await inTime({ traffic: [decline] })).toMatch(
      /^In time {4}probably, at the pace of the last 6 weeks, in which 0 of 1 workspace stopped: the last one stops about \d{4}-\d\d-\d\d, with 90% confidence between \d{4}-\d\d-\d\d and \d{4}-\d\d-\d\d; 0 to 1 of 1 still calls at the sunset$/,
    );
    expect(await inTime({ traffic: [{ key: 'mk_acme_1', calls: daily(9, 0, 5) }], recorded: [[20, 0]] })).toBe(
      'In time    nobody can say: fewer than four weeks are recorded',
    );
  });

  test('names who left, came back, is new, rests and will probably miss the date', async () => {
    const { misses, left, ...others } = (await sample()).burnDown;
    const report: Report = {
      ...(await sample()),
      burnDown: {
        ...others,
        left: [...left, { workspace: 'Gone', last: '2026-11-11T00:00:00.000Z', probably: ['mk_x…1'] }],
        misses: [...misses, { workspace: 'Late', reason: 'promised_late', probability: null, promised: '2027-01-12T00:00:00.000Z' }],
        cameBack: [{ workspace: 'Back', since: '2026-11-18T00:00:00.000Z', quiet: 40 * dayInMs, wasSafe: true }],
        new: [{ workspace: 'mk_x…1', first: '2026-11-18T00:00:00.000Z', probably: 'Gone' }],
        resting: [{ workspace: 'Monthly', last: '2026-11-01T00:00:00.000Z', until: '2026-12-16T00:00:00.000Z' }],
      },
    };
    const all = lines(report, 'workspace', 200);
    expect(section(all, 'Left in')).toEqual([
      'Left in the last 7 days',
      '  - Gone: last call on 2026-11-11; probably calls now under mk_x…1: if so, add the key to the workspace',
    ]);
    expect(section(all, 'Will probably')).toContain('  - Late: 2027-01-12: promised for after the sunset');
    expect(section(all, 'Came back')[1]).toBe('  - Back: calls again since 2026-11-18, after 40 days in which it had become SAFE');
    expect(section(all, 'New in')[1]).toBe('  - mk_x…1: since 2026-11-18; probably a new key of Gone');
    expect(section(all, 'Between')[1]).toMatch(
      'last call on 2026-11-01, and its pauses are as long; it has left if none comes until 2026-12-16',
    );
  });

  test('of an empty store says what to do', async () => {
    const text = lines(await reportOf({ traffic: [], recorded: [] })).join('\n');
    expect(text).toContain('UNKNOWN: nobody was seen lately, but that does not rule out a job');
    expect(text).toContain('The store is empty. Send v1 traffic through a proxy with this --store, and run\n  this again.');
  });

  test('of an empty period says that there were calls before', async () => {
    const report = await reportOf({ traffic: [{ key: 'mk_acme_1', calls: daily(80, 60, 3) }] }, { since: { ago: 20 * dayInMs } });
    expect(lines(report)).toContain('  No v1 call in this period. An earlier --since shows older ones.');
  });

  test('has colours only where it is told to', async () => {
    const report = await sample();
    expect(renderTable(report, { groupBy: 'workspace', width: 80, color: true })).toContain('\u001b[31mNOT YET\u001b[39m');
    expect(renderTable(report, { groupBy: 'workspace', width: 80, color: false })).not.toContain('\u001b');
  });
});
