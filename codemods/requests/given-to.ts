/** Calls of what a parameter holds: which function they call, whoever hands that over says. */
import type { Caller } from '../evaluate/calls/callers.ts';
import type { FunctionNode, Node } from '../syntax/tree.ts';

/** The function whose parameter says what is called: `({ texts }) => texts.contacts.get(id)`. */
export function givenTo({ node, module }: Caller): FunctionNode | undefined {
  let root: Node = node.callee;
  while (root.kind === 'member') root = root.object;
  const owner = root.kind === 'name' ? module.scopes.bindingOf(root)?.owner : undefined;
  return owner?.kind === 'param' && owner.parent?.kind === 'function' ? owner.parent : undefined;
}
