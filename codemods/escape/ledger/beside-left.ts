/** What belongs to calls that were seen and stay: it is listed with them, and is no header or path that nobody asks by. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import { classAround } from '../../evaluate/calls/callees.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import type { FindingCode } from '../../model.ts';
import { nearestOf, walk } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import { isOpenProxy, type RequestSite } from '../../verdict/request-sites.ts';

/**
 * @param moved what changes: a class that asks as before and otherwise may give its header to either
 * @returns as what a call beside it is told that stays
 */
export function besideLeft(
  sites: readonly RequestSite[],
  moved: ChangesByPlace,
  chainAround: (node: Node) => Node,
): (node: Node) => FindingCode | undefined {
  const proxies = new Set(sites.flatMap((site) => (isOpenProxy(site) ? site.request.call : [])));
  const classes = new Map<Node, FindingCode>();
  const addresses = new Map<string, FindingCode>();
  for (const { verdict, request } of sites) {
    const { call, module, url = [], isMock } = request;
    if (isMock || (verdict.kind !== 'dynamic-path' && verdict.kind !== 'unknown-route')) continue;
    const of = classAround(call);
    if (of !== undefined && moved.at(module, of.start, of.end).length === 0) classes.set(of, verdict.kind);
    if (!flat(url).includes(unknownPart)) addresses.set(flat(url), verdict.kind);
  }
  return (node) => {
    // What a proxy is given is told with it.
    if (nearestOf(node, proxies) !== undefined) return 'dynamic-path';
    if (node.kind !== 'property' || !isKeyHeader(node.name ?? '')) return undefined;
    // `protected authHeaders() { return { 'x-api-key': this.key }; }` of the client whose request stays.
    const of = classAround(node);
    if (of !== undefined && classes.has(of)) return classes.get(of);
    // `expect(fetch).toHaveBeenCalledWith('https://…', { headers: { 'x-api-key': 'key' } })` of an address that stays.
    return addresses.size === 0 ? undefined : saidIn(chainAround(node), addresses);
  };
}

function saidIn(chain: Node, addresses: ReadonlyMap<string, FindingCode>): FindingCode | undefined {
  let found: FindingCode | undefined;
  walk(chain, (node) => {
    if (node.kind === 'string') found ??= addresses.get(node.value);
    return found === undefined;
  });
  return found;
}
