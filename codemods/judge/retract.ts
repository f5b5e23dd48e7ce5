/** Takes out of a plan what is constrained to something that stays, and says so at each place. */
import type { Edit, Finding, LedgerEntry, Span } from '../model.ts';
import type { Position } from '../syntax/position.ts';
import type { Held, Member, Constraints } from './constraints/between-components.ts';

/** Where an offset of a file is, for people. */
export type PositionIn = (file: string, offset: number) => Position;

/** @returns what a member says once groups that are held are left, and those that are constrained go by one name */
export function retracted(
  member: Member,
  constraints: Constraints,
  positionIn: PositionIn,
): Pick<Member, 'edits' | 'calls' | 'findings' | 'ledger'> {
  const isMade = ({ group }: { readonly group: string }): boolean => constraints.held(group) === undefined;
  const left = member.edits.filter((edit) => !isMade(edit));
  // A variable need not be set for what stays.
  const isTrue = ({ code, group }: Finding): boolean => code !== 'env-elsewhere' || group === undefined || isMade({ group });
  const heldIn = heldBy(member, constraints);
  return {
    edits: member.edits.filter(isMade).map((edit) => ({ ...edit, group: constraints.of(edit.group) })),
    calls: member.calls.filter(isMade).map((call) => ({ ...call, group: constraints.of(call.group) })),
    findings: [
      ...member.findings.filter(isTrue).map((each) => renamed(each, constraints)),
      ...findingsOf(member, left, heldIn, constraints, positionIn),
    ],
    ledger: left.length === 0 ? member.ledger : reentered(member.ledger, left, heldIn),
  };
}

type HeldIn = (group: string) => Held | undefined;

const renamed = (finding: Finding, constraints: Constraints): Finding =>
  finding.group === undefined ? finding : { ...finding, group: constraints.of(finding.group) };

function reentered(ledger: readonly LedgerEntry[], left: readonly Edit[], heldIn: HeldIn): LedgerEntry[] {
  const byFile = Map.groupBy(left, ({ file }) => file);
  return ledger.map((entry) => {
    const edit = byFile.get(entry.file)?.find((each) => each.start <= entry.end && entry.start <= each.end);
    const held = edit === undefined || entry.state !== 'rewritten' ? undefined : heldIn(edit.group);
    return held === undefined ? entry : { ...entry, state: 'person', reason: held.code };
  });
}

/** One for each call that is left, or for each line of a group without any. */
function findingsOf({ calls }: Member, left: readonly Edit[], heldIn: HeldIn, constraints: Constraints, positionIn: PositionIn): Finding[] {
  const callsOf = Map.groupBy(calls, ({ group }) => group);
  return [...Map.groupBy(left, ({ group }) => group)].flatMap(([group, edits]) => {
    const held = heldIn(group);
    if (held === undefined) return [];
    const found = (callsOf.get(group) ?? edits).map((place) => told(place, held, constraints.of(group), positionIn));
    // What holds itself is told already.
    return [...new Map(found.map((each) => [`${each.file}:${each.line}`, each]))].flatMap(([at, each]) =>
      each.detail['by'] === at ? [] : each,
    );
  });
}

/** A setting stays as those do who stand in its way, as its readers do, or has none. */
function heldBy({ calls, isCode, variables }: Member, constraints: Constraints): HeldIn {
  const called = new Set(calls.map(({ group }) => group));
  const nameOf = new Map(variables.toReversed().map(({ group, name }) => [group, name]));
  return (group) => {
    const held = constraints.held(group);
    if (held === undefined || isCode || called.has(group) || held.detail['by'] !== undefined) return held;
    const name = nameOf.get(group);
    return { code: 'unconsumed', detail: name === undefined ? held.detail : { ...held.detail, name } };
  };
}

const told = ({ file, start, end }: Span, { code, detail }: Held, group: string, positionIn: PositionIn): Finding => ({
  code,
  file,
  start,
  end,
  ...positionIn(file, start),
  detail,
  group,
});
