/** What is known at a place in a document from what stands above it: the headings, what was said before, what the section is about. */
import { type Document, ofAnotherDay, type Paragraph } from './document.ts';
import { isNameOfOther } from './other-names.ts';
import { isDoubtful, isDoubtfulAbove, isOfAnotherProgram, isOfAnotherTime } from './doubts.ts';
import { beginsWithHops } from './hops.ts';
import { leadsToRequests } from './route-tables.ts';
import { answering, asked } from './words.ts';

/** What the heading of a section tells of all that stands in it. */
interface Section {
  /** Of its heading; none is above that of the whole document. */
  readonly level: number;
  /** Whether its heading is not understood. */
  readonly isDoubtful: boolean;
  readonly isOfOthers: boolean;
  /** Whether what stands in it is of another time or program. */
  readonly isOld: boolean;
  /** Whether its heading, or what is said right under it, may name somebody else. */
  readonly isName: boolean;
  readonly asks: string;
  readonly isTitle: boolean;
  /** Whether it is called as the service is. */
  readonly isService: boolean;
}

/** What one of the last paragraphs says; code says nothing of the kind. */
interface Before {
  readonly isOfOthers: boolean;
  readonly asks: string;
  readonly isOfRequests: boolean;
}

export interface Above {
  /** Each within the one before it. */
  readonly sections: readonly Section[];
  /** Whether the last paragraph is not understood, or stands below one that is not and leads to it. */
  readonly isDoubtful: boolean;
  /** Whether the last paragraph leads to what follows, as a colon does. */
  readonly leads: boolean;
  /** Whether something that the section says may be said of others. */
  readonly isOfOthers: boolean;
  /** Whether something that it says may be of another time. */
  readonly isOld: boolean;
  /** The last two, whatever is said further above. */
  readonly before: readonly Before[];
  /** Where the last code ended. */
  readonly codeEnd: number;
}

const nothingSaid = { isDoubtful: false, leads: false, isOfOthers: false, isOld: false, before: [], codeEnd: -1 };

export function atTop({ isAnyNamed, sectionEnd }: Document): Above {
  const isName = isAnyNamed(0, sectionEnd({ end: 0 }));
  const whole = { level: 0, isDoubtful: false, isOfOthers: false, isOld: false, isName, asks: '', isTitle: true, isService: false };
  return { sections: [whole], ...nothingSaid };
}

/** Below a heading, or another paragraph. */
export const below = (above: Above, paragraph: Paragraph, document: Document): Above =>
  paragraph.level === undefined
    ? belowText(above, paragraph)
    : {
        sections: [...outside(above, paragraph.level).sections, sectionOf(paragraph, paragraph.level, document)],
        ...nothingSaid,
      };

/** Where a heading stands itself: below those that are above it in rank. */
export const outside = (above: Above, rank: number): Above => ({
  sections: above.sections.filter(({ level }) => level < rank),
  ...nothingSaid,
});

function sectionOf(heading: Paragraph, level: number, { title, read, withoutNames, isAnyNamed, sectionEnd }: Document): Section {
  const { said, start } = heading;
  const isTitle = heading === title;
  const named = withoutNames(said);
  const isOfAnother = isOfAnotherProgram(said) || ofAnotherDay.test(said);
  return {
    level,
    isDoubtful: !isTitle && !read(said.replaceAll(ofHeadings, ' ')).isKnown,
    isOfOthers: !isTitle && (isOfAnother || isDoubtful(said)),
    isOld: isOfAnother || isOfAnotherTime(said),
    isName: (!isTitle && isNameOfOther(named.replaceAll(ofHeadings, ' '))) || isAnyNamed(start, sectionEnd(heading)),
    asks: isTitle ? '' : said,
    isTitle,
    isService: !isTitle && named.replaceAll(/[#=\s-]/g, '') === '',
  };
}

function belowText(above: Above, paragraph: Paragraph): Above {
  const { said, end, isTable, isCode, isPlanned, reading } = paragraph;
  const plain = said.replaceAll(ofItsVersion, ' ');
  const isOfOthers = isPlanned || isDoubtful(plain);
  return {
    sections: above.sections,
    isDoubtful: isLedInByDoubt(paragraph, above) || !reading().isKnown,
    leads: /[:*_]\s*$/.test(said),
    isOfOthers: above.isOfOthers || (!isTable && (isPlanned || isDoubtfulAbove(plain))),
    isOld: above.isOld || (!isTable && (isPlanned || isOfAnotherTime(plain))),
    before: [
      ...above.before.slice(-1),
      { isOfOthers: !isCode && isOfOthers, asks: isCode ? '' : said, isOfRequests: !isCode && leadsToRequests(said) },
    ],
    codeEnd: isCode ? end : above.codeEnd,
  };
}

/** What is said above a list or a table, or ends in a colon, is said of what follows; so is what stands above code, of what goes on behind it. */
const isLedInByDoubt = ({ said, start }: Paragraph, { isDoubtful, leads, codeEnd }: Above): boolean =>
  isDoubtful && (leads || start === codeEnd || /^(?:[ \t|]|[-*+][ \t]|\d+[.)][ \t])/.test(said));

/** A paragraph, and what is known where it stands. */
export interface Place {
  readonly paragraph: Paragraph;
  readonly document: Document;
  /** Whether nobody else and no other time may be spoken of. */
  readonly isOfUs: boolean;
  /** The same of its headings alone, each of which is understood. */
  readonly isOfOurSection: boolean;
  /** Whether it is a table of this time, whoever else may be spoken of. */
  readonly isTableOfNow: boolean;
  /** Whether it may be about something above that is not understood. */
  readonly isInDoubt: boolean;
  /** Whether the headings and the last paragraphs are understood, so that none may name somebody whose what follows is. */
  readonly isLedInByUs: boolean;
  /** Whether it stands under what the service is called, and is said to be what is asked for there. */
  readonly isOfService: boolean;
  /** Whether all that has a version there is the service's, and nobody else is named. */
  readonly isOfOne: boolean;
  /** Whether it has sentences that may be of us. */
  readonly hasSentences: boolean;
  /** `isOfOne`, and no kind of program is spoken of that may be asked itself. */
  readonly isOfOneAsked: boolean;
  /** `isOfOne`, all above is about us, and no kind of program is spoken of that answers others. */
  readonly isOfOneServer: boolean;
}

export function placeOf(paragraph: Paragraph, above: Above, document: Document): Place {
  const { said, isTable, isQuoted, isPlanned } = paragraph;
  const { sections, before } = above;
  const section = sections.at(-1);
  const mayBeOfUs = !isQuoted && !isPlanned && !sections.some((each) => each.isOfOthers);
  // What a section is about that is called as the service, others whom the document names above it do not change.
  const isOfSection = section?.isService === true && sections.every((each) => !each.isName || each.isTitle);
  const isOfAll = !sections.some((each) => each.isName);
  const isOfOne = document.isOfOneUpTo(document.sectionEnd(paragraph)) && (isOfSection || isOfAll);
  const isAnyOf = (those: RegExp): boolean => those.test(said) || [...sections, ...before].some(({ asks }) => those.test(asks));
  return {
    paragraph,
    document,
    isOfOne,
    isOfUs: mayBeOfUs && !above.isOfOthers,
    isOfOurSection: mayBeOfUs && !sections.some((each) => each.isOld || each.isDoubtful),
    isTableOfNow: isTable && !isQuoted && !above.isOld && !sections.some((each) => each.isOld),
    isInDoubt: isLedInByDoubt(paragraph, above) || sections.some((each) => each.isDoubtful),
    isLedInByUs: isLedInByUs(above, document),
    isOfService: section?.isService === true && !section.isName && (before.at(-1)?.isOfRequests ?? false),
    hasSentences: mayBeOfUs && !isTable && !before.some((each) => each.isOfOthers),
    isOfOneAsked: isOfOne && !isAnyOf(asked),
    isOfOneServer: isOfOne && isAboutUs(above, document) && !isAnyOf(answering),
  };
}

/** Whether all headings are understood, and the last paragraphs name the service or are understood. */
const isAboutUs = ({ sections, before }: Above, { withoutNames, isOfDomain, readSentence }: Document): boolean =>
  !sections.some((each) => each.isDoubtful) &&
  before.every(({ asks }) => asks === '' || withoutNames(asks) !== asks || isOfDomain(asks) || readSentence(asks).isKnown);

/** Tables say nothing of what stands below them, and hops from the program to the service say whose what follows is. */
const isLedInByUs = ({ sections, before }: Above, { readSentence }: Document): boolean =>
  !sections.some((each) => each.isDoubtful) &&
  before
    .slice(
      Math.max(
        0,
        before.findLastIndex(({ asks }) => beginsWithHops(asks)),
      ),
    )
    .every(({ asks }) => asks === '' || /^\s*\|/.test(asks) || beginsWithHops(asks) || readSentence(asks).isKnown);

/** By which headings say what a document is about, and no more. */
const ofHeadings =
  /(?<![\w./@-])(?:quick ?start|examples?|introduction|about|prerequisites|requirements|environment|running|deploy(?:ing)?|sending|receiving|architecture|how it works|network(?: use| usage)?|privacy(?: policy)?|guide|docs|documentation|basics|intro|configur(?:e|ing))(?![\w/@-]|\.\w)/gi;

/** The API by its name. */
const ofItsVersion = /(?<=\bAPI )(?:\(v1\)|v1\b)/gi;
