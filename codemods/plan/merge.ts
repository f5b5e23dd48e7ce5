/** Joins what islands and files beside the code say into one plan, in the order of the files. */
import type { BesideResult } from '../beside/beside.ts';
import type { Suspect } from '../find/scan.ts';
import type { Fault } from '../find/walk.ts';
import type { Edit, Finding, Plan, Span } from '../model.ts';
import type { IslandPlan } from './analyse.ts';
import type { EnvironmentUse } from './environment.ts';

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

/** What helps where the right to read does not. */
const remedies: Readonly<Record<string, string>> = {
  binary: 'look for v1 in it by hand, or leave it out with --exclude',
  'UTF-16': 'save it as UTF-8 and run again, or leave it out with --exclude',
  'name is not UTF-8': 'rename it and run again, or leave it out with --exclude',
};

const withRemedy = (reason: string): Finding['detail'] => {
  const remedy = remedies[reason];
  return remedy === undefined ? { reason } : { reason, remedy };
};

/** A file that is reported as what it is, and not looked into. */
export const barrierOf = ({ path, barrier }: Suspect): Finding[] =>
  barrier === undefined
    ? []
    : [{ code: barrier.code, file: path, start: 0, end: 0, line: 1, column: 1, detail: withRemedy(barrier.reason) }];

export const unreadable = ({ path, reason }: Fault): Finding => ({
  code: 'unreadable',
  file: path,
  start: 0,
  end: 0,
  line: 1,
  column: 1,
  detail: withRemedy(reason),
});

/** Where the code moves and the variable that it reads is set by none of the files: a person sets it. */
export function setElsewhere(uses: readonly EnvironmentUse[], beside: readonly BesideResult[], hasOtherHost: boolean): Finding[] {
  const set = new Set(beside.flatMap(({ envs }) => envs.map(({ name }) => name)));
  const elsewhere = uses.filter(({ name, holdsVersion, isMoved }) => isMoved && !set.has(name) && (holdsVersion || hasOtherHost));
  return elsewhere.map(({ name, holdsVersion: _holds, isMoved: _moved, isOurs: _ours, ...place }) => ({
    code: 'env-elsewhere',
    ...place,
    detail: { name },
  }));
}

/** A JSON file that code imports moves with the code or not at all. */
export function withoutRefused(beside: readonly BesideResult[], refused: readonly Span[]): BesideResult[] {
  const places = new Set(refused.map(placeKey));
  const groups = new Set(beside.flatMap(({ edits }) => edits.filter((edit) => places.has(placeKey(edit))).map(({ group }) => group)));
  if (groups.size === 0) return [...beside];
  const isKept = ({ group }: { readonly group: string }): boolean => !groups.has(group);
  return beside.map((each) => ({ ...each, edits: each.edits.filter(isKept), calls: each.calls.filter(isKept) }));
}

const placeKey = ({ file, start, end }: Span): string => `${file}\0${start}\0${end}`;
