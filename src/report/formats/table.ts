/** The report for a terminal: what matters at a glance first. */
import type { GroupBy } from '../../config/report-formats.ts';
import { type Style, styleFor } from '../../text/style.ts';
import type { Coverage, Report } from '../model.ts';
import { burnDownLine } from '../text/burn-down-wording.ts';
import { age, count, lengthOf } from '../text/figures.ts';
import { sparkline, unknownMark } from '../text/sparkline.ts';
import { gapText } from '../text/wording.ts';
import { type Column, verdictStyle } from './columns.ts';
import { clipped, grid, wrapped } from './grid.ts';
import { type Fact, type Section, sectionsOf, type Summary, summaryOf, type TableSection } from './sections.ts';

export interface TableOptions {
  readonly groupBy: GroupBy;
  /** Columns of the terminal; Infinity where there is none. */
  readonly width: number;
  readonly color: boolean;
}

/** Rows of a table that was asked for, and of what stands beside it. */
const maxRows = 50;
const maxBeside = 10;
const trendWidth = 40;
/** The names of the facts stand in a column of their own. */
const nameWidth = 11;

interface Page {
  readonly report: Report;
  readonly width: number;
  readonly style: Style;
}

type Lines = readonly string[];

/** Renders the report as text; without colours it holds no control character but line feeds. */
export function renderTable(report: Report, { groupBy, width, color }: TableOptions): string {
  const page: Page = { report, width, style: styleFor(color) };
  const summary = summaryOf(report);
  const sections = sectionsOf(report, groupBy, (instant) => age(instant, report.made)).map((section) => written(page, section));
  return `${[headline(page, summary), facts(page, summary), ...sections].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function headline({ report, width, style }: Page, { title, verdict, blockers, conditions, empty }: Summary): Lines {
  return [
    style('bold', clipped(title, width)),
    '',
    ...wrapped(`${verdict.title}: ${verdict.text}`, width).map((line) => style(['bold', verdictStyle(report.verdict)], line)),
    ...blockers.flatMap((text) => wrapped(text, width, '  - ')),
    ...conditions.flatMap((text) => wrapped(text, width, '  * ')),
    ...(empty === undefined ? [] : wrapped(`${empty}.`, width, '  ')),
  ];
}

function facts({ report, width, style }: Page, { facts }: Summary): Lines {
  const trend = sparkline(
    report.trend.map(({ calls }) => calls),
    trendWidth,
  );
  const mark = trend.includes(unknownMark) ? ` (${unknownMark} stands for what was not recorded)` : '';
  const besides: Partial<Record<Fact['id'], string>> = {
    calling: `  ${burnDownLine(report, trendWidth)}`,
    calls: `  ${trend}`,
    record: mark,
  };
  return facts.flatMap(({ id, name, text }) => {
    const [first = '', ...rest] = wrapped(text + (besides[id] ?? ''), width, name.padEnd(nameWidth));
    return [style('bold', first.slice(0, nameWidth)) + first.slice(nameWidth), ...rest].map((line) => line.trimEnd());
  });
}

function written(page: Page, section: Section): Lines {
  switch (section.kind) {
    case 'table':
      return section.write((columns, rows) => table(page, section, columns, rows));
    case 'list':
      return list(page, section.title, section.texts, section.texts.length);
    case 'text':
      return titled(page, section.title, wrapped(section.text, page.width, '  '));
    case 'gaps':
      return gaps(page, section.coverage);
  }
}

function table<Row>(
  { width, style }: Page,
  { title, needsTitle, isBeside }: TableSection,
  columns: readonly Column<Row>[],
  all: readonly Row[],
): Lines {
  const most = isBeside ? maxBeside : maxRows;
  const more = all.length - most;
  return [
    ...(needsTitle ? [style('bold', title)] : []),
    ...grid(columns, all.slice(0, most), width, style),
    ...(more > 0 ? [style('dim', `… and ${count(more)} more: --format csv has them all`)] : []),
  ];
}

/** @param of how many there are in all */
function list(page: Page, title: string, texts: readonly string[], of: number): Lines {
  const shown = texts.slice(0, maxBeside);
  const lines = shown.flatMap((text) => wrapped(text, page.width, '  - '));
  return titled(page, title, lines, of - shown.length);
}

const titled = ({ style }: Page, title: string, lines: Lines, more = 0): Lines => [
  style('bold', title),
  ...lines,
  ...(more > 0 ? [style('dim', `  … and ${count(more)} more: --format json has them all`)] : []),
];

/** The longest of the gaps, in the order of time. */
function gaps(page: Page, { gaps, more }: Coverage): Lines {
  const byLength = gaps.toSorted((a, b) => b.duration - a.duration);
  const shown = byLength.slice(0, maxBeside).toSorted((a, b) => a.since.localeCompare(b.since));
  const missing = gaps.reduce((sum, { duration }) => sum + duration, more.duration);
  return list(page, `Not recorded: ${lengthOf(missing)} of the period`, shown.map(gapText), gaps.length + more.gaps);
}
