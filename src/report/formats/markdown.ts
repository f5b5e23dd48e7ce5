/** The report for a wiki page or a pull request; what it shows is escaped, so that nothing in it is markup that was not meant. */
import type { GroupBy } from '../../config/report-formats.ts';
import { markdownCode, markdownText } from '../../text/escape.ts';
import type { Report } from '../model.ts';
import { burnDownLine } from '../text/burn-down-wording.ts';
import { count, timeOf } from '../text/figures.ts';
import { sparkline } from '../text/sparkline.ts';
import { gapText } from '../text/wording.ts';
import type { Column } from './columns.ts';
import { type Fact, type Section, sectionsOf, summaryOf } from './sections.ts';

/** A comment on GitHub holds 65,536 characters. */
const maxRows = 50;
const maxCell = 120;
const maxText = 1_000;
const trendWidth = 60;

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
const prose = (text: string): string => markdownText(cut(text, maxText));

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

type Lines = readonly string[];

/** Renders the report as GitHub-flavoured Markdown. */
export function renderMarkdown(report: Report, { groupBy }: { readonly groupBy: GroupBy }): string {
  // Whoever reads it later knows no "now".
  const sections = sectionsOf(report, groupBy, timeOf).map(written);
  return `${[summary(report), ...sections].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function summary(report: Report): Lines {
  const { title, verdict, blockers, conditions, empty, facts } = summaryOf(report);
  const calls = report.trend.map(({ calls }) => calls);
  // The figures are ours; their trend is code, in which nothing is escaped.
  const trends: Partial<Record<Fact['id'], string>> = { calling: burnDownLine(report, trendWidth), calls: sparkline(calls, trendWidth) };
  const fact = ({ id, name, text }: Fact): string => `- ${name}: ${prose(text)}${trends[id] ? ` ${markdownCode(trends[id])}` : ''}`;
  return [
    `## ${title}`,
    '',
    `**${verdict.title}**: ${prose(verdict.text)}`,
    ...(empty === undefined ? [] : ['', `${prose(empty)}.`]),
    '',
    ...[...blockers, ...conditions].map((text) => `- ${prose(text)}`),
    ...facts.map(fact),
  ];
}

function written(section: Section): Lines {
  switch (section.kind) {
    case 'table':
      return section.write((columns, rows) => table(section.title, columns, rows));
    case 'list':
      return list(section.title, section.texts);
    case 'text':
      return [`### ${section.title}`, '', prose(section.text)];
    case 'gaps':
      return list('Not recorded', section.coverage.gaps.map(gapText));
  }
}

function table<Row>(title: string, columns: readonly Column<Row>[], all: readonly Row[]): Lines {
  const more = all.length - maxRows;
  return [
    `### ${title}`,
    '',
    line(columns.map(({ head }) => head)),
    line(columns.map(({ align }) => (align === 'right' ? '--:' : '---'))),
    ...all.slice(0, maxRows).map((row) => line(columns.map(({ text }) => markdownText(cut(text(row), maxCell))))),
    ...(more > 0 ? ['', `… and ${count(more)} more: \`--format csv\` has them all.`] : []),
  ];
}

function list(title: string, texts: readonly string[]): Lines {
  const more = texts.length - maxRows;
  const lines = texts.slice(0, maxRows).map((text) => `- ${prose(text)}`);
  return [`### ${title}`, '', ...lines, ...(more > 0 ? [`- … and ${count(more)} more: \`--format json\` has them all.`] : [])];
}
