import { beforeAll, describe, expect, test } from 'vitest';
import { renderHtml } from '../../../src/report/html/render.ts';
import type { Report } from '../../../src/report/model.ts';
import { dayInMs } from '../../../src/contract/times.ts';
import { buildReport } from '../../../src/report/build.ts';
import { daily, hashOf, hoursAgo, now, reportDefaults, storeWith, type Traffic } from '../../helpers/usage-store.ts';
import { road } from '../formats/sample.ts';
import { byId, cells, elements, rows, textOf, withClass } from './dom.ts';
import { sampleReport } from './sample-report.ts';

let report: Report;
beforeAll(async () => {
  report = await sampleReport();
});

/** The report as it would be with so many workspaces, with a client each. */
function grown(report: Report, size: number): Report {
  const name = (index: number): string => `Workspace number ${index} of a long list of them`;
  const hash = (index: number): string => index.toString(16).padStart(16, '0');
  const workspace = report.workspaces.find(({ name }) => name === 'Acme');
  const [client] = report.clients;
  if (workspace === undefined || client === undefined) throw new Error('The sample has neither');
  const indexes = Array.from({ length: size }, (_, index) => index);
  return {
    ...report,
    workspaces: indexes.map((index) => ({ ...workspace, name: name(index), keys: [hash(index)] })),
    clients: indexes.map((index) => ({ ...client, id: index, workspace: name(index), keyHash: hash(index) })),
  };
}

describe('the top', () => {
  test('says the verdict, and all that is in its way', () => {
    const verdict = byId(renderHtml(report), 'verdict');
    expect(elements(verdict, 'h2').map(textOf)).toEqual(['v1 cannot be switched off yet']);
    expect(elements(verdict, 'li').map(textOf)).toEqual([
      expect.stringMatching(/^4 clients of 3 workspaces called too recently/),
      expect.stringMatching(/^240 v1 calls could not be recorded/),
      expect.stringMatching(/96\.4% of the time/),
      expect.stringMatching(/^Only calls through proxy \(2026-/),
      expect.stringMatching(/^1 workspace of the configuration never called: Dune/),
      expect.stringMatching(/^1 client called with keys that v2 never accepted/),
    ]);
  });

  test('says so where v1 may go', async () => {
    const safe = await sampleReport({ recorded: [[120, 0]], traffic: [{ key: 'mk_acme_1', calls: daily(60, 40, 3) }] });
    expect(textOf(byId(renderHtml(safe), 'verdict'))).toMatch(/^SAFE v1 can be switched off Nobody has used v1 for 14 days/);
  });

  test('says which calls v2 did not serve, where there are any', async () => {
    const mixed = await sampleReport({ traffic: road });
    expect(textOf(byId(renderHtml(mixed), 'verdict'))).toMatch(/Of the v1 calls, 1,500 by v1 as it is, .* 4 refused in a brownout\./);
    expect(textOf(byId(renderHtml(report), 'verdict'))).not.toContain('Of the v1 calls');
  });

  test('says what to do where nothing was recorded', async () => {
    const page = renderHtml(await sampleReport({ recorded: [], traffic: [] }, { workspaces: [], ignore: [] }));
    expect(textOf(byId(page, 'verdict'))).toMatch(/^UNKNOWN .* Nothing was ever recorded: start the proxy/);
    expect(elements(page, 'section').map(({ attribs }) => attribs['id'])).toEqual(['verdict', 'start-section', 'record-section']);
  });
});

describe('keys that v2 never accepted', () => {
  test('stand folded below the customers, and count for no workspace and no forecast', async () => {
    const guesses = Array.from({ length: 300 }, (_, index): Traffic => ({
      key: `g${index}_guess`,
      calls: daily(30, 0, 50),
      status: 401,
      outcome: 'local',
    }));
    const scanned = await sampleReport({ recorded: [[120, 0]], traffic: [{ key: 'mk_acme_1', calls: daily(60, 20, 3) }, ...guesses] });
    const page = renderHtml(scanned, { rows: 10 });
    expect(cells(page, 'workspaces').map(([name]) => name)).not.toContainEqual(expect.stringMatching(/^g\d+/));
    const folded = elements(page, 'details').filter(({ attribs }) => attribs['id'] === 'refused-keys');
    expect(folded.map(({ attribs }) => attribs['open'])).toEqual([undefined]);
    expect(textOf(byId(page, 'refused-keys'))).toMatch(/^Keys that v2 never accepted: left out of the verdict \(300\)/);
    expect(textOf(byId(page, 'verdict'))).toMatch(/Workspaces calling now 0 .*; besides 300 keys that v2 never accepted/);
    expect(cells(page, 'clients')[0]?.[1]).toBe('Acme');
    expect(scanned.keys[0]?.workspace).toBe('Acme');
    expect(scanned.burnDown.outlook).toEqual({ state: 'none', reason: 'over' });
  });
});

describe('tables', () => {
  test('mark unknown keys', () => {
    const page = renderHtml(report);
    expect(cells(page, 'workspaces').find(([name]) => name?.startsWith('mk_new_7'))?.[0]).toMatch(/^mk_new_7…\w+ unknown key/);
    const marked = elements(byId(page, 'workspaces'), 'tr').filter(({ attribs }) => attribs['class'] === 'first');
    expect(marked.map(textOf)).toEqual([expect.stringMatching(/^mk_new_7/)]);
  });

  test('name the keys of a workspace as the configuration wants them', () => {
    const [unknown] = report.workspaces;
    const row = byId(renderHtml(report), `workspace-${unknown?.keys[0]}`);
    expect(textOf(row)).toContain(`Keys hash:${hashOf('mk_new_77')}`);
  });

  test('have whoever exceeds a limit first, with both ways of counting', () => {
    const limits = rows(renderHtml(report), 'limits').map(([name, fit, , , , , refused]) => [name, fit, refused]);
    expect(limits.slice(0, 2)).toEqual([
      ['Bolt Logistics', 'exceeds', '1,300 to 1,410'],
      ['Acme', 'exceeds', '6,021'],
    ]);
  });

  test('say what savers would leave of the worst hour, also of a workspace that v2 was never asked for', async () => {
    const savings = [[hoursAgo(1), { asked: 412, untranslated: 412, saved: [12, 200, 341, 360, 370] }]] as const;
    const traffic = [{ key: 'mk_acme_1', outcome: 'observed', v2Calls: 0, calls: [[hoursAgo(1), 412]], savings }] as const;
    const { reader } = await storeWith({ traffic });
    const workspaces = [{ name: 'Acme', keys: ['mk_acme_'], plan: 'Free' }] as const;
    const page = renderHtml(await buildReport(reader, { since: { ago: 7 * dayInMs }, ...reportDefaults, workspaces, now }));
    const [, unfolded] = cells(page, 'limits');
    expect(unfolded).toEqual([
      '412 calls in its worst clock hour (from 2026-11-20 11:00 UTC ), of which v1 still answers 412; with reuse of 10 s and coalescing 71: fits Free.',
    ]);
  });

  test('name the v2 call that replaces each endpoint', () => {
    const successors = cells(renderHtml(report), 'endpoints').map(([endpoint, successor]) => [endpoint, successor]);
    expect(successors).toContainEqual(['POST /v1/messages/send', 'POST /v2/messages/send']);
    expect(successors).toContainEqual(['unlisted', '–']);
  });

  test('are cut where they are long, and say what is missing', () => {
    const page = renderHtml(grown(report, 2_000), { rows: 50 });
    expect(elements(byId(page, 'workspaces'), 'th').filter(({ attribs }) => attribs['scope'] === 'row')).toHaveLength(50);
    expect(withClass(byId(page, 'workspaces-section'), 'rest').map(textOf)).toEqual([
      expect.stringMatching(/^1,950 more workspaces with [\d,]+ calls: they are in the report with --format csv\.$/),
    ]);
  });

  test('all have a caption, and headings of columns and rows', () => {
    const tables = elements(renderHtml(report), 'table');
    expect(tables.length).toBeGreaterThan(6);
    for (const table of tables) {
      expect(elements(table, 'caption').map(textOf)).toEqual([expect.stringMatching(/\w/)]);
      const [columns, ...rows] = elements(table, 'tr');
      expect(columns?.children.map((cell) => 'attribs' in cell && cell.attribs['scope'])).not.toContain(undefined);
      const named = rows.filter(({ attribs }) => attribs['class'] !== 'under');
      for (const row of named) expect(elements(row, 'th').map(({ attribs }) => attribs['scope'])).toEqual(['row']);
    }
  });
});

describe('the chart', () => {
  test('has a gap where nothing was recorded, and no bar', () => {
    const titles = elements(renderHtml(report), 'title').map(textOf);
    expect(titles).toContain('2026-10-11: not recorded');
    expect(titles).not.toContain('2026-10-11: 0');
  });

  test('is told by a table as well, gaps included', () => {
    const rows = cells(renderHtml(report), 'trend');
    expect(rows).toHaveLength(report.trend.length);
    expect(rows.find(([day]) => day === '2026-10-11')).toEqual(['2026-10-11', 'not recorded', 'not recorded', '0%']);
  });

  test('goes by the hour where the period is short', async () => {
    const page = renderHtml(await sampleReport(undefined, { since: { ago: dayInMs } }));
    expect(elements(byId(page, 'trend-section'), 'figcaption').map(textOf)).toEqual(['v1 calls hour by hour, in UTC']);
    expect(cells(page, 'trend')).toHaveLength(24);
  });
});

describe('the file', () => {
  test('has at most 600 KB at 2,000 clients', () => {
    expect(Buffer.byteLength(renderHtml(grown(report, 2_000)))).toBeLessThan(600_000);
  });

  test('lets nothing run but its own script, and nothing be loaded', () => {
    const page = renderHtml(report);
    const policy = elements(page, 'meta').find(({ attribs }) => attribs['http-equiv'] === 'Content-Security-Policy')?.attribs['content'];
    const hash = "'sha256-[\\w+/]+={0,2}'";
    expect(policy).toMatch(new RegExp(`^default-src 'none'; style-src ${hash}; script-src ${hash}; base-uri 'none'; form-action 'none'$`));
    for (const name of ['link', 'img', 'iframe', 'object', 'form']) expect(elements(page, name)).toEqual([]);
    expect(attributes(page)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(src|style|on.*)$/)]));
    const links = elements(page, 'a').map(({ attribs }) => attribs['href']);
    expect(links).toContain('#workspaces-section');
    for (const link of links) expect(link).toMatch(/^(#[\w-]+|mailto:[\w.@-]+)$/);
  });
});

const attributes = (page: string): readonly string[] => [...new Set(elements(page, '*').flatMap(({ attribs }) => Object.keys(attribs)))];

describe('names of other people', () => {
  const hostile = '<script>alert(1)</script>" onclick="x\u202E\u0000\uD800\u001B[31m';
  const everywhere = (text: string): Report => ({
    ...report,
    workspaces: report.workspaces.map((row) => ({ ...row, name: text, owner: text, contact: text, note: text })),
    clients: report.clients.map((row) => ({ ...row, workspace: text, product: text, name: text, keyPrefix: text })),
    endpoints: report.endpoints.map((row) => ({ ...row, endpoint: text })),
    ignored: report.ignored.map((row) => ({ ...row, reason: text })),
  });

  test('stay text', () => {
    const page = renderHtml(everywhere(hostile));
    expect(elements(page, 'script')).toHaveLength(1);
    expect(attributes(renderHtml(report))).toEqual(expect.arrayContaining([...attributes(page)]));
    expect(cells(page, 'ignored')[0]?.[0]).toBe('<script>alert(1)</script>" onclick="x\\u{202e}\\u{0}\\u{d800}\\u{1b}[31m');
    // oxlint-disable-next-line no-control-regex -- that is what must not be there
    expect(page).not.toMatch(/[\u0000\u001B\u202E\uD800-\uDFFF]/);
  });

  test('are cut where they are endless', () => {
    expect(Buffer.byteLength(renderHtml(everywhere('x'.repeat(100_000))))).toBeLessThan(250_000);
  });
});
