/** The report for a terminal: what matters at a glance first. */
import { type Style, styleFor } from '../../text/style.ts';
import type { Report } from '../model.ts';
import type { Instant } from '../span.ts';
import { age, changed, count, lengthOf, timeOf } from '../text/figures.ts';
import { byOrigin, ignoredRemarks, limitRemarks, movedRemarks, pollingRemarks } from '../text/remarks.ts';
import { sparkline, unknownMark } from '../text/sparkline.ts';
import {
  answersText,
  blockerText,
  conditionText,
  coverageText,
  emptyText,
  gapText,
  lastCallText,
  refusedTitle,
  sunsetText,
  unidentifiedText,
  verdictText,
  verdictTitles,
} from '../text/wording.ts';
import {
  clientColumns,
  type Column,
  endpointColumns,
  filled,
  type GroupBy,
  keyColumns,
  unknownColumns,
  verdictStyle,
  workspaceColumns,
} from './columns.ts';
import { clipped, grid, wrapped } from './grid.ts';

export interface TableOptions {
  readonly groupBy: GroupBy;
  /** Columns of the terminal; Infinity where there is none. */
  readonly width: number;
  readonly color: boolean;
}

/** Rows of a table that was asked for, and of one that stands beside it. */
const mostRows = 50;
const mostBeside = 10;
const trendWidth = 40;

interface Page {
  readonly report: Report;
  readonly width: number;
  readonly style: Style;
}

/** Renders the report as text; without colours it holds no control character but line feeds. */
export function renderTable(report: Report, { groupBy, width, color }: TableOptions): string {
  const page: Page = { report, width, style: styleFor(color) };
  const sections = [
    headline(page),
    figures(page),
    ...rows(page, groupBy),
    ...(groupBy === 'workspace' ? beside(page) : []),
    gaps(page),
    ignored(page),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

type Section = readonly string[];

function headline({ report, width, style }: Page): Section {
  const { verdict, period } = report;
  const title = `${verdictTitles[verdict.state]}: ${verdictText(verdict)}`;
  const empty = emptyText(report);
  return [
    style('bold', clipped(`v1 usage from ${timeOf(period.since)} to ${timeOf(period.until)}`, width)),
    '',
    ...wrapped(title, width).map((line) => style(['bold', verdictStyle(verdict)], line)),
    ...verdict.blockers.flatMap((blocker) => wrapped(blockerText(blocker, report), width, '  - ')),
    ...verdict.conditions.flatMap((condition) => wrapped(conditionText(condition), width, '  * ')),
    ...(empty === undefined ? [] : wrapped(`${empty}.`, width, '  ')),
  ];
}

function figures({ report, width, style }: Page): Section {
  const { total, trend, sunset, coverage } = report;
  const line = sparkline(
    trend.map(({ calls }) => calls),
    trendWidth,
  );
  const change = changed(total.change);
  const facts: [string, string][] = [
    ['v1 calls', `${count(total.calls)}${change && ` (${change} against the time before)`}  ${line}`],
    ['Answers', answersText(total)],
    ['Sunset', sunsetText(sunset)],
    ['Last call', lastCallText(report)],
    ['Record', `${coverageText(coverage)}${line.includes(unknownMark) ? ` (${unknownMark} stands for what was not recorded)` : ''}`],
  ];
  const shown = total.calls === 0 ? facts.filter(([name]) => name !== 'Answers') : facts;
  return shown.flatMap(([name, text]) => {
    const [first = '', ...rest] = wrapped(text, width, name.padEnd(11));
    return [style('bold', first.slice(0, 11)) + first.slice(11), ...rest];
  });
}

const whenIn =
  ({ made }: Report) =>
  (instant: Instant): string =>
    age(instant, made);

/** The table that was asked for. */
function rows(page: Page, groupBy: GroupBy): readonly Section[] {
  const { report } = page;
  const when = whenIn(report);
  switch (groupBy) {
    case 'workspace': {
      const { unknown, known, refused } = byOrigin(report);
      return [
        table(page, unknownColumns(report, when), unknown),
        table(page, workspaceColumns(when), known),
        list(page, 'Probably the same', movedRemarks(report)),
        nobodys(page),
        refused.length === 0 ? [] : [page.style('bold', refusedTitle), ...table(page, unknownColumns(report, when), refused, mostBeside)],
      ];
    }
    case 'key':
      return [table(page, keyColumns(when), report.keys), nobodys(page)];
    case 'client':
      return [table(page, clientColumns(when), report.clients)];
    case 'endpoint':
      return [table(page, endpointColumns, report.endpoints)];
  }
}

function table<Row>({ width, style }: Page, columns: readonly Column<Row>[], all: readonly Row[], most = mostRows): Section {
  if (all.length === 0) return [];
  const more = all.length - most;
  const lines = grid(filled(columns, all), all.slice(0, most), width, style);
  return more > 0 ? [...lines, style('dim', `… and ${count(more)} more: --format csv has them all`)] : lines;
}

/** What to know of workspaces besides: their limits, what they poll, the clients and endpoints. */
function beside(page: Page): readonly Section[] {
  const { report } = page;
  const when = whenIn(report);
  return [
    list(page, 'Limits of v2', limitRemarks(report)),
    list(page, 'Polling', pollingRemarks(report)),
    table(
      page,
      clientColumns(when),
      report.clients.filter(({ usage }) => usage.calls > 0),
      mostBeside,
    ),
    table(page, endpointColumns, report.endpoints),
  ];
}

function list({ width, style }: Page, title: string, texts: readonly string[]): Section {
  if (texts.length === 0) return [];
  const lines = texts.slice(0, mostBeside).flatMap((text) => wrapped(text, width, '  - '));
  return titled(style, title, lines, texts.length - mostBeside);
}

const titled = (style: Style, title: string, lines: readonly string[], more = 0): Section => [
  style('bold', title),
  ...lines,
  ...(more > 0 ? [style('dim', `  … and ${count(more)} more: --format json has them all`)] : []),
];

function nobodys({ report, width, style }: Page): Section {
  const text = unidentifiedText(report);
  return text === undefined ? [] : titled(style, 'Without a key', wrapped(text, width, '  '));
}

function gaps({ report: { coverage }, width, style }: Page): Section {
  const { recordedSince, gaps, more } = coverage;
  if (recordedSince === null || gaps.length === 0) return [];
  const byLength = gaps.toSorted((a, b) => b.duration - a.duration);
  const shown = byLength.slice(0, mostBeside).toSorted((a, b) => a.since.localeCompare(b.since));
  const missing = gaps.reduce((sum, { duration }) => sum + duration, more.duration);
  const lines = shown.flatMap((gap) => wrapped(gapText(gap), width, '  - '));
  return titled(style, `Not recorded: ${lengthOf(missing)} of the period`, lines, gaps.length + more.gaps - shown.length);
}

const ignored = (page: Page): Section => list(page, 'Ignored, and in no other figure but the limits', ignoredRemarks(page.report));
