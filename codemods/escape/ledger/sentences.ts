/** Sentences of documents that move by themselves: every word of them is known, and nothing beside them speaks of another time, host or program. */
import type { TextRange } from '../../formats/text.ts';
import { isDoubtful, isOfAnotherProgram, restOf, type Subject } from './table-rows.ts';

interface Mention extends TextRange {
  readonly kind: 'address' | 'route' | 'header';
}

export interface Sentence extends TextRange {
  readonly subjects: readonly Subject[];
  /** Moves where nothing at all is left on v1. */
  readonly isAlone: boolean;
  readonly hasOwnHeader?: boolean;
}

/** Words of such sentences besides those of all documents. */
export const ofSentences: ReadonlySet<string> = new Set(
  'emails mails mail notifications reminders invitations newsletters details delivery available made asked called sent them workspaces write read'.split(
    ' ',
  ),
);

interface Reading {
  readonly mentions: readonly Mention[];
  readonly isKnown: boolean;
  readonly isOurs: boolean;
}

/**
 * @param said a paragraph or list
 * @param read what a text says, by the words of sentences
 * @param withoutNames takes out what the service is called
 * @returns the sentences that are known, by places in it
 */
export function sentencesIn(said: string, read: (text: string) => Reading, withoutNames: (text: string) => string): Sentence[] {
  const { mentions } = read(said);
  const rest = mentions.length === 0 ? '' : restOf(said, mentions).replaceAll(ofOwn, ' ');
  if (mentions.length === 0 || isDoubtful(rest) || isOfAnotherProgram(rest) || /https?:|\/v\d/i.test(rest)) return [];
  return rangesIn(said).flatMap(({ start, end }): Sentence[] => {
    const sentence = said.slice(start, end).replaceAll(ownPath, (found) => ' '.repeat(found.length));
    const { mentions: own, isKnown, isOurs } = read(sentence);
    if (own.length === 0 || !isKnown || own.some(({ kind }) => kind === 'route')) return [];
    if (isOurs) return [{ start, end, subjects: [], isAlone: true }];
    if (own.some(({ kind }) => kind !== 'header')) return [];
    const keys = Array.from(said.slice(start, end).matchAll(key), ([name]): Subject => ({ kind: 'variable', name }));
    if (keys.length > 0) return [{ start, end, subjects: keys, isAlone: false }];
    return withoutNames(sentence) === sentence ? [] : [{ start, end, subjects: [], isAlone: true, hasOwnHeader: true }];
  });
}

/** What the program itself answers, in code: `GET /api/messages/:id`. */
const ownPath = /`(?:(?:GET|POST|PUT|PATCH|DELETE) )?(?!\S*\/v\d)\/[^\s`]+`/g;
const key = /(?<![\w$])[A-Z][A-Z\d]*(?:_[A-Z\d]+)*_(?:KEY|TOKEN|SECRET)(?!\w)/g;
/** Where the program itself answers, which asks for nothing. */
const ofOwn = /https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/v1\/(?!messages|contacts|campaigns)[\w-]+)?(?![\w/-])/g;

/** Each ends with its mark, together with the spaces behind it, or where an item of a list begins. */
function rangesIn(said: string): TextRange[] {
  const ends = Array.from(said.matchAll(/[.!?:]["')*]?\s+|\n(?=\s*(?:[-*+]|\d+[.)])\s)/g), ({ index, 0: mark }) => index + mark.length);
  const isInCode = (at: number): boolean => said.slice(said.lastIndexOf('\n\n', at) + 1, at).split('`').length % 2 === 0;
  const bounds = [0, ...ends.filter((end) => !isInCode(end)), said.length];
  return bounds.slice(1).map((end, i) => ({ start: bounds[i] ?? 0, end }));
}
