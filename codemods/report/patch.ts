/** What of a patch may be printed. A patch holds the bytes of the files, and some of them are not to be seen. */
import type { Edit } from '../model.ts';
import type { ChangedFile } from '../result.ts';
import { isTest } from '../evaluate/libraries/test-files.ts';
import { splice } from '../edit/splice.ts';
import { positionsOf } from '../syntax/position.ts';
import { headOf, type Hunk, hunksOf, hunksWithout, isPlain } from './hunks.ts';
import { keysIn } from './secrets.ts';

export interface Withheld {
  readonly file: string;
  readonly why: 'key' | 'control' | 'together';
  /** How many edits of the file are left out, of how many. */
  readonly edits: number;
  readonly of: number;
}

export interface Printable {
  readonly patch: string;
  /** Whether lines beside a change are left out so that git has to be told of it: `git apply --unidiff-zero`. */
  readonly isCut: boolean;
  /** Files that are left out, or some of their edits, and why. */
  readonly withheld: readonly Withheld[];
}

export const withheldReasons: Readonly<Record<Withheld['why'], string>> = {
  key: 'a key stands in the changed lines',
  control: 'control characters stand in the changed lines',
  together: 'changed together with what is left out elsewhere',
};

/** The lines in which something stands. */
function linesAround(text: string, { start, end }: Pick<Edit, 'start' | 'end'>): string {
  const last = text.indexOf('\n', end);
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, last === -1 ? undefined : last);
}

interface Printed {
  readonly head: string;
  readonly hunks: readonly Hunk[];
  readonly lineCount: number;
}

/** What a terminal would obey; line ends and tabs are part of text. */
const control = /[^\P{Cc}\n\r\t]/u;

export interface PatchOptions {
  readonly changed: readonly ChangedFile[];
  /** Those that are made. */
  readonly edits: readonly Edit[];
  /** What the proofs know to be keys. */
  readonly keys: ReadonlySet<string>;
  readonly isTerminal: boolean;
  readonly patchOf: (changed: ChangedFile) => string;
}

/**
 * The patch, without the lines that must not be printed and without those that only make sense with them: groups are made together or not at all.
 * What is printed applies.
 */
export function printablePatch({ changed, edits, keys, isTerminal, patchOf }: PatchOptions): Printable {
  const hazardIn = (text: string, isInTest: boolean): Withheld['why'] | undefined =>
    keysIn(text, keys, isInTest).length > 0 ? 'key' : isTerminal && control.test(text) ? 'control' : undefined;
  const byFile = Map.groupBy(edits, ({ file }) => file);
  const left = new Set<string>();
  const hazards = new Map<string, Withheld['why']>();
  const printed = new Map<string, Printed>();
  // To leave a group out moves the hunks of its files, so what stands beside the others is looked at again.
  for (let waiting = changed; waiting.length > 0;) {
    const before = left.size;
    for (const { file, before: text } of waiting) {
      const own = (byFile.get(file) ?? []).filter(({ group }) => !left.has(group));
      const patch = patchOf({ file, before: text, after: splice(text, own) });
      const line = positionsOf(text);
      const shown: Hunk[] = [];
      printed.set(file, { head: headOf(patch), hunks: shown, lineCount: line(text.length).line - (text.endsWith('\n') ? 1 : 0) });
      for (const hunk of hunksOf(patch)) {
        const hazard = hazardIn(hunk.text, isTest({ file }));
        const parts = hazard === undefined ? [hunk] : hunksWithout(hunk, (part) => hazardIn(part, isTest({ file })) !== undefined);
        shown.push(...(parts ?? []));
        if (hazard === undefined || parts !== undefined) continue;
        hazards.set(file, hazard);
        const within = own.filter(({ start, end }) => line(end).line >= hunk.from && line(start).line < hunk.to);
        // Those of lines without it may be shown once they have a hunk of their own.
        const hidden = within.filter((edit) => hazardIn(linesAround(text, edit), isTest({ file })) !== undefined);
        for (const { group } of hidden.length > 0 ? hidden : within) left.add(group);
      }
    }
    waiting = left.size === before ? [] : changed.filter(({ file }) => byFile.get(file)?.some(({ group }) => left.has(group)) === true);
  }
  const all = changed.flatMap(({ file }) => printed.get(file) ?? []);
  return {
    patch: all.flatMap(({ head, hunks }) => (hunks.length === 0 ? [] : [head, ...hunks.map(({ text }) => text)])).join(''),
    isCut: all.some(({ hunks, lineCount }) => hunks.some((hunk) => !isPlain(hunk, lineCount))),
    withheld: changed.flatMap(({ file }): Withheld[] => {
      const own = byFile.get(file) ?? [];
      const edits = own.filter(({ group }) => left.has(group)).length;
      return edits === 0 ? [] : [{ file, why: hazards.get(file) ?? 'together', edits, of: own.length }];
    }),
  };
}
