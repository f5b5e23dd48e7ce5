/** What is known of a file that is no script, as a whole: what is asked, answered, recorded and hidden there, and what of it is accounted for. */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { memoOf, once } from '../../once.ts';
import type { Reading } from '../../formats/reading.ts';
import { type TextRange, coverOf, firstBehind } from '../../formats/text.ts';
import type { FindingCode } from '../../model.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import { type Bases, namingOurs, routeHeads } from '../../verdict/bases/routes.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { ownApiIn, ownersOf } from '../headers/header-owners.ts';
import { allowedIn } from '../headers/lists/allowed-in-text.ts';
import { redactedIn } from '../headers/hiding/redactions-in-text.ts';
import type { State } from './ledger-entry.ts';
import { forPeople, isComment } from './text-places.ts';
import { longestPath, type Literal } from './text-literals.ts';

/** A stretch that something accounts for. */
export interface Accounted extends TextRange {
  readonly state: State;
}

export interface Known {
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

export type TextFacts = ReturnType<typeof factsOf>;

export function factsOf(
  source: SourceText,
  { prose, unread = [] }: Pick<Reading, 'prose' | 'unread'>,
  known: Known,
  literals: readonly Literal[],
) {
  const { bases, isUnread } = known;
  const { text } = source;
  const states = statesOf(literals, known.accounted);
  const speaksOfOurs = namingOurs(bases);
  const isNear = speaksOfOurs(text);
  const ownerAt = ownersOf(source, bases, (place) =>
    literals.some((each) => isWithin(each, place) && each.kind === 'header' && states.get(each)?.[1] === 'other-host'),
  );
  const isOwn = ownApiIn(source, bases);
  return {
    ...known,
    source,
    states,
    speaksOfOurs,
    isNear,
    ourHosts: new Set(bases.v1.map((base) => new URL(base).host)),
    isProse: coverOf(prose),
    isUnreadCode: coverOf(unread),
    // Nobody sees a comment of a document.
    isHidden: forPeople.test(source.file),
    isServed: servedIn(source),
    isRecorded: memoOf(recordedIn(source)),
    hiddenAt: redactedIn(source),
    isAllowed: allowedIn(source),
    isAsked: isUnread && !isNear ? askedIn(source, literals) : () => false,
    isSentByTail: isUnread && !isNear && !text.includes('/v1') && tail.test(text.replaceAll(otherAddress, '')),
    ownerOf(literal: Literal): ReturnType<typeof ownerAt> {
      if (literal.kind !== 'header' && literal.kind !== 'route') return undefined;
      if (isOwn(literal)) return 'own-server';
      return literal.kind === 'header' ? ownerAt(literal) : undefined;
    },
  };
}

const isWithin = ({ start, end }: TextRange, place: TextRange): boolean => place.start <= start && end <= place.end;

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
    return (
      /(?:[%?]>|\}|%[sv]|\$[A-Za-z_]\w*)$/.test(text.slice(Math.max(0, start - longestName), start)) ||
      (/["'`]/.test(text[start - 1] ?? '') && isSending())
    );
  };
  const asked = headers.length === 0 ? [] : written.filter(isOpen);
  const both = new Set(asked.length === 0 ? [] : [...asked, ...headers]);
  return (literal) => both.has(literal);
}

/** `{"x-api-key": key}`, `"x-api-key" => key`, `set("x-api-key", key)`, `headers["x-api-key"] = key`, `"x-api-key: #{key}"`; a server reads it otherwise. */
const isSent = (header: string): boolean => /^["'`][\w-]+(?:["'`]\s*(?::|=>|,|\]\s*=[^=])|:\s)/.test(header);

/** `forHTTPHeaderField: "x-api-key"` in Swift, `@Header("x-api-key")` of Retrofit. */
const isSentAfter = /(?:\bforHTTPHeaderField:\s*|@Header\(\s*)["'`]$/;
/** `val keyHeader = "x-api-key"`, in whatever language. */
const constant = /\b([A-Za-z_]\w*)(?:\s*:\s*[\w.?]+)?\s*=\s*["'`]$/;
const longestName = 80;

export function isSentIn({ text }: SourceText, { kind, start, end }: Literal): boolean {
  if (kind !== 'header') return false;
  const before = text.slice(Math.max(0, start - longestName), start);
  const name = constant.exec(before)?.[1];
  // `.header(keyHeader, key)`
  const isNamed = name !== undefined && new RegExp(String.raw`[([{,]\s*${name}\s*(?:,|:|=>|\]\s*=[^=])`).test(text);
  return isNamed || isSentAfter.test(before) || isSent(text.slice(start - 1, end + longestPath));
}

/** What v1 is asked for behind a base that has the version, in an address of which the host does not stand there. */
const tail = new RegExp(`(?:${routeHeads.map((head) => head.slice('/v1'.length)).join('|')})(?=["'\`/?])`);
const otherAddress = /https?:\/\/[\w.-]+\.[a-z]{2,}[^\s"'`]*/gi;

export const isData = /\.(?:json5?|har)$/;
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
