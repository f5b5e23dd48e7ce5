/**
 * What tests expect of requests. A mock that names its whole address is proven as a request is; everything else, and both where the
 * program's own requests can be seen, moves if and only if the requests do that it is about.
 */
import type { V1EndpointId } from '../../../src/contract/endpoints.ts';
import type { Request } from '../../requests/requests.ts';
import { type Bases, matchUrl } from '../bases/routes.ts';
import { flat, isAbsolute } from '../../evaluate/values/text.ts';
import { memo, memoOf, once } from '../../once.ts';
import { askedBy, isAskedInTest } from '../bases/stand-ins.ts';
import { allowedSite, type RequestSite, siteOf } from '../request-sites.ts';
import { endpointOfV2Alone } from '../methods-of-v2.ts';
import type { Reach } from './reached.ts';
import type { RunByNames } from './run-by-names.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { type Near, nearIn } from './near.ts';
import { isBelowBase, isRunAlone, withoutSharedKeys } from './below-bases.ts';
import { askingIn, byPathAlone, isOfHeldCalls, isOurs, pathOf, routeAtAny, routeOf, routesOf } from './asked-endpoints.ts';
import { beforeIn, isToEnd, pathIn, versionIn } from './mocked-addresses.ts';
import {
  asOfPage,
  explaining,
  fitsBoth,
  isOfAnyHost,
  isOfOthers,
  isOfPage,
  isPatternOfOurs,
  mayBeAskedByPage,
  mockedAs,
} from './mock-patterns.ts';
import { withoutMixedRows } from './mixed-rows.ts';
import { isMount } from '../bases/mounts.ts';
import { besideOtherAddresses, namedAround, originOf } from './named-services.ts';
import { isEcho } from './echoes.ts';
import { withExpectedKey } from './expected-keys.ts';
import { ofClient } from './recorded-clients.ts';
import { type Sent, isOfStandIn, standInsAmong } from './for-stand-ins.ts';
import { isExpectedBy } from './expected-by.ts';
import { asOfOther } from './other-services.ts';
import { unreadIn, unseenIn } from './unseen-requests.ts';
import { routeByPath, succeededBy, verdictOf } from '../verdicts.ts';
import { type Range } from '../verdict.ts';

/**
 * @param reach the files that a test runs
 * @param sent where requests go as tests set their variable, or what holds their base
 * @returns the sites without expectations that no request explains, and without echoes; the other expectations with the verdict of the requests that they are about
 */
export function withMocksResolved(sites: readonly RequestSite[], bases: Bases, reach: Reach, runBy: RunByNames, sent: Sent): RequestSite[] {
  const mounted = new Set(
    sites.flatMap(({ request }) =>
      isMount(request) && baseIn(flat(request.url), bases) ? flat(request.mount.path).replace(/\/$/, '') : [],
    ),
  );
  const real = sites.filter(({ request }) => !request.isMock);
  const anchors = anchorsAmong(sites, reach, runBy, mounted);
  // What a page asks is none of the test's own calls, and of no program that runs by itself.
  const ofPages = once(() =>
    anchorsAmong(
      sites.filter((site) => site.request.isMock || mayBeAskedByPage(site)),
      reach,
      runBy,
      mounted,
    ),
  );
  const standIn = standInsAmong(sites, bases, reach, sent);
  const own = sites.filter((site) => (isOurs(site) || site.verdict.kind === 'v2') && (!site.request.isMock || isOfStandIn(site)));
  const resolve = (site: RequestSite): readonly RequestSite[] => {
    const known = asOfOther(site, own, reach) ?? standIn.known(site) ?? asByDefault(site, real, anchors, bases);
    const among = isOfPage(site.request) ? ofPages() : anchors;
    const found = (known === undefined ? standIn.open(site) : undefined) ?? resolvedMock(known ?? site, among, bases);
    return found === undefined ? [] : [found];
  };
  const isOfOtherAddress = besideOtherAddresses(sites, resolve);
  const resolved = sites.flatMap((site) => {
    if (!site.request.isMock) return [site];
    return isEcho(site) ? [] : resolve(site);
  });
  // What would move with ours is told instead.
  const isOtherAddressed = (site: RequestSite): boolean => site.request.isMock && isOurs(site) && isOfOtherAddress(site);
  return withoutMixedRows(withoutSharedKeys(resolved, sites))
    .filter((site) => !isOtherAddressed(site))
    .map(asOfPage);
}

function anchorsAmong(sites: readonly RequestSite[], reach: Reach, runBy: RunByNames, mounted: ReadonlySet<string>): Anchors {
  const real = sites.filter(({ request }) => !request.isMock);
  // A suite may ask a server that asks ours: then its mocks are all there is to see.
  return anchorsOf(
    real,
    real.some(isAbout)
      ? [...real.filter(isAbout), ...sites.filter(isAskedInTest)]
      : sites.filter((site) => site.request.expects === undefined && isAbout(site)),
    real.filter((site) => !isAbout(site) && routeAtAny(site) !== undefined),
    sites.filter(isOnV2),
    sites.filter(({ request }) => request.isMock),
    reach,
    runBy,
    mounted,
  );
}

/** The requests that mocks may be about. */
interface Anchors {
  readonly isAnyOurs: boolean;
  /** Those that ask an endpoint's path. */
  readonly asking: ReturnType<typeof askingIn>;
  /** Those of it by a method that v1 has not. */
  readonly byOtherMethods: ReturnType<typeof byPathAlone>;
  /** Those that v1 refuses and v2 carries out, where they go along with calls of ours. */
  newInV2(site: RequestSite): readonly RequestSite[];
  /** Those that an expectation may be about. */
  expectedBy(site: RequestSite, version: Range | undefined): readonly RequestSite[];
  /** Whether a mock that nobody is seen to ask for stands for whoever does: as a pattern, or beside one of the same path in its file. */
  isOpen(site: RequestSite, endpoint: V1EndpointId): boolean;
  /** Of these, those that the test itself runs, or at least its file, if there are any. */
  readonly near: Near;
  /** Whether a file asks by its imports, and all that is asked there is seen: calls with the key of v1, or of another service. */
  isAllSeen(module: SourceText): boolean;
  /** Whether the test runs these, and nobody else who sends a key. */
  isRunAlone(site: RequestSite, about: readonly RequestSite[]): boolean;
  /** Whether an expectation may be about a request that is not seen, in what its test runs. */
  isOfUnseen: ReturnType<typeof unseenIn>;
  /** … or about one of which nobody can read the path. */
  isOfUnread: ReturnType<typeof unreadIn>;
  /** Those that were moved before a mock of them was: the test runs nobody who may still ask v1 for the endpoint, and mocks v2 nowhere else. */
  movedBefore(site: RequestSite, endpoint: V1EndpointId | undefined): readonly RequestSite[];
}

/**
 * @param real what is asked, whoever it is of
 * @param others requests of others with a path that v1 has, too: what names no more than that may be about them
 * @param onV2 requests and mocks of v2
 * @param mocks what tests expect, and where
 * @param mounted the paths by which proxies lead to us: what is expected there may be about any request of ours
 */
function anchorsOf(
  real: readonly RequestSite[],
  all: readonly RequestSite[],
  others: readonly RequestSite[],
  onV2: readonly RequestSite[],
  mocks: readonly RequestSite[],
  reach: Reach,
  runBy: RunByNames,
  mounted: ReadonlySet<string>,
): Anchors {
  const byOtherMethods = byPathAlone(real);
  const asking = askingIn(all, others, byOtherMethods);
  const movedTo = Map.groupBy(onV2, ({ request }) => pathOf(succeededBy(request)));
  const askedOnEither = memo((endpoint: V1EndpointId) =>
    [...asking(endpoint).all.filter(({ verdict }) => verdict.kind !== 'foreign'), ...(movedTo.get(pathOf(endpoint)) ?? [])].filter(
      ({ request }) => !request.isMock,
    ),
  );
  const known = new Map<string, readonly RequestSite[]>();
  const near = nearIn(reach, runBy);
  return {
    near,
    isAnyOurs: all.some(isOurs),
    isAllSeen: memoOf((module: SourceText) => {
      const run = reach.byFile(module);
      const own = reach.isStartedByTests(module) ? run : reach.byImports(module);
      const asked = real.filter(({ request }) => run.has(request.module));
      return (
        reach.isAlone(module) &&
        asked.some((each) => isOurs(each) && own.has(each.request.module)) &&
        asked.every((each) => isKeyed(each) || each.verdict.kind === 'foreign')
      );
    }),
    isRunAlone: (site, about) => isRunAlone(reach, site, about),
    isOfUnseen: unseenIn(reach, real),
    isOfUnread: unreadIn(reach, real),
    movedBefore(site, endpoint) {
      const moved = (endpoint && movedTo.get(pathOf(endpoint))) ?? [];
      if (endpoint === undefined || moved.length === 0) return [];
      if (moved.some(({ request }) => request.isMock && request.module === site.request.module)) return [];
      const found = near(site, askedOnEither(endpoint));
      return found.every(isOnV2) ? found : [];
    },
    isOpen({ request: { module } }, endpoint) {
      const isPattern = (other: RequestSite): boolean =>
        other.request.module === module &&
        other.request.expects === 'part' &&
        routesOf(other, versionIn(flat(other.request.url ?? []))).some((each) => pathOf(each) === pathOf(endpoint));
      return mocks.some(isPattern) && reach.isAlone(module);
    },
    byOtherMethods,
    newInV2(site) {
      const endpoint = endpointOfV2Alone(site);
      const asked = endpoint === undefined ? [] : real.filter(({ endpointOfV2 }) => endpointOfV2 === endpoint);
      return asked.length === 0 || unreadIn(reach, real)(site, asked) ? [] : near(site, asked);
    },
    asking,
    expectedBy(site, version) {
      const key = `${site.request.expects} ${isToEnd(site.request)} ${beforeIn(site.request, version)} ${pathIn(site.request, version)} ${mockedAs(site.request)}`;
      // Who is asked without a version may be anybody.
      const possible = version === undefined ? [...all, ...real] : [...all, ...others];
      const found = known.get(key) ?? possible.filter(isExpectedBy(site, version, mounted, routeAtAny));
      known.set(key, found);
      if (isOfOthers(site.request, found, reach)) return [];
      return explaining(site, near(site, withExpectedKey(site, namedAround(site, ofClient(site, found), mocks))));
    },
  };
}

const isAbout = ({ verdict, keys }: RequestSite): boolean =>
  verdict.kind === 'ours' || (verdict.kind === 'unproven' && verdict.route !== undefined) || keys.length > 0;

/** What a test expects of a host that a default alone proves, where it runs nobody who asks that otherwise. */
function asByDefault(site: RequestSite, real: readonly RequestSite[], anchors: Anchors, bases: Bases): RequestSite | undefined {
  const { request, verdict } = site;
  if (verdict.kind !== 'foreign') return undefined;
  const asking = real.filter((other) => originOf(other) === originOf(site));
  const [base, ...others] = new Set(
    anchors.near({ request }, asking).map((other) => (other.verdict.kind === 'ours' ? other.verdict.configured : '')),
  );
  if (!base || others.length > 0) return undefined;
  const own = { ...bases, v1: [base] };
  return siteOf(request, verdictOf(request, own), own, undefined);
}

function resolvedMock(site: RequestSite, anchors: Anchors, bases: Bases): RequestSite | undefined {
  const { request, verdict } = site;
  if (verdict.kind === 'foreign' || verdict.kind === 'v2' || site.follows !== undefined) return site;
  if (verdict.kind === 'ours') {
    const { endpoint } = verdict;
    const moved = request.expects === undefined ? anchors.movedBefore(site, endpoint) : [];
    if (moved.length > 0) return { ...site, follows: moved };
    const { all, ours, byAnyMethod, hasRequest } = anchors.asking(endpoint);
    if (ours.some((other) => other !== site)) {
      const near = nearOthers(site, request.method === undefined ? byAnyMethod() : ours, anchors);
      if (anchors.isOfUnseen(site, endpoint, ours)) return undefined;
      return areOurs(near)
        ? { ...site, follows: askedBy(near) }
        : { ...unprovenMock(request, endpoint, bases), follows: askedBy(near).filter((other) => other !== site) };
    }
    // Of two mocks, the one that names no address says nothing against the one that does.
    if (hasRequest) {
      const asking = nearOthers(site, all, anchors).filter((other) => other !== site);
      return { ...unprovenMock(request, endpoint, bases), follows: asking };
    }
    // The beginning of an address may be an endpoint of its own.
    const longer = (request.expects === 'part' ? anchors.expectedBy(site, verdict.version) : []).filter(
      ({ verdict: { kind } }) => kind !== 'foreign',
    );
    if (longer.length > 0 && longer.every(isOurs)) return { ...site, follows: askedBy(longer) };
    return request.expects === 'value' || anchors.isOfUnseen(site, endpoint, []) ? undefined : site;
  }
  if (fitsBoth(request)) return undefined;
  const alongside = anchors.newInV2(site);
  if (alongside.length > 0) return { ...allowedSite(site, bases), follows: askedBy(alongside) };
  if (isPatternOfOurs(request, anchors.isAnyOurs, bases)) return siteOf(request, { kind: 'dynamic-path' }, bases, undefined);
  if (request.expects === undefined && request.url !== undefined) return site;
  // Such a method is expected of who asks by it.
  if (anchors.byOtherMethods(routeByPath(verdict)).some((other) => other.request.method === request.method)) return site;
  const at = request.url === undefined ? undefined : versionIn(flat(request.url));
  const base = request.url === undefined ? undefined : baseIn(flat(request.url), bases);
  // What names our host and no path is about all requests with the key; of a path below a version nothing but the key can move.
  const isBelow = isBelowBase(site);
  if (request.url !== undefined && at === undefined && !isBelow && (base === undefined || request.headers.length === 0)) return undefined;
  // Whatever is asked below an address of ours arrives there: also what is not seen, or stays. Which path `${base}/v1/${name}*` is about, nobody can read.
  const isOfAll = request.isOfAll === true && verdict.kind === 'unknown-route' && !anchors.isAllSeen(request.module);
  if (base !== undefined && (isOfAll || verdict.kind === 'dynamic-path')) return site;
  // What names our host is about nobody else's requests, and where it names an endpoint, too, about those of it that are ours.
  const possible = withoutCompanions(anchors.expectedBy(site, at)).filter(
    (other) => base === undefined || other.verdict.kind !== 'foreign',
  );
  const ofEndpoint = base === undefined || routesOf(site, at).length === 0 ? [] : possible.filter((other) => isOurs(other));
  const about = ofEndpoint.length > 0 ? ofEndpoint : possible;
  const isNew = about.some(({ endpointOfV2 }) => endpointOfV2 !== undefined);
  const endpoint = about.map(routeOf).find((each) => each !== undefined) ?? routesOf(isNew ? byAnyMethod(site) : site, at)[0];
  if (isBelow && !anchors.isRunAlone(site, about)) return undefined;
  const [other] = about;
  if (other?.verdict.kind === 'foreign' && about.every(({ verdict: { kind } }) => kind === 'foreign'))
    return { ...site, verdict: other.verdict };
  // An address of ours is proven by itself; what is only a part of one, or a header, by all requests that it may be about.
  const isProven =
    about.length > 0
      ? about.every(isOurs) && (base !== undefined || !anchors.isOfUnread(site, about))
      : base !== undefined && endpoint !== undefined;
  // What fits requests of others too, or a part of an address that none was seen to have, is reported; other texts may be anything.
  const isDoubtful = about.length > 0 ? about.some(isOurs) : request.expects === 'part';
  // All that is asked below a version, of nobody who is seen here.
  if (about.length === 0 && verdict.kind === 'unknown-route' && flat(request.url ?? []).includes('*') && !isOfOneEndpoint(site, at))
    return site;
  // `**/v1/contacts` in a folder of its own: others may show who is asked for that.
  if (about.length === 0 && endpoint !== undefined && at !== undefined && isOfAnyHost(request, at) && anchors.isOpen(site, endpoint))
    return { ...siteOf(request, { kind: 'ours', endpoint, configured: '', version: at, base }, bases, undefined), isOfAnyHost: true };
  // What names neither address nor header has nothing that could move.
  if (!isProven && (!isDoubtful || (request.url === undefined && site.keys.length === 0))) return undefined;
  if (!isProven)
    return { ...unprovenMock(request, endpoint, bases), ...(isOfHeldCalls(about) && { follows: askedBy(about.filter(isOurs)) }) };
  return { ...siteOf(request, { kind: 'ours', endpoint, configured: '', version: at, base }, bases, undefined), follows: askedBy(about) };
}

/** By its path alone: of what v1 has not by that method. */
const byAnyMethod = (site: RequestSite): RequestSite => ({ ...site, request: { ...site.request, method: undefined } });

const areOurs = memoOf((sites: readonly RequestSite[]) => sites.every(isOurs));

/** Those near a mock that may be one of them itself: where nobody else is, all. So that mocks of one path have one list, it stays among them. */
function nearOthers(site: RequestSite, found: readonly RequestSite[], { near }: Anchors): readonly RequestSite[] {
  const own = near(site, found);
  return own.every((other) => other === site) ? found : own;
}

/** Without what asks v1 for nothing that it has, by the header of requests of ours: either moves with these, or holds them. */
function withoutCompanions(found: readonly RequestSite[]): readonly RequestSite[] {
  const own = new Set(found.filter(isOurs).flatMap(({ keys }) => keys.map(({ node }) => node)));
  return found.filter(({ verdict, keys }) => verdict.kind !== 'unknown-route' || !keys.some(({ node }) => own.has(node)));
}

const unprovenMock = (request: Request, route: V1EndpointId | undefined, bases: Bases): RequestSite =>
  siteOf(request, { kind: 'unproven', route, env: undefined }, bases, undefined);

/** `cy.intercept('…/v1/messages*')`: the star stands for a query, and what is asked is as certain as without it. */
const isOfOneEndpoint = (site: RequestSite, version: Range | undefined): boolean =>
  isOfPage(site.request) && /\w\*$/.test(flat(site.request.url ?? [])) && routesOf(site, version).length === 1;

/** By its address, or by v2's header alone where nothing is known of that. */
const isOnV2 = ({ verdict, request, keys, authorizations }: RequestSite): boolean =>
  verdict.kind === 'v2' || (verdict.kind === 'unproven' && !request.isMock && authorizations.length > 0 && keys.length === 0);

const isKeyed = (site: RequestSite): boolean => isOurs(site) && site.keys.length > 0;
function baseIn(text: string, bases: Bases): Range | undefined {
  const match = isAbsolute(text) ? matchUrl(text, bases) : undefined;
  return match?.kind === 'ours' ? { start: 0, end: match.baseEnd } : undefined;
}
