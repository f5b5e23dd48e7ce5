/** What of a paragraph can move by itself: rows of tables and items of lists, addresses that are defaults or settings, all that is said of functions, sentences. */
import { coverOf, type TextRange } from '../../formats/text.ts';
import { functionsNamedIn, hasOwnHeader, unitsOf } from './document-parts.ts';
import { examplesIn } from './example-options.ts';
import type { Place } from './document-places.ts';
import { type Mention, movedBy } from './mentions.ts';
import { sentencesIn } from './sentences.ts';
import { addressesOf } from './address-tables.ts';
import { defaultsIn, settingsIn } from './said-settings.ts';
import type { Row, Subject } from './subjects.ts';
import { rowsOf } from './table-rows.ts';
import { endingsIn, versionsIn } from './version-endings.ts';

export interface Unit extends TextRange {
  /** Of a row that is data, what it is about. */
  readonly subjects: readonly Subject[] | undefined;
  /** Whether a row has the header in a cell beside one with an address: it is that one's, whoever else has such a header. */
  readonly hasOwnHeader?: boolean;
  /** Whether its words do not tie it to code: it moves where nothing at all is left on v1. */
  readonly isAlone?: boolean;
  /** Whether it is the cell of a row that is the service's: what else has such a path there is not. */
  readonly isOfService?: boolean;
  /** Whether only what stands in front of the own routes beside it tells it apart from these. */
  readonly isUpstream?: boolean;
  /** Whether a sentence says that its routes are the service's. */
  readonly isNamed?: boolean;
  /** Whether it says of the header alone that it is sent: nobody else may have one then, or be asked by one. */
  readonly isUntied?: boolean;
  /** Whether it is of variables that are called as the service is. */
  readonly isOfItsName?: boolean;
  /** Whether it says of these that they are sent. */
  readonly isSentOut?: boolean;
  /** Of what is known as a whole, and says it of variables or of code besides: what it is about. */
  readonly ofRow?: readonly Subject[];
  /** Whether it is a sentence, which goes with the others of its paragraph. */
  readonly isSentence?: boolean;
  /** Of a row that may move so, too: the table that it does so with. */
  readonly table?: number;
  /** Whether it is the version by which the address in a variable is said to end, or not to. */
  readonly isEnding?: boolean;
  /** Whether it is the version that is in a variable. */
  readonly isVersion?: boolean;
  /** Of a block of code that shows how the package is used: what that imports from. */
  readonly imported?: readonly string[];
}

/** Finds what those before it have not, by places in the paragraph. */
type Finder = (place: Place, known: readonly Unit[]) => readonly Unit[];

/** @returns those that may be passages, in no order */
export function unitsAt(place: Place): readonly Unit[] {
  const known: Unit[] = [];
  for (const find of finders) known.push(...find(place, known));
  return known.filter((unit) => isOurs(unit, place));
}

/** Of what is known nobody need say whose it is. */
const isOurs = ({ start, end, subjects }: Unit, { paragraph, document }: Place): boolean =>
  subjects !== undefined || document.read(paragraph.said.slice(start, end)).isOurs;

/** What is known as a whole, and rows with what these are about. */
const rowsAndItems: Finder = (place) => {
  const { said } = place.paragraph;
  const { read } = place.document;
  const rows = rowsAt(place);
  const isAroundCell = ({ start, end }: TextRange): boolean => rows.some((row) => row.isOfService && start < row.start && row.end <= end);
  const wholes = place.isInDoubt ? [] : unitsOf(said, (part) => read(part).isKnown).filter((each) => !isAroundCell(each));
  const found = new Map<number, Unit>(
    wholes.map((each) => {
      const unit = said.slice(each.start, each.end);
      const ofRow = place.isOfUs ? subjectsOfAll(unit, read(unit).mentions, place.isLedInByUs) : [];
      return [each.start, { ...each, subjects: undefined, hasOwnHeader: hasOwnHeader(unit, said), ofRow }];
    }),
  );
  for (const row of rows) {
    const whole = found.get(row.start);
    const isWhole = whole !== undefined && read(said.slice(row.start, row.end)).isOurs;
    found.set(row.start, isWhole ? { ...whole, ofRow: row.subjects } : row);
  }
  return [...found.values()];
};

/** What is set to the addresses of a text, if that is all that it says. */
function subjectsOfAll(said: string, mentions: readonly Mention[], isLedInByUs: boolean): readonly Subject[] {
  const set = settingsIn(said, mentions, isLedInByUs);
  return set.length === mentions.length ? set.flatMap(({ subjects }) => subjects) : [];
}

/** Rows that are tied to code, or else the addresses of a table, which say by themselves whose they are. */
function rowsAt({ paragraph, document, isOfUs, isOfOne, isOfService, isLedInByUs, isTableOfNow }: Place): readonly Row[] {
  const { said } = paragraph;
  const { withoutNames, isAtRoot } = document;
  const mentionsOf = (row: string): readonly Mention[] => document.read(row).mentions;
  const around = { isOfOne, isAtRoot, isOfService, isLedInByUs, withoutNames, hasOwnHeader: (row: string) => hasOwnHeader(row, said) };
  const tied = isOfUs ? rowsOf(said, mentionsOf, around) : [];
  // What has a name of its own there, is no option that an address is set by.
  const isOfCode = coverOf(tied.filter(({ subjects }) => subjects.some(({ kind }) => kind !== 'option')));
  if (!isTableOfNow || paragraph.reading().mentions.every(isOfCode)) return tied;
  const addresses = addressesOf(said, mentionsOf, { withoutNames, isKnown: (words) => document.readSentence(words).isKnown });
  return addresses.length > 0 ? addresses : tied;
}

/** Whatever a sentence names, it says no more of an address than that it is the default. */
const defaults: Finder = ({ paragraph: { said, reading }, document, isOfUs, isInDoubt }, known) =>
  isOfUs && !isInDoubt && document.read(said.replaceAll(name, ' ')).isKnown ? apartFrom(known, defaultsIn(said, reading().mentions)) : [];

/** With the functions that it names it says what code here says, too. */
const allOfFunctions: Finder = ({ paragraph: { said, isTable }, document, isOfUs, isInDoubt }, known) => {
  if (!isOfUs || isInDoubt || isTable || known.length > 0) return [];
  const [functions, rest] = functionsNamedIn(said);
  if (functions.length === 0) return [];
  const { isOurs, mentions } = document.read(rest);
  return isOurs && mentions.every(isAsked) ? [{ start: 0, end: said.length, subjects: functions }] : [];
};

/** Whoever else is named in words that are not known may have such an option, too. */
const isOfVariables = ({ subjects }: Row): boolean => subjects.every(({ kind }) => kind === 'variable');

const settings: Finder = ({ paragraph: { said, reading }, isOfUs, isLedInByUs }, known) =>
  isOfUs ? apartFrom(known, settingsIn(said, reading().mentions, isLedInByUs).filter(isOfVariables)) : [];

const endings: Finder = (place, known) => {
  const { read, withoutNames } = place.document;
  const { said } = place.paragraph;
  const ours = known.filter((unit) => isOurs(unit, place));
  const isOfNone = (part: string): boolean => read(part).mentions.length === 0;
  const all = place.isOfOurSection ? versionsIn(said, isOfNone, withoutNames) : [];
  // What two rows have by one name may be another program's in one of them.
  const versions = all.filter(({ subjects: [subject] }) => place.document.rowsOf(subject?.name ?? '') === 1);
  const found = place.isOfUs ? endingsIn(said, isOfNone, withoutNames) : [];
  return apartFrom(ours, [
    ...versions.map((each) => ({ ...each, isVersion: true })),
    ...apartFrom(versions, found).map((each) => ({ ...each, isEnding: true })),
  ]);
};

const examples: Finder = ({ paragraph: { said, isCode, reading }, isOfUs }) =>
  isOfUs && isCode ? examplesIn(said, reading().mentions) : [];

/** What is known, but of which nobody says whose it is, a sentence may say. */
const sentences: Finder = (place, known) => {
  if (!place.hasSentences) return [];
  const { said, start, reading } = place.paragraph;
  const { withoutNames, isTied, isProse, readSentence } = place.document;
  const ours = known.filter((unit) => isOurs(unit, place));
  const around = {
    withoutNames,
    isTied,
    isOfOne: place.isOfOneAsked,
    isOfOneServer: place.isOfOneServer,
    isAtRoot: place.document.isAtRoot,
  };
  const found = apartFrom(ours, sentencesIn(said, readSentence, around));
  // Half of what is said together would be told of the other half.
  const isSaid = coverOf([...ours, ...found]);
  const goesAlong = (each: Mention): boolean => each.replacements.length === 0 || (isSaid(each) && isProse(movedBy(each, start)));
  return found.length > 0 && reading().mentions.every(goesAlong) ? found.map((each) => ({ ...each, isSentence: true })) : [];
};

const finders: readonly Finder[] = [rowsAndItems, defaults, allOfFunctions, settings, sentences, endings, examples];

function apartFrom<Found extends TextRange>(known: readonly TextRange[], found: readonly Found[]): Found[] {
  const isCovered = coverOf(known);
  return found.filter((each) => !isCovered(each));
}

/** A piece of code that is no address. */
const name = /`\w+`/g;

/** What says by itself what is asked, or that the header is sent there. */
const isAsked = ({ kind, endpoints }: Mention): boolean => kind === 'header' || endpoints.length > 0;
