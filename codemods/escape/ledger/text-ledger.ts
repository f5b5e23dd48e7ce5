/** The ledger of files that are no scripts: their suspicious literals, each of which ends in exactly one state. */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { escaped } from '../../find/words/literals.ts';
import { once } from '../../once.ts';
import type { Reading } from '../../formats/reading.ts';
import { type TextRange, coverOf, firstBehind } from '../../formats/text.ts';
import type { Finding, FindingCode, LedgerEntry } from '../../model.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import { ignoredAt } from '../../verdict/directive-comments.ts';
import { ownApiIn, ownersOf } from '../headers/header-owners.ts';
import { allowedIn } from '../headers/lists/allowed-in-text.ts';
import { redactedIn } from '../headers/hiding/redactions-in-text.ts';
import { forPeople, hostOfCommand, isComment, isExplaining } from './text-places.ts';
import { type State, changedState, entryFor } from './ledger-entry.ts';
import { versionsBeside } from './versions-beside.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { type Bases, namingOurs, routeHeads, spokenBase } from '../../verdict/bases/routes.ts';
import type { Change } from '../../verdict/changes/spans.ts';

/** A stretch that something accounts for. */
export interface Accounted extends TextRange {
  readonly state: State;
}

interface Literal extends TextRange {
  /** A base alone is one only in code that nobody reads: what follows it there is not known. */
  readonly kind: 'header' | 'our url' | 'route' | 'base';
  /** The host before a route, if it is written there. */
  readonly host: string | undefined;
}

interface Known {
  readonly changes: ChangesByPlace;
  readonly refusedFor: (change: Change) => FindingCode | undefined;
  readonly accounted: readonly Accounted[];
  /** See `Format`. */
  readonly namesHeaders: boolean;
  /** Whether comments tell people what to set, as those of `.env` files do. */
  readonly explains: boolean;
  /** Whether nothing of it was read: another language. */
  readonly isUnread: boolean;
  /** Whether it is one request of another service's: what else names the header in it says how that one may be made. */
  readonly isOfOthers: boolean;
  readonly bases: Bases;
}

/** @returns an entry for each literal, and a finding for each that nothing accounts for */
export function textLedger(
  source: SourceText,
  { elsewhere, prose, unread = [] }: Pick<Reading, 'elsewhere' | 'prose' | 'unread'>,
  { changes, refusedFor, accounted, namesHeaders, explains, isUnread, isOfOthers, bases }: Known,
): { readonly entries: LedgerEntry[]; readonly findings: Finding[] } {
  const entries: LedgerEntry[] = [];
  const findings: Finding[] = [];
  const [isElsewhere, isProse, isUnreadCode] = [coverOf(elsewhere), coverOf(prose), coverOf(unread)];
  const spoken = spokenIn(source, bases);
  const isSpoken = coverOf(spoken);
  const literals = [
    ...literalsIn(source.text, bases, isUnread && mayTakeVersion(source.text, bases)).filter((literal) => !isSpoken(literal)),
    ...spoken,
    ...versionsIn(source, isProse),
    ...versionsBeside(source, bases).map((place): Literal => ({ ...place, kind: 'route', host: undefined })),
  ]
    .filter((literal) => !isElsewhere(literal) && !isGivenToThisKit(source, literal))
    .toSorted((one, other) => one.start - other.start);
  const states = statesOf(literals, accounted);
  const speaksOfOurs = namingOurs(bases);
  const isNear = speaksOfOurs(source.text);
  const ourHosts = new Set(bases.v1.map((base) => new URL(base).host));
  const mentioned = new Set<string>();
  const ownerAt = ownersOf(source, bases, (place) =>
    literals.some((each) => isWithin(each, place) && each.kind === 'header' && states.get(each)?.[1] === 'other-host'),
  );
  const isOwn = ownApiIn(source, bases);
  const [isServed, isRecorded, hiddenAt, isAllowed] = [servedIn(source), recordedIn(source), redactedIn(source), allowedIn(source)];
  // Nobody sees a comment of a document.
  const isHidden = forPeople.test(source.file);
  const isAsked = isUnread && !isNear ? askedIn(source, literals) : () => false;
  const isSentByTail = isUnread && !isNear && !source.text.includes('/v1') && tail.test(source.text.replaceAll(otherAddress, ''));
  const ownerOf = (literal: Literal): ReturnType<typeof ownerAt> => {
    if (literal.kind !== 'header' && literal.kind !== 'route') return undefined;
    if (isOwn(literal)) return 'own-server';
    return literal.kind === 'header' ? ownerAt(literal) : undefined;
  };
  for (const literal of literals) {
    const place = { module: source, start: literal.start, end: literal.end };
    const isKey = literal.kind === 'header' && !isOfOthers && !isEmptied(source, literal);
    const isAbout = literal.kind === 'our url' || (isKey && (namesHeaders || (isNear && isNamedKey(source, literal))));
    const isLeft =
      isUnreadCode(literal) ||
      isCalledByTemplate(source, literal) ||
      (isAbout && !isProse(literal) && !isComment(source, literal)) ||
      ignoredAt(source, literal.start, literal.end) !== undefined;
    const host = literal.host ?? (literal.kind === 'header' ? hostOfCommand(source.text, literal, ourHosts) : undefined);
    const isOwnRoute = literal.kind === 'route' && isServed(literal);
    const isSaid =
      (literal.kind === 'our url' && !isHidden) || !isComment(source, literal) || (explains && isExplaining(source, literal, speaksOfOurs));
    const isMentioned = isNear && isSaid && (host === undefined || ourHosts.has(host)) && !isOwnRoute;
    const owner = isMentioned && !isLeft ? ownerOf(literal) : undefined;
    const isRecording = isRecorded(literal);
    const otherwise: State = isLeft
      ? ['person', 'unconsumed']
      : isMentioned && owner === undefined
        ? ['person', isRecording || (isUnread && !isComment(source, literal) && isOfCode(source, literal)) ? 'unconsumed' : 'mentioned']
        : isAsked(literal)
          ? ['person', 'base-not-proven']
          : isSentByTail && isSentIn(source, literal)
            ? ['person', 'unconsumed']
            : ['foreign', owner ?? (isOwnRoute ? 'own-server' : host === undefined && !isOfOthers ? 'no-call' : 'other-host')];
    const accountedFor = changedState(place, changes, refusedFor) ?? states.get(literal);
    const isHeader = accountedFor === undefined && literal.kind === 'header' && !isComment(source, literal);
    const redacted = isHeader ? hiddenAt(literal) : undefined;
    const entry = entryFor(place, accountedFor ?? (redacted === undefined ? otherwise : ['foreign', 'no-call']));
    entries.push(entry);
    const { file, start, end, line, column, reason } = entry;
    if (redacted === 'v1' && ignoredAt(source, start, end) === undefined)
      findings.push({ file, start, end, line, column, code: 'redacts-header', detail: {} });
    else if (isHeader && redacted === undefined && isAllowed(literal) && ignoredAt(source, start, end) === undefined)
      findings.push({ file, start, end, line, column, code: 'reads-header', detail: { how: 'listed' } });
    if (accountedFor === undefined && reason === 'base-not-proven' && literal.kind === 'route')
      findings.push({ file, start, end, line, column, code: reason, detail: { route: routeOf(source, literal) } });
    if (accountedFor !== undefined || (reason !== 'unconsumed' && reason !== 'mentioned')) continue;
    // A sentence is read as a whole, and so is a file of data.
    const once = isTable.test(file)
      ? reason
      : isRecording
        ? `recorded ${literal.kind} ${line}`
        : reason === 'mentioned'
          ? isData.test(file)
            ? reason
            : `line ${line}`
          : isUnread
            ? `code ${line}`
            : undefined;
    if (once !== undefined && mentioned.size === mentioned.add(once).size) continue;
    findings.push({ file, start, end, line, column, code: reason, detail: isRecording ? { how: 'recorded' } : {} });
  }
  return { entries, findings };
}

/** `npx migrate-v2 --v1-base https://api.example.com/v1 --check`: it names v1 for good. */
const isGivenToThisKit = ({ text }: SourceText, { start }: TextRange): boolean => /--v1-base[ =]["']?$/.test(text.slice(start - 20, start));

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

const longestPath = 200;

/**
 * Tells what a template puts a base before, `<%= base %>/v1/contacts`, and the header that its file names besides: it may ask ours. So may
 * a path that a program in another language asks for, `base + "/v1/contacts"`, where its file sends the header.
 */
function askedIn(source: SourceText, literals: readonly Literal[]): (literal: Literal) => boolean {
  const { text } = source;
  const written = literals.filter((literal) => !isComment(source, literal));
  const headers = written.filter(({ kind }) => kind === 'header');
  const isSending = once(() => headers.some((header) => isSentIn(source, header)));
  const isOpen = ({ start, kind, host }: Literal): boolean => {
    if (kind !== 'route') return false;
    if (host !== undefined) return /[{}$]/.test(host);
    return /(?:[%?]>|\}|%[sv])$/.test(text.slice(start - 2, start)) || (/["'`]/.test(text[start - 1] ?? '') && isSending());
  };
  const asked = headers.length === 0 ? [] : written.filter(isOpen);
  const both = new Set(asked.length === 0 ? [] : [...asked, ...headers]);
  return (literal) => both.has(literal);
}

/** `{"x-api-key": key}`, `"x-api-key" => key`, `set("x-api-key", key)`, `headers["x-api-key"] = key`, `"x-api-key: #{key}"`; a server reads it otherwise. */
const isSent = (header: string): boolean => /^["'`][\w-]+(?:["'`]\s*(?::|=>|,|\]\s*=[^=])|:\s)/.test(header);

const isSentIn = ({ text }: SourceText, { kind, start, end }: Literal): boolean =>
  kind === 'header' && isSent(text.slice(start - 1, end + longestPath));

/** What v1 is asked for behind a base that has the version, in an address of which the host does not stand there. */
const tail = new RegExp(`(?:${routeHeads.map((head) => head.slice('/v1'.length)).join('|')})(?=["'\`/?])`);
const otherAddress = /https?:\/\/[\w.-]+\.[a-z]{2,}[^\s"'`]*/gi;

/** The path that an address goes on with, as far as it is written. */
const routeOf = ({ text }: SourceText, { start, end }: Literal): string =>
  text.slice(text.indexOf('/v1', start), end) + (/^(?:\/[\w-]+)*/.exec(text.slice(end, end + longestPath))?.[0] ?? '');

/** Servers that pass requests on, and what they call a header that they set. */
const setting = /^\s*(?:proxy_set_header|RequestHeader\s+\w+|http-request\s+\w+-header|header_up)\s+["']?$/i;

const isData = /\.(?:json5?|har)$/;
/** Tells path or header of a request that was recorded, as nock does: they have to fit those that are sent now. */
function recordedIn({ file, text }: SourceText): (literal: Literal) => boolean {
  if (!isData.test(file)) return () => false;
  const hasScopes = once(() => /"scope"\s*:\s*"https?:/.test(text));
  return ({ start, kind }) => {
    const before = text.slice(Math.max(0, start - 500), start);
    if (kind === 'header') return /"(?:req|request_?)headers"\s*:\s*\{[^{}]*$/i.test(before);
    return kind === 'route' && /"path"\s*:\s*"$/.test(before) && hasScopes();
  };
}

/** `ApiKeyName: x-api-key`, as connections of EventBridge have it: the header of all that is sent by them. */
const isNamedKey = ({ text }: SourceText, { start }: Literal): boolean =>
  /(?<![\w-])["']?api_?key_?name["']?\s*[:=]\s*["']?$/i.test(text.slice(Math.max(0, start - 100), start));

/** Rows say the same over and over. */
const isTable = /\.(?:csv|tsv|sql|ipynb|jsonl|ndjson)$/i;

const isWithin = ({ start, end }: TextRange, place: TextRange): boolean => place.start <= start && end <= place.end;

/** Where a request's address and keys stand in a file. */
export function placesIn({ request: { url = [], prefixes }, keys }: RequestSite, file: SourceText): TextRange[] {
  const written = [...url, ...prefixes.flat(), ...keys.flatMap(({ key }) => key ?? [])];
  return written.flatMap((part) => {
    const at = 'text' in part ? part.source : undefined;
    return at?.module === file && 'text' in part ? [{ start: at.start, end: at.start + part.text.length }] : [];
  });
}

const slash = String.raw`\\?\/`;
const heads = routeHeads.map((head) => escaped(head)).join('|');

/**
 * Whether a base in it may get v1 as its version: with the same host, nothing of what says no more than the base is old. Where paths are written
 * with their version, and no version without a path, these say it.
 */
function mayTakeVersion(text: string, bases: Bases): boolean {
  const rest = text.replaceAll(new RegExp(`(?:${heads})\\b`, 'g'), '');
  return bases.v2 !== undefined || new RegExp(`(?<![\\w.-])v1(?![\\w-])${rest === text ? `|${v1Auth.field}` : ''}`, 'i').test(rest);
}

/** Finds `x-api-key`, our bases followed by the version or by nothing, and paths of v1. */
function literalsIn(text: string, bases: Bases, withBases: boolean): Literal[] {
  // JSON may write `\/`.
  const ours = bases.v1.map((base) => `${escaped(base).replaceAll(String.raw`\/`, slash)}${slash}v1\\b`);
  const pattern = new RegExp(
    [
      `(?<header>(?<![\\w-])${v1Auth.field}(?![\\w-]))`,
      ...(ours.length === 0 ? [] : [`(?<ours>${ours.join('|')})`]),
      ...(ours.length === 0 || !withBases ? [] : [`(?<base>(?:${bases.v1.map(escaped).join('|')})\\/?)(?![\\w/.:-])`]),
      `(?<host>https?:\\/\\/[^\\s/"'<>]+)?(?:${heads})\\b`,
    ].join('|'),
    'gi',
  );
  return Array.from(text.matchAll(pattern), ({ index, 0: found, groups = {} }): Literal => {
    const kind =
      groups['header'] !== undefined
        ? 'header'
        : groups['ours'] !== undefined
          ? 'our url'
          : groups['base'] !== undefined
            ? 'base'
            : 'route';
    return { start: index, end: index + found.length, kind, host: groups['host']?.replace(/^https?:\/\//i, '') };
  });
}

/** Our host with its version in comments, without a scheme, too: `# POST api.example.com/v1/messages`. */
function spokenIn(source: SourceText, { v1 }: Bases): Literal[] {
  if (v1.length === 0) return [];
  const pattern = new RegExp(String.raw`(?:https?:\/\/)?(?:${v1.map(spokenBase).join('|')})\/v1\b`, 'gi');
  const found = Array.from(source.text.matchAll(pattern), ({ index: start, 0: { length } }) => ({ start, end: start + length }));
  return found.filter((place) => isComment(source, place)).map((place) => ({ ...place, kind: 'our url', host: undefined }));
}

/** What a document says a version is by default, `` | `apiVersion` | `v1` | ``, or of a version of the API: `## API (v1)`, `v1 allows 60 requests per minute`. */
function versionsIn({ file, text }: SourceText, isProse: (place: TextRange) => boolean): Literal[] {
  if (!/\.mdx?$/.test(file)) return [];
  return Array.from(text.matchAll(/(?<![\w./@:-])\/?v1\/?(?![\w/@:-]|\.\w)/gi), ({ index: start, 0: version }): Literal[] => {
    const literal = { start, end: start + version.length, kind: 'route', host: undefined } as const;
    const end = text.indexOf('\n', start);
    const line = text.slice(text.lastIndexOf('\n', start) + 1, end === -1 ? undefined : end);
    const isQuoted = /["'`]/.test(text[start - 1] ?? '') && /["'`]/.test(text[literal.end] ?? '');
    if (isQuoted && !version.startsWith('/') && /version/i.test(line)) return [literal];
    const isOfApi = (isQuoted && version.startsWith('/')) || ofApi.test(line);
    return isOfApi && !/\bv2\b/i.test(line) && isProse(literal) ? [literal] : [];
  }).flat();
}

const ofApi = /\bapis?\b|\b(?:requests|calls)\b|\blimit(?:s|ed)?\b|\bper (?:second|minute|hour|day|key)\b/i;

/** Tells `path: /v1/messages` beside `method: post` among the events of a function, and `httpApi: POST /v1/messages`: what the program itself answers. */
function servedIn({ file, text }: SourceText): (literal: TextRange) => boolean {
  if (!/\.ya?ml$/i.test(file)) return () => false;
  const events = once(() => text.search(/^[^\S\n]*events:[^\S\n]*$/im));
  return ({ start }) => {
    const above = text.slice(Math.max(0, start - longestLines), start).split('\n');
    const before = above.at(-1) ?? '';
    if (/^\s*-?\s*(?:httpApi|http):\s*['"]?(?:[A-Z*]+\s+)?$/i.test(before)) return true;
    if (!/^\s*path:\s*['"]?$/i.test(before) || events() === -1 || events() > start) return false;
    const below = text.slice(start, start + longestLines).split('\n', 3);
    return [...above.slice(-3, -1), ...below.slice(1)].some((line) => /^\s*method:/i.test(line));
  };
}

/** Two lines above and below a path, in characters. */
const longestLines = 2_000;

/** Ours before someone else's. */
function statesOf(literals: readonly Literal[], accounted: readonly Accounted[]): ReadonlyMap<Literal, State> {
  const states = new Map<Literal, State>();
  for (const { start, end, state } of accounted) {
    for (let at = firstBehind(literals, start); at < literals.length; at++) {
      const literal = literals[at];
      if (literal === undefined || literal.start >= end) break;
      const before = states.get(literal);
      if (before === undefined || (before[0] === 'foreign' && state[0] !== 'foreign')) states.set(literal, state);
    }
  }
  return states;
}
