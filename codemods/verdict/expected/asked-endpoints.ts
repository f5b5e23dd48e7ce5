/** Who asks which endpoint: the method counts for nothing, as most expectations name an address alone. */
import { type V1EndpointId, v1Endpoints } from '../../../src/contract/endpoints.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import { memo, once } from '../../once.ts';
import { pathIn, versionIn } from './mocked-addresses.ts';
import type { RequestSite } from '../request-sites.ts';
import { isLoopback, isNobodys } from '../bases/hosts.ts';
import { matchRoute } from '../bases/routes.ts';
import { routeByPath } from '../verdicts.ts';
import type { Range } from '../verdict.ts';

/** Who asks the path of one endpoint. */
export interface Asking {
  /** All that have it, whoever they are of. */
  readonly all: readonly RequestSite[];
  readonly ours: readonly RequestSite[];
  /** Ours, and those by a method that v1 has not, which what says no method may be about. */
  byAnyMethod(): readonly RequestSite[];
  /** Whether one is no mock, of whoever may be ours: what names our host is about nobody else's. */
  readonly hasRequest: boolean;
}

const nobody: Asking = { all: [], ours: [], byAnyMethod: () => [], hasRequest: false };

/**
 * Many mocks are about the same requests: who asks is found once for all of them, and so the list is the same one, too.
 * @param all what may be ours
 * @param others requests of others with a path that v1 has, too
 * @param byOtherMethods those of an endpoint's path by a method that v1 has not
 */
export function askingIn(
  all: readonly RequestSite[],
  others: readonly RequestSite[],
  byOtherMethods: (endpoint: V1EndpointId) => readonly RequestSite[],
): (endpoint: V1EndpointId | undefined) => Asking {
  // Of two calls that nothing proves, a person lets one move: a mock may be of the other.
  const open = new Set([...all, ...others].flatMap((site) => (site.verdict.kind === 'unproven' ? (pathOf(routeOf(site)) ?? []) : [])));
  const byPath = Map.groupBy(all, (site) => pathOf(routeOf(site)));
  const found = memo((endpoint: V1EndpointId): Asking => {
    const path = v1Endpoints[endpoint].path;
    const sites = byPath.get(path);
    if (sites === undefined) return nobody;
    const ours = sites.filter((site) => isOurs(site) && !(isAllowed(site) && open.has(path)));
    const isAnyMade = ours.some(({ request }) => !request.isMock && !request.isOpen);
    return {
      all: sites,
      ours,
      byAnyMethod: once(() => {
        const beside = byOtherMethods(endpoint).filter(({ request }) => !isAnyMade || !request.isOpen);
        return beside.length === 0 ? ours : [...beside, ...ours];
      }),
      hasRequest: sites.some(({ request, verdict }) => !request.isMock && verdict.kind !== 'foreign'),
    };
  });
  return (endpoint) => (endpoint === undefined ? nobody : found(endpoint));
}

/** By the path of what is asked for, whichever method v1 has there. */
export const byPathAlone = (sites: readonly RequestSite[]): ((endpoint: V1EndpointId | undefined) => readonly RequestSite[]) => {
  const found = Map.groupBy(sites, ({ verdict }) => pathOf(routeByPath(verdict)));
  return (endpoint) => (endpoint && found.get(pathOf(endpoint))) ?? [];
};

export const pathOf = (endpoint: V1EndpointId | undefined): string | undefined => endpoint && v1Endpoints[endpoint].path;

export const isOurs = ({ verdict }: RequestSite): boolean => verdict.kind === 'ours';
/** Whether nothing but a person says that it is ours. */
const isAllowed = ({ verdict }: RequestSite): boolean => verdict.kind === 'ours' && verdict.configured === '';

/** The endpoint that a request asks, or one of the same path of another service. */
export function routeOf(site: RequestSite): V1EndpointId | undefined {
  const { verdict, request } = site;
  if (verdict.kind === 'ours') return verdict.endpoint;
  if (verdict.kind === 'unproven') return verdict.route;
  if (verdict.kind !== 'foreign' || request.url === undefined) return undefined;
  // A name that nobody can have is as good as another's where the program asks it.
  if (verdict.isMadeUp) return undefined;
  return routesOf(site, versionIn(flat(request.url)))[0];
}

/** The same where it asks a server of the program's own: what is expected of that path may be about it, too. */
export const routeAtAny = (site: RequestSite): V1EndpointId | undefined =>
  asksOwnServer(site) ? routesOf(site, versionIn(flat(site.request.url ?? [])))[0] : routeOf(site);

/**
 * Whether the program itself says that it asks the machine it runs on, be it by the default of a variable: one that is set to ours makes the call ours. What
 * tests send there stands in for the service.
 */
function asksOwnServer({ verdict, request: { url: [first] = [], isMock, module } }: RequestSite): boolean {
  if (isMock || verdict.kind !== 'foreign' || !isLoopback(verdict.host) || isNobodys(verdict.host)) return false;
  const source = first !== undefined && 'text' in first ? first.source?.module : undefined;
  return source !== undefined && !isTest(source) && !isTest(module);
}

/** What may follow the beginning of an address counts: `url.startsWith('…/v1/contacts/')` is about one contact. */
export function routesOf({ request }: RequestSite, version: Range | undefined): readonly V1EndpointId[] {
  const path = pathIn(request, version);
  if (path === undefined) return [];
  const whole = request.expects === 'part' && path.endsWith('/') ? path + unknownPart : path;
  return matchRoute(whole, undefined, { placeholder: new RegExp(unknownPart) });
}

/** Whether all are of calls that ask ours, and another host as well: whose these are is told there, and what is expected of them stays with them. */
export function isOfHeldCalls(about: readonly RequestSite[]): boolean {
  const others = about.filter((site) => !isOurs(site));
  const ours = new Set(about.filter(isOurs).map(({ request }) => request.call));
  return (
    others.length > 0 && others.every(({ request, verdict }) => verdict.kind === 'foreign' && !verdict.isMadeUp && ours.has(request.call))
  );
}
