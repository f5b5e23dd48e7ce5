/** Servers that stand in for the service, in tests and on a developer's machine: what a client of ours asks there, it asks as it asks the service. */
import { nodesOf } from '../../evaluate/values/provenance.ts';
import { flat, sliceParts, unknownPart } from '../../evaluate/values/text.ts';
import { isCalledByTestsAlone, replacesNetwork, startsServers } from '../../clients/testing/libraries.ts';
import { isSettingsOfTests, isTest } from '../../evaluate/libraries/test-files.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Finding } from '../../model.ts';
import type { EnvValue, Part } from '../../evaluate/values/values.ts';
import { memoOf } from '../../once.ts';
import { perItem } from '../../syntax/item-methods.ts';
import { mayBeStages } from '../../requests/items.ts';
import { type Request, wayOf } from '../../requests/requests.ts';
import { namesIn } from '../../syntax/scopes.ts';
import { newInV2 } from '../../../src/contract/route-templates.ts';
import type { Node } from '../../syntax/tree.ts';
import { allowedAt } from '../directive-comments.ts';
import { isEmptyByDefault, isVariable } from './follows-default.ts';
import { isLocal, isLoopback, isNobodys } from './hosts.ts';
import { type RequestSite, siteOf } from '../request-sites.ts';
import { type Bases, matchRoute } from './routes.ts';

/**
 * What a call that asks the service elsewhere sends to the machine itself, in a test or as one of its stages, changes as the rest of that
 * call does, but for the host. What is no endpoint there is told of the service alone.
 * @param answers what the program serves itself of what is run there, and whether it certainly answers: a test may ask that, or nothing at all
 */
export function withStandIns(
  sites: readonly RequestSite[],
  bases: Bases,
  answers: {
    ownRoutes(site: RequestSite): readonly OwnRoute[];
    isOfProgram(site: RequestSite): boolean;
    isMadeAlone(site: RequestSite): boolean;
  },
): readonly RequestSite[] {
  const byCall = Map.groupBy(
    sites.filter(({ request, verdict }) => !request.isMock && hasOurBase.has(verdict.kind)),
    ({ request }) => request.call,
  );
  const mocksByCall = Map.groupBy(
    sites.filter(({ request }) => request.isMock),
    ({ request }) => request.call,
  );
  const byKey = sitesByKey([...byCall.values()].flat());
  let versions: ReadonlyMap<string | undefined, readonly RequestSite[]> | undefined;
  const byVersion = (): ReadonlyMap<string | undefined, readonly RequestSite[]> =>
    (versions ??= Map.groupBy([...byCall.values()].flat(), ({ request, verdict }) =>
      verdict.kind === 'ours' ? placeAt(request, verdict.version?.start) : undefined,
    ));
  const paths = new Map<Node, ReadonlySet<string>>();
  const ownAt = (site: RequestSite): OwnRoute | undefined =>
    answers.ownRoutes(site).find(({ path }) => pathOf(site.request).startsWith(path));
  // Where tests ask the program itself, so may others.
  const beside = new Set(sites.flatMap((site) => (isOpenBesideTests(site) ? site.request.call : [])));
  const askingOwn = new Set(
    sites.flatMap((site) => (beside.has(site.request.call) && isStandIn(site) && ownAt(site) !== undefined ? site.request.call : [])),
  );
  // One server of tests may stand for several services.
  const ofOthers = new Set(sites.flatMap((site) => (byCall.has(site.request.call) ? [] : (configuredHost(site) ?? []))));
  const proven = new Set(
    sites.flatMap((site) => (isCalledByTestsAlone(site.request.module) || !isStandIn(site) ? [] : (hostOf(site) ?? []))),
  );
  return sites.flatMap((site) => {
    const { request } = site;
    if (isAskedByTestAlone(site) && !proven.has(hostOf(site) ?? '')) return [site];
    if (ofOthers.has(configuredHost(site) ?? '')) return [site];
    // A mock of a client has its base, and nothing in its place where the client has: its path is the same.
    if (request.isMock && isUnset(site, mocksByCall.get(request.call) ?? [])) return [];
    if (isOpenBesideTests(site) && askingOwn.has(request.call)) return [];
    // What a mock gets by another call than the service, is known by its path, and what a test itself asks by a client of the program, by that one's key.
    const same =
      byCall.get(request.call) ??
      (request.isAnswered === true ? byVersion().get(placeAt(request, versionIn(request)) ?? '') : undefined) ??
      byKey(site);
    if (same === undefined || !(isStandIn(site) || isStage(site, same) || isUnset(site, same))) return [site];
    const own = ownAt(site);
    if (own !== undefined && !isAllowed(site)) return [isStandIn(site) ? answeredBy(own, site) : site];
    const follows = same.filter(({ verdict }) => verdict.kind === 'ours');
    const isOfTestAlone = isStandIn(site) && isAnsweredByTest(site) && !answers.isOfProgram(site);
    const found = follows.length === 0 ? undefined : asOurs(request, follows, bases, isOfTestAlone);
    if (found !== undefined) return [found];
    if (isOfTestAlone || answers.isMadeAlone(site)) return [];
    const known = paths.get(request.call) ?? new Set(same.map((other) => pathOf(other.request)));
    paths.set(request.call, known);
    return known.has(pathOf(request)) ? [] : [site];
  });
}

const hostOf = ({ verdict }: RequestSite): string | undefined => (verdict.kind === 'foreign' ? verdict.host : undefined);

/**
 * Whether only what is written in tests asks the machine itself, at a port that no test starts anything at: that may be an application of its own, and stands
 * in for the service where the program is told to ask there, too.
 */
function isAskedByTestAlone({ request, verdict }: RequestSite): boolean {
  if (
    verdict.kind !== 'foreign' ||
    request.isMock ||
    !isCalledByTestsAlone(request.module) ||
    !isLoopback(verdict.host) ||
    isNobodys(verdict.host)
  )
    return false;
  return (
    !verdict.host.includes(unknownPart) &&
    !placesInTests(request).some(({ module: { text } }) => replacesNetwork(text) || serving.test(text))
  );
}

const serving = /\b(?:createServer|(?:Bun|Deno)\.serve)\b|\.listen\(/;

/** Whether a test answers it, and no program that is run beside it: a server that it has just started at a free port, or what it has in the place of the network. */
function isAnsweredByTest({ request, verdict }: RequestSite): boolean {
  if (verdict.kind === 'foreign' && !verdict.isMadeUp) return false;
  const [, host = ''] = /^https?:\/\/([^/?#]*)/i.exec(flat(request.url ?? [])) ?? [];
  return (
    host.includes(unknownPart) ||
    !isLocal(host) ||
    isNobodys(host) ||
    placesInTests(request).some(({ module }) => replacesNetwork(module.text))
  );
}

/** Whether a test writes the version itself of what it asks for: what v1 has not is asked for as before, of a server that has it as before. */
function isVersionOfTest(request: Request): boolean {
  const [part] = sliceParts(request.url ?? [], versionIn(request), versionIn(request) + 2);
  return part === undefined || !('text' in part) || part.source === undefined || isTest(part.source.module);
}

/** The requests that have their key from where a test's own request has it. */
function sitesByKey(sites: readonly RequestSite[]): (asked: RequestSite) => readonly RequestSite[] | undefined {
  const byPlace = Map.groupBy(sites, placeOfKey);
  return (asked) => {
    const isOfTest = isTest(asked.request.module) && asked.authorizations.length === 0;
    const place = isOfTest ? placeOfKey(asked) : undefined;
    return place === undefined ? undefined : byPlace.get(place);
  };
}

/** Where the only key of a request is named, outside of tests. */
function placeOfKey({ keys: [entry, ...more] }: RequestSite): string | undefined {
  const source = entry?.key?.source;
  return source === undefined || more.length > 0 || isTest(source.module) ? undefined : placeOfText(entry?.key);
}

/** The host that a file sends a request to in whatever test. */
const configuredHost = (site: RequestSite): string | undefined =>
  site.verdict.kind === 'foreign' && isConfigured(site) ? site.verdict.host : undefined;

/** Whether it goes where a file sends what any test runs. */
export const isConfigured = ({ request: { url: [first] = [] } }: RequestSite): boolean =>
  first !== undefined && 'text' in first && first.source !== undefined && isSettingsOfTests(first.source.module);

const isOpenBesideTests = ({ request, verdict }: RequestSite): boolean => request.isBesideTests === true && verdict.kind === 'unproven';

/** A path of v1's that the program serves itself. */
export interface OwnRoute {
  /** Up to what is not known of it. */
  readonly path: string;
  readonly node: Node;
  readonly module: SourceText;
}

function answeredBy({ node, module }: OwnRoute, site: RequestSite): RequestSite {
  const ownRoute = `${module.file}:${module.position(node.start).line}`;
  return site.verdict.kind === 'foreign' ? { ...site, verdict: { ...site.verdict, ownRoute } } : site;
}

/** Whether a comment says that it may move along, whoever may answer it. */
const isAllowed = ({ request }: RequestSite): boolean =>
  placesInTests(request).some(({ node, module }) => allowedAt(module, node.start, node.end) !== undefined);

/** Where tests make a request, or say where it goes. */
export function placesInTests({ url: [first] = [], callers }: Request): { readonly node: Node; readonly module: SourceText }[] {
  const source = first !== undefined && 'text' in first ? first.source : undefined;
  return [...callers, ...(source === undefined ? [] : [source])].filter(({ module }) => isTest(module));
}

export const hasOurBase: ReadonlySet<string> = new Set<RequestSite['verdict']['kind']>(['ours', 'unknown-route', 'dynamic-path']);

/** Whether a test says that a request goes to the machine itself, or answers it in the place of whoever has the address. */
export function isStandIn({ request, verdict }: RequestSite): boolean {
  const { url: [first] = [], isMock, isAnswered } = request;
  if (verdict.kind === 'unproven' && !isMock) return isListening(first) || (isUnknown(first) && placesInTests(request).some(starts));
  // What a mock gets of an address that the program itself has is of whoever has that.
  const isSaid = isAnswered === true && first !== undefined && 'text' in first && first.source !== undefined && isTest(first.source.module);
  if (verdict.kind !== 'foreign' || isMock || !(verdict.isMadeUp || isSaid)) return false;
  return placesInTests(request).length > 0;
}

/** Whether one way to a call leads to the service or to the machine itself, by what a program is configured with: a developer's own. */
function isStage({ request, verdict }: RequestSite, same: readonly RequestSite[]): boolean {
  if (verdict.kind !== 'foreign' || !isLoopback(verdict.host) || isNobodys(verdict.host) || isInTurn(request)) return false;
  const way = wayOf(request);
  return same.some((other) => wayOf(other.request) === way && mayBeStages(other.request.url ?? [], request.url ?? []));
}

/** Whether one way to a call has nothing in the place of the service's address where nobody sets its variable: `${env.URL ?? ''}/v1/contacts`. */
function isUnset({ request, verdict }: RequestSite, same: readonly RequestSite[]): boolean {
  if (verdict.kind !== 'unproven' || request.isUnset !== true) return false;
  const [way, path] = [wayOf(request), pathOf(request)];
  return same.some((other) => isOfEmpty(other) && wayOf(other.request) === way && pathOf(other.request) === path);
}

const isOfEmpty = (site: RequestSite): boolean => {
  const variable = variableOf(site);
  return site.verdict.kind === 'ours' && variable !== undefined && isEmptyByDefault(variable);
};

const variableOf = ({ request: { url: [first] = [] } }: RequestSite): EnvValue | undefined =>
  isVariable(first) ? first.unknownPart : undefined;

/** Whether a call is made for one thing after the other, each with an address of its own: these are several services, and no stages of one. */
export function isInTurn({ call, url: [first] = [] }: Pick<Request, 'call' | 'url'>): boolean {
  const names = itemsAround(call);
  if (names.length === 0) return false;
  const item = new RegExp(String.raw`\b(?:${names.join('|')})\b`);
  return nodesOf(first?.provenance).some(({ node, module }) => item.test(module.text.slice(node.start, node.end)));
}

/** The names by which loops, and functions that are called for each item of a list, have one at a time. */
function itemsAround(call: Node): string[] {
  const found: string[] = [];
  for (let at = call; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    const isPerItem = parent.kind === 'call' && parent.callee.kind === 'member' && perItem.has(parent.callee.property ?? '');
    if (isPerItem && at.kind === 'function') found.push(...at.params.flatMap(({ target }) => namesIn(target)).map(({ name }) => name));
    for (const each of parent.kind === 'block' ? parent.body : [])
      if (each.kind === 'variable' && each.each !== undefined) found.push(...namesIn(each.target).map(({ name }) => name));
  }
  return found;
}

const starts = ({ module }: { readonly module: SourceText }): boolean => startsServers.test(module.text);
const isUnknown = (part: Part | undefined): boolean =>
  part !== undefined && 'unknownPart' in part && part.unknownPart.type !== 'env' && part.unknownPart.type !== 'literal';

/** `await app.listen({ port: 0 })`: the address of a server that a test has just started. */
function isListening(part: Part | undefined): boolean {
  const value = part !== undefined && 'unknownPart' in part ? part.unknownPart : undefined;
  if (value?.type !== 'unknown' || value.node === undefined || value.module === undefined || !isTest(value.module)) return false;
  const call = value.node.kind === 'await' ? value.node.argument : value.node;
  return call.kind === 'call' && call.callee.kind === 'member' && call.callee.property === 'listen';
}

/** The developer's machines that calls which move ask, too: whoever answers there gets calls of v2. */
export function movedStages(sites: readonly RequestSite[], groupOf: (site: RequestSite) => string | undefined): Finding[] {
  const found = sites.flatMap((site): Finding[] => {
    const { url: [first] = [] } = site.request;
    if (first === undefined || !('text' in first) || first.source === undefined) return [];
    const { module, start } = first.source;
    const group = groupOf(site);
    // Outside of pages, nobody is asked by a path alone.
    if (site.request.isUnset === true || group === undefined || site.isForStandIn !== true) return [];
    const isAsked = site.follows?.some(({ request }) => request.call === site.request.call) === true;
    if (!isAsked || placesInTests(site.request).length > 0) return [];
    const end = start + first.text.length;
    const host = URL.parse(flat(site.request.url ?? []))?.host ?? '';
    return [{ code: 'env-elsewhere', file: module.file, start, end, ...module.position(start), detail: { host, how: 'stage' }, group }];
  });
  return [...new Map(found.map((each) => [`${each.file} ${each.start}`, each])).values()];
}

/** Whether a test itself asks what stands in for the service, as the program asks that. */
export const isAskedInTest = ({ request, isForStandIn }: RequestSite): boolean => isForStandIn === true && isTest(request.module);

/** The requests of the service, of which some are asked of what stands in for it. */
export const askedBy = memoOf((sites: readonly RequestSite[]): readonly RequestSite[] => {
  const asked = [...new Set(sites.flatMap((site) => (site.isForStandIn === true ? (site.follows ?? site) : site)))];
  const [first] = asked;
  if (first === undefined) return asked;
  const before = lastBy.get(first);
  if (before?.length === asked.length && before.every((site, index) => site === asked[index])) return before;
  lastBy.set(first, asked);
  return asked;
});

/** The last that were found, by the first of them: the tests of a suite follow the same requests, and who comes by all tests sees by the list that it is the same. */
const lastBy = new WeakMap<RequestSite, readonly RequestSite[]>();

/** As whose requests counts what such a server has and reads. */
export const standInServer = 'server of a test';
export const isOfStandIn = ({ client }: Request): boolean => client === standInServer;

/** @param isAnyPath whether it may ask for what v1 has not, below its version: a test that nothing is found */
export function asOurs(request: Request, follows: readonly RequestSite[], bases: Bases, isAnyPath = false): RequestSite | undefined {
  const path = pathOf(request);
  const placeholder = new RegExp(unknownPart);
  const [endpoint] = matchRoute(path, request.method, { placeholder });
  // A test may give a host alone where the base ends in the version.
  const [belowHost] = endpoint === undefined ? matchRoute(`/v1${path}`, request.method, { placeholder }) : [];
  if (belowHost !== undefined) {
    const verdict = { kind: 'ours', endpoint: belowHost, configured: '', version: undefined, base: undefined } as const;
    return { ...siteOf({ ...request, isMock: true }, verdict, bases, undefined), follows, isForStandIn: true };
  }
  const newer = request.method === undefined ? undefined : newInV2(request.method, path);
  const isAlong = newer !== undefined && follows.some(({ endpointOfV2 }) => endpointOfV2 === newer);
  if (endpoint === undefined && !isAlong && !(isAnyPath && path.startsWith('/v1/'))) return undefined;
  const start = versionIn(request);
  const version = { start, end: start + 2 };
  const verdict = { kind: 'ours', endpoint, configured: '', version, base: undefined } as const;
  const site = siteOf({ ...request, isMock: true }, verdict, bases, undefined);
  const isKept = endpoint === undefined && isVersionOfTest(request);
  const changes = isKept ? site.changes.filter(({ what }) => what !== 'path') : site.changes;
  return { ...site, changes, follows, isForStandIn: true };
}

/** Where the version stands in an address whose path begins with it. */
const versionIn = (request: Request): number => flat(request.url ?? []).length - pathOf(request).length + 1;

/** What stands at an offset of an address. */
function placeAt({ url = [] }: Request, offset: number | undefined): string | undefined {
  const [part] = offset === undefined ? [] : sliceParts(url, offset, offset + 2);
  return placeOfText(part);
}

const placeOfText = (part: Part | undefined): string | undefined =>
  part !== undefined && 'text' in part && part.source !== undefined ? `${part.source.module.file} ${part.source.start}` : undefined;

const pathOf = ({ url = [] }: Request): string => {
  const text = flat(url);
  return text.startsWith(unknownPart) ? text.slice(unknownPart.length) : text.replace(/^https?:\/\/[^/?#]*/i, '');
};
