/** Calls that were not followed on all call paths: there may be requests, through the clients and functions passed there, that were not seen. */
import type { Value } from '../evaluate/values.ts';
import type { CallGraph } from '../requests/call-graph.ts';
import { madeAt, push } from '../requests/mutations.ts';
import type { RequestSite } from '../verdict/request-sites.ts';
import type { Problem } from './problems.ts';

/** @returns for each such call what it forbids: the requests that are made with what may come there */
export function unfollowedProblems({ cut }: CallGraph, sites: readonly RequestSite[]): Problem[][] {
  if (cut.length === 0) return [];
  const byOrigin = new Map<unknown, RequestSite[]>();
  for (const site of sites.filter(({ verdict }) => verdict.kind === 'ours')) {
    for (const origin of site.request.origins) push(byOrigin, origin, site);
    for (let at = site.request.call.parent; at !== undefined; at = at.parent) push(byOrigin, at, site);
  }
  return cut.map(({ node, module, reached }) => {
    const detail = { at: `${module.file}:${module.position(node.start).line}` };
    const stuck = new Set(reached.flatMap(originsOf).flatMap((origin) => byOrigin.get(origin) ?? []));
    return [...stuck].map((site): Problem => ({ code: 'too-complex', node, module, detail, site }));
  });
}

/** By what the requests are known that are made with a value: all that is made from a client, but nothing that it was made from. */
function originsOf(value: Value): readonly unknown[] {
  const of = value.type === 'method' ? value.receiver : value.type === 'instance' ? value.of : value;
  if (of.type === 'http') return [madeAt(of)?.origin];
  return of.type === 'function' || of.type === 'class' || of.type === 'object' ? [of.node] : [];
}
