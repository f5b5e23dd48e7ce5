/** Each request with its verdict, what it would change and what it touches. */
import { isAuthorization, isKeyHeader } from '../../src/contract/auth.ts';
import { literalsIn } from '../requests/left-to-default.ts';
import { type Begun, type Request, requestsOf } from '../requests/requests.ts';
import { arrivalsBy } from './bases/mounts.ts';
import { envOf, holdsOurs } from './bases/environment.ts';
import type { Bases } from './bases/routes.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Place } from '../evaluate/budget.ts';
import type { CallGraph } from '../requests/call-graph.ts';
import { madeBySink, type Sink } from '../requests/sinks.ts';
import { flat, isRest, sliceParts, placeOfPart } from '../evaluate/values/text.ts';
import { isTest } from '../evaluate/libraries/test-files.ts';
import { nodesOf } from '../evaluate/values/provenance.ts';
import { type Entry, type EnvValue, type Part, type Value } from '../evaluate/values/values.ts';
import type { Node } from '../syntax/tree.ts';
import type { ChangesByPlace } from './changes/changes-by-place.ts';
import { isBeforeItsPath, withUnsetSegment } from './changes/unset-segments.ts';
import { withDefaultFor } from './bases/defaults.ts';
import { givenAs, type GivenBase, baseVariableOf, type HeldVariable, ownVersion } from './bases/base-variables.ts';
import { defaultsOfOthers } from './bases/defaults-of-others.ts';
import { allowanceOf } from './named-places.ts';
import { endpointOfV2Alone } from './methods-of-v2.ts';
import { isByOtherTransport } from './other-transports.ts';
import { besideTests, hasKnownBase, type Judged } from './bases/unseen-callers.ts';
import { withUnset } from './bases/outside-pages.ts';
import { type Change, type Changes, headerChanges, type Obstacle, urlChanges } from './changes/spans.ts';
import { followsDefault, verdictOf, versionBefore, prefixVerdict, versionedPrefix, withVersion } from './verdicts.ts';
import { type Verdict } from './verdict.ts';

export interface RequestSite {
  readonly request: Request;
  readonly verdict: Verdict;
  /** What has to change for v2; empty unless the verdict is `ours`. */
  readonly changes: readonly Change[];
  readonly obstacles: readonly Obstacle[];
  /** Headers with v1's key. */
  readonly keys: readonly Entry[];
  readonly authorizations: readonly Entry[];
  /** The variable that this base is the default of, or that a test gives it for. */
  readonly variable: HeldVariable | undefined;
  /** What whoever runs the program may give in the place of this base. */
  readonly given: readonly GivenBase[];
  /** The same request with what the base is the default of. */
  readonly byDefault: readonly Request[];
  /** The variables that its version is the default of. */
  readonly versions: readonly EnvValue[];
  /** Is a proxy, and requests are seen that it passes on. */
  readonly isUsed: boolean;
  /** A header that is not known and may hold the key. */
  readonly mayHoldKey: boolean;
  /** Whether it is not ours, and would be if a comment let it move along. */
  readonly mayBeAllowed: boolean;
  /** The endpoint of v2 by which it goes along with calls of ours, though v1 has none. */
  readonly endpointOfV2?: string;
  /** Where it gives the header by constants that stay, and its name is written out instead. */
  readonly writtenOut?: readonly Change[];
  /** Is a mock that names no host, in files where nobody is seen to ask for its endpoint. */
  readonly isOfAnyHost?: boolean;
  /** The requests that a mock is about. */
  readonly follows?: readonly RequestSite[];
  /** Goes, as these do, to what stands in for the service: what a test's own server expects of it would have to change, too. */
  readonly isForStandIn?: boolean;
}

export function requestSitesOf(ev: Evaluation, found: CallGraph, bases: Bases): RequestSite[] {
  const bySink = requestsBySink(ev, found, bases);
  const arrivals = arrivalsBy(bySink.flat(), bases);
  const sites = bySink.flatMap((requests) => {
    const unset = withUnset(requests, ev.world, bases, (each) => arrivals(each).some((other) => other !== each));
    return sitesAt(
      requests.flatMap((each) => unset.get(each) ?? arrivals(each)),
      bases,
    );
  });
  const used = new Set(sites.flatMap(({ request }) => request.through ?? []));
  return sites.map((site) => ({ ...site, isUsed: used.has(site.request) }));
}

/** What takes much comes last, and of that another service's: its wrapper with hundreds of callers would leave nothing to ours. */
function requestsBySink(ev: Evaluation, found: CallGraph, bases: Bases): Request[][] {
  const begun = found.sinks.map((sink) => ({ sink, begun: requestsOf(ev, found, sink) }));
  const rankOf = ({ isDear, requests }: Begun): number => {
    if (!isDear) return 0;
    return requests.length > 0 && requests.every((request) => verdictOf(request, bases).kind === 'foreign') ? 2 : 1;
  };
  const inOrder = begun.toSorted((one, other) => rankOf(one.begun) - rankOf(other.begun));
  const bySink = new Map(inOrder.map(({ sink, begun: { finish } }) => [sink, requestsAt(ev, sink, finish)]));
  return found.sinks.map((sink) => bySink.get(sink) ?? []);
}

/** The requests of a sink; where it was too much to find out all that these may be, they say so. */
function requestsAt(ev: Evaluation, sink: Sink, finish: () => Request[]): Request[] {
  const before = ev.budget.cuts;
  const requests = finish();
  if (ev.budget.cuts === before) return requests;
  const place: Place = { node: sink.call, module: sink.module };
  const expensive = ev.budget.question(place, () => madeBySink(ev, sink, undefined)).place ?? place;
  return requests.map((request) => ({ ...request, isCut: true, expensive }));
}

const sitesAt = (requests: readonly Request[], bases: Bases): RequestSite[] =>
  alternativesOf(requests, bases).map(({ request, verdict, bases: own, variable, given, byDefault, versions }) => ({
    ...siteOf(request, verdict, own, variable),
    given,
    byDefault,
    versions,
  }));

type Alternative = Judged & Pick<RequestSite, 'variable' | 'given' | 'byDefault' | 'versions'>;

/**
 * What is meant of the alternatives of a call. Only requests on the same call path are compared: as many as an address has
 * alternatives, however many call.
 */
export function alternativesOf(requests: readonly Request[], bases: Bases): Alternative[] {
  const pathOf = callPaths();
  const together = Map.groupBy(requests, pathOf);
  const asked = requests.filter((request) => !isBeforeItsPath(request, together.get(pathOf(request)) ?? []));
  const judged = asked.map((request): Judged => {
    const others = together.get(pathOf(request)) ?? [];
    const own = withDefaultFor(request, others, bases);
    const verdict = verdictOf(request, own);
    const isOpen = verdict.kind === 'unknown-route' || (verdict.kind === 'ours' && verdict.endsInSlash === true);
    const set = isOpen ? withUnsetSegment(request, others) : undefined;
    const asSet = set === undefined ? undefined : verdictOf(set, own);
    if (set !== undefined && asSet?.kind === 'ours') return { request: set, verdict: asSet, bases: own };
    return { request, verdict: allowedVerdict(request, verdict, own), bases: own };
  });
  const { meant: verdicts, byTests } = besideTests(judged, bases);
  const proven = Map.groupBy(
    verdicts.flatMap(({ request, verdict }) => (hasKnownBase.has(verdict.kind) ? request : [])),
    pathOf,
  );
  const isOfOthers = defaultsOfOthers(verdicts, pathOf);
  // `env.URL || 'https://…'`: the default says what the variable is for.
  const isByDefault = (request: Request, other: Request): boolean => followsDefault(request, other, bases) && !isOfOthers(request, other);
  const byDefaults = new Set<Request>();
  const follows = ({ request, verdict }: Judged): boolean =>
    verdict.kind === 'unproven' &&
    !byDefaults.has(request) &&
    (proven.get(pathOf(request)) ?? []).some((other) => isByDefault(request, other));
  // `${env.SCHEME || 'https'}://${env.HOST || '…'}`: one with two variables follows one with one of them.
  for (let next = verdicts.filter(follows); next.length > 0; next = verdicts.filter(follows))
    for (const { request } of next) {
      byDefaults.add(request);
      proven.get(pathOf(request))?.push(request);
    }
  const isFollowing = ({ request, verdict }: Judged): boolean =>
    byDefaults.has(request) || (verdict.kind === 'dynamic-path' && verdicts.some((other) => isOpenAs(request, other)));
  const isOpenAs = (request: Request, other: Judged): boolean =>
    pathOf(request) === pathOf(other.request) &&
    (versionBefore(request, other.request, other.verdict) !== undefined || isAllowedAs(request, other));
  // What may move with the default as a comment says, may with the variable.
  const isAllowedAs = (request: Request, other: Judged): boolean =>
    other.verdict.kind === 'ours' && followsDefault(request, other.request, bases);
  const [counted, following]: [Judged[], Request[]] = [[], []];
  for (const each of verdicts) {
    if (isFollowing(each)) following.push(each.request);
    else counted.push(each);
  }
  // Of two methods that one URL may be asked by, the one that is an endpoint's is meant. What is not known of two may be something else in each.
  const askedOf = (request: Request): unknown =>
    request.url?.every((part) => 'text' in part) === true ? `${pathOf(request)} ${flat(request.url)}` : request.url;
  const ours = new Set(counted.flatMap(({ request, verdict }) => (verdict.kind === 'ours' ? [askedOf(request)] : [])));
  // The same text may be ours as the default of a variable, and elsewhere anybody's.
  const edited = new Set(counted.filter(isOurs).flatMap(({ request }) => literalsIn(request.url ?? [])));
  const hosts = new Set(counted.flatMap(({ request, verdict }) => (verdict.kind === 'foreign' && !request.byOthers ? [verdict.host] : [])));
  const meant = counted.filter((each) => {
    const { request, verdict } = each;
    if (isByOtherTransport(each, counted) || (request.isPassed === true && lacking.has(verdict.kind))) return false;
    if (verdict.kind === 'ours') return isOurs(each);
    // A default that both leave out goes with ours to another host that is asked; one that is itself but a default may be asked by nobody.
    if (verdict.kind === 'foreign')
      return (
        request.byOthers?.choosesHost !== false ||
        (hosts.has(verdict.host) && literalsIn(request.url ?? []).some((literal) => edited.has(literal)))
      );
    return request.byOthers === undefined && (!ours.has(askedOf(request)) || endpointOfV2Alone(each) !== undefined);
  });
  const byPath = Map.groupBy(following, pathOf);
  return meant.map(({ request, verdict, bases: own }) => {
    const others = [...(byPath.get(pathOf(request)) ?? []), ...(byTests.get(request.call) ?? [])];
    const byDefault = others.filter((other) => followsDefault(other, request, bases));
    const before = others.flatMap((other) => versionBefore(other, request, verdict) ?? []);
    const { variable, given } = baseVariableOf(verdict, byDefault);
    const versions = [...before.filter((value) => value.type === 'env'), ...ownVersion(request, verdict)];
    return { request, verdict, bases: own, byDefault, versions, variable, given: [...given, ...givenAs(before, true)] };
  });
}

/** What v1 may not have. */
const lacking: ReadonlySet<Verdict['kind']> = new Set(['unknown-route', 'dynamic-path']);

/** Whether it counts as ours: what others ask does not where the key is theirs to give. */
const isOurs = ({ request, verdict }: Judged): boolean =>
  verdict.kind === 'ours' && (request.byOthers?.givesHeaders !== true || request.headers.some(({ name }) => isKeyHeader(name)));

/**
 * A comment may let a call move whose endpoint v1 has not, of which nobody can read which one it is, or whose base nobody knows. A handler that passes on the
 * rest of the path below its own needs none: whatever it is asked for is a path.
 */
export const allowedVerdict = (request: Request, verdict: Verdict, bases: Bases): Verdict =>
  (verdict.kind === 'dynamic-path' ? restVerdict(request, bases) : undefined) ??
  (allowanceOf(request) === undefined ? undefined : whereAllowed(request, verdict, bases)) ??
  verdict;

/** Whether all that a handler is asked for below its path goes to v1. By which method, whoever asks it says. */
export const passesRestOn = ({ request: { url = [] }, verdict }: Pick<RequestSite, 'request' | 'verdict'>): boolean =>
  verdict.kind === 'ours' && verdict.endpoint === undefined && url.some(isRest);

/** `` `${base}/v1/${rest}` ``, and `` `${base}/${rest}` `` where files set the base with the version. */
function restVerdict({ url = [] }: Request, bases: Bases): Verdict | undefined {
  const at = url.findIndex(isRest);
  if (at === -1) return undefined;
  const before = url.slice(0, at);
  if (/\/v1\/?$/.test(flat(before))) return versionedPrefix(before, bases);
  const [first, ...others] = before;
  const variable = /^\/?$/.test(flat(others)) ? envOf(first) : undefined;
  if (variable === undefined || !holdsOurs(variable, bases) || bases.setToV1?.has(variable.name) !== true) return undefined;
  return { kind: 'ours', endpoint: undefined, version: undefined, base: undefined, configured: `env:${variable.name}` };
}

/** @returns undefined where no comment makes it ours: nobody could tell what to edit */
function whereAllowed({ url, headers }: Request, verdict: Verdict, bases: Bases): Verdict | undefined {
  if (url === undefined) return undefined;
  if (verdict.kind === 'unproven') return headers.some(({ name }) => isKeyHeader(name)) ? withVersion(url, verdict, bases) : undefined;
  return verdict.kind === 'unknown-route' || verdict.kind === 'dynamic-path' ? versionedPrefix(url, bases) : undefined;
}

/** Tells call paths apart: the same calls have the same text. */
function callPaths(): (request: Request) => string {
  const numbers = new Map<Node, number>();
  const numberOf = (node: Node): number => {
    const number = numbers.get(node) ?? numbers.size;
    numbers.set(node, number);
    return number;
  };
  return ({ callers }) => callers.map(({ node }) => numberOf(node)).join(' ');
}

export function siteOf(request: Request, verdict: Verdict, bases: Bases, variable: RequestSite['variable']): RequestSite {
  const keys = request.headers.filter(({ name }) => isKeyHeader(name));
  const authorizations = request.headers.filter(({ name }) => isAuthorization(name));
  const base = {
    request,
    verdict,
    keys,
    authorizations,
    variable,
    given: [],
    byDefault: [],
    versions: [],
    isUsed: false,
    mayHoldKey: request.unknownHeaders.some(mayHoldHeaders),
    mayBeAllowed: whereAllowed(request, verdict, bases) !== undefined,
  };
  return { ...base, ...changesOf(request, verdict, bases) };
}

function changesOf({ url, prefixes, headers, isMock, expects }: Request, verdict: Verdict, bases: Bases): Changes {
  if (verdict.kind !== 'ours') return { changes: [], obstacles: [] };
  const ofUrl = url === undefined ? [] : [urlChanges(url, verdict, bases)];
  const ofPrefixes = prefixes.map((prefix) => prefixChanges(prefix, bases));
  const ofKeys = headers.filter(({ name }) => isKeyHeader(name)).map((entry) => headerChanges(entry, isMock && hasArrived(entry, expects)));
  const all = [...ofUrl, ...ofPrefixes, ...ofKeys];
  return { changes: all.flatMap(({ changes }) => changes), obstacles: all.flatMap(({ obstacles }) => obstacles) };
}

/**
 * Whether a header that a mock knows is one that arrived. What a function was given as it is, `init.headers[…]`, came nowhere, and what a client
 * of the program has in a mock's place leaves.
 */
const hasArrived = ({ isLookup, nameNode, key, module }: Entry, expects: Request['expects']): boolean =>
  isTest(module) &&
  (isLookup === true || (expects === undefined && nameNode?.parent?.kind !== 'member' && key?.source?.node?.kind !== 'patternProperty'));

/** @returns a site as it is where a comment lets it move along; itself where no comment could */
export function allowedSite(site: RequestSite, bases: Bases): RequestSite {
  const verdict = whereAllowed(site.request, site.verdict, bases);
  return verdict === undefined ? site : { ...site, verdict, ...changesOf(site.request, verdict, bases) };
}

/** What has to change in a text that is the beginning of our URLs and nothing more. */
function prefixChanges(prefix: readonly Part[], bases: Bases): Changes {
  const found = prefixVerdict(prefix, bases);
  if (found.kind === 'ours') return urlChanges(prefix, found, bases);
  const [first] = prefix;
  if (bases.v2 === undefined || first === undefined || 'unknownPart' in first) return { changes: [], obstacles: [] };
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

/**
 * Whether it passes on what nobody here was seen to ask. A proxy in front of both versions says nothing of either: what it passes on is looked at
 * where it is asked, and has the key from there.
 */
export const isOpenProxy = ({ verdict, isUsed, keys, mayHoldKey }: RequestSite): boolean =>
  verdict.kind === 'passes-on' && !isUsed && !(verdict.isSameForV2 && keys.length === 0 && !mayHoldKey);

/** Every place that a request's URL and key headers come through. */
export function placesOf(site: RequestSite): readonly SitePlace[] {
  const known = places.get(site) ?? placesIn(site);
  places.set(site, known);
  return known;
}

interface SitePlace {
  readonly node: Node;
  readonly module: Request['module'];
}

/** The same places are asked for by escape analysis, report and judgement. */
const places = new WeakMap<RequestSite, readonly SitePlace[]>();

function placesIn({ request, keys }: RequestSite): SitePlace[] {
  return [
    ...addressOf(request).flatMap((part) => {
      const places = nodesOf(part.provenance);
      return 'text' in part && part.source !== undefined ? [...places, part.source] : places;
    }),
    ...request.echoes.flatMap((part) => nodesOf(part.provenance)),
    ...keys.flatMap((entry) => [...nodesOf(entry.provenance), ...nodesOf(entry.key?.provenance)]),
  ];
}

const addressOf = ({ url = [], prefixes }: Request): Part[] => [...url, ...prefixes.flat()];

/**
 * Where people see what a call asks for: the nearest of the calls that lead to the request in which its path stands, or the farthest that names it.
 * @param pathStart where the path begins in its address
 */
export function placeOfRoute(
  site: RequestSite,
  pathStart = pathStartOf(site),
): { readonly node: Node; readonly module: Request['module'] } {
  const { call, module, url = [] } = site.request;
  const texts = sliceParts(url, pathStart, Infinity).flatMap((part) => ('text' in part && /\w/.test(part.text) ? part : []));
  const calls = [{ node: call, module }, ...callersOf(site.request)];
  return (
    calls.find(holds(texts.flatMap(({ source }) => source ?? []))) ??
    calls.findLast(holds(texts.flatMap(({ provenance }) => nodesOf(provenance)))) ??
    placeOfCall(site)
  );
}

const pathStartOf = ({ verdict }: RequestSite): number =>
  (verdict.kind === 'ours' ? (verdict.version ?? verdict.base)?.end : undefined) ?? 0;

const holds = (places: readonly SitePlace[]) => (at: SitePlace) =>
  places.some((place) => place.module === at.module && at.node.start <= place.node.start && place.node.end <= at.node.end);

/** The changes that a site depends on. */
export function touchedBy({ request, keys, writtenOut = [] }: RequestSite, changes: ChangesByPlace): readonly Change[] {
  const found = new Set<Change>();
  const add = (part: Part | undefined, what: (change: Change) => boolean): void => {
    const at = placeOfPart(part);
    for (const change of at === undefined ? [] : changes.at(at.module, at.start, at.end))
      if (what(change) && overlaps(part, change)) found.add(change);
  };
  for (const { module, start, end } of writtenOut)
    for (const change of changes.at(module, start, end)) if (change.start === start && change.end === end) found.add(change);
  for (const { module, key, valueNode: value } of keys) {
    add(key, ({ what }) => what === 'header name');
    if (value === undefined) continue;
    for (const change of changes.at(module, value.start, value.end))
      if (change.what === 'header value' && value.start <= change.start && change.end <= value.end) found.add(change);
  }
  for (const part of addressOf(request)) add(part, ({ what }) => what !== 'header name' && what !== 'header value');
  return [...found];
}

function overlaps(part: Part | undefined, { module, start, end }: Change): boolean {
  const at = placeOfPart(part);
  return at?.module === module && at.start < end && start < at.end;
}

/** Where people see the call: where a wrapper is called, not inside of it. */
export function placeOfCall({ request }: RequestSite): { readonly node: Node; readonly module: Request['module'] } {
  return callersOf(request).at(-1) ?? { node: request.call, module: request.module };
}

/** Without what only makes an instance. */
const callersOf = ({ callers }: Request): Request['callers'] => callers.filter(({ node }) => !node.isNew && node.callee.kind !== 'super');
