/** What documents tell people of v1 beside an address of ours, and how that reads on v2. Whether it holds is decided once it is known what moves: `judge/passes/moved-passages.ts`. */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { isChangeLog } from '../../formats/change-log.ts';
import { type TextRange, coverOf } from '../../formats/text.ts';
import type { Span } from '../../model.ts';
import { domainOf } from '../../verdict/bases/hosts.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { functionsNamedIn, hasOwnHeader, levelOf, paragraphsOf, unitsOf } from './document-parts.ts';
import { type Mention, movedBy, readerOf } from './mentions.ts';
import { isNameOfOther, isOfProgram, namedIn, ofOneUpTo } from './other-names.ts';
import { type Sentence, sentencesIn } from './sentences.ts';
import { namesOfService, tiesToService } from './service-names.ts';
import {
  addressesOf,
  defaultsIn,
  isDoubtful as mayBeOfOthers,
  isOfAnotherProgram,
  isOfAnotherTime,
  leadsToRequests,
  rowsOf,
  settingsIn,
  type Subject,
} from './table-rows.ts';
import { answering, asked, ofRequirements, ofSentences } from './words.ts';

/** A paragraph, an item of a list or a row of a table that names our base, and nothing that is not known: all that it says of v1 moves, or nothing. */
export interface Passage extends Span {
  readonly mentions: readonly Mention[];
  /** Of a row that is data, what it is about. */
  readonly subjects: readonly Subject[] | undefined;
  /** Whether it is data from which clients are made. */
  readonly isDescription: boolean;
  /** Whether a row has the header in a cell beside one with an address: it is that one's, whoever else has such a header. */
  readonly hasOwnHeader?: boolean;
  /** Whether its words do not tie it to code: it moves where nothing at all is left on v1. */
  readonly isAlone?: boolean;
  /** Whether it is the cell of a row that is the service's: what else has such a path there is not. */
  readonly isOfService?: boolean;
  /** Whether a sentence says that its routes are the service's. */
  readonly isNamed?: boolean;
  /** Whether it says of the header alone that it is sent: nobody else may have one then, or be asked by one. */
  readonly isUntied?: boolean;
  /** Whether it is of variables that are called as the service is. */
  readonly isOfItsName?: boolean;
  /** Of what is known as a whole, and says it of variables or of code besides: what it is about. */
  readonly ofRow?: readonly Subject[];
  /** Whether it is a sentence, which goes with the others of its paragraph. */
  readonly isSentence?: boolean;
  readonly paragraph?: number;
  /** Of a row that may move so, too: the table that it does so with. */
  readonly table?: number;
}

/** What says how a program is used; not what was decided, planned or written on a day. */
const isOfUse =
  /(?:^|\/)(?:readme\b[^/]*|claude|agents?|gemini|contributing|copilot-instructions)\.md$|(?:^|\/)(?:docs?|documentation|openspec\/specs)\/(?:[^/]+\/)*[^/]+\.md$/i;
/** What holds is there, and what was decided beside it in `changes/`: https://github.com/Fission-AI/OpenSpec. */
const isOpenSpec = /(?:^|\/)openspec\/specs\//;
export const isOfItsTime =
  /(?:^|[/._-])(?:adrs?|decisions?|rfcs?|proposals?|designs?|plans?|notes?|archived?|old|legacy|blog|posts?|news|post-?mortems?|incidents?|v\d+|migrat\w*|upgrad\w*|deprecat\w*|\d{4})(?=[/._-])/i;
/** The document knows v2. */
const ofV2 = /(?<![\w@.:-])v2(?![\w.-])/i;
const anyAddress = /https?:\/\/[^\s"'`<>()|]+/gi;
/** A version of somebody else's, who has no host of our domain, is none of the service. */
const withoutOthers =
  (bases: Bases) =>
  (address: string): string =>
    bases.v1.some((base) => domainOf(new URL(base).host) === domainOf(URL.parse(address)?.host ?? new URL(base).host)) ? address : ' ';

/** Whether a text has addresses, and each is at the domain of the service. */
const ofDomain =
  (bases: Bases) =>
  (said: string): boolean => {
    const found = said.match(anyAddress) ?? [];
    return found.length > 0 && found.every((address) => withoutOthers(bases)(address) === address);
  };

/** @param prose what is read by people alone */
export function passagesIn(source: SourceText, prose: readonly TextRange[], bases: Bases): Passage[] {
  const { file, text } = source;
  if (!isOfUse.test(file) || isOfItsTime.test(file) || isChangeLog(file) || (isTest(source) && !isOpenSpec.test(file))) return [];
  if (prose.some(({ start, end }) => ofV2.test(text.slice(start, end).replaceAll(anyAddress, withoutOthers(bases))))) return [];
  const isProse = coverOf(prose);
  const withoutNames = namesOfService(bases, text);
  const saidIn = readerOf(bases, { withoutNames, more: isOpenSpec.test(file) ? ofRequirements : undefined });
  const isKnownHeading = (said: string): boolean => saidIn(said.replaceAll(ofHeadings, ' ')).isKnown;
  const readSentence = readerOf(bases, { withoutNames, more: ofSentences });
  const isAnyNamed = namedIn(source, isProse, withoutNames);
  const isOfOneUpTo = ofOneUpTo(text, bases);
  const isTied = tiesToService(bases, text);
  const isOfDomain = ofDomain(bases);
  const headings: {
    readonly level: number;
    readonly isDoubtful: boolean;
    readonly isOfOthers: boolean;
    /** Whether what stands below it is of another time or program. */
    readonly isOld: boolean;
    /** Whether it, or what is said right under it, may name somebody else. */
    readonly isName: boolean;
    readonly asks: string;
    readonly isTitle: boolean;
    readonly isService: boolean;
  }[] = [];
  let [hasTitle, isDoubtful, isOfOthers, isOld, leads] = [false, false, false, false, false];
  // What the last two say, whatever is said further above; code says nothing of the kind.
  let before: readonly { readonly isOfOthers: boolean; readonly asks: string; readonly isOfRequests: boolean }[] = [];
  const paragraphs = [...paragraphsOf(text)];
  const isHeading = ({ start, end }: TextRange): boolean =>
    levelOf(text.slice(start, end)) !== undefined && isProse({ start, end: start + 1 });
  const headingsAt = paragraphs.filter(isHeading).map((each) => each.start);
  let [headingsBefore, codeEnd] = [0, -1];
  return paragraphs.flatMap(({ start, end }) => {
    const said = text.slice(start, end);
    const level = levelOf(said);
    while ((headingsAt[headingsBefore] ?? text.length) <= start) headingsBefore += 1;
    const sectionEnd = headingsAt[headingsBefore] ?? text.length;
    if (level !== undefined && isProse({ start, end: start + 1 })) {
      // A program may be called anything.
      const isTitle = level === 1 && !hasTitle && isOfProgram.test(file);
      hasTitle ||= isTitle;
      while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
      headings.push({
        level,
        isDoubtful: !isTitle && !isKnownHeading(said),
        isOfOthers: !isTitle && (mayBeOfOthers(said) || isOfAnotherProgram(said) || ofAnotherDay.test(said)),
        isOld: isOfAnotherTime(said) || isOfAnotherProgram(said) || ofAnotherDay.test(said),
        isName: (!isTitle && isNameOfOther(withoutNames(said).replaceAll(ofHeadings, ' '))) || isAnyNamed(start, sectionEnd),
        asks: isTitle ? '' : said,
        isTitle,
        isService: !isTitle && withoutNames(said).replaceAll(/[#=\s-]/g, '') === '',
      });
      [isDoubtful, isOfOthers, isOld, leads, before] = [false, false, false, false, []];
      return [];
    }
    const isTable = /^[ \t]*\|/.test(said);
    // What somebody said is left as it was said, but for an address of ours in it.
    const isQuoted = /^\s*>/.test(said) && !ofNote.test(said);
    const isPlanned = leadsToPlan.test(said);
    const isOfUs = !isOfOthers && !isQuoted && !isPlanned && !headings.some((heading) => heading.isOfOthers);
    const heading = headings.at(-1);
    // What a section is about that is called as the service, others whom the document names above it do not change.
    const isOfSection = heading?.isService === true && headings.every((each) => !each.isName || each.isTitle);
    const isOfAll = !isAnyNamed(0, headingsAt[0] ?? text.length) && !headings.some((each) => each.isName);
    const isOfOne = isOfOneUpTo(sectionEnd) && (isOfSection || isOfAll);
    const isOfService = heading?.isService === true && !heading.isName && (before.at(-1)?.isOfRequests ?? false);
    const ofTable = { isOfOne, isOfService, withoutNames, hasOwnHeader: (row: string) => hasOwnHeader(row, said) };
    const mentionsOf = (row: string): readonly Mention[] => saidIn(row).mentions;
    const tied = isOfUs ? rowsOf(said, mentionsOf, ofTable) : [];
    const isOfNow = isTable && !isOld && !isQuoted && !headings.some((heading) => heading.isOld);
    // What has a name of its own there, is no option that an address is set by.
    const isOfCode = coverOf(tied.filter(({ subjects }) => subjects.some(({ kind }) => kind !== 'option')));
    const isKnownWord = (words: string): boolean => readSentence(words).isKnown;
    const addresses =
      isOfNow && !mentionsOf(said).every(isOfCode) ? addressesOf(said, mentionsOf, { withoutNames, isKnown: isKnownWord }) : [];
    const rows = addresses.length > 0 ? addresses : tied;
    if (!isTable) isOld ||= isPlanned || isOfAnotherTime(said.replaceAll(ofItsVersion, ' '));
    if (!isTable) isOfOthers ||= isPlanned || mayBeOfOthers(said.replaceAll(ofItsVersion, ' '));
    // What is said above a list or a table, or ends in a colon, is said of what follows; so is what stands above code, of what goes on behind it.
    const isLedIn = isDoubtful && (leads || start === codeEnd || /^(?:[ \t|]|[-*+][ \t]|\d+[.)][ \t])/.test(said));
    isDoubtful = isLedIn || !saidIn(said).isKnown;
    leads = /[:*_]\s*$/.test(said);
    const isInDoubt = isLedIn || headings.some((heading) => heading.isDoubtful);
    const units = isInDoubt ? [] : unitsOf(said, (part) => saidIn(part).isKnown);
    const known = new Map<number, Unit>(
      units.map((unit) => [
        unit.start,
        { ...unit, subjects: undefined, hasOwnHeader: hasOwnHeader(said.slice(unit.start, unit.end), said) },
      ]),
    );
    for (const unit of units)
      if (rows.some((row) => row.isOfService && unit.start < row.start && row.end <= unit.end)) known.delete(unit.start);
    for (const row of rows) {
      const unit = known.get(row.start);
      const isUnit = unit !== undefined && saidIn(said.slice(row.start, row.end)).isOurs;
      known.set(row.start, isUnit ? { ...unit, ofRow: row.subjects } : row);
    }
    // Whatever a sentence names, it says no more of an address than that it is the default.
    if (isOfUs && !isInDoubt && saidIn(said.replaceAll(name, ' ')).isKnown) {
      const isCovered = coverOf([...known.values()]);
      for (const each of defaultsIn(said, saidIn(said).mentions)) if (!isCovered(each)) known.set(each.start, each);
    }
    // With the functions that it names it says what code here says, too.
    if (isOfUs && !isInDoubt && !isTable && known.size === 0) {
      const [functions, rest] = functionsNamedIn(said);
      if (functions.length > 0 && saidIn(rest).isOurs && saidIn(rest).mentions.every(isAsked))
        known.set(0, { start: 0, end: said.length, subjects: functions });
    }
    if (isOfUs) {
      const isCovered = coverOf([...known.values()]);
      for (const each of settingsIn(said, saidIn(said).mentions)) if (!isCovered(each)) known.set(each.start, each);
    }
    const isSentences =
      !isTable && !isQuoted && !isPlanned && !before.some((each) => each.isOfOthers) && !headings.some((heading) => heading.isOfOthers);
    const isAnyOf = (those: RegExp): boolean => those.test(said) || [...headings, ...before].some(({ asks }) => those.test(asks));
    const isAboutUs = ({ asks }: { readonly asks: string }): boolean =>
      asks === '' || withoutNames(asks) !== asks || isOfDomain(asks) || readSentence(asks).isKnown;
    const isOfUsAlone = !headings.some((heading) => heading.isDoubtful) && before.every(isAboutUs);
    const ofOne = { isOfOne: isOfOne && !isAnyOf(asked), isOfOneServer: isOfOne && isOfUsAlone && !isAnyOf(answering) };
    const aroundSentences = { withoutNames, isTied, ...ofOne };
    // What is known, but of which nobody says whose it is, a sentence may say.
    const ours = [...known.values()].filter(({ start, end, subjects }) => subjects !== undefined || saidIn(said.slice(start, end)).isOurs);
    const sentences = isSentences ? besideUnits(sentencesIn(said, readSentence, aroundSentences), ours) : [];
    // Half of what is said together would be told of the other half.
    const isSaid = coverOf([...ours, ...sentences]);
    const isWhole =
      sentences.length > 0 &&
      saidIn(said).mentions.every((each) => each.replacements.length === 0 || (isSaid(each) && isProse(movedBy(each, start))));
    for (const each of isWhole ? sentences : []) known.set(each.start, { ...each, isSentence: true });
    const isCode = !isProse({ start, end: start + 1 }) || /^[ \t]*(?:```|~~~)/.test(said);
    if (isCode) codeEnd = end;
    before = [
      ...before.slice(-1),
      {
        isOfOthers: !isCode && (isPlanned || mayBeOfOthers(said.replaceAll(ofItsVersion, ' '))),
        asks: isCode ? '' : said,
        isOfRequests: !isCode && leadsToRequests(said),
      },
    ];
    return [...known.values()]
      .toSorted((one, other) => one.start - other.start)
      .flatMap((unit): Passage[] => {
        const { mentions, isOurs } = saidIn(said.slice(unit.start, unit.end));
        const own = mentions.map((mention) =>
          movedBy(unit.isOfService === true || unit.isNamed === true ? { ...mention, kind: 'address' } : mention, start + unit.start),
        );
        const isPassage = (isOurs || unit.subjects !== undefined) && own.every(isProse);
        const { isAlone = unit.isOfService === true, table, ...rest } = unit;
        const together = { ...(isWhole && { paragraph: start }), ...(table !== undefined && { table: start + table }) };
        const place = { file, start: start + unit.start, end: start + unit.end };
        return isPassage ? [{ ...rest, ...together, ...place, mentions: own, isDescription: false, isAlone }] : [];
      });
  });
}

type Unit = TextRange &
  Pick<
    Passage,
    'subjects' | 'hasOwnHeader' | 'isAlone' | 'isOfService' | 'isOfItsName' | 'isNamed' | 'isUntied' | 'isSentence' | 'ofRow' | 'table'
  >;

/** Those of sentences that have none of the other units in them. */
const besideUnits = (sentences: readonly Sentence[], units: readonly TextRange[]): Sentence[] =>
  sentences.filter((each) => units.every(({ start, end }) => end <= each.start || each.end <= start));

/** By which headings say what a document is about, and no more. */
const ofHeadings =
  /(?<![\w./@-])(?:quick ?start|examples?|introduction|about|prerequisites|requirements|environment|running|deploy(?:ing)?|sending|receiving|architecture|how it works|network(?: use| usage)?|privacy(?: policy)?|guide|docs|documentation|basics|intro|configur(?:e|ing))(?![\w/@-]|\.\w)/gi;

/** What was said, or is to be done, on a day. */
const ofAnotherDay =
  /\b(?:plan(?:s|ned|ning)?|road-?maps?|next steps|ideas?|proposals?|history|change-?logs?|release notes|decisions?|backlog|future|later|minutes|meetings?|moving|quotes?|quotations?|incidents?)\b/i;
/** `Our plan:` */
const leadsToPlan = new RegExp(String.raw`${ofAnotherDay.source}[^.\n]*:[*_ \t]*$`, 'im');

/** `> [!NOTE]`, `> **Note:** …`: a document itself says it. */
const ofNote = /^\s*>\s*(?:\[!|[*_]*(?:note|tip|important|warning|caution|info|hint)\b)/i;

/** A piece of code that is no address. */
const name = /`\w+`/g;

/** The API by its name. */
const ofItsVersion = /(?<=\bAPI )(?:\(v1\)|v1\b)/gi;

/** What says by itself what is asked, or that the header is sent there. */
const isAsked = ({ kind, endpoints }: Mention): boolean => kind === 'header' || endpoints.length > 0;
