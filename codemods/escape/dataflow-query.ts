/** What is known of a place in the code while edits are followed: what it can be, what of the edits it has, whether a request does. */
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Survey } from '../requests/call-graph.ts';
import { optionsOf, type Value } from '../evaluate/values.ts';
import type { Node } from '../syntax/tree.ts';
import { carriesOf } from './taint.ts';
import { valuesAt } from './passed-values.ts';
import type { Place } from './readers.ts';
import { placesOf, type Site } from '../verdict/request-sites.ts';
import type { ChangesByPlace } from '../verdict/changes-by-place.ts';
import type { Change } from '../verdict/spans.ts';

export interface Look {
  readonly ev: Evaluation;
  /** Everything that a place can be, on all ways to it. */
  values(place: Place): readonly Value[];
  /** The edits of what it can be. */
  carried(place: Place): readonly Change[];
  /** Whether it has these in clients alone: who gets these from elsewhere and calls them is looked for (strays.ts). */
  hasClientsOnly(place: Place): boolean;
  /** Whether a URL or a header of a request comes through here. */
  isCovered(node: Node): boolean;
  /** Whether a node makes a request of ours or leads to one; undefined where it makes none. */
  isOurs(node: Node): boolean | undefined;
}

/** @param sites all requests: those of others take what is on their way, and nothing else */
export function lookAt(ev: Evaluation, found: Survey, sites: readonly Site[], changes: ChangesByPlace): Look {
  const carries = carriesOf(ev, changes, found);
  const covered = new Set(sites.flatMap((site) => placesOf(site).map(({ node }) => node)));
  const requests = new Map<Node, boolean>();
  for (const { request, verdict } of sites) {
    const isOurs = verdict.kind !== 'foreign' && verdict.kind !== 'unproven';
    for (const node of [request.call, ...chainOf(request.call), ...request.callers.map((caller) => caller.node)])
      requests.set(node, isOurs || requests.get(node) === true);
  }
  const values = (place: Place): readonly Value[] => valuesAt(ev, found.callers, place).flatMap(optionsOf);
  return {
    ev,
    values,
    carried: (place) => [...new Set(values(place).flatMap((value) => carries(value)))],
    hasClientsOnly: (place) => values(place).every((value) => carries(value, true).length === 0),
    isCovered: (node) => covered.has(node),
    isOurs: (node) => requests.get(node),
  };
}

/** The calls before a call that make the request with it: `wretch(url).headers(headers).get()`. */
function chainOf(call: Node): Node[] {
  const before = call.kind === 'call' && call.callee.kind === 'member' ? call.callee.object : undefined;
  return before?.kind === 'call' ? [before, ...chainOf(before)] : [];
}
