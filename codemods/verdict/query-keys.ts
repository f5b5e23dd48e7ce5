/** Keys under which a library keeps answers. One is an address only where a request reads it as that; any other is a name, whatever it looks like. */
import { type V1EndpointId, v1Endpoints } from '../../src/contract/endpoints.ts';
import { flat, unknownPart } from '../evaluate/values/text.ts';
import type { Part } from '../evaluate/values/values.ts';
import type { SourceText } from '../evaluate/values/source-text.ts';
import type { Span } from '../model.ts';
import type { Request } from '../requests/requests.ts';
import type { RequestSite } from './request-sites.ts';
import { matchRoute } from './bases/routes.ts';
import { succeededBy } from './verdicts.ts';

export interface CacheKeys {
  /** All requests, and of the keys only those that name an answer again whose address is its key: they move with that. */
  readonly sites: RequestSite[];
  /** Whether what stands at a place is known to be a name of answers, and nothing more. */
  readonly isName: (place: Span) => boolean;
  /** Keys in segments, with where their version would move. */
  readonly inSegments: readonly AskedSegments[];
  /** Whether a request takes its address from a key. */
  readonly isAskedBy: (request: Request) => boolean;
}

export interface AskedSegments {
  readonly segments: readonly string[];
  /** Where its version is written. */
  readonly places: readonly { readonly module: SourceText; readonly start: number; readonly end: number }[];
}

export function cacheKeysIn(sites: readonly RequestSite[]): CacheKeys {
  const keys = sites.filter(({ request }) => request.cacheKey !== undefined);
  const given = new Set(keys.flatMap(({ request }) => (request.cacheKey === 'named' ? [] : versionsIn(request))));
  const isAskedBy = (request: Request): boolean => request.cacheKey === undefined && versionsIn(request).some((place) => given.has(place));
  const read = new Set(sites.flatMap(({ request }) => (isAskedBy(request) ? versionsIn(request) : [])));
  const isAddress = ({ request }: RequestSite): boolean => versionsIn(request).some((place) => read.has(place));
  const addresses = new Set(keys.filter(isAddress).map(nameOf));
  // Of what nobody is seen to read, who is given it may still make an address of it.
  const open = new Set(keys.filter((key) => key.request.cacheKey === 'given').map(nameOf));
  const unread = new Set(keys.filter((key) => key.request.cacheKey === 'unread').map(nameOf));
  const isPlain = (key: RequestSite): boolean => unread.has(nameOf(key)) && !open.has(nameOf(key)) && !addresses.has(nameOf(key));
  const names = Map.groupBy(keys.filter(isPlain).flatMap(writtenIn), ({ file }) => file);
  return {
    sites: sites.filter((site) => site.request.cacheKey === undefined || (!isAddress(site) && addresses.has(nameOf(site)))),
    isName: ({ file, start, end }) => names.get(file)?.some((name) => start <= name.start && name.end <= end) === true,
    inSegments: keys.flatMap(segmentsOf),
    isAskedBy,
  };
}

/** A version that is a text of its own. */
function segmentsOf({ request: { url = [] } }: RequestSite): AskedSegments[] {
  const places = url.flatMap((part) =>
    'text' in part && part.text === 'v1' && part.source !== undefined
      ? [part.source].flat().map(({ module, start }) => ({ module, start, end: start + part.text.length }))
      : [],
  );
  return places.length === 0 ? [] : [{ segments: flat(url).split('/'), places }];
}

/** The endpoint that is asked for, in whichever version. */
export const endpointOf = ({ verdict, request }: RequestSite): V1EndpointId | undefined =>
  verdict.kind === 'ours' ? verdict.endpoint : verdict.kind === 'v2' ? succeededBy(request) : undefined;

const versioned = ({ url = [] }: Request): Source[] =>
  url.flatMap((part) => ('text' in part && /\bv[12]\b/.test(part.text) && part.source !== undefined ? part.source : []));

type Source = NonNullable<Extract<Part, { text: string }>['source']>;

/** Where the texts stand that say the version of an address. */
const versionsIn = (request: Request): string[] => versioned(request).map(({ module: { file }, start }) => `${file} ${start}`);

/** Those of them that stand in the call itself, where nothing else uses them. */
const writtenIn = ({ request }: RequestSite): Span[] =>
  versioned(request).flatMap(({ module, node: { start, end } }) =>
    module === request.module && request.call.start <= start && end <= request.call.end ? { file: module.file, start, end } : [],
  );

/** An address by its route, whichever id it has. */
function nameOf({ request: { url = [] } }: RequestSite): string {
  const text = flat(url);
  const at = text.search(/(?<![^/])v1(?:\/|$)/);
  const [endpoint] = at === -1 ? [] : matchRoute(`/${text.slice(at)}`, undefined, { placeholder: new RegExp(unknownPart) });
  return endpoint === undefined ? text : text.slice(0, at) + v1Endpoints[endpoint].path.slice(1);
}
