/** The road from v1 to v2 in every format. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type GroupBy, groupings, type ReportFormat, reportFormatNames } from '../../../src/config/report-formats.ts';
import { renderReport } from '../../../src/report/formats/render.ts';
import type { Report } from '../../../src/report/model.ts';
import { differencesOf, findingsOf } from '../../../src/report/rollout/comparing.ts';
import { comparedCalls, errorCalls, errorsBeyond, recentTime, settledTime } from '../../../src/report/rollout/thresholds.ts';
import { nextLabels } from '../../../src/report/text/road-wording.ts';
import { dayInMs } from '../../../src/contract/times.ts';
import { usualThresholds } from '../../../src/rollout/noise.ts';
import { projectRoot } from '../../helpers/build.ts';
import { daily, hashOf } from '../../helpers/usage-store.ts';
import { answerOf, compare } from '../../proxy/compare/answers.ts';
import { comparisonRow, roadContent, roadReport, roadWorkspaces } from '../rollout/sample.ts';
import { byId, cells, elements, textOf } from '../html/dom.ts';
import { sampleReport } from '../html/sample-report.ts';
import { parseCsv } from './parse-csv.ts';
import { sample } from './sample.ts';

let report: Report;
beforeAll(async () => {
  report = await sampleReport(roadContent, { workspaces: roadWorkspaces, ignore: [] });
});

const render = (format: (typeof reportFormatNames)[number], groupBy: GroupBy = 'workspace', width = 80): string =>
  renderReport(report, { format, groupBy, width, color: false });

/** The lines of the table from one that is a title to the empty one. */
function section(title: string, width = 120): readonly string[] {
  const lines = render('table', 'workspace', width).split('\n');
  const from = lines.indexOf(title) + 1;
  return lines.slice(from, lines.indexOf('', from));
}

describe('the road in a terminal', () => {
  test('is a line at the top', () => {
    expect(render('table', 'workspace', 200)).toContain(
      'Road       2 workspaces observed, 2 compared, 1 translated; 3 differences left; 1 rule taken back\n',
    );
  });

  test('has the stage of each workspace, what was compared, its errors and the next step', () => {
    expect(section('On the road to v2').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
      'Workspace | Stage | Compared | Left | Skipped | Errors | Next',
      `mk_new_7…${hashOf('mk_new_77').slice(0, 8)} | 2 refused | wait`,
      'Core | translate | 1% → 0% | move client',
      'Bolt | compare | 1,240 | 0 | 0% | translate',
      'Acme | compare | 800 | 3 | 12 | 2.4% | mend',
      'Echo | observe | 0% → 2.6% | look, release',
      'Dune | observe, 6 refused | 0% | compare',
    ]);
  });

  test('has why it is the next one', () => {
    const text = section('Next steps', 400).join('\n');
    expect(text).toContain(
      'Bolt: 1,240 calls compared, none differs beyond noise: ready for translate; never compared: GET /v1/campaigns\n',
    );
    expect(text).toContain('Acme: 3 differences left, most at GET /v1/contacts: data[].name; not compared: 12 busy\n');
    expect(text).toContain('Core: translated for 9 days, errors 0% after 1% before: move the client itself to v2\n');
    expect(text).toContain('Echo: its rule Echo first was taken back on 2026-11-18 12:00 UTC (9 of 39 calls failed, where v1 failed 0');
    expect(text).toContain('Dune: observed, 84 calls in the last 7 days: begin to compare');
  });

  test('has what differs and what to do', () => {
    expect(section('Differences', 200)[1]).toMatch(
      /^GET \/v1\/contacts +data\[\]\.name +missing: text → absent +36 +800 +0 +Acme +map the answer$/,
    );
  });

  test('tells of brownouts who was hit, who came back and who stayed away', () => {
    const unknown = `mk_new_7…${hashOf('mk_new_77').slice(0, 8)}`;
    expect(section('Brownouts', 400)).toEqual([
      `  - first hour, 2026-11-17 12:00 UTC for 30 minutes: 9 calls refused, of Dune, ${unknown}, calls without a key; came back: Dune (after 23 hours); ` +
        `stayed away: ${unknown}, calls without a key; unknown keys that spoke up: ${unknown} (never seen before)`,
    ]);
  });

  test('ends with what happened', () => {
    expect(section('What happened on the road', 400)[0]).toBe(
      '  - 2026-11-18 12:00 UTC: the rule Echo first was taken back: 9 of 39 calls failed, where v1 failed 0 of as many before',
    );
  });

  test.each([80, 120])('is no wider than %s columns', (width) => {
    const wide = render('table', 'workspace', width)
      .split('\n')
      .filter((line) => line.length > width);
    expect(wide).toEqual([]);
  });
});

test('the road is as docs/reports.md shows it, with the numbers by which next steps are told', async () => {
  const doc = readFileSync(join(projectRoot, 'docs/reports.md'), 'utf8').replace(/\s+/g, ' ');
  const shown = new Set(['mk_acme_1', 'mk_bolt_1', 'mk_core_1']);
  const traffic = roadContent.traffic.filter(({ key = '', endpoint }) => shown.has(key) && endpoint !== 'GET /v1/campaigns');
  const of = await roadReport({ ...roadContent, traffic, steps: [] }, { workspaces: roadWorkspaces });
  const text = renderReport(of, { format: 'table', groupBy: 'workspace', width: 100, color: false });
  const sections = text.slice(text.indexOf('On the road to v2'), text.indexOf('\n\nDifferences'));
  expect(doc).toContain(sections.replace(/\s+/g, ' '));
  const days = (time: number): string => `${time / dayInMs} days`;
  expect(doc).toContain(`the calls of the last ${days(recentTime)}`);
  expect(doc).toContain(`fewer than ${comparedCalls} calls were compared`);
  expect(doc).toContain(`for less than ${days(settledTime)}`);
  expect(doc).toContain(`more than ${errorsBeyond * 100} percentage point above v1's, of at least ${errorCalls} calls each`);
  expect(doc).toContain(`${usualThresholds.relative * 100} % and ${usualThresholds.absolute * 100} % where nothing is given`);
  for (const label of new Set(Object.values(nextLabels))) expect(doc).toContain(`| \`${label}\` |`);
});

test('CSV has the road at the end of each row', () => {
  const [names = [], ...rows] = parseCsv(render('csv'));
  const road = rows.map((row) => Object.fromEntries(row.map((cell, index) => [names[index], cell])));
  expect(names.slice(names.indexOf('refused'), names.indexOf('asked_clock_hour'))).toEqual([
    'refused',
    'stage',
    'observe_7_days',
    'compare_7_days',
    'translate_7_days',
    'refused_7_days',
    'compared_calls',
    'differences',
    'skipped',
    'skipped_why',
    'errors_before',
    'errors_5xx_before',
    'errors_after',
    'errors_5xx_after',
    'moved_at',
    'taken_back',
    'next_step',
    'next_step_why',
  ]);
  expect(road.find(({ workspace }) => workspace === 'Acme')).toMatchObject({
    stage: 'compare',
    compare_7_days: '287',
    compared_calls: '800',
    differences: '3',
    skipped_why: 'busy: 12',
    errors_before: '0.024',
    errors_after: '',
    next_step: 'mend',
    next_step_why: '3 differences left, most at GET /v1/contacts: data[].name',
  });
  expect(road.at(-1)).toMatchObject({ origin: 'unidentified', stage: '', next_step: '' });
});

test('Markdown has the same sections', () => {
  const titles = [...render('markdown').matchAll(/^### (.*)$/gm)].map(([, title]) => title);
  expect(titles).toEqual(
    expect.arrayContaining(['On the road to v2', 'Next steps', 'Differences', 'Brownouts', 'What happened on the road']),
  );
});

describe('the page', () => {
  test('has the next step of each workspace, and why', () => {
    expect(cells(render('html'), 'rollout').find(([name]) => name === 'Bolt')).toEqual([
      'Bolt',
      'compare',
      '1,240',
      '0%',
      'translate 1,240 calls compared, none differs beyond noise: ready for translate; never compared: GET /v1/campaigns.',
    ]);
  });

  test('has what differs, and brownouts with those who stayed away', () => {
    const page = render('html');
    expect(cells(page, 'differences')[0]).toEqual([
      'data[].name GET /v1/contacts',
      'missing: text → absent',
      '36 of 800',
      'Acme',
      'map the answer',
    ]);
    expect(cells(page, 'brownouts')[0]?.slice(0, 3)).toEqual([
      'first hour 2026-11-17 12:00 UTC for 30 minutes',
      '9',
      'Dune (after 23 hours)',
    ]);
    expect(elements(byId(page, 'rollout-section'), 'li').map(textOf)).toHaveLength(3);
  });
});

test('brownouts to come are announced by their names as they are', () => {
  const { rollout } = report;
  if (rollout === undefined) throw new Error('There is no road');
  const span = { since: '2026-12-01T10:00:00.000Z', until: '2026-12-01T10:10:00.000Z' };
  const announced = [{ ...span, name: 'weekly', status: 503, workspaces: ['Acme', 'Bolt'], exempt: ['Core'] }];
  const text = 'weekly: 2026-12-01 10:00 UTC for 10 minutes, with 503, for Acme, Bolt, but not for Core';
  const rendered = (format: ReportFormat): string =>
    renderReport({ ...report, rollout: { ...rollout, announced } }, { format, groupBy: 'workspace', width: 200, color: false });
  for (const format of ['table', 'markdown'] as const) expect(rendered(format)).toContain(text);
  expect(textOf(byId(rendered('html'), 'rollout-section'))).toContain(text);
});

describe('without a roll-out', () => {
  test.each(reportFormatNames)('%s has nothing of a road', async (format) => {
    const text = renderReport(await sample(), { format, groupBy: 'workspace', width: 80, color: false });
    expect(text).not.toMatch(/rollout|"road"|next_step|On the road|^Road/m);
  });
});

describe('nothing secret', () => {
  const everything = (of: Report): string =>
    reportFormatNames
      .flatMap((format) => groupings.map((groupBy) => renderReport(of, { format, groupBy, width: 200, color: false })))
      .join('\n');

  test('no key is in a report, whatever happened on the road', async () => {
    const key = 'mk_secret_0123456789';
    const traffic = ['observed', 'compared', 'refused', 'translated'] as const;
    const keyed = await roadReport({ ...roadContent, traffic: traffic.map((outcome) => ({ key, outcome, calls: daily(3, 1, 2) })) });
    expect(everything(keyed)).toContain('mk_secre');
    expect(everything(keyed)).not.toContain('mk_secret');
  });

  // Texts and numbers that stand nowhere else in a report.
  const secret = fc.oneof(
    fc.stringMatching(/^[a-z]{0,3}zqx[a-z0-9]{4,20}$/),
    fc.integer({ min: 7_310_000_000, max: 7_319_999_999 }),
    fc.constantFrom(null, true),
  );
  const { answer } = fc.letrec((tie) => ({
    answer: fc.oneof(
      { maxDepth: 4 },
      secret,
      fc.array(tie('answer'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('id', 'data', 'name'), tie('answer')),
    ),
  }));

  test('no value of any answer is in a report of what differs', () => {
    fc.assert(
      fc.property(answer, answer, (v1, v2) => {
        const found = compare(answerOf(v1), answerOf(v2)).differences.map(({ kind, ...place }) => comparisonRow(kind, 1, place));
        const differences = differencesOf(findingsOf([comparisonRow('calls', 1), ...found], usualThresholds).values());
        const { rollout } = report;
        if (rollout === undefined) throw new Error('There is no road');
        expect(differences).toHaveLength(found.length);
        expect(everything({ ...report, rollout: { ...rollout, differences } })).not.toMatch(/zqx|731\d{7}/);
      }),
      { numRuns: 25 },
    );
  });
});
