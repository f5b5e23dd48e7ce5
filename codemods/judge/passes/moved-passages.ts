/** What documents say of the service to people goes with the program that they are about, once nothing of that is left on v1. */
import type { Passage } from '../../escape/ledger/passages.ts';
import { coverOf, firstBehind } from '../../formats/text.ts';
import type { LedgerEntry, Plan } from '../../model.ts';
import { moves } from '../passages/conditions.ts';
import type { Known } from '../passages/package.ts';
import { type Packages, packagesOf } from '../passages/packages.ts';
import { isSaid, withEditsOf } from '../passages/passage-edits.ts';

export function withMovedPassages<P extends Pick<Plan, 'edits' | 'calls' | 'findings' | 'ledger'>>(
  plan: P,
  passages: readonly Passage[],
  known: Known,
): P {
  const open = passages.length === 0 || known.moved.length === 0 ? [] : openIn(passages, plan.ledger);
  if (open.length === 0) return plan;
  const moving = movingAmong(open, packagesOf(open, plan, known));
  // A sentence goes with all others of its paragraph.
  const held = new Set(passages.flatMap((passage) => (moving.has(passage) ? [] : (paragraphOf(passage) ?? []))));
  const isHeld = (passage: Passage): boolean => passage.isSentence === true && held.has(paragraphOf(passage) ?? '');
  return withEditsOf(
    plan,
    open.filter((passage) => moving.has(passage) && !isHeld(passage)),
  );
}

/** Those that hold nothing else of v1 than what they say to people: beside what stays, or is somebody else's, a sentence is not rewritten by half. */
function openIn(passages: readonly Passage[], ledger: readonly LedgerEntry[]): Passage[] {
  const byFile = Map.groupBy(passages, ({ file }) => file);
  const entriesOf = Map.groupBy(ledger, ({ file, start }) => {
    const own = byFile.get(file) ?? [];
    return own[firstBehind(own, start)];
  });
  return passages.filter((passage) => {
    const isMention = coverOf(passage.mentions);
    const entries = (entriesOf.get(passage) ?? []).filter(({ start }) => start >= passage.start);
    const isShown = passage.imported !== undefined;
    const isOpen = (entry: LedgerEntry): boolean =>
      (isSaid(entry.file, entry.reason) || (isShown && entry.reason === 'unconsumed')) && isMention(entry);
    return entries.some(isOpen) && entries.every((entry) => entry.state === 'rewritten' || isOpen(entry));
  });
}

function movingAmong(open: readonly Passage[], packages: Packages): ReadonlySet<Passage> {
  const moving = new Set(
    open.filter((passage) => {
      const { ofRow = [] } = passage;
      return moves(passage, packages) || (ofRow.length > 0 && moves({ ...passage, subjects: ofRow, isAlone: false }, packages));
    }),
  );
  // Half a table on v2 would say that there are two versions.
  const ofTables = open.filter(({ table }) => table !== undefined);
  for (const rows of Map.groupBy(ofTables, ({ file, table }) => `${file} ${table}`).values())
    if (rows.every((row) => moving.has(row) || moves({ ...row, isAlone: true }, packages))) for (const row of rows) moving.add(row);
  return moving;
}

const paragraphOf = ({ file, paragraph }: Passage): string | undefined => (paragraph === undefined ? undefined : `${file} ${paragraph}`);
