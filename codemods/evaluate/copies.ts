/** Loops that write every property of one object into another: `for (const [k, v] of Object.entries(options)) this[k] = v`. */
import type { AssignNode, CallNode, Expression, Node } from '../syntax/tree.ts';
import type { SourceModule } from './module.ts';

/** @returns the object whose properties an assignment to a computed name copies; undefined where it is none of these loops */
export function copiedFrom({ target }: AssignNode, { scopes }: SourceModule): Expression | undefined {
  const key = target.kind === 'member' ? target.computed : undefined;
  const owner = key?.kind === 'name' ? scopes.bindingOf(key)?.owner : undefined;
  if (owner?.kind === 'variable') return owner.each === 'key' ? owner.init : listed(owner.init);
  // `Object.entries(options).forEach(([k, v]) => …)`
  const call = owner?.kind === 'param' ? owner.parent?.parent : undefined;
  return call?.kind === 'call' && call.callee.kind === 'member' ? listed(call.callee.object) : undefined;
}

/** The object of `Object.entries(object)` and `Object.keys(object)`. */
function listed(node: Node | undefined): Expression | undefined {
  const [object] = node?.kind === 'call' && isListing(node) ? node.args : [];
  return object?.kind === 'spread' ? undefined : object;
}

const isListing = (call: CallNode): boolean => isNamed(call, 'Object', 'entries') || isNamed(call, 'Object', 'keys');

/** Whether a call is one of `object.name(…)`. */
export const isNamed = ({ callee }: CallNode, object: string, name: string): boolean =>
  callee.kind === 'member' && callee.property === name && callee.object.kind === 'name' && callee.object.name === object;

export const isObjectAssign = (call: CallNode): boolean => isNamed(call, 'Object', 'assign');
