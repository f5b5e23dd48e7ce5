/** What texts say to people of the service – addresses, routes and the header – and how that reads on v2. */
import { v1Auth, v2Auth } from '../../../src/contract/auth.ts';
import type { V1EndpointId } from '../../../src/contract/endpoints.ts';
import { escaped } from '../../find/words/literals.ts';
import type { TextRange } from '../../formats/text.ts';
import { anyPlaceholder, type Bases, matchRoute } from '../../verdict/bases/routes.ts';
import { isLink, isSending, plainWords } from './words.ts';

export interface Mention extends TextRange {
  /** An address says by itself whose it is. */
  readonly kind: 'address' | 'route' | 'header';
  /** Whether it is a header that is said to be sent to the address in front of it. */
  readonly isOfAddress?: boolean;
  /** What a route may be. */
  readonly endpoints: readonly V1EndpointId[];
  readonly replacements: readonly Replacement[];
}

export interface Replacement extends TextRange {
  readonly text: string;
  readonly what: 'base' | 'path' | 'header name' | 'header value';
}

const isBare = (mention: Mention | undefined): boolean => mention !== undefined && mention.kind !== 'address';

/** @returns what a text says of v1, and how that reads on v2 */
export function mentionsIn(bases: Bases): (said: string) => readonly Mention[] {
  const saidIn = readerOf(bases, { withoutNames: (said) => said, more: undefined });
  return (said) => saidIn(said).mentions;
}

export interface Said {
  readonly mentions: readonly Mention[];
  /** Whether all of it is understood. */
  readonly isKnown: boolean;
  /** Whether it is known of all of it, too, that it is said of our base. */
  readonly isOurs: boolean;
}

interface Words {
  /** Takes out what the service is called. */
  readonly withoutNames: (said: string) => string;
  /** Known besides, in such a document. */
  readonly more: ReadonlySet<string> | undefined;
}

/** @returns what a text says of the service, and whether all of it is understood */
export function readerOf(bases: Bases, { withoutNames, more }: Words): (said: string) => Said {
  const hosts = bases.v1.map((base) => escaped(base.replace(/^https?:\/\//, ''))).join('|') || '(?!)';
  const path = String.raw`/v1(?![\w-])(?:<[^<>\s/]*>|\{[^{}\s]*\}|[^\s\x60|"'()<>[\]{}*\\])*`;
  const pattern = new RegExp(
    [
      String.raw`(?<![\w./@:$}{-])(?:(?<method>GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)[\s\x60|*]{1,40})?`,
      String.raw`(?:(?<base>(?:https?://)?(?:${hosts}))(?:(?<path>${path})|(?![\w/:@-]|\.\w))|(?<route>${path})|(?<header>${v1Auth.field})(?![\w-]))`,
    ].join(''),
    'gi',
  );
  return (said) => {
    const mentions = Array.from(said.matchAll(pattern), ({ index, 0: found, groups = {} }) =>
      groups['header'] === undefined
        ? spokenPath(said, index, [found, groups], bases)
        : spokenHeader(said, index + found.length - v1Auth.field.length, index + found.length),
    ).flatMap((mention) => mention ?? []);
    const gaps = [...mentions, undefined].map((next, i) => {
      const last = i === 0 ? undefined : mentions[i - 1];
      const gap = said.slice(last?.end ?? 0, next?.start).replaceAll(/^[ \t]*(?:>[ \t]*)*(?:(?:#+|[-*+]|\d+[.)])\s)?/gm, ' ');
      const isOfBoth = last !== undefined && next !== undefined && (isBare(last) || isBare(next));
      const isOfHeader = last?.kind === 'header' || next?.kind === 'header';
      return { isKnown: plainWords(withoutNames(gap), more), isLinked: !isOfBoth || isLink(gap) || (isOfHeader && isSending(gap, said)) };
    });
    const isKnown = gaps.every((gap) => gap.isKnown);
    return {
      mentions: mentions.map(ofAddress(said)),
      isKnown,
      isOurs: isKnown && gaps.every(({ isLinked }) => isLinked) && !mentions.every(isBare),
    };
  };
}

/** In characters. */
const longestVerb = 12;

/** `go to https://… with your key in the x-api-key header`, `makes one POST https://… with …` */
const ofAddress =
  (said: string) =>
  (mention: Mention, i: number, all: readonly Mention[]): Mention => {
    const last = all[i - 1];
    if (mention.kind === 'header' && isAddedTo(said, mention, all[i + 1])) return { ...mention, isOfAddress: true };
    if (mention.kind !== 'header' || last?.kind !== 'address') return mention;
    const gap = said.slice(last.end, mention.start);
    const before = said.slice(Math.max(0, last.start - longestVerb), last.start);
    const isRequest = /^(?:GET|POST|PUT)\b/.test(said.slice(last.start, last.end));
    const isAskedFor = (isRequest ? /\b(?:makes?|sends?|calls?|asks?)\s(?:an?\s|one\s)?[`(<*]*$/ : /\b(?:to|calls?)\s+[`(<*]*$/).test(
      before,
    );
    const isSent = isAskedFor && /^[`)>*]*\s+with\b/.test(gap);
    return isSent && isSending(gap, gap) ? { ...mention, isOfAddress: true } : mention;
  };

/** ``adds `x-api-key` and calls `https://…` `` */
const isAddedTo = (said: string, { start, end }: TextRange, next: Mention | undefined): boolean =>
  next?.kind === 'address' &&
  /\b(?:adds?|sends?|sets?|passes)\s+(?:the\s|its\s)?`?$/.test(said.slice(Math.max(0, start - longestVerb), start)) &&
  /^`?\s+and\s+(?:calls?|asks?)\s+[`<]?$/.test(said.slice(end, next.start));

/** The version by itself, of which somebody says that an address ends in it: `/v1`. */
export const versionAt = ({ start, end }: TextRange): Mention => ({
  kind: 'address',
  endpoints: [],
  start,
  end,
  replacements: [{ start: end - 'v1'.length, end, text: 'v2', what: 'path' }],
});

export function movedBy({ start, end, replacements, ...mention }: Mention, by: number): Mention {
  const moved = <Place extends TextRange>(place: Place): Place => ({ ...place, start: place.start + by, end: place.end + by });
  return { ...mention, ...moved({ start, end }), replacements: replacements.map(moved) };
}

/** What is found, and its parts. */
type Written = readonly [found: string, groups: Readonly<Record<string, string | undefined>>];

/** An address of the host, the version or an endpoint, or a route. */
function spokenPath(
  said: string,
  index: number,
  [found, { method, base = '', path: behind = '', route = behind }]: Written,
  bases: Bases,
): Mention | undefined {
  const path = route.replace(/[.,;:!?]+$/, '');
  const start = index + found.length - route.length - base.length;
  const end = start + base.length + path.length;
  // What ends in a slash says what is asked below it.
  const whole = path.endsWith('/') ? `${path}:id` : path;
  const endpoints = matchRoute(whole, method?.toUpperCase(), { placeholder: anyPlaceholder });
  const isBase = base !== '' && method === undefined && /^(?:\/v1\/?)?$/.test(path);
  // Where the host changes, too, it does not without its version.
  if (path === '' ? bases.v2 !== undefined : !isBase && endpoints.length === 0) return undefined;
  const version = start + base.length + 1;
  const host = bases.v2 === undefined || base === '' ? base : base.includes('://') ? bases.v2 : bases.v2.replace(/^https?:\/\//, '');
  const isLink = said[start - 1] === '<' && said[end] === '>' ? 1 : 0;
  return {
    kind: base === '' ? 'route' : 'address',
    endpoints,
    start: index - isLink,
    end: end + isLink,
    replacements: [
      ...(host === base ? [] : [{ start, end: start + base.length, text: host, what: 'base' } as const]),
      ...(path === '' ? [] : [{ start: version, end: version + 'v1'.length, text: 'v2', what: 'path' } as const]),
    ],
  };
}

/** The field with its value, or alone in a piece of code, or as somebody says: the x-api-key header. */
function spokenHeader(said: string, start: number, end: number): Mention | undefined {
  const named = (text: string, until = end): Mention => ({
    kind: 'header',
    endpoints: [],
    start,
    end: until,
    replacements: [{ start, end, text, what: 'header name' }],
  });
  const after = said.slice(end, end + longestValue);
  const { space, value = '' } = field.exec(after)?.groups ?? {};
  if (space !== undefined) {
    const at = end + space.length;
    const sent = named(v2Auth.fieldName, at + value.length);
    return { ...sent, replacements: [...sent.replacements, { start: at, end: at, text: `${v2Auth.scheme} `, what: 'header value' }] };
  }
  if (/^[`*]*\s+headers?\b/i.test(after)) return named(v2Auth.fieldName);
  return said[start - 1] === '`' && after.startsWith('`') ? named(`${v2Auth.fieldName}: ${v2Auth.scheme}`) : undefined;
}

/** What stands for a key in a sentence; a word would be one of the sentence. */
const field = /^(?<space>:[ \t]*)(?<value><[^<>\n]+>|\$\{?\w+\}?|\{\{?[ \w]+\}?\}|[A-Z\d_-]*[A-Z\d_](?![\w-]))/;
const longestValue = 200;
