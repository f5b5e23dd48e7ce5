/** Whose a URL is, as a file writes it: proven by its host, or by a variable that is known to hold our base. */
import type { V1EndpointId } from '../../src/contract/endpoints.ts';
import { type Bases, type OurUrl, anyPlaceholder, matchRoute, matchUrl } from '../verdict/routes.ts';
import type { Place, Text } from './text.ts';
import { type Definition, type Scope, expand, referencesIn } from './variables.ts';

/** What deciding needs to know of the file. */
export interface World {
  readonly source: string;
  readonly bases: Bases;
  readonly scope: Scope;
}

/** A URL that is proven ours: by its host, or by a variable that is known to hold our base. */
export interface Ours {
  readonly path: string;
  readonly route: V1EndpointId | undefined;
  /** Where `v1` stands in the text, and the base, if they do. */
  readonly version: Place | undefined;
  readonly base: Place | undefined;
  /** The base, or the variable that holds it. */
  readonly by: string;
  /** Where that variable is set, if it is several times: each of them moves. */
  readonly definitions: readonly Definition[];
}

/** Whether it is a base, with the version or without, and not the URL of anything below. */
export const isBase = ({ path, version }: Ours): boolean => /^\/?$/.test(path) || (version !== undefined && /^\/v1\/?$/.test(path));

export type Whose =
  | { readonly kind: 'ours'; readonly ours: Ours }
  | { readonly kind: 'foreign'; readonly host: string }
  | { readonly kind: 'unknown'; readonly looksOurs: boolean; readonly detail: Readonly<Record<string, string>> };

/**
 * @param url with its variables put in
 * @param method of the request; undefined where it is not known
 */
export function whose(url: Text, method: string | undefined, world: World): Whose {
  const match = matchUrl(url.value, world.bases, method, { placeholder: anyPlaceholder });
  if (match.kind === 'ours') return { kind: 'ours', ours: fromMatch(match) };
  if (match.kind === 'foreign') return { kind: 'foreign', host: match.host };
  if (match.kind === 'dynamic') return byVariable(url, method, world);
  return { kind: 'unknown', looksOurs: looksRouted(url.value), detail: match.kind === 'unclear' ? { host: match.host } : {} };
}

function fromMatch({ base, baseEnd, versionStart, versionEnd, path, route }: OurUrl): Ours {
  const version = versionStart === undefined || versionEnd === undefined ? undefined : { start: versionStart, end: versionEnd };
  return { path, route, version, base: { start: 0, end: baseEnd }, by: base, definitions: [] };
}

/** `$API_URL/…` where the variable is proven elsewhere, or set several times in this file and always to our base. */
function byVariable(url: Text, method: string | undefined, world: World): Whose {
  const [reference] = referencesIn(url.value);
  const tail = reference?.start === 0 ? url.value.slice(reference.end) : undefined;
  const full = tail === undefined ? [] : matchRoute(tail, method, { placeholder: anyPlaceholder });
  const short = tail === undefined ? [] : matchRoute(`/v1${tail}`, method, { placeholder: anyPlaceholder });
  const unknown = { kind: 'unknown', looksOurs: looksRouted(url.value), detail: {} } as const;
  if (reference === undefined || tail === undefined || (tail !== '' && !tail.startsWith('/'))) return unknown;
  const versions = versionsOf(reference.name, world);
  if (versions === undefined) return unknown;
  const ours = { path: tail, base: undefined, by: reference.name, definitions: world.scope.get(reference.name) ?? [] };
  if (full.length > 0 || /^\/v1\/?$/.test(tail)) {
    const version = { start: reference.end + 1, end: reference.end + 3 };
    return versions.has(true) ? unknown : { kind: 'ours', ours: { ...ours, route: full[0], version } };
  }
  return { kind: 'ours', ours: { ...ours, route: versions.has(false) ? undefined : short[0], version: undefined } };
}

/** Whether the values of a variable hold the version: empty where they are not seen; undefined where it is not proven ours. */
function versionsOf(name: string, { scope, bases }: World): ReadonlySet<boolean> | undefined {
  const definitions = scope.get(name) ?? [];
  if (definitions.length === 0) return bases.env.has(name) ? new Set() : undefined;
  const matches = definitions.map(({ value }) => matchUrl(expand(value, scope).text.value, bases));
  const ours = matches.map((match) => (match.kind === 'ours' && isBase(fromMatch(match)) ? fromMatch(match) : undefined));
  return ours.includes(undefined) ? undefined : new Set(ours.map((base) => base?.version !== undefined));
}

/** Whether an endpoint's path stands in a URL whose host is not known. */
function looksRouted(url: string): boolean {
  const at = url.indexOf('/v1/');
  return at > 0 && matchRoute(url.slice(at), undefined, { placeholder: anyPlaceholder }).length > 0;
}
