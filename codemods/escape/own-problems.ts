/** What a site forbids to itself: what of its call, its headers or its base a person has to look at before it changes. */
import { pathsAsked } from './paths/asked-paths.ts';
import { v1Endpoints } from '../../src/contract/endpoints.ts';
import { givenIn } from '../evaluate/libraries/given.ts';
import { type Entry, optionsOf, partsOf, type Value } from '../evaluate/values/values.ts';
import { isScript } from '../evaluate/module.ts';
import type { SourceText } from '../evaluate/values/source-text.ts';
import { flat } from '../evaluate/values/text.ts';
import type { FindingCode } from '../model.ts';
import type { Request } from '../requests/requests.ts';
import type { Node } from '../syntax/tree.ts';
import { isOfTest } from '../verdict/bases/unseen-callers.ts';
import { aboutPath } from './paths/path-problems.ts';
import { allowedAt, type Directive, findingOf } from '../verdict/directive-comments.ts';
import { isBearerRefused, isRefusedOnPurpose } from './headers/tests/refused-on-purpose.ts';
import { halfInFront } from './servers/behind-proxies.ts';
import { versionPlace } from '../verdict/named-places.ts';
import { movesOwnPath } from '../verdict/bases/mounts.ts';
import { aboutBase, type Verdict } from '../verdict/verdict.ts';
import { isOpenProxy, passesRestOn, type RequestSite } from '../verdict/request-sites.ts';
import type { Place } from '../evaluate/budget.ts';
import { isSettled } from './ledger/settled-calls.ts';
import { localDefaultOf } from './calls/local-defaults.ts';
import type { Obstacle } from '../verdict/changes/spans.ts';
import type { Problem } from './problems.ts';

export function ownProblems(site: RequestSite, calls: Calls): Problem[] {
  const { verdict, keys } = site;
  switch (verdict.kind) {
    case 'ours':
      return [
        ...site.obstacles.map((obstacle) => ofObstacle(site, obstacle)),
        ...ofCall(site, calls),
        ...(keys.length > 0 ? besideKey(site) : inPlaceOfKey(site)),
        ...missingKey(site, calls),
      ];
    case 'foreign': {
      const env = localDefaultOf(site);
      if (env !== undefined) return [forbidding(site, 'base-not-proven', { env })];
      return verdict.hasLogin === true ? [forbidding(site, 'authorization-present')] : [];
    }
    case 'dynamic-path':
      return [{ ...aboutPath(site, verdict), site }];
    case 'passes-on':
      return isOpenProxy(site) ? [forbidding(site, 'dynamic-path', { allow: 'no' })] : [];
    case 'unknown-route':
      return /^\/v1(?:\/|$)/.test(verdict.route) || keys.length > 0 ? [{ ...aboutPath(site, verdict), site }] : [];
    case 'unproven':
      return unprovenBase(site, verdict);
    default:
      return [];
  }
}

const forbidding = (
  site: RequestSite,
  code: FindingCode,
  detail: Problem['detail'] = {},
  { node, module }: Pick<Problem, 'node' | 'module'> = { node: site.request.call, module: site.request.module },
): Problem => ({ code, node, module, detail, site });

function ofObstacle(site: RequestSite, { module: where, start, end, ...obstacle }: Obstacle): Problem {
  const { code, isRead, isShared, isSplit, isVersion, number } = obstacle;
  const { call, module, isMock } = site.request;
  const at = { node: where === undefined ? call : { start, end }, module: where ?? module };
  const ofMock = { code: 'reads-header', ...at, detail: { how: 'passed' } } as const;
  // What a mock reads moves with the mock; what gets it from there, a person looks at.
  if (isRead === true && isMock) return ofMock;
  // What it does with the key it reads is nothing that anybody gives.
  if (isMock && code === 'key-not-text' && call.kind === 'member') return { ...ofMock, site };
  const how =
    isRead === true ? 'read' : isShared === true ? 'shared' : isSplit === true ? 'split' : isVersion === true ? 'version' : undefined;
  const by = number && { by: `${number.module.file}:${number.module.position(number.node.start).line}` };
  return forbidding(site, code, how && { how, ...by }, at);
}

/** What of a call of ours cannot be read, or is only half of what is asked. */
function ofCall(site: RequestSite, { cut, passingOn }: Calls): Problem[] {
  const { request } = site;
  const { call, module } = request;
  const found: Problem[] = [];
  if (cut.has(call)) found.push(forbidding(site, 'too-complex', atOf(cut.get(call))));
  if (request.hasOpenMethod && !request.isMock && !passingOn.has(call)) found.push(forbidding(site, 'dynamic-method'));
  if (movesOwnPath(request) && !site.isUsed) {
    const said = allowedAt(module, call.start, call.end);
    found.push(said === undefined ? forbidding(site, 'dynamic-path') : problemOf(said, call, module));
  }
  for (const each of halfInFront(site)) found.push(forbidding(site, 'escapes', { way: 'front' }, { node: each.call, module: each.module }));
  return found;
}

function besideKey(site: RequestSite): Problem[] {
  // What the program kept before has the header of v1, whatever its default says now.
  const isOfStore = site.request.unknownHeaders.some((each) => /^(?:settings|texts)$/.test(givenIn(each)?.kept ?? ''));
  return [
    ...site.authorizations.map((entry) => forbidding(site, 'authorization-present', {}, entry)),
    ...(isOfStore ? [forbidding(site, 'key-not-found', { headers: 'unknown' })] : []),
  ];
}

/** `headers.set(auth.name ?? 'Authorization', key)`: what has no name here may be v1's header. */
const areNamed = ({ headers }: Request): boolean => headers.every(({ name }) => name !== undefined);

/** One that is left empty is set elsewhere. */
const isBearer = (value: Value): boolean => /^(?:bearer\s|$)/i.test(flat(partsOf(value)));

/** v2 takes a Bearer token: what else stands there has been no key of v1, and is none of v2. */
const isNoBearer = (entry: Entry): boolean => !optionsOf(entry.value()).every(isBearer);

function inPlaceOfKey(site: RequestSite): Problem[] {
  const { request, authorizations } = site;
  if (request.isMock) return [];
  const refused = isBearerRefused(site) ? authorizations : [];
  const others = isScript(request.module) && areNamed(request) ? authorizations.filter(isNoBearer) : [];
  return [
    ...refused.map((entry) => forbidding(site, 'authorization-present', { how: 'refused' }, entry)),
    ...others.map((entry) => forbidding(site, 'key-not-found', {}, entry)),
  ];
}

function missingKey(site: RequestSite, { withKey, withoutKey }: Calls): Problem[] {
  const { request, authorizations, mayHoldKey } = site;
  const given = isRefusedOnPurpose(site) ? 'seen' : withKey(request);
  const isNamed = areNamed(request);
  if (given === 'seen' || request.isMock || (site.isUsed && !withoutKey.has(request)) || (isNamed && authorizations.length > 0)) return [];
  const isOpen = mayHoldKey || !isNamed;
  return [forbidding(site, 'key-not-found', { ...(isOpen && { headers: 'unknown' }), ...(given !== undefined && { given }) })];
}

/** A path of v1 below a base that nobody knows. */
function unprovenBase(site: RequestSite, verdict: Extract<Verdict, { readonly kind: 'unproven' }>): Problem[] {
  if (verdict.route === undefined || isSettled(site)) return [];
  const { request } = site;
  const version = versionPlace(request);
  const { path } = v1Endpoints[verdict.route];
  // The address of a mock is known; whose call it stands for is not.
  const [asking] = site.follows ?? [];
  if (asking !== undefined) {
    const { module, call } = asking.request;
    return [forbidding(site, 'held-elsewhere', { name: path, by: `${module.file}:${module.position(call.start).line}` }, version)];
  }
  // A header of a call that a test captured: its base is not what is missing.
  if (request.isMock && request.url === undefined) return [forbidding(site, 'base-not-proven', { route: path, how: 'expected' }, version)];
  const about: Problem['detail'] = { route: path, ...aboutBase(verdict), ...pathsAsked(request) };
  return [forbidding(site, 'base-not-proven', site.mayBeAllowed ? { ...about, allow: 'yes' } : about, version)];
}

/**
 * One way to a call may come without a key, such as a test of that; no way with one is what cannot be understood. The key that a test gives a client
 * of its own says nothing of the program's.
 */
function keyedCalls(sites: readonly RequestSite[]): KeyOf {
  const keyed = sites.flatMap(({ request, keys }) => (keys.length > 0 ? request : []));
  const all = new Set(keyed.map(({ call }) => call));
  const byProgram = new Set(keyed.flatMap((request) => (isOfTest(request) ? [] : request.call)));
  return (request) => {
    if ((isOfTest(request) ? all : byProgram).has(request.call)) return 'seen';
    return all.has(request.call) ? 'by tests' : undefined;
  };
}

type KeyOf = (request: Request) => 'seen' | 'by tests' | undefined;

/** Proxies through which something is asked without a key: it may be theirs to add, and who decides that looks there. */
const proxiesWithoutKey = (sites: readonly RequestSite[], withKey: KeyOf): ReadonlySet<Request> =>
  new Set(
    sites.flatMap(({ request, verdict, authorizations }) =>
      verdict.kind !== 'ours' || withKey(request) === 'seen' || request.isMock || authorizations.length > 0 ? [] : (request.through ?? []),
    ),
  );

/** What is known of calls by all their sites. */
interface Calls {
  readonly withKey: KeyOf;
  readonly withoutKey: ReadonlySet<Request>;
  /** Of which not all ways were followed. */
  readonly cut: ReadonlyMap<Node, Place | undefined>;
  /** Which pass on all that they are asked for, by whatever method. */
  readonly passingOn: ReadonlySet<Node>;
}

export function callsOf(sites: readonly RequestSite[]): Calls {
  const withKey = keyedCalls(sites);
  return {
    withKey,
    withoutKey: proxiesWithoutKey(sites, withKey),
    cut: new Map(sites.flatMap(({ request }) => (request.isCut ? [[request.call, request.expensive]] : []))),
    passingOn: new Set(sites.flatMap((site) => (passesRestOn(site) ? site.request.call : []))),
  };
}

/** What a comment says of a place. */
export const problemOf = (found: Directive, node: Problem['node'], module: SourceText): Problem => ({
  ...findingOf(found),
  node: found.file ?? node,
  module,
  cause: `from ${found.start}`,
});

/** Where most was spent. */
export const atOf = (place: Place | undefined): Problem['detail'] =>
  place === undefined ? {} : { at: `${place.module.file}:${place.module.position(place.node.start).line}` };
