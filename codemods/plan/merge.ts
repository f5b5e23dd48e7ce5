/** Joins what islands and files beside the code say into one plan, in the order of the files. */
import type { BesideResult } from '../beside/beside.ts';
import type { Suspect } from '../find/scan.ts';
import type { Fault } from '../find/walk.ts';
import type { Edit, Finding, Plan, Span } from '../model.ts';
import type { IslandPlan } from './analyse.ts';

type Said = Pick<Plan, 'edits' | 'calls' | 'findings' | 'ledger'>;

export function merged(islands: readonly IslandPlan[], beside: readonly BesideResult[], barriers: readonly Finding[]): Said {
  const all: readonly Said[] = [...islands, ...beside];
  return {
    edits: distinct(all.flatMap(({ edits }) => edits)).toSorted(byPlace),
    calls: all.flatMap(({ calls }) => calls).toSorted(byPlace),
    findings: [...all.flatMap(({ findings }) => findings), ...barriers].toSorted(byPlace),
    ledger: all.flatMap(({ ledger }) => ledger).toSorted(byPlace),
  };
}

const byPlace = (one: Span, other: Span): number =>
  one.file === other.file ? one.start - other.start || one.end - other.end : one.file < other.file ? -1 : 1;

/** A JSON file that code imports is looked at twice: the same edit is made once. */
function distinct(edits: readonly Edit[]): Edit[] {
  const byKey = new Map(edits.map((edit) => [`${edit.file}\0${edit.start}\0${edit.end}\0${edit.text}`, edit]));
  return [...byKey.values()];
}

/** A file that is reported as what it is, and not looked into. */
export const barrierOf = ({ path, barrier }: Suspect): Finding[] =>
  barrier === undefined
    ? []
    : [{ code: barrier.code, file: path, start: 0, end: 0, line: 1, column: 1, detail: { reason: barrier.reason } }];

export const unreadable = ({ path, reason }: Fault): Finding => ({
  code: 'unreadable',
  file: path,
  start: 0,
  end: 0,
  line: 1,
  column: 1,
  detail: { reason },
});

/**
 * Files that set a variable and code that reads it change together or not at all; where no file sets it, a person does.
 * @param hasOtherHost whether v2 has another address, so that a variable changes even without a version in it
 */
export function withEnvironment(
  islands: readonly IslandPlan[],
  beside: readonly BesideResult[],
  hasOtherHost: boolean,
): { readonly beside: readonly BesideResult[]; readonly findings: readonly Finding[] } {
  const uses = islands.flatMap(({ environment }) => environment);
  const left = new Set(uses.filter(({ isMoved }) => !isMoved).map(({ name }) => name));
  const set = new Set(beside.flatMap(({ envs }) => envs.map(({ name }) => name)));
  const refused = new Set(
    beside.flatMap(({ envs }) => envs.flatMap(({ name, group }) => (left.has(name) && group !== undefined ? [group] : []))),
  );
  const elsewhere = uses.filter(({ name, holdsVersion, isMoved }) => isMoved && !set.has(name) && (holdsVersion || hasOtherHost));
  const findings = elsewhere.map(({ name, file, start, end, line, column }): Finding => ({
    code: 'env-elsewhere',
    file,
    start,
    end,
    line,
    column,
    detail: { name },
  }));
  return {
    beside: refused.size === 0 ? beside : beside.map((each) => ({ ...each, edits: each.edits.filter(({ group }) => !refused.has(group)) })),
    findings,
  };
}
