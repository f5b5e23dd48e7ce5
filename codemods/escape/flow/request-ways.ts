/** What requests have on their way: a URL or a header comes through there, or a call of a function that makes them. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { once } from '../../once.ts';
import type { Node } from '../../syntax/tree.ts';
import { isEcho } from '../../verdict/expected/echoes.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { placesOf, type RequestSite, touchedBy } from '../../verdict/request-sites.ts';
import type { DataflowQuery } from './dataflow-query.ts';
import { isOfOtherCallers } from './functions/passed-values.ts';

const placesIn = (sites: readonly RequestSite[]): ReadonlySet<Node> =>
  new Set(sites.flatMap((site) => placesOf(site).map(({ node }) => node)));

const isOfOthers = ({ verdict }: RequestSite): boolean => verdict.kind === 'foreign' || verdict.kind === 'unproven';

export function onWay(
  ev: Evaluation,
  sites: readonly RequestSite[],
  changes: ChangesByPlace,
): Pick<DataflowQuery, 'isCovered' | 'isOnWay'> {
  // What a test expects of what the program makes says nothing of what becomes of that.
  const covered = placesIn(sites.filter((site) => !isEcho(site)));
  const coveredByOurs = once(() => placesIn(sites.filter((site) => !isOfOthers(site))));
  const shared = once(() => {
    const found = new Map<Node, Set<Change>>();
    for (const site of sites.filter(isOfOthers))
      for (const { node } of placesOf(site)) found.set(node, new Set([...(found.get(node) ?? []), ...touchedBy(site, changes)]));
    return found;
  });
  return {
    isOnWay: (node) => covered.has(node),
    isCovered: (place, carried, isLost) => {
      const { node } = place;
      if (!covered.has(node)) return false;
      if (coveredByOurs().has(node) || !(isLost || isOfOtherCallers(ev, place))) return true;
      return carried.every((change) => shared().get(node)?.has(change));
    },
  };
}

const add = (to: Map<Node, boolean>, node: Node, isOurs: boolean): unknown => to.set(node, isOurs || to.get(node) === true);

/** The calls that make requests or lead to one, and whether one of these is ours. */
export function askingCalls(sites: readonly RequestSite[], { mutations }: CallGraph): ReadonlyMap<Node, boolean> {
  const calls = new Map<Node, boolean>();
  const clients = new Map<Node, boolean>();
  for (const site of sites) {
    const { call, callers, origins } = site.request;
    const isOurs = !isOfOthers(site);
    for (const node of [call, ...chainOf(call), ...callers.map((caller) => caller.node)]) add(calls, node, isOurs);
    for (const origin of origins) if (typeof origin !== 'string') add(clients, origin, isOurs);
  }
  // What is done to a client is done to what is asked with it: `request.setRequestHeader(name, value)`.
  for (const [origin, isOurs] of clients)
    for (const { kind, node } of mutations.get(origin) ?? []) if (kind === 'call') add(calls, node, isOurs);
  return calls;
}

/** The calls before a call that make the request with it: `wretch(url).headers(headers).get()`. */
function chainOf(call: Node): Node[] {
  const before = call.kind === 'call' && call.callee.kind === 'member' ? call.callee.object : undefined;
  return before?.kind === 'call' ? [before, ...chainOf(before)] : [];
}
