/** Functions that one call makes together: what calls its neighbour by name was made with it. */
import { assignmentsOf } from '../evaluate/names/assignments.ts';
import type { Caller } from '../evaluate/calls/callers.ts';
import type { Binding } from '../syntax/scopes.ts';
import type { Node } from '../syntax/tree.ts';

/**
 * Whether a function is called by the name under which it is declared, or whose default it is, and that is never another: in the same call of what is
 * around both.
 */
export function isNeighbour({ node, module }: Caller, owner: Node): boolean {
  const binding = node.callee.kind === 'name' ? module.scopes.bindingOf(node.callee) : undefined;
  const declares = binding?.owner === owner || (binding !== undefined && isGivenTo(binding, owner));
  return binding !== undefined && declares && assignmentsOf(binding).all.length === 0;
}

/** `const send = fn`, `{ send = fn }`, `const send = options.send ?? fn`: what is written as the value of a name, or as its default. */
function isGivenTo({ declaration: { parent } }: Binding, fn: Node): boolean {
  const given =
    parent?.kind === 'variable' ? parent.init : parent?.kind === 'patternProperty' || parent?.kind === 'param' ? parent.default : undefined;
  return given === fn || (given?.kind === 'logical' && given.right === fn);
}
