/** The report for a pull request: short enough for a comment, and nothing in it is markup that was not meant. */
import { markdownCode, markdownText } from '../../src/text/escape.ts';
import { withCommas } from '../../src/text/with-commas.ts';
import {
  alongTitle,
  brokenByMove,
  candidatesOf,
  counted,
  editsPerFile,
  evidence,
  leftAlong,
  type Mode,
  movedCalls,
  movedPerEndpoint,
  ofKind,
  placeOf,
  type Remark,
  type Report,
  type Reporter,
  remarks,
  toLookAt,
  routesOf,
  spotOf,
  unmovedCalls,
} from './report.ts';

/** Rows of one table: a comment on GitHub holds 65,536 characters. */
const maxRows = 50;

const done: Readonly<Record<Mode, string>> = { write: 'moved to v2', 'dry-run': 'to move to v2', check: 'still on v1' };

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const more = rows.length - maxRows;
  return [
    '',
    `### ${title}`,
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.slice(0, maxRows).map(line),
    ...(more > 0 ? ['', `… and ${withCommas(more)} more; \`--format json\` lists all.`] : []),
  ];
}

const remarkRow = ({ finding, code, title, reason, remedy }: Remark): string[] => [
  markdownCode(placeOf(finding)),
  `${markdownText(title)} (${markdownCode(code)})`,
  markdownText(reason),
  markdownText(remedy),
];
const remarkHead = ['Place', 'What', 'Why', 'What to do'];

function render(report: Report): string {
  const all = remarks(report);
  const { result, mode } = report;
  const needed = [...ofKind(all, 'left'), ...ofKind(all, 'look')].length;
  const summary = [
    `**${counted(movedCalls(report).length, 'call')}** ${done[mode]}`,
    `${counted(result.changed.length, 'file')} ${mode === 'write' ? 'changed' : 'to change'}`,
    `${counted(needed, 'place')} for a person`,
    ...(ofKind(all, 'failed').length > 0 ? [`${counted(ofKind(all, 'failed').length, 'file')} failed`] : []),
  ];
  return [
    '## From v1 to v2',
    '',
    `${summary.join(', ')}. Looked at ${counted(result.files.walked, 'file')} in ${(result.elapsedMs / 1_000).toFixed(1)} s.`,
    ...table(
      'Calls',
      ['v1', 'v2', 'Calls'],
      movedPerEndpoint(report).map(({ from, to, calls }) => [markdownCode(from), markdownCode(to), withCommas(calls)]),
    ),
    ...table(
      'Files',
      ['File', 'Edits'],
      editsPerFile(report).map(({ file, edits }) => [markdownCode(file), withCommas(edits)]),
    ),
    ...table(
      'Not moved, as refused or together with a file that was not changed',
      ['Call', 'v1'],
      unmovedCalls(report).map((call) => [markdownCode(spotOf(call, report.places)), markdownCode(routesOf(call.endpoint).from)]),
    ),
    ...table('Left on v1: a person has to decide', remarkHead, ofKind(all, 'left').map(remarkRow)),
    ...table('To change with what is moved', remarkHead, brokenByMove(all).map(remarkRow)),
    ...table('To look at', remarkHead, toLookAt(all).map(remarkRow)),
    ...table(
      alongTitle,
      ['File', 'Lines'],
      leftAlong(report, all).map(({ file, lines }) => [markdownCode(file), lines.join(', ')]),
    ),
    ...table('Failed', remarkHead, ofKind(all, 'failed').map(remarkRow)),
    ...table(
      'Bases that v1-like calls go to',
      ['`--v1-base`', 'What speaks for it', 'Calls'],
      candidatesOf(report).map((candidate) => [
        markdownCode(candidate.base),
        markdownText(evidence(candidate).join(', ')),
        candidate.calls
          .slice(0, 5)
          .map(({ file, line }) => markdownCode(`${file}:${line}`))
          .join(' '),
      ]),
    ),
    '',
  ].join('\n');
}

export const markdown: Reporter = { render, showsProofs: false };
