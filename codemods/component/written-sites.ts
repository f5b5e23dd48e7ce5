/** Requests and settings of files that are no scripts, as sites: whose each is, what it would change, and what only formats have against it. */
import { isKeyHeader } from '../../src/contract/auth.ts';
import { v1Endpoints } from '../../src/contract/endpoints.ts';
import type { FindingCode } from '../model.ts';
import type { Problem } from '../escape/problems.ts';
import { isOfOther } from '../escape/ledger/settled-calls.ts';
import { flat, sliceParts, unknownPart } from '../evaluate/values/text.ts';
import type { EnvValue, Part } from '../evaluate/values/values.ts';
import type { Reading, Setting, WrittenRequest } from '../formats/reading.ts';
import type { TextRange } from '../formats/text.ts';
import type { Request } from '../requests/requests.ts';
import { withDefaultFor } from '../verdict/bases/defaults.ts';
import { envOf } from '../verdict/bases/environment.ts';
import { allowedVerdict, alternativesOf, type RequestSite, siteOf } from '../verdict/request-sites.ts';
import { type Bases, matchUrl } from '../verdict/bases/routes.ts';
import { prefixVerdict, verdictOf } from '../verdict/verdicts.ts';
import { type Verdict, versionAlone } from '../verdict/verdict.ts';

/** A base as a program gets it. */
export interface HeldBase {
  readonly holdsVersion: boolean;
  readonly value: string;
}

export interface WrittenSite {
  readonly site: RequestSite;
  readonly setting?: Setting;
  /** The variable that it is the default of. */
  readonly variable?: EnvValue | undefined;
  /** What the setting holds, if it is one of our bases. */
  readonly base?: HeldBase;
  /** Whether it may do without a key. */
  readonly isKeyless: boolean;
  /** See `WrittenRequest`. */
  readonly mentions: readonly TextRange[];
  /** What only formats have against it. */
  readonly problems: readonly Problem[];
}

type Found = Pick<WrittenSite, 'site' | 'base'> & {
  readonly code?: FindingCode | undefined;
  readonly detail?: Problem['detail'];
  readonly places?: readonly TextRange[];
};

export function requestSitesOf({ requests, settings }: Reading, bases: Bases): WrittenSite[] {
  const asked = new Set<WrittenRequest>();
  const requested = requests.flatMap((written) => {
    const sites = alternativesOf(written.requests, bases).map((each) => withProblem(requestSite(each, written, each.bases), written));
    if (sites.some(mayBeOurs)) asked.add(written);
    return sites;
  });
  const programs = programsOfOurs(settings, bases);
  const set = settings.flatMap((setting) => {
    if (setting.of !== undefined && asked.has(setting.of)) return [];
    const { requests: alternatives, variable } = withoutVariable(setting.requests);
    return alternatives.flatMap((request) => {
      const found = settingSite(request, setting, withDefaultFor(request, setting.requests, bases), programs);
      return found === undefined ? [] : { ...withProblem(found, { isKeyless: true, mentions: [] }), setting, variable };
    });
  });
  return [...requested, ...set];
}

type Programs = ReadonlyMap<string, ReadonlySet<string>>;

/** The programs that a file sets variables for to a base of ours. */
function programsOfOurs(settings: readonly Setting[], bases: Bases): Programs {
  const found = new Map<string, Set<string>>();
  for (const { name = '', programs = [], requests } of settings) {
    if (programs.length === 0 || !requests.some(({ url = [] }) => baseIn(url, bases) !== undefined)) continue;
    const known = found.get(name) ?? new Set();
    found.set(name, known);
    for (const program of programs) known.add(program);
  }
  return found;
}

/** Whether it is set for another program than the one that the same file sets it to a base of ours for. */
function isOfAnother({ name = '', programs = [] }: Setting, known: Programs): boolean {
  const ours = known.get(name);
  return ours !== undefined && programs.length > 0 && !programs.some((program) => ours.has(program));
}

/** Of `${NAME:-default}` only the default is set here. */
function withoutVariable(requests: readonly Request[]): { readonly requests: readonly Request[]; readonly variable: EnvValue | undefined } {
  const own = requests.filter(({ url = [] }) => url.length > 1 || envOf(url[0]) === undefined);
  return own.length === 0
    ? { requests, variable: undefined }
    : { requests: own, variable: requests.flatMap(({ url }) => envOf(url?.[0]) ?? [])[0] };
}

/** The URL of such a request is no setting beside it. */
const mayBeOurs = ({ site: { verdict }, problems }: WrittenSite): boolean =>
  problems.length > 0 || verdict.kind === 'ours' || verdict.kind === 'unknown-route' || verdict.kind === 'dynamic-path';

function withProblem({ site, base, code, detail = {}, places }: Found, about: Pick<WrittenSite, 'isKeyless' | 'mentions'>): WrittenSite {
  const { call: node, module } = site.request;
  const found = places?.map((place) => ({ node: place })) ?? [{ node, site }];
  const problems = code === undefined ? [] : found.map((each): Problem => ({ code, module, detail, ...each }));
  const { isKeyless, mentions } = about;
  return { site, isKeyless, mentions, problems, ...(base !== undefined && { base }) };
}

function requestSite(
  { request, variable, versions }: Pick<RequestSite, 'request' | 'variable' | 'versions'>,
  { isKeyless, mentions, isContradicted, isLeft }: WrittenRequest,
  bases: Bases,
): Found {
  const { url } = request;
  const hasKey = request.headers.some(({ name }) => isKeyHeader(name));
  const base = isKeyless && url !== undefined ? baseIn(url, bases) : undefined;
  const found = base === undefined ? verdictOf(request, bases) : base.verdict;
  // The paths of a base stand elsewhere, and are still those of v1.
  const isOpen = base !== undefined && !base.held.holdsVersion;
  const verdict = isOpen ? nobodys : allowedVerdict(request, otherHost(found, url, bases) ?? onlyLikely(found, url), bases);
  const site = { ...siteOf(request, verdict, bases, variable), versions };
  if (isOpen && hasKey) return { site, code: 'unconsumed' };
  // Code that puts its paths behind the base may ask with the header that is named beside it.
  if (isOpen && mentions.length > 0) return { site, code: 'unconsumed', places: mentions };
  const isLike = verdict.kind === 'unproven' && (verdict.route !== undefined || (hasKey && !isOfMachine(url) && !isOfOther(site)));
  if (isLike && !isOpen) {
    // A route of v1's with its key is asked about, whatever some file sets the variable to.
    const env = verdict.route === undefined ? envOf(url?.[0])?.name : undefined;
    return { site, code: 'base-not-proven', detail: { ...(site.mayBeAllowed && { allow: 'yes' }), ...(env !== undefined && { env }) } };
  }
  if (verdict.kind === 'foreign') return { site, ...nearlyOurs(site, verdict, hasKey, bases) };
  if (verdict.kind !== 'ours') return { site };
  if (site.authorizations.length > 0) return { site, code: 'authorization-present' };
  if (mentions.length > 0 || isLeft) return { site, code: 'unconsumed' };
  return isContradicted || isInPieces(verdict, url, bases) ? { site, code: 'base-split' } : { site };
}

/** `curl localhost:9090/v1/health`: without a scheme, and no path of v1. */
const isOfMachine = (url: readonly Part[] | undefined): boolean =>
  url !== undefined && /^(?:localhost|127(?:\.\d+){3}|\[::1\]):\d+\//i.test(flat(url));

const nobodys: Verdict = { kind: 'unproven', route: undefined, env: undefined };

/**
 * Whether a base that would change is put together from several texts. What is left of it may be read by others, as a host that an
 * environment names.
 */
function isInPieces(verdict: Verdict, url: readonly Part[] | undefined, { v2 }: Bases): boolean {
  if (verdict.kind !== 'ours' || verdict.base === undefined || url === undefined || v2 === undefined) return false;
  const sources = sliceParts(url, verdict.base.start, verdict.base.end).map((part) => ('text' in part ? part.source : undefined));
  return sources.some((source, i) => {
    const next = sources[i + 1];
    return (
      i + 1 < sources.length &&
      (source === undefined || next === undefined || next.start < source.start || next.start > source.node.end + maxMarkLength)
    );
  });
}

/** Quotes and escapes stand between characters of one text. */
const maxMarkLength = 2;

/** A URL that nothing proves may be v1's only with `/v1/` in it; and a variable whose name goes on is no base. */
function onlyLikely(verdict: Verdict, url: readonly Part[] | undefined): Verdict {
  const text = url === undefined ? '' : flat(url);
  if (/^\0[^/?#]/.test(text) && verdict.kind === 'unknown-route') return nobodys;
  const isLike = text.indexOf('/v1/') > 0;
  return verdict.kind === 'unproven' && !isLike ? { ...verdict, route: undefined } : verdict;
}

/** `https://alerts.$STAGE.corp.example`: whatever its stage is, its domain is that of no base. */
function otherHost({ kind }: Verdict, url: readonly Part[] | undefined, { v1 }: Bases): Verdict | undefined {
  if (kind !== 'unproven' || url === undefined || v1.length === 0) return undefined;
  const [, host = ''] = /^https?:\/\/([^/?#@:]+)(?::\d+)?\//i.exec(flat(url)) ?? [];
  const known = host.includes(unknownPart) ? host.slice(host.lastIndexOf(unknownPart) + 1).replace(/^[^.]*\./, '') : '';
  if (!known.includes('.') || v1.some((base) => domainOf(new URL(base).hostname) === domainOf(known))) return undefined;
  return { kind: 'foreign', host: known, isMadeUp: false };
}

/** The last two names of a host. */
const domainOf = (host: string): string => host.toLowerCase().split('.').slice(-2).join('.');

/** Our host, but in a way that leaves open who gets the request. */
function nearlyOurs({ request }: RequestSite, { host, hasLogin }: Extract<Verdict, { kind: 'foreign' }>, hasKey: boolean, bases: Bases) {
  const isNear = hasLogin !== true && hasKey && bases.v1.some((base) => new URL(base).hostname === host || new URL(base).host === host);
  const match = isNear && request.url !== undefined ? matchUrl(flat(request.url), bases) : undefined;
  return match?.kind === 'unclear' ? ({ code: 'base-not-proven', detail: { host } } as const) : {};
}

function settingSite(request: Request, setting: Setting, bases: Bases, programs: Programs): Found | undefined {
  const url = request.url ?? [];
  const { name } = setting;
  const theirs = setting.isOfOthers === true ? ofOthers(request, setting, bases) : undefined;
  if (theirs !== undefined) return theirs;
  if (name !== undefined && bases.versions?.has(name) === true) return versionSite(request, name, bases);
  const base = baseIn(url, bases);
  if (base !== undefined) {
    const site = siteOf(request, base.verdict, bases, undefined);
    return { site, base: base.held, ...(isInPieces(base.verdict, url, bases) && { code: 'base-split' }) };
  }
  const verdict = onlyLikely(verdictOf(request, bases), url);
  if (verdict.kind === 'ours') {
    const site = siteOf(request, { ...verdict, endpoint: undefined }, bases, undefined);
    // A path with an id in place of its parameter was copied from an answer: it is data.
    const path = verdict.endpoint === undefined ? '' : v1Endpoints[verdict.endpoint].path;
    const isWrittenOut = path.includes(':') && !url.some((part) => 'unknownPart' in part && part !== url[0]);
    if (isWrittenOut) return { site, code: 'unconsumed' };
    return isInPieces(verdict, url, bases) ? { site, code: 'base-split' } : { site };
  }
  const isOfOthers = (own: string): boolean =>
    setting.isOfOthers === true || isOfAnother(setting, programs) || bases.isOfOthers?.(request.module.file, own) === true;
  if (name !== undefined && bases.env.has(name) && !isKnown.has(verdict.kind) && !isOfOthers(name)) return declared(request, name, bases);
  // What lets all of a version through is told by that.
  const isAddress = verdict.kind === 'foreign' || (verdict.kind === 'unknown-route' && /^\/v1(?:\/(?!\*{1,2}$)|$)/.test(verdict.route));
  const isOpen = verdict.kind === 'dynamic-path' && flat(url).includes('/v1');
  return isAddress || isOpen ? { site: siteOf(request, verdict, bases, undefined) } : undefined;
}

/** What is given to somebody else's program stays, as what that does with it is not known; it says nothing of what others are given. */
function ofOthers(request: Request, { name = '', program }: Setting, bases: Bases): Found | undefined {
  const url = request.url ?? [];
  const isOurs =
    baseIn(url, bases) !== undefined ||
    verdictOf(request, bases).kind === 'ours' ||
    (bases.versions?.has(name) === true && versionAlone(url) !== undefined);
  const detail = { how: 'program', name, ...(program !== undefined && { program: program.name }) };
  return isOurs ? { site: siteOf(request, nobodys, bases, undefined), code: 'env-elsewhere', detail } : undefined;
}

const isKnown: ReadonlySet<Verdict['kind']> = new Set(['unknown-route', 'dynamic-path', 'v2']);

/** A variable that was named as our base holds another host, such as a test server: the host stays, its version moves. */
function declared(request: Request, name: string, bases: Bases): Found {
  const value = flat(request.url ?? []);
  const version = /(?<=\/)v1(?=\/?$)/.exec(value);
  const range = version === null ? undefined : { start: version.index, end: version.index + 2 };
  const verdict: Verdict = { kind: 'ours', endpoint: undefined, version: range, base: undefined, configured: `env:${name}` };
  return { site: siteOf(request, verdict, bases, undefined), base: { holdsVersion: range !== undefined, value } };
}

/** A variable that our addresses take their version from. Another version than ours is no business of ours. */
function versionSite(request: Request, name: string, bases: Bases): Found | undefined {
  const version = versionAlone(request.url ?? []);
  if (version === undefined) return undefined;
  const verdict: Verdict = { kind: 'ours', endpoint: undefined, version, base: undefined, configured: `env:${name}` };
  return { site: siteOf(request, verdict, bases, undefined), base: { holdsVersion: true, value: flat(request.url ?? []) } };
}

/** Whether a URL is one of our bases, with the version or without, and not that of anything below. */
function baseIn(url: readonly Part[], bases: Bases): { readonly verdict: Verdict; readonly held: HeldBase } | undefined {
  const value = flat(url);
  const verdict = prefixVerdict(url, bases);
  const rest = /^\/?(?:[?#]|$)/;
  if (verdict.kind === 'ours')
    return verdict.version !== undefined && rest.test(value.slice(verdict.version.end))
      ? { verdict, held: { holdsVersion: true, value } }
      : undefined;
  if (verdict.kind !== 'passes-on') return undefined;
  const held = { holdsVersion: false, value };
  const match = matchUrl(value, bases);
  const common = { kind: 'ours', endpoint: undefined, version: undefined } as const;
  if (match.kind === 'ours') return { verdict: { ...common, base: { start: 0, end: match.baseEnd }, configured: match.base }, held };
  return rest.test(value.slice(1)) ? { verdict: { ...common, base: undefined, configured: value }, held } : undefined;
}
