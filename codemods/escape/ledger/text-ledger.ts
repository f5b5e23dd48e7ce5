/** The ledger of files that are no scripts: their suspicious literals, each of which ends in exactly one state. */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Reading } from '../../formats/reading.ts';
import type { TextRange } from '../../formats/text.ts';
import type { Finding, FindingCode, LedgerEntry } from '../../model.ts';
import { ignoredAt } from '../../verdict/directive-comments.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { hostOfCommand, isComment, isExplaining } from './text-places.ts';
import { type State, changedState, entryFor } from './ledger-entry.ts';
import { factsOf, isData, isSentIn, type Known, type TextFacts } from './text-facts.ts';
import { type Literal, literalsOf, longestPath } from './text-literals.ts';

/** @returns an entry for each literal, and a finding for each that nothing accounts for */
export function textLedger(
  source: SourceText,
  reading: Pick<Reading, 'elsewhere' | 'prose' | 'unread'>,
  known: Known,
): { readonly entries: LedgerEntry[]; readonly findings: Finding[] } {
  const literals = literalsOf(source, reading, known.bases, known.isUnread);
  const facts = factsOf(source, reading, known, literals);
  const entered = literals.map((literal) => enter(literal, facts));
  const mentioned = new Set<string>();
  /** A sentence is read as a whole, and so is a file of data. */
  const isNew = (each: Entered): boolean => {
    const once = toldOnceAs(each, facts);
    return once === undefined || mentioned.size < mentioned.add(once).size;
  };
  const findings = entered.flatMap((each) => [...ofHeader(each, facts), ...ofRest(each, facts, isNew)]);
  return { entries: entered.map(({ entry }) => entry), findings };
}

/** A literal with what became of it. */
interface Entered {
  readonly literal: Literal;
  readonly entry: LedgerEntry;
  readonly isAccounted: boolean;
  /** Whether something else than a request may have to know a header's new name: nothing accounts for it. */
  readonly isOpenHeader: boolean;
  readonly redacted: ReturnType<TextFacts['hiddenAt']>;
}

function enter(literal: Literal, facts: TextFacts): Entered {
  const { source, changes, refusedFor, states, hiddenAt } = facts;
  const place = { module: source, start: literal.start, end: literal.end };
  const accounted = changedState(place, changes, refusedFor) ?? states.get(literal);
  const isOpenHeader = accounted === undefined && literal.kind === 'header' && !isComment(source, literal);
  const redacted = isOpenHeader ? hiddenAt(literal) : undefined;
  const state = accounted ?? (redacted === undefined ? unaccounted(literal, facts) : (['foreign', 'no-call'] as const));
  return { literal, entry: entryFor(place, state), isAccounted: accounted !== undefined, isOpenHeader, redacted };
}

/** What becomes of a literal that nothing accounts for. */
function unaccounted(literal: Literal, facts: TextFacts): State {
  const { source, ourHosts, isUnread, isOfOthers } = facts;
  if (isLeft(literal, facts)) return ['person', 'unconsumed'];
  const host = literal.host ?? (literal.kind === 'header' ? hostOfCommand(source.text, literal, ourHosts) : undefined);
  const isOwnRoute = literal.kind === 'route' && facts.isServed(literal);
  const isMentioned = facts.isNear && isSaid(literal, facts) && (host === undefined || ourHosts.has(host)) && !isOwnRoute;
  const owner = isMentioned ? facts.ownerOf(literal) : undefined;
  if (isMentioned && owner === undefined) {
    const isUsed = facts.isRecorded(literal) || (isUnread && !isComment(source, literal) && isOfCode(source, literal));
    return ['person', isUsed ? 'unconsumed' : 'mentioned'];
  }
  if (facts.isAsked(literal)) return ['person', 'base-not-proven'];
  if (facts.isSentByTail && isSentIn(source, literal)) return ['person', 'unconsumed'];
  return ['foreign', owner ?? (isOwnRoute ? 'own-server' : host === undefined && !isOfOthers ? 'no-call' : 'other-host')];
}

/** Whether nothing is understood of the program or the settings that it stands in, or a comment leaves it as it is. */
function isLeft(literal: Literal, { source, isNear, isOfOthers, isProse, isUnreadCode, namesHeaders }: TextFacts): boolean {
  const isKey = literal.kind === 'header' && !isOfOthers && !isEmptied(source, literal);
  const isAbout = literal.kind === 'our url' || (isKey && (namesHeaders || (isNear && isNamedKey(source, literal))));
  return (
    isUnreadCode(literal) ||
    isCalledByTemplate(source, literal) ||
    (isAbout && !isProse(literal) && !isComment(source, literal)) ||
    ignoredAt(source, literal.start, literal.end) !== undefined
  );
}

/** Whether somebody or something reads it: not every comment. */
const isSaid = (literal: Literal, { source, isHidden, explains, speaksOfOurs }: TextFacts): boolean =>
  (literal.kind === 'our url' && !isHidden) || !isComment(source, literal) || (explains && isExplaining(source, literal, speaksOfOurs));

const findingAt = ({ file, start, end, line, column }: LedgerEntry, code: FindingCode, detail: Finding['detail'] = {}): Finding => ({
  file,
  start,
  end,
  line,
  column,
  code,
  detail,
});

/** What hides the header, or lets it through a list. */
function ofHeader({ literal, entry, isOpenHeader, redacted }: Entered, { source, isAllowed }: TextFacts): Finding[] {
  const isIgnored = (): boolean => ignoredAt(source, literal.start, literal.end) !== undefined;
  if (redacted === 'v1') return isIgnored() ? [] : [findingAt(entry, 'redacts-header')];
  const isListed = isOpenHeader && redacted === undefined && isAllowed(literal) && !isIgnored();
  return isListed ? [findingAt(entry, 'reads-header', { how: 'listed' })] : [];
}

function ofRest(each: Entered, { source, isRecorded }: TextFacts, isNew: (each: Entered) => boolean): Finding[] {
  const { literal, entry } = each;
  const { reason } = entry;
  if (each.isAccounted) return [];
  if (reason === 'base-not-proven' && literal.kind === 'route') return [findingAt(entry, reason, { route: routeOf(source, literal) })];
  if ((reason !== 'unconsumed' && reason !== 'mentioned') || !isNew(each)) return [];
  return [findingAt(entry, reason, isRecorded(literal) ? { how: 'recorded' } : {})];
}

/** What several findings of a file have in common of which the first says enough. */
function toldOnceAs({ literal, entry: { file, line, reason } }: Entered, { isRecorded, isUnread }: TextFacts): string | undefined {
  if (isTable.test(file)) return reason;
  if (isRecorded(literal)) return `recorded ${literal.kind} ${line}`;
  if (reason === 'mentioned') return isData.test(file) ? reason : `line ${line}`;
  return isUnread ? `code ${line}` : undefined;
}

/** `(click)="api.call('/v1/contacts')"` of Angular's templates: what is called there stands in a component, which may move without it. */
const isCalledByTemplate = ({ file, text }: SourceText, { start, kind }: Literal): boolean =>
  kind === 'route' &&
  /\.html?$/i.test(file) &&
  /(?:(?:\([\w.:-]+\)|\[[\w.:()-]+\]|\*[\w-]+)=\s*"[^"]*|\{\{[^{}]*)\w\([^"(){}]*['"`]$/.test(
    text.slice(Math.max(0, start - longestPath), start),
  );

/** `awk '{ print "- \\"headers.X-API-Key=\\"" }'`: nothing is sent under it any more. */
const isEmptied = ({ text }: SourceText, { end }: Literal): boolean => /^=\\"["']\s*\}/.test(text.slice(end, end + longestPath));

/** A text that is nothing else, or the beginning of a header: `session.headers["x-api-key"]`, `['x-api-key: ' . $key]`, `proxy_set_header X-Api-Key $key`. */
function isOfCode({ text }: SourceText, { kind, start, end }: Literal): boolean {
  const isQuoted = /["']/.test(text[start - 1] ?? '');
  if (kind === 'header' && isQuoted) return /["':]/.test(text[end] ?? '');
  if (kind !== 'header') return isQuoted && /^[^\s"']*["']/.test(text.slice(end, end + longestPath));
  return setting.test(text.slice(text.lastIndexOf('\n', start) + 1, start));
}

/** The path that an address goes on with, as far as it is written. */
const routeOf = ({ text }: SourceText, { start, end }: Literal): string =>
  text.slice(text.indexOf('/v1', start), end) + (/^(?:\/[\w-]+)*/.exec(text.slice(end, end + longestPath))?.[0] ?? '');

/** Servers that pass requests on, and what they call a header that they set. */
const setting = /^\s*(?:proxy_set_header|RequestHeader\s+\w+|http-request\s+\w+-header|header_up)\s+["']?$/i;

/** `ApiKeyName: x-api-key`, as connections of EventBridge have it: the header of all that is sent by them. */
const isNamedKey = ({ text }: SourceText, { start }: Literal): boolean =>
  /(?<![\w-])["']?api_?key_?name["']?\s*[:=]\s*["']?$/i.test(text.slice(Math.max(0, start - 100), start));

/** Rows say the same over and over. */
const isTable = /\.(?:csv|tsv|sql|ipynb|jsonl|ndjson)$/i;

/** Where a request's address and keys stand in a file. */
export function placesIn({ request: { url = [], prefixes }, keys }: RequestSite, file: SourceText): TextRange[] {
  const written = [...url, ...prefixes.flat(), ...keys.flatMap(({ key }) => key ?? [])];
  return written.flatMap((part) => {
    const at = 'text' in part ? part.source : undefined;
    return at?.module === file && 'text' in part ? [{ start: at.start, end: at.start + part.text.length }] : [];
  });
}
