/** Puts edits into a text; nothing else of it changes. */
import { ApplyError, reportIt } from './errors.ts';

/** What takes the place of the characters from `start` to `end`; an insertion where both are equal. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The order in which edits stand in the text; insertions at one place stay as given, before a replacement that begins there.
 * @throws ApplyError where two overlap, or one is not within the text
 */
export function inOrder<Edit extends Replacement>(edits: readonly Edit[], length: number): Edit[] {
  const sorted = edits.toSorted((one, other) => one.start - other.start || one.end - other.end);
  let end = 0;
  for (const edit of sorted) {
    if (edit.start < 0 || edit.end < edit.start || edit.end > length) {
      throw new ApplyError('EDIT_OUT_OF_RANGE', `edit ${edit.start}-${edit.end} is not within ${length} characters`, reportIt);
    }
    if (edit.start < end)
      throw new ApplyError('EDITS_OVERLAP', `edit ${edit.start}-${edit.end} overlaps the one before, to ${end}`, reportIt);
    end = edit.end;
  }
  return sorted;
}

/** Tells edits of one text from any others that say something else of it. */
export const keyOfEdits = (edits: readonly Replacement[]): string =>
  inOrder(edits, Infinity)
    .map(({ start, end, text }) => `${start} ${end} ${text}`)
    .join('\0');

/**
 * The text with the edits.
 * @throws ApplyError where two overlap, or one is not within the text
 */
export function splice(text: string, edits: readonly Replacement[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const edit of inOrder(edits, text.length)) {
    pieces.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return pieces.join('') + text.slice(at);
}
