/** Headers that are sent on with those of a request that has arrived. */
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isOfObject, leavesOf, type Read } from '../evaluate/leaves.ts';
import { isScript } from '../evaluate/module.ts';
import { isArrived, isSmallIn } from '../evaluate/small-letters.ts';
import type { Entry } from '../evaluate/values.ts';
import type { Node } from '../syntax/tree.ts';
import { v1Auth } from '../../src/contract/auth.ts';

/**
 * A header as it has to be written beside what is sent on of a request that has arrived: `{ ...req.headers, 'x-api-key': key }`. Theirs are in
 * small letters, and the Fetch standard sends two names that differ in letters as one header with both values.
 */
export function besideArrived(entry: Entry, ev: Evaluation): Entry {
  const { node, module } = entry;
  if (entry.name?.toLowerCase() !== v1Auth.field || !isScript(module)) return entry;
  const { before, after } = sentWith(node);
  const leavesIn = (nodes: readonly Node[]): readonly Read[] => nodes.flatMap((each) => leavesOf({ node: each, module, path: [] }, ev));
  if (leavesIn(after).some((leaf) => isArrived(leaf, ev))) return { ...entry, besideArrived: 'before' };
  return leavesIn(before).some((leaf) => isSmallIn(leaf, ev)) ? { ...entry, besideArrived: 'after' } : entry;
}

/** What an object is made of before and after it gets a header. */
function sentWith(put: Node): { readonly before: readonly Node[]; readonly after: readonly Node[] } {
  if (put.kind === 'assign' && put.target.kind === 'member') return { before: [put.target.object], after: [] };
  const object = put.kind === 'property' && put.parent?.kind === 'object' ? put.parent : undefined;
  const call = object?.parent?.kind === 'call' && isOfObject(object.parent, /^assign$/) ? object.parent : undefined;
  const parts: readonly (Node | undefined)[] = call?.args ?? [object];
  const others = parts.flatMap((each): readonly Node[] => {
    if (each?.kind !== 'object') return each === undefined ? [] : [each];
    return each.properties.flatMap((part) => (part.kind === 'spread' ? [part.argument] : []));
  });
  return { before: others.filter(({ start }) => start < put.start), after: others.filter(({ start }) => start > put.start) };
}
