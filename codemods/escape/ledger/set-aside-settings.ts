/** Settings that stand in a comment of an `.env` file, `# TEXTS_URL=https://…/v1`: they say to people what a variable is by default, as a row of a table does. */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { isDoubtful, isOfAnotherProgram, isOfAnotherTime } from './doubts.ts';
import { mentionsIn, movedBy } from './mentions.ts';
import type { Passage } from './passages.ts';

/** A whole line that would set the variable if its sign were taken away. */
const setAside =
  /^[ \t]*#[ \t]?(?:export[ \t]+)?(?<name>[A-Z][A-Z\d_]*)=(?<quote>["']?)(?<value>https?:\/\/[^\s"'#]+)\k<quote>[ \t]*\r?$/gm;

/** @returns those of an address of ours and nothing else; whether they move, what reads the variable decides (`judge/passes/moved-passages.ts`) */
export function setAsideSettings({ file, text }: SourceText, bases: Bases): Passage[] {
  const said = mentionsIn(bases);
  return Array.from(text.matchAll(setAside)).flatMap(
    ({ index, 0: line, groups: { name = '', quote = '', value = '' } = {} }): Passage[] => {
      const mentions = said(value);
      const [mention] = mentions;
      if (isOfAnother(proseAbove(text, index))) return [];
      if (mention?.kind !== 'address' || mentions.length > 1 || mention.end - mention.start < value.length) return [];
      const start = index + line.indexOf('=') + 1 + quote.length;
      return [
        {
          file,
          start: index,
          end: index + line.length,
          mentions: [movedBy(mention, start)],
          subjects: [{ kind: 'variable', name }],
          isDescription: false,
        },
      ];
    },
  );
}

/** Comments, but for settings, at the end of what stands before a line. */
const prose = /(?:(?<=^|\n)[ \t]*#(?![ \t]?(?:export[ \t]+)?[A-Z][A-Z\d_]*=).*\r?\n)*$/;
const proseAbove = (text: string, index: number): string => prose.exec(text.slice(Math.max(0, index - longestProse), index))?.[0] ?? '';

const longestProse = 400;

/** Whether what is said above is of another program, of another time, or of one release of this. */
const isOfAnother = (said: string): boolean =>
  isDoubtful(said) ||
  isOfAnotherTime(said) ||
  isOfAnotherProgram(said) ||
  /\b(?:images?|branch(?:es)?|tags?|releases?|before|until)\b/i.test(said);
