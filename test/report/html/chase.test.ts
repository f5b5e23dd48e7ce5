/** Whom to call, what to tell them, and what a page of one workspace has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { rightSixWeeksBefore } from '../../../src/report/html/burn-down.ts';
import { mainSections } from '../../../src/report/html/main.ts';
import { renderHtml } from '../../../src/report/html/render.ts';
import { viewOf } from '../../../src/report/live/view.ts';
import type { Report } from '../../../src/report/model.ts';
import { projectRoot } from '../../helpers/build.ts';
import { daily, hashOf } from '../../helpers/usage-store.ts';
import { byId, cells, elements, rows, textOf, withClass } from './dom.ts';
import { reportOf } from '../formats/sample.ts';
import { sampleReport } from './sample-report.ts';

let report: Report;
beforeAll(async () => {
  report = await sampleReport();
});

/** The live page as somebody looks at it. */
const live = (query: string, given: Report = report, most?: number): string =>
  mainSections(given, { view: viewOf(new URLSearchParams(query)), ...(most === undefined ? {} : { rows: most }) })
    .map(({ html }) => String(html))
    .join('\n');

const answers = (page: string): Readonly<Record<string, string>> => {
  const [list] = withClass(byId(page, 'verdict'), 'answers');
  if (list === undefined) throw new Error('There are no answers');
  const contents = elements(list, 'dd').map(textOf);
  return Object.fromEntries(elements(list, 'dt').map((title, index) => [textOf(title), contents[index] ?? '']));
};

describe('the top of the page', () => {
  test('answers who is in the way, whom to call first, what to tell them and whether it will be in time', () => {
    const { 'In the way': inTheWay, 'Call first': first, 'Tell them': tell, 'Will it be in time?': inTime } = answers(renderHtml(report));
    expect(inTheWay).toMatch(/^4 clients of 3 workspaces called too recently/);
    expect(first).toBe('Acme – Ada Lovelace <ada@acme.test> , 2,359 calls in the last 7 days.');
    expect(tell).toBe(
      'By 2026-12-31, GET /v1/messages/:id becomes GET /v2/messages/:id , with 1 more endpoint, and the header x-api-key becomes Authorization: Bearer .',
    );
    expect(inTime).toMatch(/^[A-Z].*\.$/);
  });

  test('tells of no other endpoint for paths that v1 has not', async () => {
    const calls = daily(20, 0, 2);
    const traffic = [
      { key: 'mk_acme_1', calls },
      { key: 'mk_acme_1', endpoint: 'unlisted', status: 404, calls },
    ];
    const { 'Tell them': tell } = answers(renderHtml(await reportOf({ traffic })));
    expect(tell).not.toContain('more endpoint');
  });

  test('does not say that nobody is left where access logs show callers', async () => {
    const traffic = [{ key: 'mk_acme_1', calls: daily(60, 20, 2) }];
    const logs = [{ source: 'edge', reach: [2, 0], calls: [{ key: 'mk_bolt_1', days: 1 }] }] as const;
    const { 'Will it be in time?': inTime } = answers(renderHtml(await reportOf({ traffic, logs })));
    expect(inTime).toContain('; 1 client called past them, and when that ends nobody can say.');
  });

  test('calls nobody first who is snoozed, or called nothing lately', async () => {
    const firstOf = (given: Report): string | undefined => answers(renderHtml(given))['Call first'];
    const acme = (row: Partial<Report['workspaces'][number]>): Report => ({
      ...report,
      workspaces: report.workspaces.map((each) => (each.name === 'Acme' ? { ...each, ...row } : each)),
    });
    const snooze = { status: 'snoozed', until: '2026-12-24T00:00:00.000Z', past: false, note: null, at: null, from: 'record' } as const;
    expect(firstOf(acme({ mark: snooze }))).toMatch(/^Bolt Logistics/);
    expect(firstOf(acme({ mark: { ...snooze, past: true } }))).toMatch(/^Acme/);
    expect(firstOf({ ...report, workspaces: report.workspaces.map((row) => ({ ...row, now: { ...row.now, calls: 0 } })) })).toBeUndefined();
  });

  test('says of each by itself who is likely to miss the date, beside how many still call', () => {
    const miss = { workspace: 'Acme', reason: 'slow', probability: 0.6, promised: null } as const;
    const page = renderHtml({ ...report, burnDown: { ...report.burnDown, misses: [miss, { ...miss, workspace: 'Bolt Logistics' }] } });
    expect(answers(page)['Will it be in time?']).toMatch(/2 workspaces ?, each by itself, are more likely than not to miss it\.$/);
    expect(page).not.toContain('Will miss the date');
  });

  test('says of one workspace that has left that it is quiet, and nothing else', async () => {
    const left = await reportOf({ traffic: [{ key: 'mk_acme_1', calls: daily(60, 13, 5) }] }, { of: { workspaces: ['Acme'], owners: [] } });
    const page = renderHtml(left);
    expect(textOf(byId(page, 'verdict-title'))).toMatch(/^Acme has been quiet since \d{4}-\d\d-\d\d, and is not SAFE yet$/);
    expect(Object.keys(answers(page))).toEqual(['In the way', 'Will it be in time?']);
    expect(elements(byId(page, 'workspace-section'), 'dt').map(textOf)).not.toContain('Forecast');
    const elsewhere = [{ source: 'edge', reach: [20, 0], calls: [{ key: 'mk_acme_1', days: 1 }] }] as const;
    const past = await reportOf(
      { traffic: [{ key: 'mk_acme_1', calls: daily(60, 13, 5) }], logs: elsewhere },
      { of: { workspaces: ['Acme'], owners: [] } },
    );
    expect(textOf(byId(renderHtml(past), 'verdict-title'))).toBe('Acme still uses v1');
  });

  test('counts every key that nobody knows, and labels what to paste of each apart', async () => {
    const traffic = [
      { key: 'zz_new_1', calls: daily(30, 0, 3) },
      { key: 'zz_new_2', calls: daily(30, 10, 3) },
    ];
    const section = byId(renderHtml(await sampleReport({ traffic })), 'workspaces-section');
    expect(textOf(section)).toContain('2 keys no configuration knows, 1 of them with calls in the last 7 days: find out whose.');
    const labels = elements(section, 'pre').map(({ attribs }) => attribs['aria-label']);
    expect([labels.length, new Set(labels).size]).toEqual([2, 2]);
  });

  test('keeps the workspaces of an owner together over pages, with the count of all', () => {
    const [row] = report.workspaces;
    if (row === undefined) throw new Error('The sample has none');
    const workspaces = ['Ada', 'Bob', 'Ada', 'Ada'].map((owner, index) => ({
      ...row,
      name: `W${index}`,
      owner,
      verdict: { ...row.verdict, state: 'not_yet' as const },
    }));
    const page = live('group=owner', { ...report, workspaces }, 2);
    expect(withClass(byId(page, 'workspaces'), 'group').map(textOf)).toEqual(['Ada 3 workspaces']);
  });

  test('has a key that nobody knows found out first, where it calls most', async () => {
    const unknown = await sampleReport({ traffic: [{ key: 'zz_new_1', calls: daily(30, 0, 3) }] });
    expect(answers(renderHtml(unknown))['Find out first']).toMatch(/^whose key this is: zz_new_1…\w+ , 21 calls in the last 7 days\.$/);
  });

  test('names the criteria of SAFE, and calls nobody', async () => {
    const safe = await sampleReport({ recorded: [[120, 0]], traffic: [{ key: 'mk_acme_1', calls: daily(60, 40, 3) }] });
    const said = answers(renderHtml(safe));
    expect(said['By these criteria']).toMatch(
      /^Every client has been quiet .* that is 14 days at most\. Every job .* every 7 days: .* The record is 14 days long or longer/,
    );
    expect(Object.keys(said)).not.toContain('Call first');
    expect(elements(byId(renderHtml(safe), 'verdict'), 'details').map(({ attribs }) => 'open' in attribs)).toEqual([true]);
  });

  test('says how to begin where nobody ever called, with the address and a call to paste', async () => {
    const empty = await sampleReport({ recorded: [], traffic: [] }, { workspaces: [], ignore: [] });
    const start = byId(renderHtml(empty), 'start-section');
    expect(elements(start, 'pre').map(textOf)).toEqual(["curl http://127.0.0.1:8080/v1/contacts -H 'x-api-key: YOUR_V1_KEY'"]);
    const view = viewOf(new URLSearchParams());
    const sections = mainSections(empty, { view, proxyUrl: 'http://10.0.0.7:9999' });
    expect(sections.map(({ id }) => id)).toEqual(['heading', 'verdict', 'start-section', 'record-section', 'footer']);
    expect(String(sections[2]?.html)).toContain('curl http://10.0.0.7:9999/v1/contacts');
  });

  test('says of the outlook how often it is right, as docs/reports.md has it', () => {
    const table = readFileSync(join(projectRoot, 'docs/reports.md'), 'utf8');
    const sixWeeks = [...table.matchAll(/^\| +\| 6 weeks \|[^|]*\| (\d+%) /gm)].map(([, right]) => right);
    expect(sixWeeks).toEqual(Object.values(rightSixWeeksBefore));
  });
});

describe('who to chase', () => {
  test('goes by verdict, and then by what they call now', () => {
    const order = rows(renderHtml(report), 'workspaces').map(([name = '', verdict, , now]) => [name.replace(/….*/, '…'), verdict, now]);
    expect(order).toEqual([
      ['Acme', 'NOT YET', '2,359'],
      ['Bolt Logistics', 'NOT YET', '1,480'],
      ['mk_new_7…', 'NOT YET', '217'],
      ['Core', 'UNKNOWN', '–'],
      ['Dune never seen', 'UNKNOWN', '–'],
    ]);
  });

  test('folds those that are SAFE, with their count', async () => {
    const some = await sampleReport({
      recorded: [[120, 0]],
      traffic: [
        { key: 'mk_acme_1', calls: daily(60, 40, 3) },
        { key: 'mk_core_1', calls: daily(60, 0, 3) },
      ],
    });
    const page = renderHtml(some);
    expect(rows(page, 'workspaces').map(([name]) => name)).not.toContain('Acme');
    expect(rows(page, 'safe').map(([name]) => name)).toEqual(['Acme']);
    expect(textOf(byId(page, 'safe-workspaces'))).toMatch(/^SAFE: 1 workspace /);
    expect(byId(page, 'safe-workspaces').attribs['open']).toBeUndefined();
  });

  test('unfolds clients, networks, endpoints with their successors, and what to paste for an unknown key', () => {
    const page = renderHtml(report);
    const acme = report.workspaces.find(({ name }) => name === 'Acme');
    const told = textOf(byId(page, `workspace-${acme?.keys[0]}`));
    expect(told).toContain('Call Ada Lovelace ada@acme.test');
    expect(told).toContain('POST /v1/messages/send → POST /v2/messages/send');
    expect(told).toMatch(/In acme-billing\/2\.4\.1 from 198\.51\.100\.0\/24, .*, .* \(32,153 calls, last 1 min ago \)/);
    expect(told).toContain("Letter npx migrate-v2 report --letters letters --workspace 'Acme'");
    const [snippet] = elements(byId(page, `workspace-${hashOf('mk_new_77')}`), 'pre');
    expect(snippet && textOf(snippet)).toBe(
      `workspaces: - name: NAME OF THE CUSTOMER # first seen on 2026-11-11 # okhttp/4.12.0 from 192.0.2.0/24 keys: ['hash:${hashOf('mk_new_77')}']`,
    );
  });

  test('has a command for its letter that runs nothing else, whatever its name', async () => {
    const [name, quoted] = ["'; rm -rf $HOME #`id`", "''\\''; rm -rf $HOME #`id`'"];
    const named = await sampleReport(undefined, { workspaces: [{ name, keys: ['mk_acme_'] }] });
    const row = named.workspaces.find(({ origin }) => origin === 'configured');
    expect(textOf(byId(renderHtml(named), `workspace-${row?.keys[0]}`))).toContain(`--workspace ${quoted} `);
  });

  test('stands together by owner where somebody asks for it', () => {
    const groups = withClass(byId(live('group=owner'), 'workspaces'), 'group').map(textOf);
    expect(groups).toEqual(['Ada Lovelace 1 workspace', 'Team Rivet 1 workspace', 'Nobody’s 2 workspaces', 'Frank 1 workspace']);
    expect(withClass(byId(live(''), 'workspaces'), 'group')).toEqual([]);
  });

  test('has pages, whose buttons and data carry the view', () => {
    const query = 'q=a&workspaces=name';
    const first = live(query, report, 2);
    expect(textOf(byId(first, 'workspaces-foot'))).toMatch(/^1 to 2 of 5 workspaces Back Next CSV JSON$/);
    expect(byId(first, 'workspaces-next').attribs).toMatchObject({ name: 'workspaces-page', value: '2', form: 'view' });
    expect('disabled' in byId(first, 'workspaces-back').attribs).toBe(true);
    const links = elements(byId(first, 'workspaces-foot'), 'a').map(({ attribs }) => attribs['href']);
    expect(links).toEqual(['usage.csv?q=a&workspaces=name&by=workspace', 'usage.json?q=a&workspaces=name']);
    expect(rows(live(`${query}&workspaces-page=2`, report, 2), 'workspaces').map(([name]) => name)).toEqual(['Core', 'Dune never seen']);
    // A page that is not there any more is the last one.
    expect(textOf(byId(live(`${query}&workspaces-page=99`, report, 2), 'workspaces-foot'))).toMatch(/^5 to 5 of 5/);
  });

  test('leads on the live page to a page of each workspace', () => {
    const links = elements(byId(live('period=7d'), 'workspaces'), 'a').map(({ attribs }) => attribs['href']);
    expect(links).toContain('usage?period=7d&workspace=Bolt+Logistics');
  });
});

describe('a page of one workspace', () => {
  test('has what to do in its middle, and nothing of others', async () => {
    const own = await sampleReport(undefined, { find: { search: '', workspace: 'Bolt Logistics' } });
    const page = live('workspace=Bolt+Logistics', own);
    expect(textOf(byId(page, 'heading'))).toMatch(/^v1 usage report of Bolt Logistics .* Of Bolt Logistics alone\. The verdict/);
    expect(textOf(byId(page, 'verdict-title'))).toBe('Bolt Logistics still uses v1');
    expect(textOf(byId(page, 'workspace-section'))).toContain('Tell them By 2026-12-31');
    expect(page).not.toMatch(/Acme|Core|mk_new/);
    expect(cells(page, 'clients').length).toBeGreaterThan(0);
  });

  test('says so where there is none of that name', async () => {
    const none = await sampleReport(undefined, { find: { search: '', workspace: 'Bolt' } });
    expect(textOf(byId(live('workspace=Bolt', none), 'verdict'))).toMatch(/^No workspace and no unknown key has this name\./);
  });
});
