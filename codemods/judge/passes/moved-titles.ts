/**
 * What a test is called by says which header it expects (`it('sends x-api-key', …)`): the title goes with what that test expects, once nothing else in its file says
 * the header of v1. A title that something goes by, a snapshot or a list of tests, stays, and so does one that tells the header from another, or whose it is.
 */
import { v1Auth, v2Auth } from '../../../src/contract/auth.ts';
import { openingOfTitle } from '../../clients/testing/declared-tests.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { FoundFile } from '../../find/walk.ts';
import { bracesIn } from '../../formats/braces.ts';
import { coverOf } from '../../formats/text.ts';
import type { Edit, Finding, LedgerEntry, Plan } from '../../model.ts';
import { once } from '../../once.ts';
import { byPlace } from '../merge.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

interface Known {
  readonly files: readonly FoundFile[];
  /** The text of a file. */
  readonly textIn: (file: string) => string;
}

const opening = new RegExp(`${openingOfTitle}['"\`]?$`);
const longestOpening = 60;

/** Whether a text begins there, or within its quotes, that a test is called by. */
export const isTitleAt = (text: string, at: number): boolean => opening.test(text.slice(Math.max(0, at - longestOpening), at));

export function withMovedTitles<P extends Read>(plan: P, { files, textIn }: Known): P {
  const titles = plan.ledger.filter(
    ({ file, start, state, reason }) => state === 'person' && reason === 'mentioned' && isTest({ file }) && isTitleAt(textIn(file), start),
  );
  if (titles.length === 0) return plan;
  const editsIn = Map.groupBy(plan.edits, ({ file }) => file);
  const moving = [...Map.groupBy(titles, ({ file }) => file)].flatMap(([file, own]) => {
    const text = textIn(file);
    const edits = editsIn.get(file) ?? [];
    if (asSnapshot.test(text) || saysOtherwise(text, [...edits, ...own])) return [];
    const bracesAround = bracesIn(text);
    const bodies = edits.flatMap(({ start, end }) => (text.slice(start, end).search(field) === -1 ? [] : bracesAround(start)));
    const isOfBody = ({ end }: LedgerEntry): boolean =>
      bodies.some(({ start }) => start > end && start - end < longestHead && !text.slice(end, start).includes(';'));
    return own.filter((title) => isOfHeader(text.slice(title.start, title.end)) && isOfBody(title));
  });
  const isNamed = namedElsewhere(files, textIn);
  const gone = new Set(moving.filter((title) => !isNamed(title)));
  if (gone.size === 0) return plan;
  const places = new Set([...gone].map(placeOf));
  return {
    ...plan,
    edits: [...plan.edits, ...[...gone].flatMap((title) => editsOf(title, textIn(title.file)))].toSorted(byPlace),
    findings: plan.findings.filter((each) => !places.has(placeOf(each))),
    ledger: plan.ledger.map((entry): LedgerEntry => (gone.has(entry) ? { ...entry, state: 'rewritten', reason: 'expectation' } : entry)),
  };
}

const field = new RegExp(String.raw`(?<![\w-])${v1Auth.field}(?![\w-])`, 'gi');
const asSnapshot = /MatchingSnapshot|\b(?:toMatch|matchS|t\.s)\w*napshot/;

/** What stands between a title and the body of its test. */
const longestHead = 120;

/** Nothing but the header, without a path, a version or another way to send a key beside it, and nobody else whose it may be. */
const isOfHeader = (title: string): boolean => title.search(field) !== -1 && !doubts.test(title);
const doubts =
  /v[12](?![\w-])|\$\{|bearer|authori[sz]ation|without|instead|\braw\b|prefix|\bas is\b|plain|verbatim|[=(]|equals?\b|(?:lower|upper)-?case|\bbare\b|legacy|\bold\b|deprecat|strip|\bown\b|\bour\b|caller|partner|gateway|prox(?:y|ie)|incoming|inbound|middleware|rejects?\b|requires?\b|checks?\b/i;

/** Whether anything else in a file has the name of the header. */
function saysOtherwise(text: string, changing: readonly { readonly start: number; readonly end: number }[]): boolean {
  const isChanged = coverOf(changing);
  return Array.from(text.matchAll(field)).some(({ index: start, 0: { length } }) => !isChanged({ start, end: start + length }));
}

/** @returns whether another file has a title: a snapshot, a report, a list of tests to leave out */
function namedElsewhere(files: readonly FoundFile[], textIn: Known['textIn']): (title: LedgerEntry) => boolean {
  const saying = once(() => files.flatMap(({ path }) => (textIn(path).search(field) === -1 ? [] : path)));
  return ({ file, start, end }) => {
    const title = textIn(file).slice(start + 1, end - 1);
    return saying().some((path) => path !== file && (textIn(path).includes(title) || chosen.test(textIn(path))));
  };
}

/** `vitest run -t "x-api-key"` */
const chosen = new RegExp(String.raw`(?:\s-[tg]|--grep|--test-?name-?pattern)[\s=\\"']+[^\n"']*${v1Auth.field}`, 'i');

const editsOf = ({ file, start, end }: LedgerEntry, text: string): readonly Edit[] =>
  Array.from(text.slice(start, end).matchAll(field), ({ index, 0: { length } }): Edit => ({
    file,
    start: start + index,
    end: start + index + length,
    text: v2Auth.fieldName,
    what: 'expectation',
    group: `${file}:titles`,
  }));

const placeOf = ({ file, start }: Finding | LedgerEntry): string => `${file} ${start}`;
