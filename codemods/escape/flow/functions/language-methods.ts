import type { Node } from '../../../syntax/tree.ts';

/** Methods of what everybody has: lists, maps, sets, iterators and promises. */
export const builtIn: ReadonlySet<string> = new Set(
  [Array, Map, Set, Promise, Function, Object]
    .flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype))
    .concat('next', 'return', 'throw', 'from', 'of', 'resolve', 'all', 'allSettled', 'race', 'any', 'freeze', 'assign', 'fromEntries'),
);

/** What a chain of members and calls begins with. */
export function rootOf(node: Node): Node {
  let root = node;
  while (root.kind === 'member' || root.kind === 'call') root = root.kind === 'member' ? root.object : root.callee;
  return root;
}
