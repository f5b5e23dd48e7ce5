/** Whether what `this` is in a function matters to anything in it. */
import { walk } from '../syntax/link.ts';
import type { ClassNode, FunctionNode } from '../syntax/tree.ts';

const known = new WeakMap<FunctionNode | ClassNode, boolean>();

export function mentionsThis(fn: FunctionNode | ClassNode): boolean {
  const before = known.get(fn);
  if (before !== undefined) return before;
  let isFound = false;
  walk(fn, (node) => {
    isFound ||= node.kind === 'this' || node.kind === 'super' || (node.kind === 'other' && node.what === 'NewTarget');
    return !isFound;
  });
  known.set(fn, isFound);
  return isFound;
}
