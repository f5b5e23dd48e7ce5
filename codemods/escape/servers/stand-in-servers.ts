/**
 * Servers that tests start in the place of the service: what they have and read there moves with the requests of ours that the test
 * runs, where nobody else whom it runs may ask for the same.
 */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import { type V1EndpointId, v1Endpoints } from '../../../src/contract/endpoints.ts';
import { unvalued } from '../../clients/testing/expected/compared.ts';
import { comparisonsOf, comparisonsOfTaken } from '../../clients/testing/expected/compared-values.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { functionAround } from '../../evaluate/calls/callees.ts';
import { keysOf } from '../../evaluate/names/computed-names.ts';
import { writtenKey } from '../../evaluate/language/objects.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import type { Entry } from '../../evaluate/values/values.ts';
import { memo } from '../../once.ts';
import { bareRequest, type Request } from '../../requests/requests.ts';
import type { Expression, FunctionNode, Node, PatternProperty } from '../../syntax/tree.ts';
import type { Reach } from '../../verdict/expected/reached.ts';
import { placesOf, type RequestSite, siteOf } from '../../verdict/request-sites.ts';
import { type Bases, matchRoute } from '../../verdict/bases/routes.ts';
import { openBase } from '../../verdict/verdicts.ts';
import { isLoopback } from '../../verdict/bases/hosts.ts';
import { askedBy, isAskedInTest, standInServer } from '../../verdict/bases/stand-ins.ts';
import { headerReads } from '../headers/reads/reads.ts';
import { handedKey } from './handed-keys.ts';
import { isTitle } from '../paths/repeats.ts';
import { isPath } from '../ledger/suspicious.ts';
import { askedByTests } from './own-askers.ts';
import { fetchesMadeIn, serves, startsServerIn } from './arrived.ts';
import { isGivenToPackage } from './given-fetches.ts';
import { namedPathsIn, pathIn } from './stand-in-places.ts';
import { isOfOption, toldAddresses } from './told-addresses.ts';

/** Files of tests that have a server, or use one that another such file has. */
export function filesWithStandIns(ev: Evaluation, reach: Reach): SourceModule[] {
  const modules = [...ev.world.modules.values()].filter(reach.isOfTests);
  const serving = new Set<SourceText>(modules.filter(serves));
  if (serving.size === 0) return [];
  return modules.filter((module) => [...reach.byFile(module)].some((each) => serving.has(each)));
}

export interface StandInServers {
  readonly sites: readonly RequestSite[];
  /** Those that stay as they are, as somebody else asks them, too. */
  readonly staying: ReadonlySet<SourceModule>;
}

/**
 * @param sites all others: what is explained by one of them is left to it
 * @param isOfProgram whether the program itself answers a request of a test: that does not come to a server of the test
 */
export function standInServers(
  ev: Evaluation,
  sites: readonly RequestSite[],
  bases: Bases,
  reach: Reach,
  isOfProgram: (site: RequestSite) => boolean,
): StandInServers {
  const staying = new Set<SourceModule>();
  const files = sites.some(isMoving) ? filesWithStandIns(ev, reach) : [];
  if (files.length === 0) return { sites: [], staying };
  const isAsked = askedByTests(ev.world, files);
  const known = new Set<Node>(sites.flatMap((site) => [...placesOf(site), ...site.keys].map(({ node }) => node)));
  const tests = [...ev.world.modules.values()].filter(reach.isOfTests);
  const isUnset = unsetIn(sites);
  const asking = sites.filter((site) => (!site.request.isMock || isAskedInTest(site)) && !isOfProgram(site) && !isUnset(site));
  /** What a file has in the place of `fetch` where no server is started beside it. */
  const fetchesFor = memo((module: SourceText): readonly FunctionNode[] => {
    const reached = reach.byFile(module);
    const serving = tests.filter((each) => reached.has(each) && serves(each));
    return serving.some(startsServerIn) ? [] : serving.flatMap(fetchesMadeIn);
  });
  const askingAt = memo((module: SourceText) => {
    const own = fetchesFor(module);
    if (own.some((fn) => isGivenToPackage(ev, fn))) return [];
    if (own.length > 0) return asking.filter(mayHaveFetch(sites, own, reach.byFile(module)));
    const isSet = setFor(ev.world, module, tests);
    return asking.filter((site) => !isElsewhere(site, isSet) && !asksByAnother(site, isSet));
  });
  const near = (request: Request): readonly RequestSite[] => {
    const real = askingAt(request.module);
    for (const reached of [reach.byTest(request), reach.byFile(request.module)]) {
      const own = real.filter((other) => reached.has(other.request.module) || other.request.module === request.module);
      if (own.some(isMoving)) return own;
    }
    return [];
  };
  const isAskedHere = askedAtStandIns(sites, reach);
  const made = (request: Request, endpoint: V1EndpointId | undefined, follows: readonly RequestSite[]): RequestSite[] => {
    const version = request.url === undefined ? undefined : { start: 1, end: 3 };
    const site = siteOf(request, { kind: 'ours', endpoint, configured: '', version, base: undefined }, bases, undefined);
    // What a person has to write is told for what it is: something that a server reads or has.
    return site.obstacles.length > 0 ? [] : [{ ...site, follows: askedBy(follows) }];
  };
  const served = files.flatMap((module) => {
    const reads = headerReads(ev, module).flatMap(({ node, isServer }) => {
      const request = requestAt(node, module, { headers: readAt(ev, node, module) });
      const isOther =
        !isServer || known.has(node) || isAsked(node, module) || (fetchesFor(module).length > 0 && !isAskedOfFetch(node, module));
      const about = isOther ? [] : near(request).filter(({ keys }) => keys.length > 0);
      return about.length === 0 ? [] : [{ request, about, isBesideToken: speaksOfToken(node, module) }];
    });
    // Behind a key that stays no path can move, and what tells a token from a key would have one for both.
    if (reads.some(({ about, isBesideToken }) => isBesideToken || !about.every(isMoving))) {
      staying.add(module);
      return [];
    }
    const open: Request[] = [];
    const asked = namedPathsIn(ev, module, reach.isOfTests).flatMap(({ node, url, isPart, isSegment = false }) => {
      if (known.has(node) || isAsked(node, module)) return [];
      const request = requestAt(node, module, { url });
      const about = near(request).filter(isAsking(flat(url), isPart));
      if (about.length === 0 && isPath(flat(url))) open.push(request);
      const endpoint = about.map(routeOf).find((each) => each !== undefined);
      // What stays on v1 and may ask for anything may ask for this, too.
      const isAskedOnV1 = near(request).some((site) => site.verdict.kind === 'dynamic-path' && !mayMove(site));
      const isHere = !isSegment || isAskedHere(module);
      return about.length > 0 && about.every(isMoving) && !isAskedOnV1 && isHere ? made(request, endpoint, about) : [];
    });
    const told = toldAddresses(module).flatMap((address) => {
      const { node, start } = address;
      const request = requestAt(node, module, { url: [{ text: '/v1', source: { module, start, isExact: true, node } }] });
      const about = near(request).filter(isOfOption(address));
      return about.length > 0 ? made(request, undefined, about) : [];
    });
    const moving = [...asked, ...told, ...reads.flatMap(({ request, about }) => made(request, undefined, about))];
    // What nobody is seen to ask goes with the rest of a server that only what moves can ask.
    const others = moving.length === 0 ? [] : open.filter((request) => near(request).every(mayMove));
    return [...moving, ...others.flatMap((request) => made(request, undefined, near(request).filter(isMoving)))];
  });
  return { sites: served, staying };
}

/** Whether it is none that stays on v1. */
const mayMove = (site: RequestSite): boolean => isMoving(site) || (routeOf(site) === undefined && site.keys.length === 0);

/** Tells of a file of the tests whether what moves is seen to be asked at servers of theirs: at a port of the machine, or where a variable says that they set. */
export function askedAtStandIns(sites: readonly RequestSite[], reach: Reach): (module: SourceModule) => boolean {
  const moving = sites.filter(isMoving);
  const local = moving.filter(
    ({ request: { isMock, url = [] } }) => isMock && isLoopback(/^https?:\/\/([^/?#]*)/i.exec(flat(url))?.[1] ?? ''),
  );
  const variables = new Set(moving.flatMap(({ variable }) => variable?.value.name ?? []));
  return (module) =>
    local.some(({ request }) => request.callers.some((caller) => reach.byFile(caller.module).has(module))) ||
    [...reach.byFile(module)].some((each) => reach.isOfTests(each) && [...variables].some((name) => each.text.includes(name)));
}

export interface NamedAtStandIns {
  /** Whether the server of a test may be asked there by what moves: what it has and reads stays, and may no longer fit. */
  isNamed(node: Node, module: SourceModule): boolean;
  /** Whether a mock expects it for the key of what moves, at a host that the test makes up and gives a client for its base. */
  isExpectedKey(node: Node, module: SourceModule): boolean;
  /** Whether it is of no such server: a title, or what a test asks a server of the user's own. */
  isOther(node: Node, module: SourceModule): boolean;
}

/** What the servers of tests have and read that stays, though something moves that may ask them. */
export function namedAtStandIns(
  ev: Evaluation,
  sites: readonly RequestSite[],
  isMoved: (site: RequestSite) => boolean,
  reach: Reach,
): NamedAtStandIns {
  const real = sites.filter((site) => !site.request.isMock);
  const moved = real.filter(isMoved);
  const tests = [...ev.world.modules.values()].filter(reach.isOfTests);
  const isAsked = askedByTests(ev.world, tests);
  const files = new Map(
    (moved.length === 0 ? [] : filesWithStandIns(ev, reach)).map((module) => {
      const reached = reach.byFile(module);
      const isSet = setFor(ev.world, module, tests);
      const run = real.filter((site) => reached.has(site.request.module) && !asksByAnother(site, isSet));
      return [module, { run, near: run.filter(isMoved) }];
    }),
  );
  const isNamed: NamedAtStandIns['isNamed'] = (node, module) => {
    const { run, near } = files.get(module) ?? { run: [], near: [] };
    if (near.length === 0) return false;
    if ((node.kind === 'patternProperty' && isKeyHeader(node.name)) || (node.kind === 'string' && isKeyHeader(node.value)))
      return near.some(({ keys }) => keys.length > 0);
    const path = pathIn(node);
    if (path === undefined) return false;
    const isAskedFor = isAsking(path, true);
    // What nobody is seen to ask there is of the service that the rest stands in for.
    return near.some(isAskedFor) || (isPath(path) && !run.some(isAskedFor));
  };
  const isBesideMoved = memo((module: SourceModule): boolean => {
    const reached = reach.byFile(module);
    return moved.some(({ request, keys }) => keys.length > 0 && reached.has(request.module));
  });
  const expected = keysBehindGivenHosts(sites);
  const isExpectedKey = (node: Node, module: SourceModule): boolean => expected.has(node) && isBesideMoved(module);
  return { isNamed, isExpectedKey, isOther: (node, module) => isTitle(node) || isAsked(node, module) };
}

/** The names of keys that mocks expect at hosts that tests make up, for a path of v1 without its version: that, the program has in its base. */
const keysBehindGivenHosts = (sites: readonly RequestSite[]): ReadonlySet<Node> =>
  new Set(
    sites.flatMap(({ request: { isMock, url = [], method }, verdict, keys }) => {
      if (!isMock || verdict.kind !== 'foreign' || !verdict.isMadeUp) return [];
      const path = flat(url).replace(/^https?:\/\/[^/?#]*/i, '');
      return matchRoute(`/v1${path}`, method, { placeholder: new RegExp(unknownPart) }).length === 0
        ? []
        : keys.flatMap(({ node, key }) => [node, key?.source?.node ?? node]);
    }),
  );

/** What goes to somebody else's host does not arrive at a server of a test, unless the test sets the variable that this is the default of. */
const isElsewhere = ({ verdict, byDefault }: RequestSite, { has }: SetFor): boolean =>
  verdict.kind === 'foreign' && !verdict.isMadeUp && byDefault.every((request) => variableOf(request).some((name) => !has(name)));

/**
 * Who may ask what a test has in the place of `fetch`: whoever is given it, for whatever host. What is seen to be given another mock by tests has that one.
 * @param own what the test has there
 */
function mayHaveFetch(
  sites: readonly RequestSite[],
  own: readonly FunctionNode[],
  reached: ReadonlySet<SourceText>,
): (site: RequestSite) => boolean {
  const isOwn = (origin: unknown): boolean => own.some((fn) => fn === origin);
  const elsewhere = new Set(
    sites.flatMap(({ request: { isAnswered, origins = [], callers, call } }) =>
      isAnswered === true && !origins.some(isOwn) && callers.some(({ module }) => reached.has(module)) ? call : [],
    ),
  );
  return (site) => isMoving(site) || !elsewhere.has(site.request.call);
}

/** Where files say by which variables a server is asked, what has its address from others does not arrive there. */
function asksByAnother({ request, byDefault }: RequestSite, { isNamed, has }: SetFor): boolean {
  const variables = isNamed ? [request, ...byDefault].flatMap(variableOf) : [];
  return variables.length > 0 && !variables.some(has);
}

const variableOf = (request: Request): string[] => {
  const value = openBase(request)?.value;
  return value?.type === 'env' ? [value.name] : [];
};

/** The variables that may be set to where a server of a test listens. */
interface SetFor {
  /** Whether files set some to its port. */
  readonly isNamed: boolean;
  has(name: string): boolean;
}

function setFor({ addressedBy }: World, module: SourceText, tests: readonly SourceModule[]): SetFor {
  const names = addressedBy?.(module) ?? [];
  return { isNamed: names.length > 0, has: (name) => names.includes(name) || tests.some(({ text }) => text.includes(name)) };
}

/** `let base = ''`, until the server of the test listens: what is asked then has no host, and is asked of nobody. */
function unsetIn(sites: readonly RequestSite[]): (site: RequestSite) => boolean {
  const set = Map.groupBy(
    sites.filter(isMoving).filter(({ request }) => request.isMock),
    ({ request }) => request.call,
  );
  return ({ verdict, request: { call, callers, url = [] } }) => {
    const text = flat(url);
    if (verdict.kind !== 'unproven' || !text.startsWith('/')) return false;
    return (set.get(call) ?? []).some(
      ({ request }) =>
        flat(request.url ?? []).endsWith(text) &&
        request.callers.length === callers.length &&
        // `new Client(base)` or `new Client(base).contacts()`
        request.callers.every(({ node, module }, index) => module === callers[index]?.module && node.start === callers[index]?.node.start),
    );
  };
}

const isMoving = ({ verdict, changes }: RequestSite): boolean => verdict.kind === 'ours' && changes.length > 0;

const requestAt = (call: Node, module: SourceModule, about: Partial<Pick<Request, 'url' | 'headers'>>): Request => ({
  ...bareRequest(call, module, standInServer),
  isMock: true,
  expects: 'part',
  ...about,
});

/** `request.headers.get('x-api-key')` in what answers in the place of `fetch`: what it keeps of requests has the names of headers as they were written. */
const isAskedOfFetch = ({ parent, start }: Node, module: SourceModule): boolean =>
  parent?.kind === 'call' && fetchesMadeIn(module).some((fn) => fn.start < start && start < fn.end);

/** The header where it is read, with what its value is compared with. */
function readAt(ev: Evaluation, name: Expression | PatternProperty, module: SourceModule): Entry[] {
  const at = { module, frame: undefined };
  if (name.kind === 'patternProperty') {
    const key = { name: name.name, key: writtenKey(name, at), isLookup: true };
    return comparisonsOfTaken(name, at, ev).map((each): Entry => ({ ...key, ...each }));
  }
  const { parent: read } = name;
  if (read === undefined) return [];
  const isAsked = read.kind === 'call' && read.callee.kind === 'member' && read.callee.property === 'has';
  const compared = isAsked ? [unvalued(read, module)] : comparisonsOf(read, at, ev);
  const keys = keysOf(ev.evaluate(name, at)).filter((key) => isKeyHeader(key.name));
  const [key, another] = keys;
  const handed = another === undefined ? handedKey(name, read, key?.key, compared, module) : undefined;
  if (handed !== undefined) return [handed];
  return compared.flatMap((each) => keys.map((key): Entry => ({ ...key, ...each, isLookup: true })));
}

/** Whether what reads the key asks for `Authorization`, too. */
function speaksOfToken(read: Node, { text }: SourceModule): boolean {
  const { start, end } = functionAround(read) ?? read;
  return /\bauthorization\b/i.test(text.slice(start, end));
}

const pathOf = (endpoint: V1EndpointId | undefined): string | undefined => endpoint && v1Endpoints[endpoint].path;

function routeOf({ verdict }: RequestSite): V1EndpointId | undefined {
  if (verdict.kind === 'ours') return verdict.endpoint;
  return verdict.kind === 'unproven' ? verdict.route : undefined;
}

/** Tells who may ask for a path: by its endpoint, or by what stands of it in an address. */
function isAsking(path: string, isPart: boolean): (site: RequestSite) => boolean {
  const asked = new Set<string | undefined>(matchRoute(path, undefined, { placeholder: new RegExp(unknownPart) }).map(pathOf));
  asked.delete(undefined);
  const [begin = ''] = /^[^:*{?\0]*/.exec(path) ?? [];
  return (site) => {
    if (asked.has(pathOf(routeOf(site)))) return true;
    const text = flat(site.request.url ?? []);
    // What a test asks for that v1 has not is known by its text, where that moves.
    const isOther = routeOf(site) === undefined && site.changes.some(({ what }) => what === 'path');
    return (isPart || site.verdict.kind !== 'ours' || isOther) && text.includes(begin);
  };
}
