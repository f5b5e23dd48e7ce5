/** Which `this` an expression is, by the syntax alone: written as such, or kept in a name for the functions further in. */
import { assignmentsOf } from '../evaluate/names/assignments.ts';
import type { SourceModule } from '../evaluate/module.ts';
import type { Node } from '../syntax/tree.ts';

/** The `this` or `super` that an expression is: itself, or what `var self = this` keeps. */
export function thisIn(node: Node, { scopes }: SourceModule): Node | undefined {
  if (node.kind === 'this' || node.kind === 'super') return node;
  const binding = node.kind === 'name' ? scopes.bindingOf(node) : undefined;
  const { owner } = binding ?? {};
  if (binding === undefined || owner?.kind !== 'variable' || owner.init?.kind !== 'this' || owner.target !== binding.declaration)
    return undefined;
  return binding.again.length === 0 && assignmentsOf(binding).all.length === 0 ? owner.init : undefined;
}

/** What says what `this` is at a place: the function or class that is nearest around it, and no function that takes it from around itself. */
export function ownerOfThis(node: Node, module: SourceModule): Node | undefined {
  for (let at: Node | undefined = node; at !== undefined; at = at.parent) {
    if (at.kind === 'class') return at;
    if (at.kind !== 'function' || at.isArrow) continue;
    const bound = boundTo(at);
    if (bound === undefined) return at;
    const self = thisIn(bound, module);
    return self === undefined ? undefined : ownerOfThis(self, module);
  }
  return undefined;
}

/** `function () { … }.bind(this)` */
function boundTo({ parent: member }: Node): Node | undefined {
  const call = member?.kind === 'member' && member.property === 'bind' ? member.parent : undefined;
  return call?.kind === 'call' && call.callee === member ? call.args[0] : undefined;
}
