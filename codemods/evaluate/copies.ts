/** Loops that write every property of one object into another: `for (const [k, v] of Object.entries(options)) this[k] = v`. */
import { walk } from '../syntax/link.ts';
import type { Binding, Scopes } from '../syntax/scopes.ts';
import type { AssignNode, CallNode, Expression, NameNode, Node, ParamNode, VariableNode } from '../syntax/tree.ts';
import type { SourceModule } from './module.ts';

/** @returns the object whose properties an assignment to a computed name copies; undefined where it is none of these loops, or copies several */
export function copiedFrom({ target, value }: AssignNode, { scopes, text }: SourceModule): Expression | undefined {
  const key = target.kind === 'member' ? target.computed : undefined;
  const binding = key?.kind === 'name' ? scopes.bindingOf(key) : undefined;
  const over = binding && loopedOver(binding.owner);
  if (over === undefined) return undefined;
  // The names may be another object's: `for (const name of Object.keys(allowed)) to[name] = from[name]`.
  const read: Expression[] = [];
  walk(value, (node) => {
    if (node.kind === 'member' && node.computed?.kind === 'name' && scopes.bindingOf(node.computed) === binding) read.push(node.object);
    return node.kind !== 'function';
  });
  const [from = over, ...others] = read;
  const isSame = (other: Expression): boolean => text.slice(other.start, other.end) === text.slice(from.start, from.end);
  return others.every(isSame) ? from : undefined;
}

/** The object for each of whose properties a name stands: `for (const name in object)`, `Object.entries(object).forEach(([name, value]) => …)`. */
function loopedOver(owner: Binding['owner']): Expression | undefined {
  if (owner.kind === 'variable') return owner.each === 'key' ? owner.init : listed(owner.init);
  const call = owner.kind === 'param' ? owner.parent?.parent : undefined;
  return call?.kind === 'call' && call.callee.kind === 'member' ? listed(call.callee.object) : undefined;
}

/** A loop that does nothing but copy: `for (const [name, value] of Object.entries(auth)) headers.set(name, value)`. */
interface Copying {
  readonly from: Expression;
  readonly into: Expression;
  readonly write: Node;
}

/** The object whose properties are copied as they are by a loop that a write is all of. */
export function copiedWhole(write: Node, key: NameNode, { scopes }: SourceModule): Expression | undefined {
  const owner = scopes.bindingOf(key)?.owner;
  const copying = owner?.kind === 'variable' || owner?.kind === 'param' ? copyingBy(owner, scopes) : undefined;
  return copying?.write === write ? copying.from : undefined;
}

/** What a loop through a listing, `Object.entries(auth)`, only copies it into. */
export function copiedInto(listing: CallNode, { scopes }: SourceModule): Expression | undefined {
  const { parent } = listing;
  if (parent?.kind === 'variable') return copyingBy(parent, scopes)?.into;
  const [each] = parent?.kind === 'member' && parent.parent?.kind === 'call' ? parent.parent.args : [];
  const [pair] = each?.kind === 'function' ? each.params : [];
  return pair === undefined ? undefined : copyingBy(pair, scopes)?.into;
}

function copyingBy(owner: VariableNode | ParamNode, scopes: Scopes): Copying | undefined {
  const { over, body } = loopOf(owner) ?? {};
  const write = body === undefined ? undefined : onlyOf(body);
  const isByPair = owner.target.kind === 'arrayPattern';
  // Headers and maps are gone through as they are.
  const from =
    over?.kind === 'call' && isListing(over) ? (isByPair && isNamed(over, 'Object', 'entries') ? listed(over) : undefined) : over;
  const put = write === undefined ? undefined : putBy(write);
  if (from === undefined || put === undefined || write === undefined) return undefined;
  const taken = takenBy(owner);
  const isPair = put.given.every((node, index) => {
    const binding = node.kind === 'name' ? scopes.bindingOf(node) : undefined;
    return binding !== undefined && binding.declaration === taken[index] && binding.references.length === 1;
  });
  return isPair ? { from, into: put.into, write } : undefined;
}

/** The name and the value of each: `([name, value]) => …`, `(value, name) => …` */
function takenBy({ target, parent }: VariableNode | ParamNode): readonly (Node | undefined)[] {
  const both = parent?.kind === 'function' ? parent.params.toReversed() : [];
  const taken = target.kind === 'arrayPattern' ? target.elements : both;
  return taken.map((each) => (each === undefined || each.default !== undefined || each.isRest ? undefined : each.target));
}

/** What a loop goes through, be it `for` or `forEach`, and what it does. */
function loopOf(owner: VariableNode | ParamNode): { readonly over: Expression; readonly body: readonly (Node | undefined)[] } | undefined {
  const { parent } = owner;
  if (owner.kind === 'variable') {
    const isLoop = owner.each === 'value' && owner.init !== undefined && parent?.kind === 'block';
    return isLoop ? { over: owner.init, body: parent.body.filter((each) => each !== owner) } : undefined;
  }
  const count = owner.target.kind === 'arrayPattern' ? 1 : 2;
  const call = parent?.kind === 'function' && parent.params.length === count ? parent.parent : undefined;
  if (parent?.kind !== 'function' || call?.kind !== 'call' || call.args[0] !== parent || call.callee.kind !== 'member') return undefined;
  return call.callee.property === 'forEach' && owner.default === undefined ? { over: call.callee.object, body: [parent.body] } : undefined;
}

/** The only thing that is done. */
function onlyOf([first, ...more]: readonly (Node | undefined)[]): Node | undefined {
  if (more.length > 0) return undefined;
  if (first?.kind === 'block') return onlyOf(first.body);
  return first?.kind === 'other' && first.what === 'ExpressionStatement' ? first.children[0] : first;
}

/** `headers[name] = value`, `headers.set(name, value)`: the name and the value, and what they are put into. */
function putBy(write: Node): { readonly into: Expression; readonly given: readonly Node[] } | undefined {
  if (write.kind === 'assign') {
    const { target, value, operator } = write;
    const isPut = operator === '=' && target.kind === 'member' && target.computed !== undefined;
    return isPut ? { into: target.object, given: [target.computed, value] } : undefined;
  }
  if (write.kind !== 'call' || write.callee.kind !== 'member' || write.args.length !== 2) return undefined;
  return /^(?:set|append)$/.test(write.callee.property ?? '') ? { into: write.callee.object, given: write.args } : undefined;
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
