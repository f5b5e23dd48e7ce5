/** Servers that tests start in the place of the service: what a client of ours asks there, it asks as it asks the service. */
import { flat, unknownPart } from '../evaluate/text.ts';
import { isTest } from '../evaluate/test-files.ts';
import type { Part } from '../evaluate/values.ts';
import type { Request } from '../requests/requests.ts';
import type { Node } from '../syntax/tree.ts';
import { type RequestSite, siteOf } from './request-sites.ts';
import { type Bases, matchRoute } from './routes.ts';

/** The machine itself, and names that nobody can have (RFC 6761). */
const loopback = /^(?:(?:[\w-]+\.)*(?:localhost|test|invalid)|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])(?::|$)/i;

/** Whether a host is a name that nobody can have. */
export const isNobodys = (host: string): boolean => /(?:^|\.)(?:test|invalid)(?::|$)/i.test(host);

/** Whether a host is the machine itself, or no host at all, with any port. */
export const isLoopback = (host: string): boolean => loopback.test(host);

/**
 * What a test sends to its own machine by a call that asks the service elsewhere changes as that does, but for the host. What is no
 * endpoint there is told of the service alone.
 * @param ownPaths what the program serves itself of what is run there: a test may ask that
 */
export function withStandIns(
  sites: readonly RequestSite[],
  bases: Bases,
  ownPaths: (site: RequestSite) => readonly string[],
): readonly RequestSite[] {
  const byCall = Map.groupBy(
    sites.filter(({ request, verdict }) => !request.isMock && hasOurBase.has(verdict.kind)),
    ({ request }) => request.call,
  );
  const paths = new Map<Node, ReadonlySet<string>>();
  return sites.flatMap((site) => {
    const { request } = site;
    const same = byCall.get(request.call);
    if (same === undefined || !isStandIn(site) || ownPaths(site).some((path) => pathOf(request).startsWith(path))) return [site];
    const follows = same.filter(({ verdict }) => verdict.kind === 'ours');
    const found = follows.length === 0 ? undefined : asOurs(request, follows, bases);
    if (found !== undefined) return [found];
    const known = paths.get(request.call) ?? new Set(same.map((other) => pathOf(other.request)));
    paths.set(request.call, known);
    return known.has(pathOf(request)) ? [] : [site];
  });
}

const hasOurBase: ReadonlySet<string> = new Set<RequestSite['verdict']['kind']>(['ours', 'unknown-route', 'dynamic-path']);

/** Whether a test says that a request goes to the machine itself. */
export function isStandIn({ request: { url: [first] = [], callers, isMock }, verdict }: RequestSite): boolean {
  if (verdict.kind === 'unproven' && !isMock) return isListening(first);
  if (verdict.kind !== 'foreign' || isMock || !isLoopback(verdict.host)) return false;
  const source = first !== undefined && 'text' in first ? first.source : undefined;
  return (source !== undefined && isTest(source.module)) || callers.some(({ module }) => isTest(module));
}

/** `await app.listen({ port: 0 })`: the address of a server that a test has just started. */
function isListening(part: Part | undefined): boolean {
  const value = part !== undefined && 'unknownPart' in part ? part.unknownPart : undefined;
  if (value?.type !== 'unknown' || value.node === undefined || value.module === undefined || !isTest(value.module)) return false;
  const call = value.node.kind === 'await' ? value.node.argument : value.node;
  return call.kind === 'call' && call.callee.kind === 'member' && call.callee.property === 'listen';
}

/** As whose requests counts what such a server has and reads. */
export const standInServer = 'server of a test';
export const isOfStandIn = ({ client }: Request): boolean => client === standInServer;

/** Whether it is such a request that changes: what the test's own server expects of it would have to change, too. */
export const isForStandIn = ({ request, follows }: RequestSite): boolean =>
  follows !== undefined && isLoopback(/^https?:\/\/([^/?#]*)/i.exec(flat(request.url ?? []))?.[1] ?? '');

function asOurs(request: Request, follows: readonly RequestSite[], bases: Bases): RequestSite | undefined {
  const path = pathOf(request);
  const [endpoint] = matchRoute(path, request.method, { placeholder: new RegExp(unknownPart) });
  if (endpoint === undefined) return undefined;
  const start = flat(request.url ?? []).length - path.length + 1;
  const version = { start, end: start + 2 };
  const verdict = { kind: 'ours', endpoint, configured: '', version, base: undefined } as const;
  return { ...siteOf({ ...request, isMock: true }, verdict, bases, undefined), follows };
}

const pathOf = ({ url = [] }: Request): string => {
  const text = flat(url);
  return text.startsWith(unknownPart) ? text.slice(unknownPart.length) : text.replace(/^https?:\/\/[^/?#]*/i, '');
};
