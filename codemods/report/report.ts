/** What every output is made from. */
import { v1Auth } from '../../src/contract/auth.ts';
import { endpointIds, labelOf, type V1EndpointId, v1Endpoints, v2Endpoints } from '../../src/contract/endpoints.ts';
import { withCommas } from '../../src/text/with-commas.ts';
import type { Call, Candidate, Edit, Finding, Span } from '../model.ts';
import type { MigrateResult } from '../result.ts';
import type { Places } from './places.ts';
import { goesWithMoved, type Kind, type Words, wordsOf } from './wording.ts';

/** What was asked for: all but `write` leave the files as they are. */
export type Mode = 'write' | 'dry-run' | 'check';

export interface Report {
  readonly mode: Mode;
  /** The version of this tool. */
  readonly version: string;
  readonly v1Base: readonly string[];
  readonly v2Base?: string | undefined;
  readonly result: MigrateResult;
  /** The groups that a person refused. */
  readonly refused: ReadonlySet<string>;
  readonly places: Places;
  /** Keys that the proofs found in the code: for what shows code. */
  readonly keys: ReadonlySet<string>;
  /** Whether the output may hold colours. */
  readonly color: boolean;
  /** Whether places that need nobody are listed, too, for people. */
  readonly verbose: boolean;
}

/** One form of the report. */
export interface Reporter {
  /** Whether it shows how calls were proven. */
  readonly showsProofs: boolean;
  /** The whole output, with its last newline. */
  readonly render: (report: Report) => string;
}

export interface Remark extends Words {
  readonly finding: Finding;
}

const bySpan = (a: Span, b: Span): number => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1);

/** Findings and failures in words, in the order of files and places. */
export const remarks = ({ result: { plan, failures } }: Report): readonly Remark[] =>
  [...new Set([...plan.findings, ...failures])].toSorted(bySpan).map((finding) => ({ ...wordsOf(finding), finding }));

/** The remarks of one kind. */
export const ofKind = (all: readonly Remark[], kind: Kind): readonly Remark[] => all.filter((remark) => remark.kind === kind);

/** Of what is to be looked at, what fails or leaks as calls beside it are moved … */
export const brokenByMove = (all: readonly Remark[]): readonly Remark[] =>
  ofKind(all, 'look').filter(({ finding }) => goesWithMoved(finding));
/** … and the rest. */
export const toLookAt = (all: readonly Remark[]): readonly Remark[] => ofKind(all, 'look').filter(({ finding }) => !goesWithMoved(finding));

export const alongTitle = 'Lines that belong to what is left, and stay with it';

/** The mocks, headers and bases of what is left, which no finding and no call of one names: whoever moves that by hand needs them, too. */
export function leftAlong(
  { result: { plan } }: Report,
  all: readonly Remark[],
): readonly { readonly file: string; readonly lines: readonly number[] }[] {
  const named = new Set(all.flatMap(({ finding }) => [lineOf(finding), ...(finding.detail['calls']?.split(', ') ?? [])]));
  const open = plan.ledger.filter((entry) => entry.state === 'person' && !named.has(lineOf(entry)));
  return [...Map.groupBy(open, ({ file }) => file)].map(([file, entries]) => ({
    file,
    lines: [...new Set(entries.map(({ line }) => line))],
  }));
}

const lineOf = ({ file, line }: Pick<Finding, 'file' | 'line'>): string => `${file}:${line}`;

/** The groups that are not made: a person refused them, or a file of theirs failed or was not reached. */
function unmade({ mode, result: { plan, changed, written }, refused }: Report): ReadonlySet<string> {
  const made = new Set(mode === 'write' ? written : changed.map(({ file }) => file));
  return new Set([...refused, ...plan.edits.flatMap(({ file, group }) => (made.has(file) ? [] : [group]))]);
}

/** The calls that are moved, or would be. */
export function movedCalls(report: Report): readonly Call[] {
  const out = unmade(report);
  return report.result.plan.calls.filter(({ group }) => !out.has(group));
}

/** The calls that could have been moved, and were not. */
export function unmovedCalls(report: Report): readonly Call[] {
  const out = unmade(report);
  return report.result.plan.calls.filter(({ group }) => out.has(group));
}

export interface Moved {
  readonly endpoint: V1EndpointId;
  /** `POST /v1/messages/send` */
  readonly from: string;
  readonly to: string;
  readonly calls: number;
}

/** What a call is moved from and to. */
export function routesOf(endpoint: V1EndpointId): Pick<Moved, 'from' | 'to'> {
  const row = v1Endpoints[endpoint];
  return { from: labelOf(row), to: labelOf(v2Endpoints[row.successor]) };
}

const isEndpoint = (route: string): route is V1EndpointId => Object.hasOwn(v1Endpoints, route);

/** What a candidate's call goes to, as people know it. */
export const routeLabel = (route: string): string => (isEndpoint(route) ? routesOf(route).from : route);

/** Calls per endpoint, in the order of the contract, without those that have none. */
export function movedPerEndpoint(report: Report): readonly Moved[] {
  const calls = movedCalls(report);
  return endpointIds(v1Endpoints)
    .map((endpoint) => ({ endpoint, ...routesOf(endpoint), calls: calls.filter((call) => call.endpoint === endpoint).length }))
    .filter((row) => row.calls > 0);
}

/** The edits that make the changed files what they become. */
export function madeEdits({ result: { changed, plan }, refused }: Report): readonly Edit[] {
  const files = new Set(changed.map(({ file }) => file));
  const held = new Set(plan.edits.flatMap(({ file, group }) => (files.has(file) ? [] : [group])));
  return plan.edits.filter(({ group }) => !refused.has(group) && !held.has(group));
}

/** How many edits each changed file has, by the order of files. */
export function editsPerFile(report: Report): readonly { readonly file: string; readonly edits: number }[] {
  const { changed } = report.result;
  const counts = new Map<string, number>();
  for (const { file } of madeEdits(report)) counts.set(file, (counts.get(file) ?? 0) + 1);
  return changed.toSorted((a, b) => (a.file < b.file ? -1 : 1)).map(({ file }) => ({ file, edits: counts.get(file) ?? 0 }));
}

/** Candidates for `--v1-base`, those with most calls first; their calls in the order of files and lines. */
export const candidatesOf = ({ result: { plan } }: Pick<Report, 'result'>): readonly Candidate[] =>
  plan.candidates.map((candidate) => ({ ...candidate, calls: candidate.calls.toSorted(bySpan) }));

/** What speaks for a candidate and what against it. */
export function evidence({ calls, routes, unknownRoutes }: Candidate): readonly string[] {
  const withKey = calls.filter((call) => call.withKey).length;
  return [
    `${counted(calls.length, 'call')} of ${counted(routes, 'route')} that v1 has`,
    `${withKey} with an ${v1Auth.field}`,
    ...(unknownRoutes > 0 ? [`against it: ${counted(unknownRoutes, 'route')} that v1 does not have`] : []),
  ];
}

/** `1 file`, `2 files`. */
export const counted = (count: number, noun: string): string => `${withCommas(count)} ${noun}${count === 1 ? '' : 's'}`;

/** `src/api.ts:12:3` */
export const placeOf = ({ file, line, column }: Pick<Finding, 'file' | 'line' | 'column'>): string => `${file}:${line}:${column}`;

/** Where a span begins, for people; the file alone where it cannot be read any more. */
export function spotOf(span: Span, places: Places): string {
  const place = places.at(span);
  return place === undefined ? span.file : placeOf({ file: span.file, ...place });
}
