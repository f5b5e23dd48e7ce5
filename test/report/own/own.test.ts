/** The report of some of those who call, and of nobody else. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupings, reportFormatNames } from '../../../src/config/report-formats.ts';
import { dayInMs } from '../../../src/contract/times.ts';
import { buildReport, ownReports, type ReportOptions } from '../../../src/report/build.ts';
import { renderReport } from '../../../src/report/formats/render.ts';
import type { Report } from '../../../src/report/model.ts';
import { daily, hashOf, now, reportDefaults, type StoreContent, storeWith } from '../../helpers/usage-store.ts';
import { sampleOptions, sampleStore } from '../html/sample.ts';
import { roadContent, roadWorkspaces } from '../rollout/sample.ts';
import { marked } from './marked.ts';
import { contentOf, customers, marksOf, nameOf, optionsOf } from './customers.ts';

const defaults: ReportOptions = { ...reportDefaults, since: { ago: 90 * dayInMs }, now };
const only = (...workspaces: readonly string[]) => ({ workspaces, owners: [] });

async function reportOf(content: StoreContent, options: Partial<ReportOptions> = {}): Promise<Report> {
  const { reader } = await storeWith(content);
  return buildReport(reader, { ...defaults, ...options });
}

describe('the report of one workspace', () => {
  test.each<[string, StoreContent, Partial<ReportOptions>]>([
    ['a record with all that a report shows', sampleStore, sampleOptions],
    ['a road with all that can happen on it', roadContent, { workspaces: roadWorkspaces }],
  ])('says of it what the report of all does: %s', async (_name, content, options) => {
    const { reader } = await storeWith(content);
    const all = await buildReport(reader, { ...defaults, ...options });
    expect(all.of).toBeNull();
    for (const row of all.workspaces) {
      const own = await buildReport(reader, { ...defaults, ...options, of: only(row.name) });
      expect(own.of).toEqual([row.name]);
      const [found] = own.workspaces;
      const { road: ownRoad, ...ownRow } = found ?? {};
      const { road, ...wholeRow } = row;
      expect(ownRow).toEqual({ ...wholeRow, probably: [], verdict: expect.objectContaining({ state: row.verdict.state }) });
      expect(ownRoad?.stages).toEqual(road?.stages);
      expect(own.verdict).toEqual(found?.verdict);
      const theirs = all.clients.filter(({ workspace }) => workspace === row.name);
      expect(own.clients).toEqual(theirs);
      expect(own.keys).toEqual(all.keys.filter(({ workspace }) => workspace === row.name));
      expect(own.total.calls).toBe(row.usage.calls);
      expect(own.trend.map(({ calls }) => calls)).toEqual(row.trend);
      expect({ ...own.coverage }).toEqual(all.coverage);
      expect([own.unidentified, own.ignored]).toEqual([null, []]);
    }
  });

  const traffic = [
    { key: 'mk_acme_1', client: 'sync/1', networks: ['192.0.2.0/24'], calls: daily(60, 30, 2) },
    { key: 'mk_bolt_1', calls: daily(20, 0, 3) },
  ];
  const workspaces = [
    { name: 'Acme', keys: ['mk_acme_'], owner: 'Ada' },
    { name: 'Bolt', keys: ['mk_bolt_'], owner: 'Bob' },
    { name: 'Core', keys: ['mk_core_'], owner: 'Ada' },
  ];

  test('is SAFE where that one is, whoever else calls', async () => {
    expect((await reportOf({ traffic }, { workspaces })).verdict.state).toBe('not_yet');
    expect((await reportOf({ traffic }, { workspaces, of: only('Acme') })).verdict.state).toBe('safe');
  });

  test.each([
    ['a key that is probably its own', { key: 'mk_new_1', client: 'sync/1', networks: ['192.0.2.0/24'], calls: daily(29, 0, 2) }],
    ['clients that nobody told apart', { client: '_other', calls: daily(9, 0, 2) }],
  ])('is not SAFE for %s, and says nothing of it', async (_name, other) => {
    const options = { workspaces, of: only('Acme') };
    const { verdict, ...report } = await reportOf({ traffic: [...traffic, other] }, options);
    expect(verdict.state).not.toBe('safe');
    expect(verdict.blockers.flatMap((blocker) => ('latest' in blocker ? blocker.latest : []))).toEqual([]);
    expect(report.total.calls).toBe(62);
    expect(JSON.stringify(report)).not.toMatch(/mk_new|mk_bolt|_other/);
  });

  test('may be that of an owner, or of several together', async () => {
    const ofAda = await reportOf({ traffic }, { workspaces, of: { workspaces: [], owners: ['Ada'] } });
    expect(ofAda.workspaces.map(({ name }) => name)).toEqual(['Acme', 'Core']);
    const both = await reportOf({ traffic }, { workspaces, of: { workspaces: ['Bolt', `hash:${hashOf('mk_acme_1')}`], owners: [] } });
    expect(both.of).toEqual(['Bolt', 'Acme']);
    expect(both.verdict).toMatchObject({ state: 'not_yet', blockers: [{ code: 'recent_calls', workspaces: 1, clients: 1 }] });
    expect(both.total.calls).toBe(62 + 63);
  });

  test.each([
    [only('acme'), '--workspace acme: no workspace or key of that name is in the report; did you mean Acme?'],
    [only('Nobody here'), '--workspace Nobody here: no workspace or key of that name is in the report; migrate-v2 report lists them'],
    [{ workspaces: [], owners: ['Eda'] }, '--owner Eda: no workspace of the configuration has that owner; did you mean Ada?'],
  ])('is none of a name that means nobody: %j', async (of, message) => {
    await expect(reportOf({ traffic }, { workspaces, of })).rejects.toThrow(message);
  });
});

test('no format of the report of one has a text of another, whatever these are', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(customers, fc.boolean(), async (all, isConfigured) => {
      const { reader } = await storeWith(contentOf(all));
      const own = await ownReports(marked(reader, marksOf(all)), {
        ...defaults,
        ...optionsOf(all),
        ...(!isConfigured && { rollout: undefined }),
      });
      for (const customer of all) {
        const group = own.groups.find(({ name }) => name === nameOf(customer));
        if (group === undefined) throw new Error(`no ${nameOf(customer)}`);
        const report = await own.reportOf(new Set([group]));
        for (const format of reportFormatNames)
          for (const groupBy of groupings) {
            const text = renderReport(report, { format, groupBy, width: Infinity, color: false });
            const marks = new Set(text.match(/Zq\dx/g) ?? []);
            expect([...marks].filter((mark) => mark !== customer.mark)).toEqual([]);
            expect(marks.size).toBeGreaterThanOrEqual(format === 'json' ? 1 : 0);
          }
      }
    }),
    { numRuns: 6 },
  );
});
