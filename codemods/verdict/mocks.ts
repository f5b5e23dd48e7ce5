/**
 * What tests expect of requests. A mock that names its whole address is proven as a request is; everything else, and both where the
 * program's own requests can be seen, moves if and only if the requests do that it is about.
 */
import { type V1EndpointId, v1Endpoints } from '../../src/contract/endpoints.ts';
import type { Request } from '../requests/requests.ts';
import { type Bases, matchRoute, matchUrl } from './routes.ts';
import { flat, hole, isAbsolute, sliceParts } from '../evaluate/text.ts';
import { type Site, siteOf } from './request-sites.ts';
import type { Part } from '../evaluate/values.ts';
import type { Change } from './spans.ts';
import type { Range, Verdict } from './verdicts.ts';

/** @returns the sites without expectations of what nobody knows; of the others with the requests that they follow */
export function settled(sites: readonly Site[], bases: Bases): Site[] {
  const real = sites.filter(({ request }) => !request.isMock);
  // A suite may ask a server that asks ours: then its mocks are all there is to see.
  const anchors = real.some(isAbout) ? real.filter(isAbout) : sites.filter((site) => site.request.expects === undefined && isAbout(site));
  return sites.flatMap((site) => {
    if (!site.request.isMock) return [site];
    return (site.request.echoes.length > 0 ? echo(site, real, bases) : settledMock(site, anchors, bases)) ?? [];
  });
}

/** What repeats a text of the program changes just as that does, and only if it does. */
function echo(site: Site, real: readonly Site[], bases: Bases): Site | undefined {
  const { request } = site;
  const { echoes, url } = request;
  const follows = real.filter(({ changes }) => changes.some((change) => rangeIn(echoes, change) !== undefined));
  const [first] = follows;
  if (first?.verdict.kind !== 'ours') return undefined;
  const { configured } = first.verdict;
  const verdict: Verdict = { kind: 'ours', endpoint: undefined, configured, version: undefined, base: undefined };
  const header = siteOf(request, verdict, bases, undefined);
  if (url === undefined) return { ...header, follows };
  const changes = follows.flatMap((other) => other.changes).flatMap((change) => repeated(change, echoes, url) ?? []);
  return { ...header, changes, follows };
}

/** A change of one text made in another one like it; undefined where that is in parts, or written with escapes. */
function repeated(change: Change, echoes: readonly Part[], url: readonly Part[]): Change | undefined {
  const range = rangeIn(echoes, change);
  const [part, more] = range === undefined ? [] : sliceParts(url, range.start, range.end);
  if (part === undefined || more !== undefined || 'hole' in part || part.source?.isExact !== true) return undefined;
  const { module, start } = part.source;
  return { ...change, module, start, end: start + part.text.length };
}

/** Where a change is in a text, in offsets of `flat`. */
function rangeIn(parts: readonly Part[], { module, start, end }: Change): Range | undefined {
  let offset = 0;
  for (const part of parts) {
    const length = 'hole' in part ? 1 : part.text.length;
    const source = 'text' in part ? part.source : undefined;
    if (source?.module === module && source.start <= start && end <= source.start + length)
      return { start: offset + start - source.start, end: offset + end - source.start };
    offset += length;
  }
  return undefined;
}

const isAbout = ({ verdict, keys }: Site): boolean =>
  verdict.kind === 'ours' || (verdict.kind === 'unproven' && verdict.route !== undefined) || keys.length > 0;

function settledMock(site: Site, anchors: readonly Site[], bases: Bases): Site | undefined {
  const { request, verdict } = site;
  if (verdict.kind === 'foreign' || verdict.kind === 'v2') return site;
  if (verdict.kind === 'ours') {
    const { endpoint } = verdict;
    const about = anchors.filter((other) => other !== site && isSameRoute(routeOf(other), endpoint));
    const follows = about.filter(isOurs);
    if (follows.length > 0) return { ...site, follows };
    // Of two mocks, the one that names no address says nothing against the one that does.
    if (about.some((other) => !other.request.isMock))
      return siteOf(request, { kind: 'unproven', route: endpoint, env: undefined }, bases, undefined);
    return request.expects === 'value' ? undefined : site;
  }
  if (isPatternOfOurs(request, anchors, bases)) return siteOf(request, { kind: 'dynamic-path' }, bases, undefined);
  if (request.expects === undefined && request.url !== undefined) return site;
  const at = request.url === undefined ? undefined : versionIn(flat(request.url));
  if (request.url !== undefined && at === undefined) return undefined;
  const about = anchors.filter((other) => isExpected(site, other, at));
  const base = request.url === undefined ? undefined : baseIn(flat(request.url), bases);
  const endpoint = about.map(routeOf).find((each) => each !== undefined) ?? routesOf(site, at)[0];
  // An address of ours is proven by itself; what is only a part of one, or a header, by all requests that it may be about.
  const isProven = about.length > 0 ? about.every(isOurs) : base !== undefined && endpoint !== undefined;
  // What fits requests of others too, or a part of an address that none was seen to have, is told; other texts may be anything.
  const isDoubtful = about.length > 0 ? about.some(isOurs) : request.expects === 'part';
  if (!isProven) return isDoubtful ? siteOf(request, { kind: 'unproven', route: endpoint, env: undefined }, bases, undefined) : undefined;
  return { ...siteOf(request, { kind: 'ours', endpoint, configured: '', version: at, base }, bases, undefined), follows: about };
}

/** A regular expression with our version in it, where our requests can be seen or it names our host: only a person can rewrite it. */
function isPatternOfOurs({ url }: Request, anchors: readonly Site[], { v1 }: Bases): boolean {
  const [part, more] = url ?? [];
  const node = part !== undefined && more === undefined && 'hole' in part && part.hole.type === 'unknown' ? part.hole.node : undefined;
  const pattern = node?.kind === 'literal' && typeof node.value === 'object' ? node.value?.pattern.replaceAll('\\', '') : undefined;
  if (pattern === undefined || !/\bv1\b/.test(pattern)) return false;
  return anchors.some(isOurs) || v1.some((base) => pattern.includes(new URL(base).host));
}

const isOurs = ({ verdict }: Site): boolean => verdict.kind === 'ours';

function routeOf({ verdict }: Site): V1EndpointId | undefined {
  if (verdict.kind === 'ours') return verdict.endpoint;
  return verdict.kind === 'unproven' ? verdict.route : undefined;
}

/** The method counts for nothing: most expectations name an address alone. */
const isSameRoute = (one: V1EndpointId | undefined, other: V1EndpointId | undefined): boolean =>
  one !== undefined && other !== undefined && v1Endpoints[one].path === v1Endpoints[other].path;

function versionIn(text: string): Range | undefined {
  const at = text.search(/\/v1(?:[/?#]|$)/);
  return at === -1 ? undefined : { start: at + 1, end: at + 3 };
}

function baseIn(text: string, bases: Bases): Range | undefined {
  const match = isAbsolute(text) ? matchUrl(text, bases) : undefined;
  return match?.kind === 'ours' ? { start: 0, end: match.baseEnd } : undefined;
}

/** The path of an expectation from its version on; patterns end where their first wildcard is. */
function pathIn({ expects, url }: Request, version: Range | undefined): string | undefined {
  if (url === undefined || version === undefined) return undefined;
  const path = flat(url).slice(version.start - 1);
  return expects === 'part' ? path.replace(/\*.*$/s, '') : path;
}

/** What may follow the beginning of an address counts: `url.startsWith('…/v1/contacts/')` is about one contact. */
function routesOf({ request }: Site, version: Range | undefined): readonly V1EndpointId[] {
  const path = pathIn(request, version);
  if (path === undefined) return [];
  const whole = request.expects === 'part' && path.endsWith('/') ? path + hole : path;
  return matchRoute(whole, undefined, { placeholder: new RegExp(hole) });
}

/** Whether a request is one that an expectation may be about: by its route, the part of its address that is named, or its key. */
function isExpected(site: Site, other: Site, version: Range | undefined): boolean {
  const path = pathIn(site.request, version);
  if (path === undefined) return other.keys.length > 0;
  if (routesOf(site, version).some((id) => isSameRoute(routeOf(other), id))) return true;
  const whole = other.request.url === undefined ? '' : flat(other.request.url);
  return site.request.expects === 'part' && whole.includes(path);
}
