/** Headers in the words of a command. */
import { isMakefile } from '../../find/kinds.ts';
import { basename } from 'node:path/posix';
import type { Stretch } from '../reading.ts';
import { type Text, join, slice, splitAtBlanks } from '../text.ts';
import { type Scope, referencesIn } from '../variables.ts';
import type { Header } from '../written.ts';

/** Who puts variables into a word: a shell splits what it puts in outside of quotes, Make writes it out for the shell, and nothing splits what is assigned. */
export type PutInBy = 'shell' | 'make' | 'assignment';

export const putInBy = ({ source: { file } }: Pick<Stretch, 'source'>): PutInBy => (isMakefile(basename(file)) ? 'make' : 'shell');

export interface HeaderUse {
  readonly stretch: Stretch;
  readonly by: PutInBy;
  /** Whether it goes through another shell as it is, which a header with a blank behind its colon survives already, or never did. */
  readonly isSplitAgain?: boolean;
}

/** `name: value`; variables are only put in until the name is seen, so that the key is changed where it is sent. */
export function headerOf(word: Text, scope: Scope, { stretch, by, isSplitAgain = false }: HeaderUse): Header | undefined {
  let text = word;
  let isSplit = false;
  for (let depth = 0; depth < 5; depth++) {
    const colon = /^\s*[\w-]+\s*:/.exec(text.value)?.[0].length;
    if (colon !== undefined) {
      const blank = /^\s*/.exec(text.value.slice(colon))?.[0].length ?? 0;
      const value = slice(text, colon + blank);
      // Behind `$NAME`, what is written would be of that name.
      if (/\w/.test(stretch.text.charAt((value.at[0] ?? 0) - 1))) return undefined;
      return { name: slice(text, 0, colon - 1), value: isSplitAgain && blank === 0 ? splitAtBlanks(value) : value };
    }
    const [reference] = referencesIn(text.value);
    const [definition, another] = reference?.start === 0 ? scope.get(reference.name) : [];
    if (reference === undefined || definition === undefined || another !== undefined) return undefined;
    isSplit ||= isSplitWith(text, depth === 0 || by === 'make' ? by : 'assignment');
    text = join([isSplit ? splitAtBlanks(definition.value) : definition.value, slice(text, reference.end)]);
  }
  return undefined;
}

/** Whether a blank in the variable that a text begins with would make several words of it. What Make writes into quotes may have its own. */
function isSplitWith(text: Text, by: PutInBy): boolean {
  if (by === 'assignment') return false;
  return by === 'make' && !text.value.startsWith('$$') ? !text.marks.startsWith('u') : isOutsideQuotes(text);
}

/** Whether a shell splits what it puts in at the beginning of a text. */
export const isOutsideQuotes = ({ marks }: Text, at = 0): boolean => /[uxs]/.test(marks.charAt(at));
