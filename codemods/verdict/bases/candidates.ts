/** Bases that v1-like calls go to: what is shown where no base is configured. */
import type { V1EndpointId } from '../../../src/contract/endpoints.ts';
import { type Bases, matchRoute } from './routes.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import type { Candidate } from '../../model.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { isLocal, isLoopback, isMadeUp } from './hosts.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import { isStandIn } from './stand-ins.ts';
import { goTogether } from '../../requests/items.ts';
import { type Request, wayOf } from '../../requests/requests.ts';
import { isEcho } from '../expected/echoes.ts';
import { envOf } from './environment.ts';
import { directiveAt } from '../directive-comments.ts';
import { placeOfCall, placeOfRoute, type RequestSite } from '../request-sites.ts';

export interface CandidateCall {
  readonly base: string;
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly method: string | undefined;
  /** The endpoint of v1; undefined where it has none like that. */
  readonly route: V1EndpointId | undefined;
  readonly withKey: boolean;
  /** Whether it is no call, but what a test expects of one. */
  readonly isMock: boolean;
  /** Whether a test says where it goes, or makes it. */
  readonly isOfTest: boolean;
  /** Of a base that is a variable: what a file sets it to is meant, where that ends in the version, or where it does not. */
  readonly asSet?: 'with version' | 'without version';
  /** What its base is read from, or is the default of. */
  readonly variables: readonly string[];
}

/** What a file sets a variable to. */
export interface HeldAddress {
  readonly name: string;
  readonly value: string;
}

const options = { placeholder: new RegExp(unknownPart) };

/** @returns one for each call that goes to a base with `/v1` that is not configured, and that no comment leaves alone */
export function candidateCalls(sites: readonly RequestSite[], bases: Bases): CandidateCall[] {
  const found = sites.flatMap((site) => {
    // What a test gives a client in the place of the service is none, where that is known.
    if (isIgnored(site) || (bases.v1.length > 0 && (isStandIn(site) || site.isForStandIn === true || isEcho(site)))) return [];
    const { request } = site;
    const own = candidateOf(site, bases);
    const byDefault = site.byDefault.flatMap((other) => {
      const candidate = candidateOf({ ...site, request: other }, bases);
      return candidate === undefined ? [] : [{ candidate: asSetByFiles(candidate), request: other }];
    });
    return [...(own === undefined ? [] : [{ candidate: own, request }]), ...byDefault];
  });
  // `env.URL ?? 'https://…'` is best known by its default, and by what files set it to.
  const isAtTest = atTestOf(found.map(({ candidate }) => candidate));
  const withUrl = new Set(
    found.filter(({ candidate }) => !isVariable(candidate.base) && !isAtTest(candidate)).map(({ request }) => request.call),
  );
  const held = Map.groupBy(
    found.filter(({ candidate }) => isVariable(candidate.base)).map(({ request }) => request),
    wayOf,
  );
  const shown = found.map(({ candidate, request }) =>
    isVariable(candidate.base)
      ? withUrl.has(request.call)
        ? asSetByFiles(candidate)
        : candidate
      : { ...candidate, variables: (held.get(wayOf(request)) ?? []).flatMap((other) => variableBefore(request, other) ?? []) },
  );
  return [...new Map(shown.map((each) => [`${each.base} ${each.asSet} ${each.file} ${each.start} ${each.route}`, each])).values()];
}

/** The variable of another alternative, unless its default is known and stands elsewhere. */
function variableBefore({ url }: Request, other: Request): string | undefined {
  const variable = envOf(other.url?.[0]);
  // What is asked for in turn is no other stage.
  if (url === undefined || other.url === undefined || !goTogether(url, other.url)) return undefined;
  const [own] = url;
  const [first] = variable?.otherwise?.parts ?? [];
  if (first === undefined || 'unknownPart' in first || own === undefined || 'unknownPart' in own) return variable?.name;
  return first.source?.module === own.source?.module && first.source?.start === own.source?.start ? variable?.name : undefined;
}

/** A variable that has a base by a default is no other base: what files set it to may be. */
const asSetByFiles = (candidate: CandidateCall): CandidateCall =>
  isVariable(candidate.base) ? { asSet: 'without version', ...candidate } : candidate;

const isIgnored = ({ request: { call, module, callers } }: RequestSite): boolean =>
  [{ node: call, module }, ...callers].some((place) => directiveAt(place.module, place.node.start, place.node.end) !== undefined);

const isVariable = (base: string): boolean => base.startsWith('env:');

function candidateOf(site: RequestSite, bases: Bases): CandidateCall | undefined {
  const { request, keys } = site;
  const { url, method } = request;
  const base = url === undefined ? undefined : baseOf(flat(url));
  const variable = envOf(url?.[0])?.name;
  if (base === undefined && variable !== undefined && keys.length > 0) return belowVariable(site, variable);
  const named = base?.base === unknownPart ? (variable === undefined ? undefined : `env:${variable}`) : base?.base;
  // Nor is the pattern of a mock an address: `**/api/v1/messages/*`.
  if (named === undefined || base === undefined || named.includes(unknownPart) || named.includes('*')) return undefined;
  if (bases.v1.includes(named) || (site.verdict.kind === 'ours' && site.verdict.configured === named)) return undefined;
  const [route] = matchRoute(base.path, method, options);
  const isKnown = variable !== undefined && bases.env.has(variable);
  const variables = base.base === unknownPart && variable !== undefined ? [variable] : [];
  return {
    base: named,
    ...placeIn(site, flat(url ?? []).length - base.path.length),
    method,
    route,
    variables,
    withKey: keys.length > 0,
    ...(isKnown && { asSet: 'without version' }),
  };
}

/** `${process.env.API_URL}/contacts`: a call of v1, if the variable ends in the version. */
function belowVariable(site: RequestSite, variable: string): CandidateCall | undefined {
  const { url = [], method } = site.request;
  const [route] = matchRoute(`/v1${flat(url).slice(1)}`, method, options);
  return (
    route && { base: `env:${variable}`, ...placeIn(site, 1), method, route, variables: [variable], withKey: true, asSet: 'with version' }
  );
}

/** @param pathStart where the path begins in its address */
function placeIn(site: RequestSite, pathStart: number): Pick<CandidateCall, 'file' | 'start' | 'end' | 'line' | 'isMock' | 'isOfTest'> {
  const { node, module } = placeOfRoute(site, pathStart);
  const { url: [first] = [], isMock } = site.request;
  const base = first !== undefined && 'text' in first ? first.source?.module : undefined;
  const isOfTest = [placeOfCall(site).module, ...(base === undefined ? [] : [base])].some(isTest);
  return { file: module.file, start: node.start, end: node.end, line: module.position(node.start).line, isMock, isOfTest };
}

/** The part before the version, and the path from the version on. A user name and password are no part of a base, nor is a slash at its end. */
export function baseOf(url: string): { readonly base: string; readonly path: string } | undefined {
  const text = url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');
  const [whole, base] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]+(?:\/[^?#]*?)??|\0)\/v1(?=\/|$)/i.exec(text) ?? [];
  return whole === undefined || base === undefined
    ? undefined
    : { base: withoutPort(base).replace(/(?<!\/)\/+$/, ''), path: text.slice(base.length) };
}

/** `https://api.example.com:443` is no other base. */
const withoutPort = (base: string): string => base.replace(/^(https:\/\/[^/:]+):443(?=\/|$)|^(http:\/\/[^/:]+):80(?=\/|$)/i, '$1$2');

/**
 * The calls by base, those with the most evidence first.
 * @param addresses what files set variables to
 * @param v1 bases that are configured
 */
export function candidatesOf(
  calls: readonly CandidateCall[],
  addresses: readonly HeldAddress[] = [],
  { v1 }: Pick<Bases, 'v1'> = { v1: [] },
): Candidate[] {
  const located = calls.flatMap((call) => (call.asSet === undefined ? call : basesSet(call, addresses).map((base) => ({ ...call, base }))));
  // What a variable is set to is one service, at several stages.
  const stages = Map.groupBy(
    located.flatMap((call) => stagesOf(call).map((stage) => ({ ...call, stage }))),
    ({ stage }) => stage,
  );
  const candidates = [...Map.groupBy(located, ({ base }) => base)].map(([base, all]): Candidate => {
    const places = [...new Map(all.map((call) => [`${placeOf(call)} ${call.route}`, call])).values()];
    // What tests expect of calls counts where no call is seen.
    const calls = places.filter(({ isMock }) => !isMock);
    const own = calls.length > 0 ? calls : places;
    const known = own.flatMap(({ file, start, end, line, route, withKey }) =>
      route === undefined ? [] : [{ file, start, end, line, route, withKey }],
    );
    const routes = new Set(known.map(({ route }) => route)).size;
    const beside = own
      .flatMap(stagesOf)
      .map((stage) => stages.get(stage) ?? [])
      .filter((stage) => stage.some(({ asSet }) => asSet !== undefined));
    const together = [...new Set(beside.flat().map((call) => call.base))].filter((other) => other !== base);
    return { base, calls: known, routes, unknownRoutes: own.length - known.length, together };
  });
  const isAtTest = atTestOf(located);
  const ofProgram = Map.groupBy(
    located.filter(({ isOfTest }) => !isOfTest),
    ({ base }) => base,
  );
  const countIn = ({ base }: Candidate): number => new Set(ofProgram.get(base)?.map(placeOf)).size;
  const real = candidates.filter((each) => each.calls.length > 0 && !v1.includes(each.base));
  const elsewhere = new Set(located.flatMap((call) => (isAtTest(call) ? [] : call.base)));
  const shown = real.filter(({ base }) => elsewhere.has(base));
  return (shown.length === 0 ? real : shown).toSorted(
    (a, b) => countIn(b) - countIn(a) || b.calls.length - a.calls.length || (a.base < b.base ? -1 : 1),
  );
}

/**
 * Where a test alone is seen to ask, at its own machine, the program is what it asks for: the addresses that this holds.
 * @param modules those that hang together with the calls by imports
 */
export function candidatesIn(calls: CandidateCall[], modules: Iterable<SourceModule>): CandidateCall[] {
  if (calls.length === 0 || !calls.every(({ base, isOfTest }) => isOfTest && isLoopback(URL.parse(base)?.host ?? ''))) return calls;
  const held = [...modules]
    .flatMap((module) => (isTest(module) ? [] : nodesOfKind(module.tree.program, 'string')))
    .flatMap(({ value }) => {
      const [, base] = /^(https?:\/\/[^\s/?#]+(?:\/[^\s?#]*?)??)(?:\/v1)?\/?$/i.exec(value) ?? [];
      return base === undefined || isLocal(URL.parse(base)?.host ?? 'localhost') ? [] : [base];
    });
  return held.length === 0 ? calls : [...new Set(held)].flatMap((base) => calls.map((call) => ({ ...call, base })));
}

/**
 * Tells where a test's server listens, which is what its client is given in the place of the service. Where the program has such names,
 * others that tests have may be as real.
 */
function atTestOf(calls: readonly CandidateCall[]): (call: CandidateCall) => boolean {
  const ofProgram = calls.flatMap(({ base, isOfTest }) => (isOfTest || isVariable(base) ? [] : base));
  return ({ base, isOfTest }) => isOfTest && isMadeUp(URL.parse(base)?.host ?? '', ofProgram);
}

const placeOf = ({ file, start }: CandidateCall): string => `${file} ${start}`;

/** Where a variable is read, that may be set to several bases. */
const stagesOf = (call: CandidateCall): string[] => call.variables.map((variable) => `${placeOf(call)} ${variable}`);

const basesSet = ({ base: variable, asSet }: CandidateCall, addresses: readonly HeldAddress[]): string[] => [
  ...new Set(
    addresses.flatMap(({ name, value }) => {
      const [, base, version] = variable === `env:${name}` ? (/^(https?:\/\/.*?)(\/v1)?\/?$/i.exec(value) ?? []) : [];
      return base === undefined || (version === undefined) === (asSet === 'with version') ? [] : [base];
    }),
  ),
];
