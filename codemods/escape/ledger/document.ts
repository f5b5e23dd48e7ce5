/** A document as its reader has it: its paragraphs in order, whose names are in it, and how its words are read. */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { escaped } from '../../find/words/literals.ts';
import { coverOf, firstBehind, type TextRange } from '../../formats/text.ts';
import { once } from '../../once.ts';
import { domainOf } from '../../verdict/bases/hosts.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { levelOf, paragraphsOf } from './document-parts.ts';
import { readerOf, type Said } from './mentions.ts';
import { isOfProgram, namedIn, ofOneUpTo } from './other-names.ts';
import { namesOfService, tiesToService } from './service-names.ts';
import { ofRequirements, ofSentences } from './words.ts';

/** What holds is there, and what was decided beside it in `changes/`: https://github.com/Fission-AI/OpenSpec. */
export const isOpenSpec = /(?:^|\/)openspec\/specs\//;

export interface Paragraph extends TextRange {
  readonly said: string;
  /** Of a heading. */
  readonly level: number | undefined;
  readonly isTable: boolean;
  readonly isCode: boolean;
  /** What somebody said is left as it was said, but for an address of ours in it. */
  readonly isQuoted: boolean;
  /** Whether what follows is planned. */
  readonly isPlanned: boolean;
  /** What all of it says. */
  readonly reading: () => Said;
}

export interface Document {
  readonly file: string;
  readonly paragraphs: readonly Paragraph[];
  /** The heading that says which program it is about. */
  readonly title: Paragraph | undefined;
  /** Where the next heading behind a place begins, or the end. */
  readonly sectionEnd: (place: Pick<TextRange, 'end'>) => number;
  readonly isProse: (place: TextRange) => boolean;
  readonly read: (said: string) => Said;
  /** The same by the words of sentences. */
  readonly readSentence: (said: string) => Said;
  /** Takes out what the service is called. */
  readonly withoutNames: (said: string) => string;
  /** Whether somebody else is named between two places. */
  readonly isAnyNamed: (start: number, end: number) => boolean;
  /** Whether all that has a version up to a place is the service's. */
  readonly isOfOneUpTo: (end: number) => boolean;
  /** Whether a text says of a place in it that it is the service's. */
  readonly isTied: (said: string, place: TextRange) => boolean;
  /** Whether the service has nothing in front of its version. */
  readonly isAtRoot: boolean;
  /** Whether a text has addresses, and each is at the domain of the service. */
  readonly isOfDomain: (said: string) => boolean;
  /** How many rows and items begin with a name. */
  readonly rowsOf: (name: string) => number;
}

/** @param prose what is read by people alone */
export function documentOf(source: SourceText, prose: readonly TextRange[], bases: Bases): Document {
  const { file, text } = source;
  const isProse = coverOf(prose);
  const withoutNames = namesOfService(bases, text);
  const read = readerOf(bases, { withoutNames, more: isOpenSpec.test(file) ? ofRequirements : undefined });
  const paragraphs = Array.from(paragraphsOf(text), ({ start, end }): Paragraph => {
    const said = text.slice(start, end);
    const isText = isProse({ start, end: start + 1 });
    return {
      start,
      end,
      said,
      level: isText ? levelOf(said) : undefined,
      isTable: /^[ \t]*\|/.test(said),
      isCode: !isText || /^[ \t]*(?:```|~~~)/.test(said),
      isQuoted: /^\s*>/.test(said) && !ofNote.test(said),
      isPlanned: leadsToPlan.test(said),
      reading: once(() => read(said)),
    };
  });
  const headings = paragraphs.filter(({ level }) => level !== undefined);
  return {
    file,
    paragraphs,
    isProse,
    read,
    withoutNames,
    // A program may be called anything.
    title: isOfProgram.test(file) ? headings.find(({ level }) => level === 1) : undefined,
    sectionEnd: ({ end }) => headings[firstBehind(headings, end)]?.start ?? text.length,
    readSentence: readerOf(bases, { withoutNames, more: ofSentences }),
    isAnyNamed: namedIn(source, isProse, withoutNames),
    isOfOneUpTo: ofOneUpTo(text, bases),
    isTied: tiesToService(bases, text),
    isAtRoot: bases.v1.every((base) => URL.parse(base)?.pathname === '/'),
    rowsOf: (name) =>
      text.match(new RegExp(String.raw`^[ \t]*(?:\||[-*+]|\d+[.)])[\s*\x60]*${escaped(name)}[\x60*\s|:(–—=-]`, 'gm'))?.length ?? 0,
    isOfDomain: (said) => {
      const found = said.match(anyAddress) ?? [];
      return found.length > 0 && found.every((address) => isAtDomain(address, bases));
    },
  };
}

/** Whether a document knows v2; a version of somebody else's, who has no host of our domain, is none of the service. */
export const knowsV2 = ({ text }: SourceText, prose: readonly TextRange[], bases: Bases): boolean =>
  prose.some(({ start, end }) =>
    ofV2.test(text.slice(start, end).replaceAll(anyAddress, (address) => (isAtDomain(address, bases) ? address : ' '))),
  );
const ofV2 = /(?<![\w@.:-])v2(?![\w.-])/i;
const anyAddress = /https?:\/\/[^\s"'`<>()|]+/gi;

const isAtDomain = (address: string, { v1 }: Bases): boolean =>
  v1.some((base) => domainOf(new URL(base).host) === domainOf(URL.parse(address)?.host ?? new URL(base).host));

/** `> [!NOTE]`, `> **Note:** …`: a document itself says it. */
const ofNote = /^\s*>\s*(?:\[!|[*_]*(?:note|tip|important|warning|caution|info|hint)\b)/i;

/** What was said, or is to be done, on a day. */
export const ofAnotherDay =
  /\b(?:plan(?:s|ned|ning)?|road-?maps?|next steps|ideas?|proposals?|history|change-?logs?|release notes|decisions?|backlog|future|later|minutes|meetings?|moving|quotes?|quotations?|incidents?)\b/i;
/** `Our plan:` */
const leadsToPlan = new RegExp(String.raw`${ofAnotherDay.source}[^.\n]*:[*_ \t]*$`, 'im');
