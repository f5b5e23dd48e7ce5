/** What of a patch may be printed. A patch holds the bytes of the files, and some of them are not to be seen. */
import type { Edit } from '../model.ts';
import type { ChangedFile } from '../result.ts';
import { keysIn } from './keys.ts';

/** The change of one file, as `git apply` takes it. */
interface FilePatch {
  readonly file: string;
  readonly patch: string;
}

export interface Withheld {
  readonly file: string;
  readonly why: 'key' | 'control' | 'together';
}

export interface Printable {
  readonly patch: string;
  /** Files that are left out, and why. */
  readonly withheld: readonly Withheld[];
}

export const withheldReasons: Readonly<Record<Withheld['why'], string>> = {
  key: 'a key stands in or beside the changed lines',
  control: 'control characters stand in or beside the changed lines',
  together: 'is changed together with another file that is left out',
};

/** What a terminal would obey; line ends and tabs are part of text. */
const control = /[^\P{Cc}\n\r\t]/u;

/** Groups are made together or not at all, so files that share one stay together, however many steps it takes. */
function joined(files: readonly string[], edits: readonly Edit[]): ReadonlySet<string> {
  const reached = new Set(files);
  for (let before = -1; before !== reached.size;) {
    before = reached.size;
    const groups = new Set(edits.filter(({ file }) => reached.has(file)).map(({ group }) => group));
    for (const { file, group } of edits) if (groups.has(group)) reached.add(file);
  }
  return reached;
}

export interface PatchOptions {
  readonly changed: readonly ChangedFile[];
  /** Those that are made. */
  readonly edits: readonly Edit[];
  /** What the proofs know to be keys. */
  readonly keys: ReadonlySet<string>;
  readonly isTerminal: boolean;
  readonly patchOf: (changed: ChangedFile) => string;
}

/** The patch, without the files whose lines must not be printed and without those that only make sense with them. */
export function printablePatch({ changed, edits, keys, isTerminal, patchOf }: PatchOptions): Printable {
  const patches = changed.map((each): FilePatch => ({ file: each.file, patch: patchOf(each) }));
  const hazards = new Map<string, Withheld['why']>();
  for (const { file, patch } of patches) {
    if (keysIn(patch, keys).length > 0) hazards.set(file, 'key');
    else if (isTerminal && control.test(patch)) hazards.set(file, 'control');
  }
  const left = joined([...hazards.keys()], edits);
  return {
    patch: patches.flatMap(({ file, patch }) => (left.has(file) ? [] : [patch])).join(''),
    withheld: changed.flatMap(({ file }): Withheld[] => (left.has(file) ? [{ file, why: hazards.get(file) ?? 'together' }] : [])),
  };
}
