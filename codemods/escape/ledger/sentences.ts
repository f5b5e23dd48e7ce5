/** Sentences of documents that move by themselves: every word of them is known, and nothing beside them speaks of another time, host or program. */
import type { TextRange } from '../../formats/text.ts';
import { deniedOfOthers, isDoubtful, isOfAnotherProgram, notBySmtp } from './doubts.ts';
import { restOf, type Subject } from './subjects.ts';
import { filesNamedIn } from './document-parts.ts';
import { addsItsHeader, endsAtService, folderNamedIn } from './hops.ts';
import { asked } from './words.ts';

interface Mention extends TextRange {
  readonly kind: 'address' | 'route' | 'header';
}

export interface Sentence extends TextRange {
  readonly subjects: readonly Subject[];
  /** Moves where nothing at all is left on v1. */
  readonly isAlone: boolean;
  readonly hasOwnHeader?: boolean;
  /** Whether it has a header, and only what is around it says whose: it moves where nobody else has one, and nobody answers by one. */
  readonly isUntied?: boolean;
  /** Whether its routes are said to be the service's, whoever else has such. */
  readonly isNamed?: boolean;
}

interface Reading {
  readonly mentions: readonly Mention[];
  readonly isKnown: boolean;
  readonly isOurs: boolean;
}

/** What is known of the service from around a paragraph. */
interface Around {
  /** Takes out what the service is called. */
  readonly withoutNames: (said: string) => string;
  /** Whether a text says of a place in it that it is the service's. */
  readonly isTied: (said: string, place: TextRange) => boolean;
  /** Whether all that has a version there is the service's, and nobody else is named who may be asked. */
  readonly isOfOne: boolean;
  /** The same where programs are named that answer nobody, as a plugin does not. */
  readonly isOfOneServer: boolean;
  /** Whether what has something in front of its version, `/api/v1`, is none of the service's. */
  readonly isAtRoot: boolean;
}

/**
 * @param said a paragraph or list
 * @param read what a text says, by the words of sentences
 * @returns the sentences that are known, by places in it
 */
export function sentencesIn(said: string, read: (text: string) => Reading, around: Around): Sentence[] {
  const { withoutNames, isTied, isOfOne, isOfOneServer } = around;
  const { mentions } = read(said);
  const withoutOwn = (text: string): string => (around.isAtRoot ? text.replaceAll(ownVersion, blank) : text);
  const rest = mentions.length === 0 ? '' : withoutOwn(restOf(said, mentions)).replaceAll(ofOwn, ' ');
  if (mentions.length === 0 || isDoubtful(rest) || isOfAnotherProgram(rest)) return [];
  const isBesideOthers = ofOthers.test(rest);
  const items = Array.from(said.matchAll(/^[ \t]*(?:[-*+]|\d+[.)])\s/gm), ({ index }) => index);
  return rangesIn(said).flatMap(({ start, end }, i, ranges): Sentence[] => {
    const [folders, withoutFolder] = folderNamedIn(said.slice(start, end));
    const [files, withoutFiles] = folders.length > 0 ? [folders, withoutFolder] : filesNamedIn(withoutFolder);
    const sentence = withoutOwn(withoutFiles).replaceAll(ofItself, blank);
    const { mentions: own, isKnown, isOurs } = read(sentence);
    // Of whom an item speaks, what stands in front of its colon says: `Parlo: key in …`.
    const label = said.slice(ranges[i - 1]?.start ?? start, start);
    const isOfLabel = /:["')*]*[ \t]+$/.test(label);
    if (own.length > 0 && !isBesideOthers && !isKnown) {
      const hasOwnHeader = addsItsHeader(sentence) && endsAtService(label, read(label).mentions, withoutNames);
      const isEnd = endsAtService(sentence, own, withoutNames) && (!isOfLabel || read(label).isKnown);
      return hasOwnHeader || isEnd ? [{ start, end, subjects: [], isAlone: true, hasOwnHeader }] : [];
    }
    if (own.length === 0 || !isKnown) return [];
    if (own.every(({ kind }) => kind === 'header')) {
      // What is said of a key by its name is said of no other, whomever the items beside it name.
      const item = said.slice(
        items.findLast((each) => each <= start) ?? 0,
        Math.max(end, items.find((each) => each > start) ?? said.length),
      );
      const before = isOfThat.test(sentence) ? keysIn(said.slice(ranges[i - 1]?.start, start)) : [];
      const keys = keysIn(said.slice(start, end)).concat(before.length === 1 ? before : []);
      const hasOwnHeader = isSentTo(sentence, withoutNames);
      if (keys.length > 0)
        return ofOthers.test(restOf(item, read(item).mentions)) ? [] : [{ start, end, subjects: keys, isAlone: false, hasOwnHeader }];
    }
    if (isBesideOthers || (isOfLabel && !isOurs && !read(label).isKnown)) return [];
    // With the files that it names, it says what code here says, too.
    if (files.length > 0)
      return own.every(({ kind }) => kind !== 'route') || isAsking.test(said.slice(start, end))
        ? [{ start, end, subjects: files, isAlone: false }]
        : [];
    if (own.some(({ kind }) => kind === 'route')) {
      const isOfService = own.every((each) => isTied(sentence, each));
      // Whoever else it names may be asked by such a route, too.
      const isNamed = isOfService && !asked.test(restOf(sentence, own));
      const isOurs = isOfService || (isOfOne && withoutNames(sentence) === sentence);
      return isOurs && own.every(({ kind }) => kind === 'route') ? [{ start, end, subjects: [], isAlone: true, isNamed }] : [];
    }
    if (isOurs) return [{ start, end, subjects: [], isAlone: true }];
    if (own.some(({ kind }) => kind !== 'header')) return [];
    if (withoutNames(sentence) !== sentence) return [{ start, end, subjects: [], isAlone: true, hasOwnHeader: true }];
    return isOfOneServer ? [{ start, end, subjects: [], isAlone: true, isUntied: true }] : [];
  });
}

/** What the program itself answers by a version of its own, in code: `GET /api/v1/messages`. */
const ownVersion = /`(?:(?:GET|POST|PUT|PATCH|DELETE) )?\/(?!v\d)[\w-]+(?:\/[\w-]+)*\/v\d[^\s`]*`/g;
const blank = (found: string): string => ' '.repeat(found.length);

/** What is called that asks in its turn: `calls the functions `sendToTeam` and `linkPhone`, these`. */
const between = String.raw`\bcalls?\s+(?:the\s+)?(?:functions?\s+)?\x60[a-z][\w$]*(?:\(\))?\x60(?:(?:,\s|,?\sand\s)\s*\x60[a-z][\w$]*(?:\(\))?\x60)*,?\s+(?:these|they|which|this)(?=\s+(?:calls?|asks?)\s)`;
/** What the program itself answers, in code: `GET /api/messages/:id`; where it keeps what it is told: `data.json`; what it does not go by, or others do not have. */
const ofItself = new RegExp(
  [
    String.raw`\x60(?:(?:GET|POST|PUT|PATCH|DELETE) )?(?!\S*/v\d)/[^\s\x60]+\x60|\x60[\w./-]*\.(?:env|json)\x60`,
    between,
    notBySmtp,
    deniedOfOthers,
  ].join('|'),
  'gi',
);
const ofOthers = /https?:|\/v\d/i;

/** `Put it into .env as TEXTS_API_KEY. It is sent in the x-api-key header.` */
const isOfThat = /^(?:It|This|The key|This key) (?:is|goes|gets)\b/;

/** `texts.js` sends a text with `POST /v1/messages/send`; what is asked by another one, or comes from there, is none of it. */
const isAsking =
  /^[\s*-]*`[^`\n]+`\s+(?:asks|calls|sends|makes|creates|gets|lists|fetches|updates|requests|posts|uses)\b(?![^]*\b(?:by|from|answers?)\b)/;

/** `TEXTS_API_KEY is sent to Parlo in the x-api-key header` */
const isSentTo = (said: string, withoutNames: (said: string) => string): boolean =>
  !toNobody.test(said) && toNobody.test(withoutNames(said));
const toNobody = /\b(?:is|gets)\s+sent\s+to\s+(?:the\s+)?(?:API\s+)?(?:in|as|with)\b/;

const keysIn = (said: string): Subject[] =>
  [...new Set(Array.from(said.matchAll(key), ([name]) => name))].map((name) => ({ kind: 'variable', name }));
const key = /(?<![\w$])[A-Z][A-Z\d]*(?:_[A-Z\d]+)*_(?:KEY|TOKEN|SECRET)(?!\w)/g;
/** Where the program itself answers, which asks for nothing. */
const ofOwn = /https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/v1\/(?!messages|contacts|campaigns)[\w-]+)?(?![\w/-])/g;

/** Each ends with one of its marks, together with the spaces behind it, or where an item of a list begins. */
export function rangesIn(said: string, marks = '.!?:'): TextRange[] {
  const mark = new RegExp(String.raw`[${marks}]["')*]?\s+|\n(?=\s*(?:[-*+]|\d+[.)])\s)`, 'g');
  const ends = Array.from(said.matchAll(mark), ({ index, 0: found }) => index + found.length);
  const isInCode = (at: number): boolean => said.slice(said.lastIndexOf('\n\n', at) + 1, at).split('`').length % 2 === 0;
  const bounds = [0, ...ends.filter((end) => !isInCode(end)), said.length];
  return bounds.slice(1).map((end, i) => ({ start: bounds[i] ?? 0, end }));
}
