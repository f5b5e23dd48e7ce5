/** The ledger of files that are no scripts: their suspicious literals, each of which ends in exactly one state (design.md §6.5). */
import { v1Auth } from '../../src/contract/auth.ts';
import type { SourceText } from '../evaluate/source-text.ts';
import { escaped } from '../find/literals.ts';
import type { Reading } from '../formats/reading.ts';
import type { TextRange } from '../formats/text.ts';
import type { Finding, FindingCode, LedgerEntry } from '../model.ts';
import type { ChangesByPlace } from '../verdict/changes-by-place.ts';
import { ignoredAt } from '../verdict/ignored.ts';
import { type State, changedState, entryFor } from './ledger-entry.ts';
import type { RequestSite } from '../verdict/request-sites.ts';
import { type Bases, needlesOf, routeHeads } from '../verdict/routes.ts';
import type { Change } from '../verdict/spans.ts';

/** A stretch that something accounts for. */
export interface Accounted extends TextRange {
  readonly state: State;
}

interface Literal extends TextRange {
  readonly kind: 'header' | 'our url' | 'route';
  /** The host before a route, if it is written there. */
  readonly host: string | undefined;
}

interface Known {
  readonly changes: ChangesByPlace;
  readonly refusedFor: (change: Change) => FindingCode | undefined;
  readonly accounted: readonly Accounted[];
  /** See `Format`. */
  readonly namesHeaders: boolean;
  readonly bases: Bases;
}

/** @returns an entry for each literal, and a finding for each that nothing accounts for */
export function textLedger(
  source: SourceText,
  { elsewhere, prose }: Pick<Reading, 'elsewhere' | 'prose'>,
  { changes, refusedFor, accounted, namesHeaders, bases }: Known,
): { readonly entries: LedgerEntry[]; readonly findings: Finding[] } {
  const entries: LedgerEntry[] = [];
  const findings: Finding[] = [];
  const [isElsewhere, isProse] = [coverOf(elsewhere), coverOf(prose)];
  const literals = literalsIn(source.text, bases).filter((literal) => !isElsewhere(literal));
  const states = statesOf(literals, accounted);
  const isNear = needlesOf(bases).some((needle) => source.text.includes(needle));
  const ourHosts = new Set(bases.v1.map((base) => new URL(base).host));
  const mentioned = new Set<number>();
  for (const literal of literals) {
    const place = { module: source, start: literal.start, end: literal.end };
    const isAbout = literal.kind === 'our url' || (literal.kind === 'header' && namesHeaders);
    const isLeft =
      (isAbout && !isProse(literal) && !isComment(source, literal)) || ignoredAt(source, literal.start, literal.end) !== undefined;
    const host = literal.host ?? (literal.kind === 'header' ? hostOfCommand(source.text, literal, ourHosts) : undefined);
    const isMentioned = isNear && !isComment(source, literal) && (host === undefined || ourHosts.has(host));
    const otherwise: State = isLeft
      ? ['person', 'unconsumed']
      : isMentioned
        ? ['person', 'mentioned']
        : ['foreign', host === undefined ? 'own-server' : 'other-host'];
    const accountedFor = changedState(place, changes, refusedFor) ?? states.get(literal);
    const entry = entryFor(place, accountedFor ?? otherwise);
    entries.push(entry);
    const { file, start, end, line, column, reason } = entry;
    if (accountedFor !== undefined || (reason !== 'unconsumed' && reason !== 'mentioned')) continue;
    // A sentence is read as a whole, and so is a file of data.
    if (reason === 'mentioned' && mentioned.size === mentioned.add(isData.test(file) ? 0 : line).size) continue;
    findings.push({ file, start, end, line, column, code: reason, detail: {} });
  }
  return { entries, findings };
}

const isData = /\.(?:jsonl?|har|ndjson)$/;

/** Where a request's address and keys stand in its file. */
export function placesIn({ request: { url = [], prefixes }, keys }: RequestSite): TextRange[] {
  const written = [...url, ...prefixes.flat(), ...keys.flatMap(({ key }) => key ?? [])];
  return written.flatMap((part) => {
    const at = 'text' in part ? part.source : undefined;
    return at !== undefined && 'text' in part ? [{ start: at.start, end: at.start + part.text.length }] : [];
  });
}

const slash = String.raw`\\?\/`;
const heads = routeHeads.map((head) => escaped(head)).join('|');

/** Finds `x-api-key`, our bases followed by the version, and paths of v1. */
function literalsIn(text: string, bases: Bases): Literal[] {
  // JSON may write `\/`.
  const ours = bases.v1.map((base) => `${escaped(base).replaceAll(String.raw`\/`, slash)}${slash}v1\\b`);
  const pattern = new RegExp(
    [
      `(?<header>(?<![\\w-])${v1Auth.field}(?![\\w-]))`,
      ...(ours.length === 0 ? [] : [`(?<ours>${ours.join('|')})`]),
      `(?<host>https?:\\/\\/[^\\s/"'<>]+)?(?:${heads})\\b`,
    ].join('|'),
    'gi',
  );
  return Array.from(text.matchAll(pattern), ({ index, 0: found, groups = {} }): Literal => {
    const kind = groups['header'] !== undefined ? 'header' : groups['ours'] !== undefined ? 'our url' : 'route';
    return { start: index, end: index + found.length, kind, host: groups['host']?.replace(/^https?:\/\//i, '') };
  });
}

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

/** The index of the first place that ends after an offset; they are in order and apart from each other. */
function firstBehind(places: readonly TextRange[], offset: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Tells whether a place overlaps one of many. */
function coverOf(places: readonly TextRange[]): (place: TextRange) => boolean {
  const apart: { start: number; end: number }[] = [];
  for (const { start, end } of places.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else apart.push({ start, end });
  }
  return ({ start, end }) => (apart[firstBehind(apart, start)]?.start ?? Infinity) < end;
}

const command = /(?:\\\r?\n|[^\n])*/g;
const request = /\b(?:curl|wget|https?)\s/;
/** What may be an address, and is no header's value. */
const variable = /(?<!:\s?)(?<=[\s"'])\$[\w{(]|\{\{/;
const address = /(?<![:=]\s?)https?:\/\/(?<host>[^\s/"'<>$]+)/gi;

/** The one host that the command around a header asks; undefined where it may ask ours, or something else that a variable holds. */
function hostOfCommand(text: string, { start, end }: TextRange, ourHosts: ReadonlySet<string>): string | undefined {
  const from = Math.max(0, start - nearby);
  const whole = text.slice(from, end + nearby);
  const around = [...whole.matchAll(command)].find(
    ({ index, 0: found }) => from + index <= start && end <= from + index + found.length,
  )?.[0];
  if (around === undefined || !request.test(around) || variable.test(around)) return undefined;
  const hosts = new Set(Array.from(around.matchAll(address), ({ groups }) => (groups?.['host'] ?? '').toLowerCase()));
  const [host] = hosts;
  return hosts.size === 1 && host !== undefined && !ourHosts.has(host) ? host : undefined;
}

/** How far back from a literal its line is read, in characters. */
const nearby = 2_000;

/** Whether a literal stands in a comment of its own line, in whatever way the format writes one. */
function isComment({ file, text }: SourceText, { start }: TextRange): boolean {
  const before = text.slice(Math.max(0, start - nearby), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  // What begins a comment elsewhere begins a heading or an item of a list.
  if (/\.mdx?$/i.test(file)) return /^\s*<!--/.test(line);
  return (line.length < nearby && /^\s*(?:#|\/\/|;|\*|<!--)/.test(line)) || /\s#\s[^"']*$/.test(line);
}
