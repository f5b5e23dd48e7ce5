/** What a plan is once passages move, and what is then told of the lines that they stand in. */
import type { Passage } from '../../escape/ledger/passages.ts';
import { firstBehind } from '../../formats/text.ts';
import type { Edit, Finding, LedgerEntry, Plan } from '../../model.ts';
import { byPlace, mentioned } from '../merge.ts';

/** What asks for nothing itself. A sentence may hold a command that does. */
export const isSaid = (file: string, why: LedgerEntry['reason']): boolean =>
  why === 'mentioned' || (why === 'unconsumed' && !isSentences.test(file));

export const isSentences = /\.mdx?$/;

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

/** @param moving passages that move; beside cells that are the service's stands what somebody else answers */
export function withEditsOf<P extends Read>(plan: P, moving: readonly Passage[]): P {
  const { true: ofService = [], false: others = [] } = Object.groupBy(moving, ({ isOfService = false }) => `${isOfService}`);
  const cells = new Set(ofService.flatMap(editsOf));
  const edits = [...cells, ...others.flatMap(editsOf)].toSorted(byPlace);
  return edits.length === 0 ? plan : withEdits(plan, edits, cells);
}

const editsOf = ({ file, mentions }: Passage): Edit[] =>
  mentions.flatMap(({ replacements }) => replacements.map((each) => ({ file, ...each, group: `${file}:passages` })));

/**
 * What is told of a line is told of the next of it that stays.
 * @param cells edits of cells that are the service's: beside them stands what somebody else answers
 */
function withEdits<P extends Read>(plan: P, edits: readonly Edit[], cells: ReadonlySet<Edit>): P {
  const byFile = Map.groupBy(edits, ({ file }) => file);
  const editAt = ({ file, start, end }: LedgerEntry | Finding): Edit | undefined => {
    const own = byFile.get(file) ?? [];
    const edit = own[firstBehind(own, start)];
    return edit !== undefined && edit.start < end ? edit : undefined;
  };
  // What is shown in a block of code may be a request for all that is known, until it moves.
  const editIn = (entry: LedgerEntry): Edit | undefined =>
    isSaid(entry.file, entry.reason) || entry.reason === 'unconsumed' ? editAt(entry) : undefined;
  const isMoved = (entry: LedgerEntry): boolean => editIn(entry) !== undefined;
  const lines = new Set(plan.ledger.filter(isMoved).map(lineOf));
  const rows = new Set(
    plan.ledger.flatMap((entry) => {
      const edit = cells.size === 0 ? undefined : editIn(entry);
      return edit !== undefined && cells.has(edit) ? lineOf(entry) : [];
    }),
  );
  const isTold = (each: LedgerEntry): boolean =>
    isSaid(each.file, each.reason) && lines.has(lineOf(each)) && !rows.has(lineOf(each)) && !isMoved(each);
  const isOver = (each: Finding): boolean =>
    isSaid(each.file, each.code) ? lines.has(lineOf(each)) : isOfPlace(each) && editAt(each) !== undefined;
  const told = new Map(plan.ledger.filter(isTold).map((entry) => [lineOf(entry), mentioned(entry)]));
  return {
    ...plan,
    edits: [...plan.edits, ...edits].toSorted(byPlace),
    ledger: plan.ledger.map((entry): LedgerEntry => {
      const edit = editIn(entry);
      if (edit === undefined && rows.has(lineOf(entry)) && isSaid(entry.file, entry.reason))
        return { ...entry, state: 'foreign', reason: 'own-server' };
      return edit === undefined ? entry : { ...entry, state: 'rewritten', reason: edit.what };
    }),
    findings: [...plan.findings.filter((each) => !isOver(each)), ...told.values()].toSorted(byPlace),
  };
}

/** A pattern in a document lets nothing through. */
const isOfPlace = ({ file, code }: Finding): boolean => code === 'unconsumed' || (code === 'repeats-path' && isSentences.test(file));

const lineOf = ({ file, line }: LedgerEntry | Finding): string => `${file}:${line}`;
