/** Proves of an edited text that it parses, and that nothing outside of the edits changed. */
import { ApplyError, reportIt } from './errors.ts';
import { inOrder, type Replacement } from './splice.ts';

export interface Edited {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly edits: readonly Replacement[];
}

/**
 * Checks one edited file.
 * @param parse throws, or rejects, where the text does not parse
 * @returns what is wrong; undefined where all is well
 */
export async function verify(
  { path, before, after, edits }: Edited,
  parse: (path: string, text: string, edits: readonly Replacement[]) => unknown,
): Promise<ApplyError | undefined> {
  const at = difference(before, after, edits);
  if (at !== undefined) return new ApplyError('TEXT_CHANGED', `the text changes outside of the edits, at character ${at}`, reportIt);
  try {
    await parse(path, after, edits);
    return undefined;
  } catch (cause) {
    return new ApplyError('SYNTAX', 'the edited text does not parse', reportIt, { cause });
  }
}

/**
 * Walks both texts side by side.
 * @returns where the edited text first is neither the text before nor an edit
 */
function difference(before: string, after: string, edits: readonly Replacement[]): number | undefined {
  let read = 0;
  let written = 0;
  for (const { start, end, text } of inOrder(edits, before.length)) {
    const kept = before.slice(read, start);
    if (!after.startsWith(kept + text, written)) return written;
    written += kept.length + text.length;
    read = end;
  }
  return after.slice(written) === before.slice(read) ? undefined : written;
}
