/** Each request with its verdict, what it would change and what it touches. */
import { type Request, requestsOf } from '../requests/requests.ts';
import { isMount, mountsFor, passedOn } from './mounts.ts';
import type { Bases } from './routes.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Survey } from '../requests/call-graph.ts';
import { flat } from '../evaluate/text.ts';
import { type Entry, type EnvValue, nodesOf, type Part, type Value } from '../evaluate/values.ts';
import type { Node } from '../syntax/tree.ts';
import { envOf } from './environment.ts';
import { type Change, type Changes, headerChanges, isAuthorization, isKeyHeader, type Obstacle, urlChanges } from './spans.ts';
import { followsDefault, type Verdict, verdictOf, prefixVerdict } from './verdicts.ts';

export interface Site {
  readonly request: Request;
  readonly verdict: Verdict;
  /** What has to change for v2; empty unless the verdict is `ours`. */
  readonly changes: readonly Change[];
  readonly obstacles: readonly Obstacle[];
  /** Headers with v1's key. */
  readonly keys: readonly Entry[];
  readonly authorizations: readonly Entry[];
  /** The variable that this base is the default of. */
  readonly variable: { readonly value: EnvValue; readonly holdsVersion: boolean } | undefined;
  /** The same request with what the base is the default of. */
  readonly byDefault: readonly Request[];
  /** Is a proxy, and requests are seen that it passes on. */
  readonly isUsed: boolean;
  /** A header that is not known and may hold the key. */
  readonly mayHoldKey: boolean;
  /** The requests that a mock is about. */
  readonly follows?: readonly Site[];
}

export function sitesOf(ev: Evaluation, found: Survey, bases: Bases): Site[] {
  const bySink = found.sinks.map((sink) => requestsOf(ev, found, sink));
  const mounts = bySink.flat().filter(isMount);
  const used = new Set<Request>();
  const arriving = (request: Request): Request => {
    const through = mountsFor(request, mounts);
    for (const mount of through) used.add(mount);
    return passedOn(request, through);
  };
  const sites = bySink.flatMap((requests) => sitesAt(requests.map(arriving), bases));
  return sites.map((site) => ({ ...site, isUsed: used.has(site.request) }));
}

function sitesAt(requests: readonly Request[], bases: Bases): Site[] {
  const verdicts = requests.map((request) => ({ request, verdict: verdictOf(request, bases) }));
  const proven = verdicts.filter(({ verdict }) => hasOurBase.has(verdict.kind)).map(({ request }) => request);
  // `env.URL || 'https://…'`: the default says what the variable is for.
  const counted = verdicts.filter(
    ({ request, verdict }) =>
      verdict.kind !== 'unproven' || !proven.some((other) => isSameWay(request, other) && followsDefault(request, other)),
  );
  // Of two methods that one URL may be asked by, the one that is an endpoint's is meant.
  const meant = counted.filter(
    ({ request, verdict }) =>
      verdict.kind === 'ours' || !counted.some((other) => other.verdict.kind === 'ours' && other.request.url === request.url),
  );
  const following = requests.filter((request) => !counted.some((other) => other.request === request));
  return meant.map(({ request, verdict }) => {
    const site = siteOf(request, verdict, bases, variableFor(request, verdict, following));
    return { ...site, byDefault: following.filter((other) => isSameWay(other, request) && followsDefault(other, request)) };
  });
}

const hasOurBase = new Set<Verdict['kind']>(['ours', 'v2', 'dynamic-path', 'unknown-route', 'passes-on']);

const isSameWay = (one: Request, other: Request): boolean =>
  one.callers.length === other.callers.length && one.callers.every((caller, index) => caller.node === other.callers[index]?.node);

function variableFor(request: Request, verdict: Verdict, following: readonly Request[]): Site['variable'] {
  if (verdict.kind !== 'ours') return undefined;
  const follower = following.find((other) => isSameWay(other, request) && followsDefault(other, request));
  const value = envOf(follower?.url?.[0]);
  if (value === undefined || follower?.url === undefined) return undefined;
  // The default holds the version where what follows the variable does not.
  return { value, holdsVersion: !/^\/v1(?:\/|$)/.test(flat(follower.url).slice(1)) };
}

export function siteOf(request: Request, verdict: Verdict, bases: Bases, variable: Site['variable']): Site {
  const keys = request.headers.filter(isKeyHeader);
  const authorizations = request.headers.filter(isAuthorization);
  const base = {
    request,
    verdict,
    keys,
    authorizations,
    variable,
    byDefault: [],
    isUsed: false,
    mayHoldKey: request.unknownHeaders.some(mayHoldHeaders),
  };
  if (verdict.kind !== 'ours') return { ...base, changes: [], obstacles: [] };
  const url = request.url === undefined ? [] : [urlChanges(request.url, verdict, bases)];
  const all = [...url, ...request.prefixes.map((prefix) => prefixChanges(prefix, bases)), ...keys.map(headerChanges)];
  return { ...base, changes: all.flatMap(({ changes }) => changes), obstacles: all.flatMap(({ obstacles }) => obstacles) };
}

/** What has to change where the beginning of our URLs stands by itself. */
function prefixChanges(prefix: readonly Part[], bases: Bases): Changes {
  const found = prefixVerdict(prefix, bases);
  if (found.kind === 'ours') return urlChanges(prefix, found, bases);
  const [first] = prefix;
  if (bases.v2 === undefined || first === undefined || 'hole' in first) return { changes: [], obstacles: [] };
  const end = flat(prefix).replace(/\/+$/, '').length;
  if (found.kind === 'passes-on') return urlChanges(prefix, { version: undefined, base: { start: 0, end } }, bases);
  // Part of an address, such as a host alone: it would no longer say what it says when the service moves.
  const { source } = first;
  return {
    changes: [],
    obstacles: [{ code: 'base-split', module: source?.module, start: source?.start ?? 0, end: source?.node.end ?? 0 }],
  };
}

const mayHoldHeaders = (value: Value): boolean => value.type !== 'literal' && value.type !== 'text';

/** Every place that a request's URL and key headers come through. */
export function placesOf({ request, keys }: Site): { readonly node: Node; readonly module: Request['module'] }[] {
  return [
    ...addressOf(request).flatMap((part) => {
      const places = nodesOf(part.trail);
      return 'text' in part && part.source !== undefined ? [...places, part.source] : places;
    }),
    ...request.echoes.flatMap((part) => nodesOf(part.trail)),
    ...keys.flatMap((entry) => [...nodesOf(entry.trail), ...nodesOf(entry.key?.trail)]),
  ];
}

const addressOf = ({ url = [], prefixes }: Request): Part[] => [...url, ...prefixes.flat()];

/** Tells whether a site depends on what stands in a stretch of a file. */
export function touching({ request, keys }: Site): (change: Change) => boolean {
  const address = addressOf(request);
  return (change) => {
    if (change.what === 'header value')
      return keys.some(
        ({ module, valueNode }) =>
          module === change.module && valueNode !== undefined && valueNode.start <= change.start && change.end <= valueNode.end,
      );
    if (change.what === 'header name') return keys.some(({ key }) => key !== undefined && overlaps(key, change));
    return address.some((part) => overlaps(part, change));
  };
}

function overlaps(part: Part, { module, start, end }: Change): boolean {
  if ('hole' in part || part.source?.module !== module) return false;
  const { start: from } = part.source;
  return from < end && start < from + part.text.length;
}

/** Where people see the call: where a wrapper is called, not inside of it. */
export function placeOfCall({ request }: Site): { readonly node: Node; readonly module: Request['module'] } {
  const outermost = request.callers.findLast(({ node }) => !node.isNew && node.callee.kind !== 'super');
  return outermost ?? { node: request.call, module: request.module };
}
