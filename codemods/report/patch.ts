/** What of a patch may be printed. A patch holds the bytes of the files, and some of them are not to be seen. */
import type { Edit } from '../model.ts';
import type { ChangedFile } from '../result.ts';
import { splice } from '../edit/splice.ts';
import { positionsOf } from '../syntax/position.ts';
import { keysIn } from './keys.ts';

export interface Withheld {
  readonly file: string;
  readonly why: 'key' | 'control' | 'together';
  /** How many edits of the file are left out, of how many. */
  readonly edits: number;
  readonly of: number;
}

export interface Printable {
  readonly patch: string;
  /** Files that are left out, or some of their edits, and why. */
  readonly withheld: readonly Withheld[];
}

export const withheldReasons: Readonly<Record<Withheld['why'], string>> = {
  key: 'a key stands in or beside the changed lines',
  control: 'control characters stand in or beside the changed lines',
  together: 'changed together with what is left out elsewhere',
};

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
  const hazardIn = (text: string): Withheld['why'] | undefined =>
    keysIn(text, keys).length > 0 ? 'key' : isTerminal && control.test(text) ? 'control' : undefined;
  const byFile = Map.groupBy(edits, ({ file }) => file);
  const left = new Set<string>();
  const hazards = new Map<string, Withheld['why']>();
  const printed = new Map<string, string>();
  // To leave a group out moves the hunks of its files, so what stands beside the others is looked at again.
  for (let waiting = changed; waiting.length > 0;) {
    const before = left.size;
    for (const { file, before: text } of waiting) {
      const own = (byFile.get(file) ?? []).filter(({ group }) => !left.has(group));
      const patch = patchOf({ file, before: text, after: splice(text, own) });
      printed.set(file, patch);
      const line = positionsOf(text);
      for (const hunk of hunksOf(patch)) {
        const hazard = hazardIn(hunk.text);
        if (hazard === undefined) continue;
        hazards.set(file, hazard);
        for (const edit of own) if (line(edit.end).line >= hunk.from && line(edit.start).line < hunk.to) left.add(edit.group);
      }
    }
    waiting = left.size === before ? [] : changed.filter(({ file }) => byFile.get(file)?.some(({ group }) => left.has(group)) === true);
  }
  return {
    patch: changed.map(({ file }) => printed.get(file) ?? '').join(''),
    withheld: changed.flatMap(({ file }): Withheld[] => {
      const own = byFile.get(file) ?? [];
      const edits = own.filter(({ group }) => left.has(group)).length;
      return edits === 0 ? [] : [{ file, why: hazards.get(file) ?? 'together', edits, of: own.length }];
    }),
  };
}

/** The hunks of a patch, with the lines of the old text that each shows, counted from 1. */
const hunksOf = (patch: string): { readonly from: number; readonly to: number; readonly text: string }[] =>
  patch
    .split(/^(?=@@ -)/m)
    .slice(1)
    .map((text) => {
      const [, from = '0', lines = '1'] = /^@@ -(\d+)(?:,(\d+))?/.exec(text) ?? [];
      return { from: Number(from), to: Number(from) + Number(lines), text };
    });
