import { describe, expect, test } from 'vitest';
import { renderCsv } from '../../../src/report/formats/csv.ts';
import { csvText } from '../../../src/report/text/csv.ts';
import { hourInMs } from '../../../src/contract/times.ts';
import { daily, daysAgo, hashOf, now } from '../../helpers/usage-store.ts';
import { parseCsv } from './parse-csv.ts';
import { groupings } from '../../../src/config/report-formats.ts';
import { reportOf, road, sample } from './sample.ts';

/** Call sites are what makes calls, and add up to nothing; what logs tell is in no total. */
const callGroupings = groupings.filter((each) => each !== 'site' && each !== 'log');

/** The rows by the names of the columns. */
function records(text: string): Record<string, string>[] {
  const [names = [], ...rows] = parseCsv(text);
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
}

describe('CSV', () => {
  test('has a row for each workspace, with figures and instants as they are', async () => {
    const rows = records(renderCsv(await sample(), { groupBy: 'workspace' }));
    expect(rows.map(({ workspace, origin, calls, verdict }) => [workspace, origin, calls, verdict])).toEqual([
      [`mk_new_7…${hashOf('mk_new_77').slice(0, 8)}`, 'unknown', '28', 'not_yet'],
      ['Acme', 'configured', '2528', 'not_yet'],
      ['Bolt', 'configured', '105', 'unknown'],
      ['Core', 'configured', '0', 'unknown'],
      ['', 'unidentified', '5', ''],
    ]);
    expect(rows[1]).toMatchObject({
      plan: 'Free',
      owner: 'Ada',
      contact: 'ada@acme.test',
      note: 'calls at night',
      keys: `hash:${hashOf('mk_acme_1')}`,
      last_seen: '2026-11-20T11:59:00.000Z',
      limit_per_hour: '100',
      peak_60_minutes: '26',
      older_60_minutes: '150',
      refused_clock_hour: '0',
      smallest_plan: 'Free',
      blockers: 'recent_calls lost_calls',
    });
  });

  test.each(callGroupings)('by %s adds up to the total', async (groupBy) => {
    const report = await sample();
    const calls = records(renderCsv(report, { groupBy })).map((row) => Number(row['calls']));
    expect(calls.reduce((sum, each) => sum + each, 0)).toBe(report.total.calls);
  });

  test.each(callGroupings)('by %s has the calls that v2 did not serve behind all others', async (groupBy) => {
    const [names, row] = parseCsv(renderCsv(await reportOf({ traffic: road }), { groupBy }));
    const at = names?.indexOf('observed') ?? 0;
    expect(names?.slice(at, at + 3)).toEqual(['observed', 'compared', 'refused']);
    expect(row?.slice(at, at + 3)).toEqual(['1500', '2', '4']);
  });

  test('by workspace has behind these what savers would leave', async () => {
    const savings = [[now - hourInMs, { asked: 412, untranslated: 400, saved: [12, 200, 341, 360, 370] }]] as const;
    const traffic = [...road, { key: 'mk_acme_1', calls: [[now - hourInMs, 1] as const], savings }];
    const text = renderCsv(await reportOf({ traffic }), { groupBy: 'workspace' });
    expect(parseCsv(text)[0]?.slice(-22, -11)).toEqual([
      'asked_clock_hour',
      'coalescing_clock_hour',
      'reuse_5s_clock_hour',
      'reuse_10s_clock_hour',
      'reuse_30s_clock_hour',
      'reuse_60s_clock_hour',
      'asked_clock_hour_at',
      'asked_untranslated',
      'asked_since',
      'savers_plan',
      'savers_needed',
    ]);
    const [acme, bolt] = records(text);
    const at = '2026-11-20T11:00:00.000Z';
    expect(Object.values(acme ?? {}).slice(-22, -11)).toEqual([
      '412',
      '400',
      '212',
      '71',
      '52',
      '42',
      at,
      '400',
      at,
      'Free',
      'reuse of 10 s and coalescing',
    ]);
    expect(Object.values(bolt ?? {}).slice(-22, -11)).toEqual(Array.from({ length: 11 }, () => ''));
  });

  test('by workspace ends with the last seven days, and what is to be expected at the sunset', async () => {
    const monthly = [95, 65, 35].map((day) => [daysAgo(day), 3] as const);
    const traffic = [
      { key: 'mk_acme_1', calls: daily(90, 0, 5) },
      { key: 'mk_bolt_1', calls: monthly },
      { key: 'mk_core_1', calls: daily(90, 20, 5) },
      ...Array.from({ length: 20 }, (_, number) => ({ key: `${number}_key_new`, calls: daily(90, 0, 1) })),
    ];
    const rows = records(renderCsv(await reportOf({ traffic }), { groupBy: 'workspace' }));
    const row = (name: string) => Object.fromEntries(Object.entries(rows.find(({ workspace }) => workspace === name) ?? {}).slice(-5));
    const none = { misses_sunset: '', calls_at_sunset: '' };
    expect(row('Acme')).toMatchObject({ calls_now: '35', clients_now: '1', is_now: 'calling', misses_sunset: 'no_decline' });
    expect(Number(row('Acme')['calls_at_sunset'])).toBeGreaterThan(0.5);
    expect(row('Bolt')).toMatchObject({ calls_now: '0', clients_now: '0', is_now: 'resting' });
    expect(row('Core')).toEqual({ calls_now: '0', clients_now: '0', is_now: 'quiet', ...none });
  });

  test('of an empty store has the names of the columns alone', async () => {
    const text = renderCsv(await reportOf({ traffic: [], recorded: [] }, { workspaces: [] }), { groupBy: 'key' });
    expect(text).toMatch(/^key,hash,workspace,clients,calls,[a-z0-9_,]+\r\n$/);
  });

  test.each([
    ['plain', 'plain'],
    ['a, b', '"a, b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', 'two\\nlines'],
    ['=1+1', "'=1+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    [' =1', "' =1"],
  ])('writes the text %j as %s', (text, cell) => {
    expect(csvText(text)).toBe(cell);
  });
});
