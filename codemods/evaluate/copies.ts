/** Loops that write every property of one object into another: `for (const [k, v] of Object.entries(options)) this[k] = v`. */
import type { Scopes } from '../syntax/scopes.ts';
import type { AssignNode, CallNode, Expression, NameNode, Node, ParamNode, VariableNode } from '../syntax/tree.ts';
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

/** What a loop through an object, `for (const name in auth)`, or through a listing, `Object.entries(auth)`, only copies it into. */
export function copiedInto(over: Node, { scopes }: SourceModule): Expression | undefined {
  const { parent } = over;
  if (parent?.kind === 'variable' && parent.init === over) return copyingBy(parent, scopes)?.into;
  const [each] = parent?.kind === 'member' && parent.parent?.kind === 'call' ? parent.parent.args : [];
  const [pair] = each?.kind === 'function' ? each.params : [];
  return pair === undefined ? undefined : copyingBy(pair, scopes)?.into;
}

/** Whether an expression asks an object for what is under a name, or whether it has that, as a part of a loop that copies all of it. */
export function isPartOfCopy(name: Node | undefined, { scopes }: SourceModule): boolean {
  const owner = name?.kind === 'name' ? scopes.bindingOf(name)?.owner : undefined;
  return (owner?.kind === 'variable' || owner?.kind === 'param') && copyingBy(owner, scopes) !== undefined;
}

function copyingBy(owner: VariableNode | ParamNode, scopes: Scopes): Copying | undefined {
  const { over, body } = loopOf(owner) ?? {};
  const { write, tests } = onlyOf(body ?? []);
  const put = write === undefined ? undefined : putBy(write);
  if (over === undefined || put === undefined || write === undefined) return undefined;
  // Headers and maps are gone through as they are.
  const from = over.kind === 'call' && isListing(over) ? listed(over) : over;
  const taken = takenBy(owner, over);
  if (from === undefined || taken === undefined || !tests.every((test) => isOfItem(test, put.value, scopes))) return undefined;
  const isOnly = (node: Node | undefined, given: Node): boolean => {
    const binding = given.kind === 'name' ? scopes.bindingOf(given) : undefined;
    const parts = [put.name, put.value, ...tests];
    return (
      binding !== undefined && binding.declaration === node && binding.references.every((each) => parts.some((part) => holds(part, each)))
    );
  };
  if (!isOnly(taken.name, put.name)) return undefined;
  // Fields of an instance are found by their names.
  const isValue = taken.isByName ? put.into.kind !== 'this' && isItemOf(put.value, from, put.name, scopes) : isOnly(taken.value, put.value);
  return isValue ? { from, into: put.into, write } : undefined;
}

/** `options[name]` */
const isItemOf = (node: Node, from: Expression, name: Node, scopes: Scopes): boolean =>
  node.kind === 'member' && node.computed !== undefined && isSame(node.computed, name, scopes) && isSame(node.object, from, scopes);

/** Whether a test only asks if the object has the property, or anything under it: `options.hasOwnProperty(name)`, `value != null`. */
function isOfItem(test: Node, value: Node, scopes: Scopes): boolean {
  if (test.kind === 'binary' && /^!==?$/.test(test.operator))
    return [test.left, test.right].some((side) => isSame(side, value, scopes)) && [test.left, test.right].some(isNothing);
  const callee = test.kind === 'call' && test.callee.kind === 'member' ? test.callee : undefined;
  const asked = callee?.property === 'call' && callee.object.kind === 'member' ? callee.object : callee;
  return isSame(test, value, scopes) || /^hasOwn(?:Property)?$/.test(asked?.property ?? '');
}

const isNothing = (node: Node): boolean =>
  (node.kind === 'name' && node.name === 'undefined') || (node.kind === 'literal' && node.value === null);

/** Whether two expressions name the same: `this.options.headers`. */
function isSame(one: Node, other: Node, scopes: Scopes): boolean {
  if (one.kind === 'name') return other.kind === 'name' && one.name === other.name && scopes.bindingOf(one) === scopes.bindingOf(other);
  if (one.kind !== 'member' || other.kind !== 'member') return one.kind === 'this' && other.kind === 'this';
  const isSameKey =
    one.computed === undefined || other.computed === undefined
      ? one.property !== undefined && one.property === other.property
      : isSame(one.computed, other.computed, scopes);
  return isSameKey && isSame(one.object, other.object, scopes);
}

const holds = (whole: Node, part: Node): boolean => whole.start <= part.start && part.end <= whole.end;

interface Taken {
  readonly name: Node | undefined;
  readonly value: Node | undefined;
  /** Whether the loop has names alone, and asks the object for what is under them. */
  readonly isByName: boolean;
}

/** The name and the value of each: `([name, value]) => …`, `(value, name) => …`; the name alone of `for (const name in options)` and `Object.keys(options)`. */
function takenBy({ target, parent, ...owner }: VariableNode | ParamNode, over: Expression): Taken | undefined {
  const listing = over.kind === 'call' && isListing(over) ? over : undefined;
  const isKey = owner.kind === 'variable' && owner.each === 'key';
  if (isKey || (listing !== undefined && isNamed(listing, 'Object', 'keys')))
    return isKey && listing !== undefined ? undefined : { name: target, value: undefined, isByName: true };
  const both = parent?.kind === 'function' ? parent.params.toReversed() : [];
  const isByPair = target.kind === 'arrayPattern';
  if (listing !== undefined && !isByPair) return undefined;
  const [name, value] = (isByPair ? target.elements : both).map((each) =>
    each === undefined || each.default !== undefined || each.isRest ? undefined : each.target,
  );
  return { name, value, isByName: false };
}

/** What a loop goes through, be it `for` or `forEach`, and what it does. */
function loopOf(owner: VariableNode | ParamNode): { readonly over: Expression; readonly body: readonly (Node | undefined)[] } | undefined {
  const { parent } = owner;
  if (owner.kind === 'variable') {
    const isLoop = owner.each !== undefined && owner.init !== undefined && parent?.kind === 'block';
    return isLoop ? { over: owner.init, body: parent.body.filter((each) => each !== owner) } : undefined;
  }
  const call = parent?.kind === 'function' ? parent.parent : undefined;
  if (parent?.kind !== 'function' || call?.kind !== 'call' || call.args[0] !== parent || call.callee.kind !== 'member') return undefined;
  const { object, property } = call.callee;
  const count = object.kind === 'call' && isListing(object) ? 1 : 2;
  const isFirst = owner.default === undefined && parent.params.length === (owner.target.kind === 'arrayPattern' ? 1 : count);
  return isFirst && /^(?:forEach|map)$/.test(property ?? '') ? { over: object, body: [parent.body] } : undefined;
}

/** The only thing that is done, and what is asked before. */
function onlyOf([first, ...more]: readonly (Node | undefined)[]): { readonly write?: Node | undefined; readonly tests: readonly Node[] } {
  if (more.length > 0 || first === undefined) return { tests: [] };
  if (first.kind === 'block') return onlyOf(first.body);
  if (first.kind !== 'other') return { write: first, tests: [] };
  const [child, ...rest] = first.children;
  if (first.what === 'ExpressionStatement') return { write: child, tests: [] };
  if (first.what !== 'IfStatement' || child === undefined) return { write: first, tests: [] };
  const { write, tests } = onlyOf(rest);
  return { write, tests: [child, ...tests] };
}

interface Put {
  readonly into: Expression;
  readonly name: Node;
  readonly value: Node;
}

/** `headers[name] = value`, `headers.set(name, value)`, `request.setHeader(name, value)` */
function putBy(write: Node): Put | undefined {
  if (write.kind === 'assign') {
    const { target, value, operator } = write;
    const isPut = operator === '=' && target.kind === 'member' && target.computed !== undefined;
    return isPut ? { into: target.object, name: target.computed, value } : undefined;
  }
  if (write.kind !== 'call' || write.callee.kind !== 'member') return undefined;
  const [name, value, ...more] = write.args;
  if (name === undefined || value === undefined || more.length > 0) return undefined;
  return setting.test(write.callee.property ?? '') ? { into: write.callee.object, name, value } : undefined;
}

const setting = /^(?:set|append|header|setHeader|setRequestHeader)$/;

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
