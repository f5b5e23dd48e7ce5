/** Which of our bases a written URL starts with, and which v1 endpoint its path is. Nothing is decoded: v1 compares bytes (api.md §4). */
import type { V1EndpointId } from '../../../src/contract/endpoints.ts';
import { fits, v1Templates } from '../../../src/contract/route-templates.ts';
import { escaped } from '../../find/words/literals.ts';
import { memo, memoOf } from '../../once.ts';

/** What is proven to be our service before any file is read. */
export interface Bases {
  /** Addresses of v1 as URLs, without the version and without a slash at the end. */
  readonly v1: readonly string[];
  /** The address of v2 in the same form; undefined where it is v1's. */
  readonly v2: string | undefined;
  /** Environment variables proven to hold one of the addresses. */
  readonly env: ReadonlySet<string>;
  /** Those of them that files prove, and nobody named: what stands in their place otherwise may be another host. */
  readonly envByFiles?: ReadonlySet<string>;
  /** Variables of which ours is the default in code, with the places, as `file:offset`, where the same programs read one without a default, and the line of that default. */
  readonly envByDefaults?: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /**
   * Scripts that read a variable which files set to ours for other programs than theirs, and what sets it for these, by the name of that. The value is whether
   * something sets it for them.
   */
  readonly variablesOfOthers?: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
  /** Variables that code reads the version of our addresses from, and nothing else. */
  readonly versions?: ReadonlySet<string>;
  /** Variables that files set to `v1`, or to an address with that behind, and to nothing else. */
  readonly setToV1?: ReadonlySet<string>;
  /** What each file sets variables to, by their names; undefined where it says two things of one. Empty where none is set to our host. */
  readonly setTo?: ReadonlyMap<string, ReadonlyMap<string, string | undefined>>;
  /** Variables that files set to our address with v2 behind it, as a run leaves them. */
  readonly setToV2?: ReadonlySet<string>;
  /** Variables that a `.env` file sets to our address for whatever is built beside it, by the folder of that, where nothing sets one to anything but an address. */
  readonly setForBuilds?: ReadonlyMap<string, ReadonlySet<string>>;
  /** The servers of tests that files set variables to, by the names of these. */
  readonly setToStandIn?: ReadonlyMap<string, ReadonlySet<string>>;
  /** The paths of the program's own server that files set variables to, as where a proxy of a development server passes them on. */
  readonly setToPaths?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Where scripts set variables for programs that somebody else made, by the file. */
  readonly setForOthers?: ReadonlyMap<string, ReadonlySet<number>>;
  /** The names of files of settings that hold one of the addresses. */
  readonly files?: ReadonlySet<string>;
  /** Lines of files that a person lets move along. */
  readonly allowed?: ReadonlyMap<string, readonly number[]>;
  /** Whether a file sets a variable for a package of which no program that is seen to ask us by it has a file. */
  readonly isOfOthers?: (file: string, name: string) => boolean;
  /** Variables that code reads one of the addresses from by a default alone: who else reads them has to be seen. */
  readonly watched?: ReadonlySet<string>;
}

/** What text has to hold for a base to stand in it: hosts, also that of v2, where calls that moved still have something to tell, and names of environment variables. */
export const needlesOf = ({ v1, v2, env, watched = new Set(), setToV2 = new Set() }: Bases): string[] => [
  ...[...v1, v2 ?? []].flat().map((base) => new URL(base).host),
  ...new Set([...env, ...watched, ...setToV2]),
];

export interface RouteOptions {
  /** What stands for text that is not known, such as `${id}`; without it every character is itself. One fills no more than one path segment. */
  readonly placeholder?: RegExp | undefined;
}

/**
 * Tells of a text whether it names a base of ours, or a variable that holds one, as a word: `API` stands in `X-API-Key`, too. Another variable
 * that begins with the whole of a name is of the same service: `TEXTS_API_KEY` beside `TEXTS_API`.
 */
export function namingOurs(bases: Bases): (text: string) => boolean {
  const names = needlesOf(bases).map(
    (needle) => new RegExp(`(?<!\\w-?)${escaped(needle)}(?!-?${/[a-z]_/i.test(needle) ? '[A-Za-z\\d]' : '\\w'})`),
  );
  return (text) => names.some((name) => name.test(text));
}

/** A base as people write it in a comment: with its scheme, another one or none, and with the port that it has anyway. */
export const spokenBase = (base: string): string => String.raw`(?<![\w.@-])${escaped(base.replace(/^https?:\/\//, ''))}(?::443|:80)?`;

/** What follows a base on its line that names the version apart from it: `https://api.example.com, without /v1`. */
export const versionApart = String.raw`(?![\w/:.-]*[\w/])[^\n]*?(?<![\w.:/-])/v1(?![\w/-])`;

/** How people write a variable part: `${a}`, `{{a}}`, `{a}`, `<a>`, `$(a)`, `$a`, a shell's backticks, and `:a` as a whole segment. */
export const anyPlaceholder =
  /\$\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{\{[^{}]*\}\}|\{[^{}]*\}|<[^<>]*>|\$\([^()]*\)|`[^`]*`|\$[A-Za-z_]\w*|(?<=\/):[A-Za-z_]\w*/;

export interface OurUrl {
  readonly kind: 'ours';
  /** The configured base that it starts with. */
  readonly base: string;
  /** Offset after the base as it is written. */
  readonly baseEnd: number;
  /** Where `v1` stands, without slashes; undefined where the path after the base does not begin with it. */
  readonly versionStart: number | undefined;
  readonly versionEnd: number | undefined;
  /** From the base to the query or fragment: `/v1/messages`, or empty. */
  readonly path: string;
  /** Query and fragment as written. */
  readonly rest: string;
  /** All endpoints that it may be, the likeliest first. */
  readonly routes: readonly V1EndpointId[];
  readonly route: V1EndpointId | undefined;
}

export type UrlMatch =
  | OurUrl
  /** Another server's. */
  | { readonly kind: 'foreign'; readonly host: string }
  /** Begins with a path. */
  | { readonly kind: 'relative' }
  /** The scheme or host has a part that is not known. */
  | { readonly kind: 'dynamic' }
  /** Names our host, but in a way that leaves open who gets the request. */
  | { readonly kind: 'unclear'; readonly host: string; readonly why: 'scheme' | 'credentials' | 'characters' | 'prefix' | 'slashes' }
  /** No URL at all. */
  | { readonly kind: 'text' };

const written = /^([a-z][a-z0-9+.-]*:)\/\/([^/?#\\]*)/i;
// URL parsers drop tabs and line ends and take `\` for `/`; others do not, so the two may ask different hosts.
const misread = /[\t\r\n\\]/;

/** Bases are few, and each address is compared with all of them. */
const urlOf = memo((base) => new URL(base));

/**
 * Compares a URL with the bases: same origin, and the base's path up to a segment's end.
 * @param text a whole URL or the beginning of one, as the program has it
 * @param method of the request, if known: decides between the endpoints of one path
 */
export function matchUrl(text: string, bases: Pick<Bases, 'v1'>, method?: string, options: RouteOptions = {}): UrlMatch {
  const [head = '', , authority = ''] = written.exec(text) ?? [];
  if (head === '') return withoutSlashes(text, bases) ?? noScheme(text, options);
  if (options.placeholder?.test(head) === true) return { kind: 'dynamic' };
  const url = URL.parse(head);
  if (url === null) return { kind: 'text' };
  const named = bases.v1.filter((base) => urlOf(base).host === url.host || urlOf(base).hostname === url.host);
  if (authority.includes('@'))
    return named.length > 0 ? { kind: 'unclear', host: url.host, why: 'credentials' } : { kind: 'foreign', host: url.host };
  const candidates = named.filter((base) => urlOf(base).origin === url.origin).toSorted((a, b) => b.length - a.length);
  if (candidates.length > 0 && misread.test(text)) return { kind: 'unclear', host: url.host, why: 'characters' };
  for (const base of candidates) {
    const { pathname } = urlOf(base);
    const prefix = pathname === '/' ? '' : pathname;
    const after = text.slice(head.length);
    if (after.startsWith(prefix) && /^(?:[/?#]|$)/.test(after.slice(prefix.length)))
      return ours(text, base, head.length + prefix.length, method, options);
    if (mayBecome(prefix, after, options)) return { kind: 'unclear', host: url.host, why: 'prefix' };
  }
  const otherScheme = named.length > candidates.length && candidates.length === 0;
  return otherScheme ? { kind: 'unclear', host: url.host, why: 'scheme' } : { kind: 'foreign', host: url.host };
}

/**
 * `https:api.example.com/v1`: a program reads it as if the slashes were there, a page that was loaded by the same scheme as a path of its own
 * (https://url.spec.whatwg.org/#scheme-state).
 */
function withoutSlashes(text: string, { v1 }: Pick<Bases, 'v1'>): UrlMatch | undefined {
  const [, scheme = '', named = ''] = /^(https?:)\/?([\w-]+(?:\.[\w-]+)+(?::\d+)?)(?=[/?#]|$)/i.exec(text) ?? [];
  const url = named === '' ? null : URL.parse(`${scheme}//${named}`);
  return url !== null && v1.some((base) => urlOf(base).origin === url.origin)
    ? { kind: 'unclear', host: url.host, why: 'slashes' }
    : undefined;
}

/** Whether what is not known of a path may hold the rest of a prefix: `https://gateway.example.com/${service}/contacts`. */
function mayBecome(prefix: string, path: string, { placeholder }: RouteOptions): boolean {
  const known = placeholder === undefined ? -1 : path.search(placeholder);
  return known !== -1 && prefix.startsWith(path.slice(0, known));
}

/** Whether a base goes on where an address ends: one of many services behind a gateway. */
export const isBeginning = (text: string, { v1 }: Pick<Bases, 'v1'>): boolean =>
  v1.some((base) => base.startsWith(`${text.replace(/\/$/, '')}/`));

function noScheme(text: string, { placeholder }: RouteOptions): UrlMatch {
  if (placeholder !== undefined && text.search(placeholder) === 0) return { kind: 'dynamic' };
  return { kind: /^\/(?!\/)/.test(text) ? 'relative' : 'text' };
}

function ours(text: string, base: string, baseEnd: number, method: string | undefined, options: RouteOptions): OurUrl {
  const tail = text.slice(baseEnd);
  const end = pathEnd(tail, options);
  const path = tail.slice(0, end);
  const hasVersion = /^\/v1(?:\/|$)/.test(path);
  const routes = matchRoute(path, method, options);
  return {
    kind: 'ours',
    base,
    baseEnd,
    versionStart: hasVersion ? baseEnd + 1 : undefined,
    versionEnd: hasVersion ? baseEnd + 3 : undefined,
    path,
    rest: tail.slice(end),
    routes,
    route: routes[0],
  };
}

const templates = v1Templates
  // `/messages/send` before `/messages/:id`, and reading before writing where the method is not known.
  .toSorted(
    (a, b) => a.parameters.length - b.parameters.length || Number(a.endpoint.method !== 'GET') - Number(b.endpoint.method !== 'GET'),
  );

/** How the paths of v1 begin: `/v1/messages` and so on. */
export const routeHeads: readonly string[] = [...new Set(templates.map(({ segments }) => segments.slice(0, 3).join('/')))];

/** No address is as long; a text that holds thousands of paths is looked at from each of them. */
const maxPath = 4_096;

/**
 * The endpoints a path may be: by whole segments, without a slash at the end, with nothing decoded.
 * @param path from `/v1` on; a query or fragment after it is left out of account
 * @param method in any letter case; undefined where it is not known
 * @returns the likeliest first; empty where no listed endpoint fits, or only if an unknown part were the right word
 */
export function matchRoute(path: string, method: string | undefined, options: RouteOptions = {}): readonly V1EndpointId[] {
  const start = path.slice(0, maxPath);
  const end = pathEnd(start, options);
  if (end === maxPath && path.length > maxPath) return [];
  const segments = blank(start.slice(0, end), options).split('/');
  // URL parsers drop some spaces, and no client sends any.
  if (segments.some((segment) => /\s/.test(segment))) return [];
  return templates
    .filter((template) => (method === undefined || template.endpoint.method === method.toUpperCase()) && fits(template, segments))
    .map(({ id }) => id);
}

/** Whether a path would be that of an endpoint if what is not known in it were the right word. */
export function mayBeRoute(path: string, method: string | undefined, placeholder: RegExp): boolean {
  const segments = path.slice(0, pathEnd(path, { placeholder })).split('/');
  return templates.some(
    (template) =>
      (method === undefined || template.endpoint.method === method.toUpperCase()) &&
      template.segments.length === segments.length &&
      template.segments.every((expected, i) => expected === undefined || expected === segments[i] || placeholder.test(segments[i] ?? '')),
  );
}

/** The same where what is not known may be any number of segments: `/v1/campaigns/${id}/archive` is none of v1, whatever the id. */
export function mayBecomeRoute(path: string, method: string | undefined, placeholder: RegExp): boolean {
  const segments = path.slice(0, pathEnd(path, { placeholder })).split('/');
  return templates.some(
    ({ endpoint, segments: expected }) =>
      (method === undefined || endpoint.method === method.toUpperCase()) && canBe(segments, expected, placeholder),
  );
}

function canBe([segment, ...rest]: readonly string[], expected: readonly (string | undefined)[], placeholder: RegExp): boolean {
  if (segment === undefined || expected.length <= rest.length) return segment === undefined && expected.length === 0;
  const [begins = '', ...parts] = segment.split(placeholder);
  const ends = parts.at(-1);
  if (ends === undefined) return (expected[0] ?? segment) === segment && canBe(rest, expected.slice(1), placeholder);
  return (
    (expected[0]?.startsWith(begins) ?? true) &&
    expected.some((last, i) => (last?.endsWith(ends) ?? true) && canBe(rest, expected.slice(i + 1), placeholder))
  );
}

/** Where the path ends: at the first `?` or `#` outside a placeholder, or at the `&` that `url.includes('?') ? '&' : '?'` puts where a query is there. */
function pathEnd(text: string, options: RouteOptions): number {
  const end = blank(text, options).search(/[?#]|&(?!.*\/)/);
  return end === -1 ? text.length : end;
}

/** The text with every placeholder replaced by as many characters that mean nothing in a URL. */
function blank(text: string, { placeholder }: RouteOptions): string {
  if (placeholder === undefined) return text;
  return text.replaceAll(everywhere(placeholder), (found) => '\u{1}'.repeat(found.length));
}

const everywhere = memoOf(({ source, flags }: RegExp) => new RegExp(source, `${flags.replace('g', '')}g`));
