/** What a comment of an `.env` file says of how the address below it ends: `# origin only, the client adds /v1`. */
import type { TextRange } from '../../formats/text.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { isDoubtful, isOfAnotherProgram } from './doubts.ts';
import { mentionsIn, versionAt } from './mentions.ts';
import type { Passage } from './passages.ts';
import { rangesIn } from './sentences.ts';
import { namesOfService } from './service-names.ts';
import { ending } from './version-endings.ts';
import { isOfForms, variablesIn } from './words.ts';

/** Comments, and right below them the variable that they are about. */
const explained = /(?<said>(?:^[ \t]*#.*\r?\n)+)^[ \t]*(?:export[ \t]+)?(?<name>[A-Z][A-Z\d_]*)=["']?(?<value>https?:\/\/[^\s"'#]+)/gm;

/** @returns each in a sentence of which every word is known, above a variable with an address of ours; whether it moves, what reads the variable decides */
export function explainedEndings({ file, text }: SourceText, bases: Bases): Passage[] {
  const isOurs = (value: string): boolean => bases.v1.some((base) => value === base || value.startsWith(`${base}/`));
  const read = mentionsIn(bases);
  const withoutNames = namesOfService(bases, text);
  const passage = (at: number, phrase: string, name: string): Passage => {
    const start = at + (/\/?v1/.exec(phrase)?.index ?? 0);
    const mention = versionAt({ start, end: at + phrase.lastIndexOf('v1') + 'v1'.length });
    const subjects = [{ kind: 'variable', name } as const];
    return { file, start, end: mention.end, mentions: [mention], subjects, isEnding: true, isDescription: false };
  };
  return Array.from(text.matchAll(explained)).flatMap(({ index, groups: { said = '', name = '', value = '' } = {} }): Passage[] => {
    const rest = said.replaceAll(ending, ' ');
    if (!isOurs(value) || isDoubtful(rest) || isOfAnotherProgram(rest) || read(said).length > 0) return [];
    return sentencesIn(said).flatMap((range): Passage[] => {
      const sentence = said.slice(range.start, range.end);
      // Of another variable, that one decides.
      if (variablesIn(sentence).some((each) => each !== name)) return [];
      const found = Array.from(sentence.matchAll(ending));
      const words = withoutNames(sentence.replaceAll(ending, ' ').replaceAll(/^[ \t]*#+/gm, ' '));
      return isOfForms(words) ? found.map(({ index: at, 0: phrase }) => passage(index + range.start + at, phrase, name)) : [];
    });
  });
}

/** Each line may be one of its own. */
const sentencesIn = (said: string): TextRange[] =>
  Array.from(said.matchAll(/[^\n]+/g)).flatMap(({ index, 0: line }) =>
    rangesIn(line, '.!?').map(({ start, end }) => ({ start: index + start, end: index + end })),
  );
