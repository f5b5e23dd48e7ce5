/** Calls that were not followed on all call paths: there may be requests, through the clients and functions passed there, that were not seen. */
import type { Part, Value } from '../../evaluate/values/values.ts';
import { isWithin } from '../../evaluate/names/named.ts';
import type { Node } from '../../syntax/tree.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { madeAt, push } from '../../requests/mutations.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Problem } from '../problems.ts';

/** @returns for each such call what it forbids: the requests that are made with what may come there */
export function unfollowedProblems({ cut, incoming }: CallGraph, sites: readonly RequestSite[]): Problem[][] {
  const byOrigin = new Map<unknown, RequestSite[]>();
  for (const site of sites.filter(({ verdict }) => verdict.kind === 'ours')) {
    for (const origin of site.request.origins) push(byOrigin, origin, site);
    if (isWrittenInPlace(site)) continue;
    for (let at = site.request.call.parent; at !== undefined; at = at.parent) if (!isGivenNothing(at)) push(byOrigin, at, site);
  }
  const reached = comingFrom(new Set(byOrigin.keys()), incoming);
  return cut.map(({ node, module }) => {
    const detail = { at: `${module.file}:${module.position(node.start).line}` };
    const stuck = new Set((reached.get(node) ?? []).flatMap((origin) => byOrigin.get(origin) ?? []));
    return [...stuck].map((site): Problem => ({ code: 'too-complex', node, module, detail, site }));
  });
}

/**
 * Whether a request says by itself where it goes and with which headers, `fetch('https://…', { headers: { 'x-api-key': key } })`: whoever calls what it stands in, and
 * with whatever, that asks for the same. What its address is made of beside constants may be given by calls that nobody sees.
 */
export function isWrittenInPlace({ request: { call, callers, isOpen, isCut, url = [], headers, unknownHeaders } }: RequestSite): boolean {
  const isOwn = (part: Part): boolean =>
    'text' in part && part.source !== undefined && (isWithin(call, part.source.node) || isConstant(part.source.node));
  const isSaid = callers.length === 0 && !isOpen && !isCut && unknownHeaders.length === 0;
  return (
    isSaid &&
    url[0] !== undefined &&
    isOwn(url[0]) &&
    url.every((part) => !('text' in part) || isOwn(part)) &&
    headers.every(({ node }) => isWithin(call, node))
  );
}

/** `retry(() => api.get(path))`: a function that takes nothing asks for the same whoever calls it. */
export const isGivenNothing = (node: Node): boolean => node.kind === 'function' && node.isArrow && node.params.length === 0;

/** What a constant is. */
const isConstant = ({ parent }: Node): boolean => parent?.kind === 'variable' && parent.declares === 'const';

/** By places, which of some origins come there. Each is followed to where it is passed, as it comes to few places, and to most comes nothing. */
function comingFrom(origins: ReadonlySet<unknown>, incoming: CallGraph['incoming']): ReadonlyMap<Node, readonly unknown[]> {
  const places = new Map<unknown, Set<Node>>();
  const passedOn = new Map<Node, Node[]>();
  for (const [place, { values, owners }] of incoming) {
    for (const owner of owners) push(passedOn, owner, place);
    for (const origin of values.flatMap(originsOf))
      if (origins.has(origin)) places.set(origin, (places.get(origin) ?? new Set()).add(place));
  }
  const found = new Map<Node, unknown[]>();
  for (const [origin, reached] of places) {
    // A set that grows while it is walked.
    for (const place of reached) {
      push(found, place, origin);
      for (const next of passedOn.get(place) ?? []) reached.add(next);
    }
  }
  return found;
}

/** By what the requests are known that are made with a value: all that is made from a client, but nothing that it was made from. */
function originsOf(value: Value): readonly unknown[] {
  const of = value.type === 'method' ? value.receiver : value.type === 'instance' ? value.of : value;
  if (of.type === 'http') return [madeAt(of)?.origin];
  return of.type === 'function' || of.type === 'class' || of.type === 'object' ? [of.node] : [];
}
