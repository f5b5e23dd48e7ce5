/** The report for a wiki page or a pull request; what it shows is escaped, so that nothing in it is markup that was not meant. */
import { markdownCode, markdownText } from '../../text/escape.ts';
import type { Report } from '../model.ts';
import type { Instant } from '../span.ts';
import { changed, count, timeOf } from '../text/figures.ts';
import { byOrigin, ignoredRemarks, limitRemarks, movedRemarks, pollingRemarks } from '../text/remarks.ts';
import { sparkline } from '../text/sparkline.ts';
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
  workspaceColumns,
} from './columns.ts';

/** A comment on GitHub holds 65,536 characters. */
const mostRows = 50;
const longestCell = 120;
const longestText = 1_000;
const trendWidth = 60;

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
const prose = (text: string): string => markdownText(cut(text, longestText));

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

type Section = readonly string[];

/** Renders the report as GitHub-flavoured Markdown. */
export function renderMarkdown(report: Report, { groupBy }: { readonly groupBy: GroupBy }): string {
  const sections = [
    summary(report),
    ...rows(report, groupBy),
    ...(groupBy === 'workspace' ? beside(report) : []),
    gaps(report),
    ignored(report),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function summary(report: Report): Section {
  const { verdict, period, total, trend, sunset, coverage } = report;
  const empty = emptyText(report);
  const change = changed(total.change);
  return [
    `## v1 usage from ${timeOf(period.since)} to ${timeOf(period.until)}`,
    '',
    `**${verdictTitles[verdict.state]}**: ${prose(verdictText(verdict))}`,
    ...(empty === undefined ? [] : ['', `${prose(empty)}.`]),
    '',
    ...verdict.blockers.map((blocker) => `- ${prose(blockerText(blocker, report))}`),
    ...verdict.conditions.map((condition) => `- ${prose(conditionText(condition))}`),
    `- v1 calls: ${count(total.calls)}${change && ` (${change} against the time before)`} ${markdownCode(
      sparkline(
        trend.map(({ calls }) => calls),
        trendWidth,
      ),
    )}`,
    ...(total.calls === 0 ? [] : [`- Answers: ${prose(answersText(total))}`]),
    `- Sunset: ${prose(sunsetText(sunset))}`,
    `- Last call: ${prose(lastCallText(report))}`,
    `- Record: ${prose(coverageText(coverage))}`,
  ];
}

/** Whoever reads it later knows no "now". */
const when = (instant: Instant): string => timeOf(instant);

function rows(report: Report, groupBy: GroupBy): readonly Section[] {
  switch (groupBy) {
    case 'workspace': {
      const { unknown, known, refused } = byOrigin(report);
      return [
        table('Unknown keys', unknownColumns(report, when), unknown),
        table('Workspaces', workspaceColumns(when), known),
        list('Probably the same', movedRemarks(report)),
        nobodys(report),
        table(refusedTitle, unknownColumns(report, when), refused),
      ];
    }
    case 'key':
      return [table('Keys', keyColumns(when), report.keys), nobodys(report)];
    case 'client':
      return [table('Clients', clientColumns(when), report.clients)];
    case 'endpoint':
      return [table('Endpoints', endpointColumns, report.endpoints)];
  }
}

function table<Row>(title: string, possible: readonly Column<Row>[], all: readonly Row[]): Section {
  if (all.length === 0) return [];
  const columns = filled(possible, all);
  const more = all.length - mostRows;
  return [
    `### ${title}`,
    '',
    line(columns.map(({ head }) => head)),
    line(columns.map(({ align }) => (align === 'right' ? '--:' : '---'))),
    ...all.slice(0, mostRows).map((row) => line(columns.map(({ text }) => markdownText(cut(text(row), longestCell))))),
    ...(more > 0 ? ['', `… and ${count(more)} more: \`--format csv\` has them all.`] : []),
  ];
}

const beside = (report: Report): readonly Section[] => [
  list('Limits of v2', limitRemarks(report)),
  list('Polling', pollingRemarks(report)),
  table(
    'Clients',
    clientColumns(when),
    report.clients.filter(({ usage }) => usage.calls > 0),
  ),
  table('Endpoints', endpointColumns, report.endpoints),
];

function list(title: string, texts: readonly string[]): Section {
  if (texts.length === 0) return [];
  const more = texts.length - mostRows;
  const lines = texts.slice(0, mostRows).map((text) => `- ${prose(text)}`);
  return [`### ${title}`, '', ...lines, ...(more > 0 ? [`- … and ${count(more)} more: \`--format json\` has them all.`] : [])];
}

function nobodys(report: Report): Section {
  const text = unidentifiedText(report);
  return text === undefined ? [] : ['### Without a key', '', prose(text)];
}

const gaps = ({ coverage }: Report): Section => (coverage.recordedSince === null ? [] : list('Not recorded', coverage.gaps.map(gapText)));

const ignored = (report: Report): Section => list('Ignored, and in no other figure but the limits', ignoredRemarks(report));
