/** Takes out of a plan what is tied to something that stays, and says so at each place. */
import type { Edit, Finding, LedgerEntry, Span } from '../model.ts';
import type { Position } from '../syntax/position.ts';
import type { Held, Member, Ties } from './cross-file-constraints.ts';

/** Where an offset of a file is, for people. */
export type PositionIn = (file: string, offset: number) => Position;

/** @returns what a member says once groups that are held are left, and those that are tied go by one name */
export function withdrawn(member: Member, ties: Ties, positionIn: PositionIn): Pick<Member, 'edits' | 'calls' | 'findings' | 'ledger'> {
  const isMade = ({ group }: { readonly group: string }): boolean => ties.held(group) === undefined;
  const left = member.edits.filter((edit) => !isMade(edit));
  return {
    edits: member.edits.filter(isMade).map((edit) => ({ ...edit, group: ties.of(edit.group) })),
    calls: member.calls.filter(isMade).map((call) => ({ ...call, group: ties.of(call.group) })),
    findings: [...member.findings.map((each) => renamed(each, ties)), ...findingsOf(member, left, ties, positionIn)],
    ledger: left.length === 0 ? member.ledger : member.ledger.map((entry) => reentered(entry, left, member, ties)),
  };
}

const renamed = (finding: Finding, ties: Ties): Finding =>
  finding.group === undefined ? finding : { ...finding, group: ties.of(finding.group) };

function reentered(entry: LedgerEntry, left: readonly Edit[], member: Member, ties: Ties): LedgerEntry {
  const edit = left.find((each) => each.file === entry.file && each.start <= entry.end && entry.start <= each.end);
  const held = edit === undefined || entry.state !== 'rewritten' ? undefined : heldIn(member, edit.group, ties);
  return held === undefined ? entry : { ...entry, state: 'person', reason: held.code };
}

/** One for each call that is left, or for each line of a group without any. */
function findingsOf(member: Member, left: readonly Edit[], ties: Ties, positionIn: PositionIn): Finding[] {
  return [...Map.groupBy(left, ({ group }) => group)].flatMap(([group, edits]) => {
    const held = heldIn(member, group, ties);
    if (held === undefined) return [];
    const calls = member.calls.filter((call) => call.group === group);
    const found = (calls.length > 0 ? calls : edits).map((place) => told(place, held, ties.of(group), positionIn));
    return [...new Map(found.map((each) => [`${each.file}:${each.line}`, each])).values()];
  });
}

/** A setting stays as its readers do, or has none. */
function heldIn({ calls, isCode, variables }: Member, group: string, ties: Ties): Held | undefined {
  const held = ties.held(group);
  if (held === undefined || isCode || calls.some((call) => call.group === group)) return held;
  const name = variables.find((use) => use.group === group)?.name;
  return { code: 'unconsumed', detail: name === undefined ? held.detail : { ...held.detail, name } };
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
