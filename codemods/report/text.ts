/** The report for a terminal: a summary that people can read. */
import { plain } from '../../src/text/escape.ts';
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
  routeLabel,
  routesOf,
  spotOf,
  toLookAt,
  unmovedCalls,
} from './report.ts';
import { type Style, styleFor } from '../../src/text/style.ts';
import { holderInWords, isForeign, ledgerTitle, mayAskV1 } from './wording.ts';

/** How many lines of one list are shown; the other forms have all. */
const maxFiles = 20;
const maxPlaces = 10;

const done: Readonly<Record<Mode, string>> = { write: 'moved to v2', 'dry-run': 'would be moved to v2', check: 'still on v1' };

function headline(report: Report, style: Style): string {
  const calls = movedCalls(report).length;
  const files = report.mode === 'write' ? report.result.written.length : report.result.changed.length;
  // A mistyped glob would look like a job done.
  if (report.result.files.walked === 0)
    return style('bold', 'No file was looked at: there is none of a kind that this tool reads, or all are ignored or left out.');
  if (calls === 0 && files === 0) {
    if (unmovedCalls(report).length > 0) return style('bold', 'Nothing was changed.');
    const nothing = report.mode === 'check' ? 'Nothing that can be moved is left on v1.' : nothingChanged(report);
    return [style('bold', nothing), ...baseThatNobodyNames(report)].join('\n');
  }
  // What comments allow, and bases in settings, are no calls of an endpoint.
  const moved = calls === 0 ? '' : `${counted(calls, 'call')} ${done[report.mode]}, `;
  return style('bold', `${moved}${counted(files, 'file')} ${report.mode === 'write' ? 'changed' : 'to change'}.`);
}

/** A base that is mistyped would look like a job done. */
const baseThatNobodyNames = ({ v1Base, result }: Report): string[] =>
  v1Base.length > 0 && result.files.naming === 0 ? [`No file names ${v1Base.join(' or ')}: is that the base address of v1?`] : [];

/** That there is nothing to change would be read as that v1 is not used. */
function nothingChanged(report: Report): string {
  const all = remarks(report);
  const [left, look] = [ofKind(all, 'left').length, ofKind(all, 'look').length];
  const open = all.filter(({ finding }) => mayAskV1(finding.code)).length;
  const nothing = report.mode === 'write' ? 'Nothing was changed' : 'Nothing would be changed';
  if (left > 0) return `${nothing}: ${counted(left, 'place')} on v1 ${left === 1 ? 'is' : 'are'} left for a person.`;
  if (open === 0) return 'Nothing to change.';
  return `${nothing}, but v1 may be in use${open === look ? ':' : ` at ${withCommas(open)} of`} ${counted(look, 'place')} to look at.`;
}

/** Lines in columns; the last column is not padded. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) => `  ${row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join('  ')}`);
}

const section = (style: Style, title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', style('bold', title), ...lines];

const cut = (lines: readonly string[], most: number, indent = '  '): string[] =>
  lines.length <= most
    ? [...lines]
    : [...lines.slice(0, most), `${indent}… and ${withCommas(lines.length - most)} more (--format json lists all)`];

function endpoints(report: Report): string[] {
  return columns(movedPerEndpoint(report).map(({ from, to, calls }) => [from, '->', to, withCommas(calls)]));
}

function files(report: Report): string[] {
  const written = new Set(report.result.written);
  const state = (file: string): string[] => (report.mode !== 'write' || written.has(file) ? [] : ['not written']);
  return cut(
    columns(editsPerFile(report).map(({ file, edits }) => [plain(file), [counted(edits, 'edit'), ...state(file)].join(', ')])),
    maxFiles,
  );
}

interface Heading {
  readonly of: (all: readonly Remark[]) => readonly Remark[];
  readonly title: (count: number) => string;
  readonly format: 'red' | 'yellow';
}

const headings: readonly Heading[] = [
  { of: (all) => ofKind(all, 'left'), title: (count) => `Left on v1, a person has to decide: ${counted(count, 'place')}`, format: 'red' },
  { of: brokenByMove, title: (count) => `To change with what is moved: ${counted(count, 'place')}`, format: 'red' },
  { of: toLookAt, title: (count) => `To look at: ${counted(count, 'place')}`, format: 'yellow' },
  { of: (all) => ofKind(all, 'failed'), title: (count) => `Failed: ${counted(count, 'file')}`, format: 'red' },
];

/** Places with the same words stand together: of one code, and of one reason. */
function grouped(all: readonly Remark[], style: Style): string[] {
  const codes = Map.groupBy(all, ({ code }) => code);
  return [...codes].flatMap(([code, ofCode]) => {
    const same = [...Map.groupBy(ofCode, ({ reason, remedy }) => JSON.stringify([reason, remedy])).values()];
    // What to do is mostly the same for all of them, and then said once.
    const isOneRemedy = new Set(ofCode.map(({ remedy }) => remedy)).size === 1;
    return [
      `  ${plain(ofCode[0]?.title ?? code)} ${style('dim', `(${code})`)}`,
      ...same.flatMap((some, index) => [...placed(some, style), ...(isOneRemedy && index < same.length - 1 ? [] : remedyOf(some))]),
    ];
  });
}

const placed = (remarks: readonly Remark[], style: Style): string[] => [
  ...cut(
    remarks.map(({ finding }) => {
      const held = holderInWords(finding);
      return `    ${style('cyan', plain(placeOf(finding)))}${held === undefined ? '' : `  ${plain(held)}`}`;
    }),
    maxPlaces,
    '    ',
  ),
  ...remarks.slice(0, 1).map(({ reason }) => `    ${plain(reason)}`),
];

const remedyOf = (remarks: readonly Remark[]): string[] => remarks.slice(0, 1).map(({ remedy }) => `    What to do: ${plain(remedy)}`);

/** What could be moved and was not, and is therefore still on v1. */
const unmoved = (report: Report): string[] =>
  cut(columns(unmovedCalls(report).map((call) => [plain(spotOf(call, report.places)), routesOf(call.endpoint).from])), maxPlaces);

const along = (report: Report, all: readonly Remark[]): string[] =>
  cut(columns(leftAlong(report, all).map(({ file, lines }) => [plain(file), lines.join(', ')])), maxFiles);

/** Of what needs nobody, the number is enough, unless more is asked for: whoever doubts that it needs nobody has to see where it stands. */
function alone({ result: { plan }, verbose }: Report, all: readonly Remark[]): string[] {
  const findings = ofKind(all, 'alone').flatMap(({ title, code, finding }) => (isForeign(code) ? [] : [{ title, place: finding }]));
  const literals = plan.ledger.flatMap((entry) => (entry.state === 'foreign' ? [{ title: ledgerTitle(entry.reason), place: entry }] : []));
  const titles = [...Map.groupBy([...findings, ...literals], ({ title }) => title)];
  const rows = columns(titles.map(([title, places]) => [plain(title), counted(places.length, 'place')]));
  if (!verbose) return rows;
  return rows.flatMap((row, index) => [row, ...(titles[index]?.[1] ?? []).map(({ place }) => `    ${plain(placeOf(place))}`)]);
}

/** The candidates for `--v1-base`, with their call sites and what speaks for each. */
export function candidateLines(report: Pick<Report, 'result'>): string[] {
  return candidatesOf(report).flatMap((candidate) => [
    `  ${plain(candidate.base)}`,
    `    ${evidence(candidate).join(', ')}`,
    ...cut(
      candidate.calls.map(
        ({ file, line, route, withKey }) =>
          `    ${plain(`${file}:${line}`)}  ${plain(routeLabel(route))}${withKey ? '' : '  (no key seen)'}`,
      ),
      maxPlaces,
      '    ',
    ),
  ]);
}

/** Where a base is given, what else there may be is a hint and no more. */
const otherBases = (report: Report): string[] =>
  cut(columns(candidatesOf(report).map((candidate) => [plain(candidate.base), evidence(candidate).join(', ')])), maxPlaces);

function render(report: Report): string {
  const style = styleFor(report.color);
  const all = remarks(report);
  const { files: looked, elapsedMs } = report.result;
  return [
    headline(report, style),
    ...section(style, 'Calls', endpoints(report)),
    ...section(style, report.mode === 'write' ? 'Files' : 'Files to change', files(report)),
    ...section(style, 'Not moved, as refused or together with a file that was not changed', unmoved(report)),
    ...headings.flatMap(({ of, title, format }) => {
      const some = of(all);
      return section((_bold, text) => style(['bold', format], text), title(some.length), grouped(some, style));
    }),
    ...section(style, alongTitle, along(report, all)),
    ...section(style, "Left alone, as someone else's or as a comment says", alone(report, all)),
    ...(report.v1Base.length === 0
      ? section(style, 'Bases that v1-like calls go to', candidateLines(report))
      : section(style, 'Other bases that v1-like calls go to: add --v1-base for those that are this service', otherBases(report))),
    '',
    style(
      'dim',
      `Looked at ${counted(looked.walked, 'file')}, parsed ${withCommas(looked.parsed)}, in ${(elapsedMs / 1_000).toFixed(1)} s`,
    ),
    '',
  ].join('\n');
}

export const text: Reporter = { render, showsProofs: false };
