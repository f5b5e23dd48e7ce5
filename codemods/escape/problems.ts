/** Why changes may not be made: what a person has to decide first. */
import { withAllPaths } from './paths/asked-paths.ts';
import { v1Endpoints } from '../../src/contract/endpoints.ts';
import type { Entry } from '../evaluate/values/values.ts';
import type { SourceText } from '../evaluate/values/source-text.ts';
import { flat, unknownPart } from '../evaluate/values/text.ts';
import type { FindingCode } from '../model.ts';
import type { Request } from '../requests/requests.ts';
import type { Node } from '../syntax/tree.ts';
import { keyOf } from '../verdict/changes/groups.ts';
import { envOf, letAlong, takesVersion } from '../verdict/bases/environment.ts';
import { routeHeads } from '../verdict/bases/routes.ts';
import { placesInTests } from '../verdict/bases/stand-ins.ts';
import type { Escape } from './escapes.ts';
import { atOf, callsOf, ownProblems, problemOf } from './own-problems.ts';
import type { Callers } from './calls/uncalled.ts';
import { handedByTest } from './calls/passed-by-tests.ts';
import { aboutPath, handedDown } from './paths/path-problems.ts';
import { allowedAt, ignoredAt } from '../verdict/directive-comments.ts';
import { namedByConstants } from './headers/lists/named-by-constants.ts';
import { type ForeignInstance, instanceProblem } from './flow/holders/instances.ts';
import type { ChangesByPlace } from '../verdict/changes/changes-by-place.ts';
import { namedPlaces, versionPlace } from '../verdict/named-places.ts';
import { aboutBase } from '../verdict/verdict.ts';
import { type RequestSite, touchedBy } from '../verdict/request-sites.ts';
import { isOfOther } from './ledger/settled-calls.ts';
import { unknownBaseOf } from './calls/unknown-base.ts';
import type { Change } from '../verdict/changes/spans.ts';
import { saidOfHost } from './shared-hosts.ts';
import { type UnresolvedCall, unresolvedProblem } from './calls/unresolved-calls.ts';

export interface Problem {
  readonly code: FindingCode;
  readonly node: Pick<Node, 'start' | 'end'>;
  readonly module: SourceText;
  readonly detail: Readonly<Record<string, string>>;
  /** The change that it forbids, with its whole group. */
  readonly change?: Change;
  /** The site whose changes it forbids. */
  readonly site?: RequestSite;
  /** Whether it is a request that names v1 itself, and would go on doing so with a header of v2. */
  readonly isLeftBehind?: boolean;
  /** What it is reported under, together with others of the same cause, where that is not its place. */
  readonly cause?: string;
}

/**
 * @param uncalled tells of a request that nobody makes it: what it would ask that v1 has not is told, and forbids nothing
 * @param isNear whether a request is near a configured base: a key that it sends to nobody knows where may be for us
 * @param isLikeOurs whether a request goes to a host of which too little is written, and that may be ours
 * @returns problems of one kind at one place together, as each such list becomes one finding
 */
export function problemsOf(
  sites: readonly RequestSite[],
  changes: ChangesByPlace,
  escapes: readonly Escape[],
  unresolvedCalls: readonly UnresolvedCall[],
  instances: readonly ForeignInstance[],
  uncalled: Callers = () => undefined,
  isNear: (request: Request) => boolean = () => false,
  isLikeOurs: (request: Request) => boolean = () => false,
): Problem[][] {
  const calls = callsOf(sites);
  const isAboutUs = sites.some(({ verdict, request }) => verdict.kind === 'ours' || (verdict.kind === 'v2' && !request.isMock));
  const forbidding = forbiddingOnce();
  // What is said of an address of such a call says enough.
  const routed = new Set(
    sites.flatMap(({ verdict, request }) => (verdict.kind === 'unproven' && verdict.route !== undefined ? request.call : [])),
  );
  const asking = sites.filter((site) => site.verdict.kind !== 'unknown-route' || uncalled(site) === undefined);
  const named = namedByConstants(sites);
  const found: Problem[] = [
    ...sites.flatMap(ignoredSite),
    ...changes.all.flatMap(ignoredChange),
    ...sites.flatMap(allowedSite),
    ...sites.flatMap((site) =>
      [
        ...ownProblems(site, calls).map((each) => handedDown(each, site, uncalled)),
        ...unreadable(site, isAboutUs || (isNear(site.request) && !routed.has(site.request.call)), isLikeOurs(site.request)),
      ].filter(isTrueOf(site, changes)),
    ),
    ...asking.flatMap((site) => sharing(site, changes, named)),
    ...sharingVariable(asking, forbidding),
    ...escapes.map(escapeProblem),
  ];
  for (const each of unresolvedCalls) found.push(...forbidding(each.sites, unresolvedProblem(each)));
  found.push(...instances.map(instanceProblem));
  const byPlace = Map.groupBy(found, ({ code, node, module, cause }) => `${code} ${module.file} ${cause ?? node.start}`);
  // The first one is told: what it keeps is told with it.
  return [...byPlace.values()].map((each) => withAllPaths(each.toSorted((a, b) => weightOf(b) - weightOf(a))));
}

const forbids = ({ change, site }: Problem): boolean => (change ?? site?.changes[0]) !== undefined;
const weightOf = (problem: Problem): number => (forbids(problem) ? 2 : problem.detail['by'] === 'nobody' ? 0 : 1);

/** What a person may say of that it shall move along: nothing but what it is used for speaks against it. Paths that may be read from the version on are ours then. */
export const allowable: ReadonlySet<FindingCode> = new Set([
  'escapes',
  'decides-by-path',
  'too-complex',
  'dynamic-method',
  'base-overwritten',
  'held-elsewhere',
]);

/** What forbids nothing where a comment allows it: what is told in its place. What would move nothing either way is told as it is. */
export function allowed(problem: Problem): Problem | undefined {
  const { code, module, node } = problem;
  const found =
    allowable.has(code) && problem.isLeftBehind !== true && forbids(problem) ? allowedAt(module, node.start, node.end) : undefined;
  return found && problemOf(found, node, module);
}

/** A call of something that v1 has not, that cannot be read, whose base nobody knows, or that a test sends to its own machine, which moves as a comment says. */
function allowedSite(site: RequestSite): Problem[] {
  const { verdict, request } = site;
  const isKnown = verdict.kind !== 'ours' || (verdict.endpoint !== undefined && verdict.configured !== '');
  if (isKnown || request.isPrefix) return [];
  const places = site.isForStandIn === true ? placesInTests(request) : namedPlaces(request);
  return places.flatMap(({ node, module: where }) => {
    const found = allowedAt(where, node.start, node.end);
    return found === undefined ? [] : [problemOf(found, node, where)];
  });
}

/** A call that is to stay as it is keeps what it uses as it is, too; so does the call of a wrapper. */
function ignoredSite(site: RequestSite): Problem[] {
  const { call, module, callers } = site.request;
  if (site.verdict.kind !== 'ours') return [];
  for (const place of [{ node: call, module }, ...callers]) {
    const found = ignoredAt(place.module, place.node.start, place.node.end);
    if (found !== undefined) return [{ ...problemOf(found, place.node, place.module), site }];
  }
  return [];
}

function ignoredChange(change: Change): Problem[] {
  const found = ignoredAt(change.module, change.start, Math.max(change.end, change.start + 1));
  return found === undefined ? [] : [{ ...problemOf(found, { start: change.start, end: change.end }, change.module), change }];
}

/** `https://${host}/v1/${resource}`, `${base}/v1${path}`, and a resource of v1 by whatever path: `${base}/v1/contacts/`. */
const anyHostOfV1 = new RegExp(
  [
    String.raw`^https?://${unknownPart}(?:/[^?#]*)?/v1(?:[/?#]|$)`,
    `^${unknownPart}/?v1/?${unknownPart}`,
    `^${unknownPart}/*v1/+(?:${routeHeads.map((head) => head.slice('/v1/'.length)).join('|')})(?![\\w-])`,
  ].join('|'),
  'i',
);

/**
 * Sends v1's key to an address of which nothing can be read at all, or not its base, beside calls of ours; or to one that may be ours or was too much to
 * read. What is asked behind a base that nobody knows, where nothing is of this service, is somebody's own.
 */
function unreadable(site: RequestSite, isAboutUs: boolean, isLikeOurs: boolean): Problem[] {
  const { request, verdict, keys } = site;
  const { call, module, url, isMock, isCut, expensive, isPrefix } = request;
  if (verdict.kind !== 'unproven' || verdict.route !== undefined || isMock || keys.length === 0 || isOfOther(site)) return [];
  const isOpen = url === undefined || (url[0] !== undefined && 'unknownPart' in url[0]);
  const isUnknown = url === undefined || url.every((part) => 'unknownPart' in part);
  // With v1's key and its version, and any host; what a proxy passes on is below its address.
  const isOfV1 = url !== undefined && anyHostOfV1.test(isPrefix ? `${flat(url)}/${unknownPart}` : flat(url));
  if (!isLikeOurs && !isOfV1 && (!isOpen || (!isAboutUs && !isCut && !isUnknown))) return [];
  return [
    isCut
      ? { code: 'too-complex', node: call, module, detail: atOf(expensive) }
      : { code: 'base-not-proven', node: call, module, detail: { how: 'header', ...aboutBase(verdict) } },
  ];
}

/** What else has an edited value, or what it was too much to find that out of. */
function escapeProblem(escape: Escape): Problem {
  const { change, node, module, name, code, host, expensive } = escape;
  if (code !== undefined) return { code, node, module, detail: host === undefined ? {} : { host }, change };
  if (expensive === undefined)
    return {
      code: 'escapes',
      node,
      module,
      detail: { name, ...wayOut(escape) },
      change,
      cause: `${name} ${module.position(node.start).line}`,
    };
  return { code: 'too-complex', node, module, detail: atOf(expensive), change };
}

/** How it gets out, to what, and where that is another place than the one that is named. */
function wayOut({ way, out, module, node }: Escape): Problem['detail'] {
  if (way === undefined) return {};
  const call = out?.node.parent;
  const callee = way === 'given' && call?.kind === 'call' ? call.callee : undefined;
  const to = callee === undefined ? undefined : out?.module.text.slice(callee.start, callee.end);
  const isThere = out === undefined || (out.module === module && module.position(out.node.start).line === module.position(node.start).line);
  return { way, ...(to !== undefined && /^[\w$.]{1,60}$/.test(to) ? { to } : {}), ...(isThere ? {} : atOf(out)) };
}

type Forbidding = (sites: readonly RequestSite[], problem: Problem) => Problem[];

/** Many places may forbid the same many sites: the first of them names all, and the others one each, which is enough for a finding. */
function forbiddingOnce(): Forbidding {
  const forbidden = new Set<readonly RequestSite[]>();
  return (sites, problem) => {
    const meant = forbidden.has(sites) ? sites.slice(0, 1) : sites;
    forbidden.add(sites);
    return meant.map((site) => ({ ...problem, site }));
  };
}

/** A variable whose version moves takes along every request that begins with it. */
function sharingVariable(sites: readonly RequestSite[], forbidding: Forbidding): Problem[] {
  const moving = Map.groupBy(sites.filter(takesVersion), ({ request }) => envOf(request.url?.[0])?.name);
  return sites.flatMap((site): Problem[] => {
    const { verdict, request } = site;
    const env = envOf(request.url?.[0]);
    const isAbout = verdict.kind === 'unknown-route' || verdict.kind === 'dynamic-path';
    if (env === undefined || !isAbout || letAlong(site) !== undefined) return [];
    return forbidding(moving.get(env.name) ?? [], aboutPath(site, verdict));
  });
}

/** A request that uses what would change, and of which nothing says where it goes: a base in a variable of the environment can be named. */
function usedUnread(site: RequestSite): Omit<Problem, 'change'> {
  const { verdict, request } = site;
  const isLeftBehind = /\/v1(?:[/?#]|$)/.test(flat(request.url ?? []));
  const about = { way: 'asked', ...(isLeftBehind && { allow: 'no' }) };
  if (verdict.kind !== 'unproven' || verdict.route === undefined)
    return { code: 'escapes', node: request.call, module: request.module, detail: about, isLeftBehind };
  const { node, module } = versionPlace(request);
  const detail = { route: v1Endpoints[verdict.route].path, ...unknownBaseOf(request, node, module) };
  // What tests give says nothing of it, and they alone have shared it.
  if (request.isBesideTests === true) return { code: 'base-not-proven', node, module, detail };
  return verdict.env === undefined
    ? { code: 'escapes', node, module, detail: { ...detail, ...about, ...(site.mayBeAllowed && { allow: 'yes' }) }, isLeftBehind }
    : { code: 'base-not-proven', node, module, detail: { ...detail, env: verdict.env } };
}

/** One place has one finding: that a request uses what would change says more than that its base is not known. */
function isTrueOf(site: RequestSite, changes: ChangesByPlace): (problem: Problem) => boolean {
  const isTold = handedByTest(site) !== undefined || (site.verdict.kind === 'unproven' && usedUnread(site).code === 'escapes');
  const isUse = isTold && touchedBy(site, changes).length > 0;
  return ({ code }) => !isUse || (code !== 'base-not-proven' && code !== 'dynamic-path');
}

/** What others' requests forbid to ours, as they use what would change. */
function sharing(site: RequestSite, changes: ChangesByPlace, named: ReadonlyMap<string, Entry>): Problem[] {
  const { verdict, request } = site;
  if (verdict.kind === 'ours' || verdict.kind === 'v2' || verdict.kind === 'passes-on') return [];
  // A mock by a pattern has its base from the client that it stands for.
  if (verdict.kind === 'dynamic-path' && request.isMock) return [];
  const handed = handedByTest(site);
  const about = ((): Omit<Problem, 'change'> => {
    if (handed !== undefined) return { code: 'escapes', ...handed, detail: { way: 'asked' } };
    if (verdict.kind === 'unknown-route' || verdict.kind === 'dynamic-path') return aboutPath(site, verdict);
    const place = { node: request.call, module: request.module };
    return verdict.kind === 'foreign' ? { code: 'shared-with-other-host', ...place, detail: saidOfHost(site, verdict) } : usedUnread(site);
  })();
  return touchedBy(site, changes).map((change) => {
    const entry = about.code === 'shared-with-other-host' ? named.get(keyOf(change)) : undefined;
    if (entry === undefined || site.keys.some(({ node }) => node === entry.node)) return { ...about, change };
    return { ...about, node: entry.node, module: entry.module, detail: { ...about.detail, name: entry.key?.text ?? '' }, change };
  });
}
