/** Whose request it is, and which endpoint: by its base alone, and then by its whole route. */
import { isAuthorization, isKeyHeader } from '../../src/contract/auth.ts';
import type { V1EndpointId } from '../../src/contract/endpoints.ts';
import type { Request } from '../requests/requests.ts';
import { type Bases, isBeginning, matchRoute, matchUrl, mayBecomeRoute, mayBeRoute, type OurUrl } from './bases/routes.ts';
import { flat, unknownPart, sliceParts } from '../evaluate/values/text.ts';
import { type Given, givenIn } from '../evaluate/libraries/given.ts';
import { isLeftToDefault } from '../evaluate/language/or-default.ts';
import type { EnvValue, Part, Value } from '../evaluate/values/values.ts';
import { isTest } from '../evaluate/libraries/test-files.ts';
import { isByDefault, isGivenByAnother, isVariable } from './bases/follows-default.ts';
import { envOf, holdsOurs } from './bases/environment.ts';
import { isForTest, isLoopback, isNobodys } from './bases/hosts.ts';
import { verdictAsSet } from './bases/composed-of-variables.ts';
import { withBlanksSent, withoutSlash } from './asked-otherwise.ts';
import { verdictAsTyped } from './changes/typed-texts.ts';
import type { Range, Verdict } from './verdict.ts';

/** What is not known in a text is a NUL, which fills a segment of a route. */
const options = { placeholder: new RegExp(unknownPart) };

export function verdictOf(request: Asked, bases: Bases): Verdict {
  const written = addressVerdict(request, bases);
  const isOpen = written.kind === 'unproven' || written.kind === 'dynamic-path';
  const asSet =
    isOpen && request.url !== undefined ? verdictAsSet(request.url, bases, (url) => addressVerdict({ ...request, url }, bases)) : undefined;
  const asTyped =
    written.kind === 'dynamic-path' && request.url !== undefined
      ? verdictAsTyped(request.url, (url) => addressVerdict({ ...request, url }, bases))
      : undefined;
  const asked = asSet ?? asTyped ?? written;
  const judge = (url: readonly Part[]): Verdict => addressVerdict({ ...request, url }, bases);
  const isOpenPath = asked.kind === 'unknown-route' || asked.kind === 'dynamic-path';
  const verdict = isOpenPath ? (withoutSlash(request, judge) ?? withBlanksSent(request.url ?? [], judge) ?? asked) : asked;
  return verdict.kind === 'dynamic-path' && bases.v2 === undefined && isAuthorized(request) ? { kind: 'v2' } : verdict;
}

type Asked = Pick<Request, 'url' | 'method' | 'isPrefix'> & Partial<Pick<Request, 'headers'>>;

/** Whether it is sent with v2's header and without v1's, and its address leaves the version open: v1 answers none of these. */
function isAuthorized({ url = [], headers = [] }: Asked): boolean {
  return (
    !/\/v1(?:[/?#]|$)/.test(flat(url)) &&
    headers.some(({ name }) => isAuthorization(name)) &&
    !headers.some(({ name }) => isKeyHeader(name))
  );
}

function addressVerdict({ url, method, isPrefix, headers = [] }: Asked, bases: Bases): Verdict {
  if (url === undefined) return unproven(undefined);
  if (isPrefix) return prefixVerdict(url, bases);
  const text = flat(url);
  const leading = url[0];
  if (leading !== undefined && 'unknownPart' in leading)
    return isSetToV2(url, bases) && !headers.some(({ name }) => isKeyHeader(name))
      ? { kind: 'v2' }
      : leadingUnknownPart(url, text, method, bases);
  const match = matchUrl(text, bases, method, options);
  switch (match.kind) {
    case 'ours':
      return ourVerdict(match, text, method, byVariable(match, url, method, bases));
    case 'foreign':
      if (isV2(text, bases)) return { kind: 'v2' };
      if (isHandedOn(text, bases)) return unproven(routeIn(text, method));
      return isBeginning(text, bases) ? unproven(undefined) : foreign(match.host, url, bases);
    case 'unclear':
      if (match.why === 'prefix') return isRouteBehind(text, method) ? { kind: 'dynamic-path' } : foreign(match.host, url, bases);
      // Another scheme or port of the host that somebody named, or an address that is read in two ways, proves nothing.
      if (match.why === 'slashes') return { ...unproven(routeIn(text, method)), slashless: match.host };
      return match.why === 'credentials' ? { ...foreign(match.host, url, bases), hasLogin: true } : unproven(routeIn(text, method));
    case 'dynamic': {
      const [, host] = /^https?:\/\/([a-z0-9.-]+):\0/i.exec(text) ?? [];
      if (host !== undefined && !bases.v1.some((base) => new URL(base).hostname === host.toLowerCase())) return foreign(host, url, bases);
      return isOpenBehindBase(text, bases) ? { kind: 'dynamic-path' } : unproven(routeIn(text, method));
    }
    default:
      return unproven(routeIn(text, method));
  }
}

/** `https://proxy.example.net/?https://api.example.com/v1/contacts`: another host is asked to ask ours. */
const isHandedOn = (text: string, { v1 }: Bases): boolean => v1.some((base) => text.indexOf(`${base}/v1/`) > 0);

/** Whether what stands behind the first part of a path that is not known may be the end of one of v1. */
const isRouteBehind = (text: string, method: string | undefined): boolean =>
  mayBecomeRoute(`/${text.slice(text.indexOf(unknownPart))}`, method, options.placeholder) || routeIn(text, method) !== undefined;

function foreign(host: string, url: readonly Part[], { v1 }: Bases): Extract<Verdict, { kind: 'foreign' }> {
  const isOurs = v1.some((base) => URL.parse(base)?.host === host);
  const [, beside = ''] = isOurs ? (/^https?:\/\/[^/?#]+((?:\/(?!v1(?:\/|$))[^/?#]+)*(?:\/v1(?=\/|$))?)/i.exec(flat(url)) ?? []) : [];
  return {
    kind: 'foreign',
    host,
    isMadeUp: (isLoopback(host) && !isNobodys(host)) || isHostOfTest(url, host, v1),
    ...(beside !== '' && !beside.includes(unknownPart) && { beside }),
  };
}

/** Whether a test says where a URL leads, and nobody else is asked there; the scheme may stand elsewhere, and a port be reckoned. */
function isHostOfTest(url: readonly Part[], host: string, bases: readonly string[]): boolean {
  const [, scheme = '', name = ''] = /^([a-z]+:\/\/)([^/?#:]*)/i.exec(flat(url)) ?? [];
  const parts = sliceParts(url, scheme.length, scheme.length + name.length);
  return parts.every(
    (part) => 'text' in part && part.source !== undefined && isTest(part.source.module) && isForTest(host, part.source.module, bases),
  );
}

/** `` `https://api.example.com${path}` ``, also before the prefix of a base. */
const isOpenBehindBase = (text: string, { v1 }: Bases): boolean => {
  const [known = '', ...rest] = text.split(unknownPart);
  if (rest.length === 0) return false;
  return v1.some((base) => known === base || (known.length >= new URL(base).origin.length && base.startsWith(known)));
};

/** `https://…/${env.API_VERSION}/contacts`, where files say that the version is v1's. */
function byVariable(
  { baseEnd, path }: Pick<OurUrl, 'baseEnd' | 'path'>,
  url: readonly Part[],
  method: string | undefined,
  bases: Bases,
): ByVariable | undefined {
  const name = versionVariable(url, baseEnd)?.name;
  const [endpoint] = name === undefined ? [] : matchRoute(`/v1${path.slice(2)}`, method, options);
  return name === undefined || endpoint === undefined ? undefined : { name, endpoint, isSet: bases.setToV1?.has(name) === true };
}

interface ByVariable {
  readonly name: string;
  readonly endpoint: V1EndpointId;
  /** Whether files say that it is v1's. */
  readonly isSet: boolean;
}

/** The variable that is the whole first segment behind a base. */
export function versionVariable(url: readonly Part[], baseEnd: number): EnvValue | undefined {
  if (!new RegExp(`^/${unknownPart}(?:[/?#]|$)`).test(flat(url).slice(baseEnd))) return undefined;
  const [part] = sliceParts(url, baseEnd + 1, baseEnd + 2);
  return part !== undefined && 'unknownPart' in part && part.unknownPart.type === 'env' ? part.unknownPart : undefined;
}

/** Whose all requests are that begin like this. */
export function prefixVerdict(url: readonly Part[], bases: Bases): Verdict {
  const text = flat(url);
  const match = matchUrl(text, bases, undefined, options);
  if (match.kind === 'foreign' || match.kind === 'unclear') {
    if (isV2(text, bases)) return { kind: 'v2' };
    return match.kind === 'unclear' && match.why !== 'credentials' ? unproven(undefined) : foreign(match.host, url, bases);
  }
  if (isOpenBehindBase(text, bases)) return { kind: 'dynamic-path' };
  if (match.kind !== 'ours') return envPrefix(url, text, bases);
  const { path, versionStart: start, versionEnd: end, base, baseEnd } = match;
  if (start !== undefined && end !== undefined)
    return { kind: 'ours', endpoint: undefined, version: { start, end }, base: { start: 0, end: baseEnd }, configured: base };
  if (/^\/v2(?:\/|$)/.test(path)) return { kind: 'v2' };
  if (path === '' || path === '/') return passesOn(bases);
  return path.includes(unknownPart) ? { kind: 'dynamic-path' } : { kind: 'unknown-route', route: path };
}

/** Whose a request is by what stands before its path, where that names the version: all behind it is a path, as somebody says (`/v1${path}`). */
export function versionedPrefix(url: readonly Part[], bases: Bases): Verdict | undefined {
  const end = new RegExp(`^[^?#]*?/v1(?=${unknownPart}(?:[?#]|$))`).exec(flat(url))?.[0].length;
  const found = prefixVerdict(end === undefined ? url : sliceParts(url, 0, end), bases);
  return found.kind === 'ours' ? found : undefined;
}

/**
 * What a request to a base that nobody knows is once somebody says whose it is: its path has to name the version, and v2 to be where v1 is. Where a variable of the
 * environment holds the base, files may set it to another host: that is named by `--v1-base env:NAME`, and is looked for then.
 */
export function withVersion(url: readonly Part[], { route }: Extract<Verdict, { kind: 'unproven' }>, bases: Bases): Verdict | undefined {
  const at = new RegExp(`^${unknownPart}[^?#]*?(?=/v1/)`).exec(flat(url))?.[0].length;
  if (at === undefined || envOf(url[0]) !== undefined || bases.v2 !== undefined) return undefined;
  return { kind: 'ours', endpoint: route, version: { start: at + 1, end: at + 3 }, base: undefined, configured: '' };
}

const passesOn = ({ v2 }: Bases): Verdict => ({ kind: 'passes-on', isSameForV2: v2 === undefined });

/** What people give as the base, in an option or a file of settings. */
export function givenBase([leading]: readonly Part[]): Given | undefined {
  return leading !== undefined && 'unknownPart' in leading ? givenIn(leading.unknownPart) : undefined;
}

function envPrefix(url: readonly Part[], text: string, bases: Bases): Verdict {
  const variable = envOf(url[0]);
  if (variable === undefined || !holdsOurs(variable, bases)) return unproven(undefined, variable?.name);
  // What files set it to ends in the version: what is put behind that is a path of v1.
  if (/^.\/?$/s.test(text) && bases.setToV1?.has(variable.name) === true)
    return { kind: 'ours', endpoint: undefined, version: undefined, base: undefined, configured: `env:${variable.name}` };
  if (!/^.\/v1(?:\/|$)/s.test(text)) return passesOn(bases);
  return { kind: 'ours', endpoint: undefined, version: { start: 2, end: 4 }, base: undefined, configured: `env:${variable.name}` };
}

/** @param byVersion what is asked where a variable holds the version */
function ourVerdict(match: OurUrl, text: string, method: string | undefined, byVersion: ByVariable | undefined): Verdict {
  const { path, route, versionStart, versionEnd, baseEnd, base } = match;
  if (byVersion?.isSet === true)
    return { kind: 'ours', endpoint: byVersion.endpoint, version: undefined, base: { start: 0, end: baseEnd }, configured: base };
  if (route !== undefined && versionStart !== undefined && versionEnd !== undefined) {
    return {
      kind: 'ours',
      endpoint: route,
      version: { start: versionStart, end: versionEnd },
      base: { start: 0, end: baseEnd },
      configured: base,
    };
  }
  if (/^\/v2(?:\/|$)/.test(path)) return { kind: 'v2', version: { start: baseEnd + 1, end: baseEnd + 3 } };
  // `${BASE}${path}`, where the base ends in the version.
  if (path.startsWith(`/v2${unknownPart}`)) return { kind: 'v2' };
  // A path that v1 has, asked by a method that it has not, is no question of what is not known.
  return !text.slice(baseEnd).includes(unknownPart) || isOtherPath(path, method)
    ? { kind: 'unknown-route', route: path }
    : { kind: 'dynamic-path', version: byVersion?.name };
}

/** Whether a path is none of v1's, whatever its unknown parts are; one that v1 has, asked by a method that it has not, is no question of these. */
const isOtherPath = (path: string, method: string | undefined): boolean =>
  !mayBecomeRoute(path, method, options.placeholder) ||
  (matchRoute(path, undefined, options).length > 0 && !mayBeRoute(path, method, options.placeholder));

const isV2 = (text: string, { v2 }: Bases): boolean => {
  if (v2 === undefined) return false;
  const match = matchUrl(text, { v1: [v2] }, undefined, options);
  return match.kind === 'ours' && /^\/v2(?:\/|$)/.test(match.path);
};

/** The endpoint of v1 in whose place a request asks one of v2. */
export function succeededBy({ url = [], method }: Pick<Request, 'url' | 'method'>): V1EndpointId | undefined {
  const [, path] = /\/v2(\/[^?#]*)/.exec(flat(url)) ?? [];
  return path === undefined ? undefined : matchRoute(`/v1${path}`, method, options)[0];
}

/** The endpoint of which a request of ours has the path, and not the method. */
export const routeByPath = (verdict: Verdict): V1EndpointId | undefined =>
  verdict.kind === 'unknown-route' ? matchRoute(verdict.route, undefined, options)[0] : undefined;

const unproven = (route: V1EndpointId | undefined, env?: string): Extract<Verdict, { kind: 'unproven' }> => ({
  kind: 'unproven',
  route,
  env,
});

/** `<YOUR MESSAGE ID>`: no address has spaces, and whoever runs it puts something in its place. */
const spacedPlaceholder = /<[^<>/]*\s[^<>/]*>/g;

/** The endpoint that a path may be, wherever it begins: at its version, or behind a host, prefix and version of which nothing is known. */
function routeIn(address: string, method: string | undefined): V1EndpointId | undefined {
  // `fetch('v1/contacts')` asks below the page that it is on.
  const text = address.replaceAll(spacedPlaceholder, unknownPart).replace(/^(?=v1\/)/, '/');
  const at = text.search(/\/v1\//);
  const [, path] = openBeginning.exec(text) ?? [];
  return matchRoute(at === -1 ? `/v1${path ?? ''}` : text.slice(at), method, options)[0];
}

/** `https://${host}:${port}/${prefix}/v${version}` */
const openBeginning = new RegExp(`^(?:(?:https?|${unknownPart})://)?${unknownPart}[${unknownPart}:]*(?:/v?${unknownPart}+)*(/.*)`, 'is');

/** Whether its base is a variable that files set to v2, and nobody says anything else of; one that is named, where it is v2 by default. */
function isSetToV2(url: readonly Part[], { env, setToV2 }: Bases): boolean {
  const name = envOf(url[0])?.name;
  const [first] = url;
  const otherwise = isVariable(first) ? first.unknownPart.otherwise : undefined;
  return name !== undefined && (env.has(name) ? /\/v2\/?$/.test(flat(otherwise?.parts ?? [])) : setToV2?.has(name) === true);
}

/** A base that is a variable of the environment, or nothing known. */
function leadingUnknownPart(url: readonly Part[], text: string, method: string | undefined, bases: Bases): Verdict {
  const variable = envOf(url[0]);
  const env = variable?.name;
  const rest = text.slice(1);
  // `${env.API_URL}contacts`, where what stands before it ends in a slash.
  const path = /^[a-z]/i.test(rest) ? `/${rest}` : rest;
  const version = { start: text.length - path.length + 1, end: text.length - path.length + 3 };
  if (variable === undefined || !holdsOurs(variable, bases)) return unproven(routeIn(unknownPart + path, method), env);
  const [route] = matchRoute(path, method, options);
  if (route !== undefined) return { kind: 'ours', endpoint: route, version, base: undefined, configured: `env:${env}` };
  const byVersion = byVariable({ baseEnd: 1, path: rest }, url, method, bases);
  const inEnv = byVersion?.isSet === true ? byVersion.endpoint : matchRoute(`/v1${path}`, method, options)[0];
  if (inEnv !== undefined) return { kind: 'ours', endpoint: inEnv, version: undefined, base: undefined, configured: `env:${env}` };
  if (/^\/v2(?:\/|$)/.test(path)) return { kind: 'v2', version };
  const isOpen = rest === '' || (rest.includes(unknownPart) && [path, `/v1${path}`].some((each) => !isOtherPath(each, method)));
  return isOpen ? { kind: 'dynamic-path', version: byVersion?.name } : { kind: 'unknown-route', route: path };
}

/**
 * Whether a request is the same as a proven one but for its base, or the host in it, which is one of the two by a default:
 * `env.URL || 'https://…'`. The default proves what the variable is for.
 */
export function followsDefault(
  request: Pick<Request, 'url' | 'isBesideTests'>,
  proven: Pick<Request, 'url'>,
  { v2 }: Pick<Bases, 'v2'>,
): boolean {
  const found = openBase(request);
  if (found === undefined || request.url === undefined || proven.url === undefined || !isLeftToDefault(found.value)) return false;
  const tail = sliceParts(request.url, found.at + 1, Infinity);
  // An empty text counts on neither side: `${q ? `?${q}` : ''}`.
  const url = sliceParts(proven.url, 0, Infinity);
  const others = url.slice(-tail.length || url.length);
  // What nobody is seen to hand in, tests do.
  const isThere = (part: Part, index: number): boolean =>
    request.isBesideTests === true ? 'unknownPart' in part || url.some((other) => isSame(part, other)) : isSame(part, others[index]);
  if (!tail.every(isThere)) return false;
  const [variable] = sliceParts(request.url, found.at, found.at + 1);
  const [base] = sliceParts(proven.url, found.at, found.at + 1);
  const option = givenIn(found.value);
  if (isVariable(variable) && !isByDefault(variable, base)) return false;
  if (variable !== undefined && option !== undefined && isGivenByAnother(variable, base, option.name)) return false;
  const whole = flat(proven.url);
  const stands = whole.slice(found.at, whole.length - flat(tail).length);
  // What is kept stays as it was, and nobody sets it anew; texts may be kept of another service, too, where nothing of it is seen.
  if (option?.kept !== undefined && (v2 !== undefined || option.kept !== 'settings' || holdsVersion(stands))) return false;
  if (found.at === 0) return true;
  // Where v2 has another host, what the variable is set to has to change, which nothing but a whole address is found for.
  return v2 === undefined && whole.startsWith(flat(request.url).slice(0, found.at)) && !stands.includes('/');
}

/** What is not known of where a request goes: what its address begins with, or the host or port behind what is written there. */
export function openBase({ url }: Pick<Request, 'url'>): { readonly value: Value; readonly at: number } | undefined {
  if (url === undefined) return undefined;
  const [before] = new RegExp(`^(?:https?://(?:[^/?#:${unknownPart}]+:)?)?(?=${unknownPart})`, 'i').exec(flat(url)) ?? [];
  const [part] = before === undefined ? [] : sliceParts(url, before.length, before.length + 1);
  return part === undefined || !('unknownPart' in part) ? undefined : { value: part.unknownPart, at: before?.length ?? 0 };
}

/**
 * Whether a request is the same as a proven one but for its version, which is one of the two by a default: `env.API_VERSION ?? 'v1'`.
 * @returns what the version is taken from before the default
 */
export function versionBefore(request: Request, proven: Request, verdict: Verdict): Value | undefined {
  const version = verdict.kind === 'ours' || verdict.kind === 'v2' ? verdict.version : undefined;
  if (version === undefined || request.url === undefined || proven.url === undefined) return undefined;
  const { start, end } = version;
  const [text, whole] = [flat(request.url), flat(proven.url)];
  // `v${env.API_VERSION || 1}` has its letter before it, `${env.API_PREFIX || '/v1'}` its slash in it.
  const at = [start, start + 1, ...(isPrefixAlone(proven.url, version) ? [start - 1] : [])].find((each) => text[each] === unknownPart);
  if (at === undefined || text.slice(0, at) !== whole.slice(0, at) || text.slice(at + 1) !== whole.slice(end)) return undefined;
  const [part] = sliceParts(request.url, at, at + 1);
  const before = part !== undefined && 'unknownPart' in part ? part.unknownPart : undefined;
  return before !== undefined && isLeftToDefault(before) && givenIn(before)?.kept === undefined ? before : undefined;
}

/** Whether the version stands with its slash, and nothing before it, in a text of its own. */
function isPrefixAlone(url: readonly Part[], { start, end }: Range): boolean {
  const [part, ...others] = sliceParts(url, start - 1, end);
  const literal = part !== undefined && 'text' in part ? part.source?.node : undefined;
  return others.length === 0 && literal?.kind === 'string' && literal.value.startsWith('/v1');
}

const holdsVersion = (text: string): boolean => /(?:^|\/)v\d+(?:\/|$)/.test(text);

function isSame(one: Part, other: Part | undefined): boolean {
  if (other === undefined || 'unknownPart' in one !== 'unknownPart' in other) return false;
  if ('unknownPart' in one || 'unknownPart' in other) return true;
  return one.text === other.text && one.source?.start === other.source?.start && one.source?.module === other.source?.module;
}
