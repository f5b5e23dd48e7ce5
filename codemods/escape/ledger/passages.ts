/** What documents tell people of v1 beside an address of ours, and how that reads on v2. Whether it holds is decided once it is known what moves: `judge/passes/moved-passages.ts`. */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { isChangeLog } from '../../formats/change-log.ts';
import type { TextRange } from '../../formats/text.ts';
import type { Span } from '../../model.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { documentOf, isOpenSpec, knowsV2 } from './document.ts';
import { atTop, below, outside, type Place, placeOf } from './document-places.ts';
import { type Mention, movedBy, versionAt } from './mentions.ts';
import { type Unit, unitsAt } from './passage-units.ts';

/** A paragraph, an item of a list or a row of a table that names our base, and nothing that is not known: all that it says of v1 moves, or nothing. */
export interface Passage extends Span, Unit {
  readonly mentions: readonly Mention[];
  /** Whether it is data from which clients are made. */
  readonly isDescription: boolean;
  /** Of what is in a paragraph with sentences. */
  readonly paragraph?: number;
}

/** What says how a program is used; not what was decided, planned or written on a day. */
const isOfUse =
  /(?:^|\/)(?:readme\b[^/]*|claude|agents?|gemini|contributing|copilot-instructions)\.md$|(?:^|\/)(?:docs?|documentation|openspec\/specs)\/(?:[^/]+\/)*[^/]+\.md$/i;
export const isOfItsTime =
  /(?:^|[/._-])(?:adrs?|decisions?|rfcs?|proposals?|designs?|plans?|notes?|archived?|old|legacy|blog|posts?|news|post-?mortems?|incidents?|v\d+|migrat\w*|upgrad\w*|deprecat\w*|\d{4})(?=[/._-])/i;

/** @param prose what is read by people alone */
export function passagesIn(source: SourceText, prose: readonly TextRange[], bases: Bases): Passage[] {
  const { file } = source;
  if (!isOfUse.test(file) || isOfItsTime.test(file) || isChangeLog(file) || (isTest(source) && !isOpenSpec.test(file))) return [];
  if (knowsV2(source, prose, bases)) return [];
  const document = documentOf(source, prose, bases);
  const isLinkedTo = toHeading.test(source.text);
  let above = atTop(document);
  return document.paragraphs.flatMap((paragraph): Passage[] => {
    const place = placeOf(paragraph, paragraph.level === undefined ? above : outside(above, paragraph.level), document);
    above = below(above, paragraph, document);
    const found = passagesAt(place);
    return paragraph.level === undefined || (!isLinkedTo && found.every(isOfAddresses)) ? found : [];
  });
}

/** A heading with a route alone may be of the program's own; one with an address says whose it is. */
const isOfAddresses = ({ mentions }: Passage): boolean => mentions.every(({ kind }) => kind === 'address');

/** `[Contacts](#get-v1contacts)`: a heading that says something else is found by another name. */
const toHeading = /\]\(#[^)\s]*v1/i;

function passagesAt(place: Place): Passage[] {
  const { file, read, isProse } = place.document;
  const { start, said } = place.paragraph;
  const units = unitsAt(place).toSorted((one, other) => one.start - other.start);
  const ofParagraph = units.some(({ isSentence }) => isSentence) ? { paragraph: start } : {};
  return units.flatMap(({ table, ...unit }): Passage[] => {
    const { isOfService = false, isNamed = false, isAlone = isOfService } = unit;
    const own =
      unit.isEnding === true || unit.isVersion === true
        ? [versionAt({ start: 0, end: unit.end - unit.start })]
        : read(said.slice(unit.start, unit.end)).mentions;
    const mentions = own.map((mention) => movedBy(isOfService || isNamed ? { ...mention, kind: 'address' } : mention, start + unit.start));
    const ofTable = table === undefined ? {} : { table: start + table };
    const at = { file, start: start + unit.start, end: start + unit.end };
    return unit.imported !== undefined || mentions.every(isProse)
      ? [{ ...unit, ...ofParagraph, ...ofTable, ...at, mentions, isDescription: false, isAlone }]
      : [];
  });
}
