/** What tests expect at addresses that they put in the place of the service's. */
import { drivesPages } from '../../clients/testing/libraries.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import type { Request } from '../../requests/requests.ts';
import { type Bases, matchRoute } from '../bases/routes.ts';
import type { SentTo } from '../bases/set-variables.ts';
import { askedBy, isConfigured } from '../bases/stand-ins.ts';
import { type RequestSite, siteOf } from '../request-sites.ts';
import { isOurs, routeOf } from './asked-endpoints.ts';
import { isExpectedBy } from './expected-by.ts';
import type { HostsInTests } from './hosts-in-tests.ts';
import { versionIn } from './mocked-addresses.ts';
import { originOf } from './named-services.ts';
import type { Reach } from './reached.ts';

/** Where requests go as tests set their variable, or put something in the place of what holds their base. */
export interface Sent {
  readonly hosts: HostsInTests;
  hostsOf(site: RequestSite): readonly SentTo[];
}

interface StandIns {
  /** An expectation as one of ours, where its test has our client ask there. */
  known(site: RequestSite): RequestSite | undefined;
  /** … and as one that may be. */
  open(site: RequestSite): RequestSite | undefined;
}

export function standInsAmong(sites: readonly RequestSite[], bases: Bases, reach: Reach, { hosts, hostsOf }: Sent): StandIns {
  const real = sites.filter(({ request }) => !request.isMock);
  const standIns = Map.groupBy(sites.filter(isOfStandIn), originOf);
  const set = Map.groupBy(
    real.filter(isOurs).flatMap((site) => hostsOf(site).map((to) => ({ to, site }))),
    ({ to }) => to.origin,
  );
  /** What is asked at the address of an expectation, in what its test runs. */
  const setTo = (expected: RequestSite): readonly { readonly to: SentTo; readonly site: RequestSite }[] => {
    const run = reach.byFile(expected.request.module);
    const found = set.get(originOf(expected) ?? '') ?? [];
    return found.filter(({ to, site }) => run.has(site.request.module) && (to.module === undefined || run.has(to.module)));
  };
  const isShared = (site: RequestSite): boolean => hosts.isShared(originOf(site)?.replace(/^https?:\/\//, '') ?? '', site.request.module);
  const sentTo = (site: RequestSite): readonly RequestSite[] => [
    ...(standIns.get(originOf(site) ?? '') ?? []).filter((each) => isOfTest(each, site.request.module) || isConfigured(each)),
    ...setTo(site).flatMap((each) => (each.to.isAnswered === true && !isShared(site) ? each.site : [])),
  ];
  return {
    known: (site) => asForStandIn(site, sentTo, bases),
    open: (site) => asOpenStandIn(site, { real, sent: setTo(site).map(({ to }) => to) }, bases, reach, hosts),
  };
}

export const isOfStandIn = ({ isForStandIn }: RequestSite): boolean => isForStandIn === true;

/**
 * What a test expects at an address where it has our client ask, in the place of the service.
 * @param sentTo what the test sends there
 */
function asForStandIn(site: RequestSite, sentTo: (site: RequestSite) => readonly RequestSite[], bases: Bases): RequestSite | undefined {
  const { request, verdict } = site;
  const text = verdict.kind === 'foreign' && request.url !== undefined ? flat(request.url) : '';
  const at = versionIn(text);
  if (text === '') return undefined;
  const about = sentTo(site).filter(at === undefined ? isBelowHost(text, request) : isExpectedBy(site, at));
  const endpoint = about.map(routeOf).find((each) => each !== undefined);
  if (endpoint === undefined) return undefined;
  const ours = siteOf(request, { kind: 'ours', endpoint, configured: '', version: at, base: undefined }, bases, undefined);
  return { ...ours, follows: askedBy(about), isForStandIn: true };
}

/** Whether both ask for the same endpoint below a host that stands where the base has the version as well: `https://example.test/contacts/7`. */
function isBelowHost(address: string, { method }: Request): (other: RequestSite) => boolean {
  const path = address.replace(/^https?:\/\/[^/?#]*/i, '');
  const endpoints = matchRoute(`/v1${path}`, method, { placeholder: new RegExp(unknownPart) });
  return (other) => isWithoutVersion(other) && endpoints.some((each) => each === routeOf(other));
}

const isWithoutVersion = ({ verdict }: RequestSite): boolean => verdict.kind === 'ours' && verdict.version === undefined;

/**
 * What a test expects on its own machine, or at a host that no program names, of nobody who is seen to ask there, beside requests of ours for the same: it may be
 * about these, as something is put in the place of their base in a way that was not followed.
 */
function asOpenStandIn(
  site: RequestSite,
  { real, sent }: { readonly real: readonly RequestSite[]; readonly sent: readonly SentTo[] },
  bases: Bases,
  reach: Reach,
  hosts: HostsInTests,
): RequestSite | undefined {
  const { request, verdict } = site;
  const at = versionIn(flat(request.url ?? []));
  const origin = originOf(site);
  if (verdict.kind !== 'foreign' || at === undefined || origin === undefined) return undefined;
  const isSentThere = sent.some(({ isAnswered }) => isAnswered !== undefined);
  if (!isSentThere && !mayBeGiven(request, verdict, origin, hosts)) return undefined;
  if (!isSentThere && !verdict.isMadeUp && sent.length > 0) return undefined;
  if (!isSentThere && real.some((other) => originOf(other) === origin)) return undefined;
  // At a host that may be somebody's, what a test itself imports is what it has ask there.
  const run = verdict.isMadeUp || isSentThere ? reach.byFile(request.module) : reach.byImports(request.module);
  const about = real.filter((other) => run.has(other.request.module)).filter(isExpectedBy(site, at));
  const route = about
    .filter(isOurs)
    .map(routeOf)
    .find((each) => each !== undefined);
  // Where ours are sent, those of others that are sent there, too, make it no less theirs.
  return route !== undefined && (isSentThere ? about.some(isOurs) : about.every(isOurs))
    ? siteOf(request, { kind: 'unproven', route, env: undefined }, bases, undefined)
    : undefined;
}

/** Whether a test may have given an address to somebody: what tests have written more than once, and on its own machine a base that is mocked as a setting. */
function mayBeGiven(
  request: Request,
  { isMadeUp, host }: Extract<RequestSite['verdict'], { kind: 'foreign' }>,
  origin: string,
  { isOfTestsAlone, isRepeated }: HostsInTests,
): boolean {
  if (request.expects === undefined) return false;
  const isBase = request.expects === 'part' && /\/v1\/?$/.test(flat(request.url ?? []));
  if (isMadeUp) return isBase || isRepeated(origin);
  return !isBase && !drivesPages(request.module) && isOfTestsAlone(host) && isRepeated(origin);
}

/** Whether a test makes a request, or says where it goes. */
const isOfTest = ({ request }: RequestSite, module: Request['module']): boolean =>
  request.module === module || request.callers.some((caller) => caller.module === module) || sourceOf(request) === module;

const sourceOf = ({ url: [first] = [] }: Request): SourceText | undefined =>
  first !== undefined && 'text' in first ? first.source?.module : undefined;
