/** Loops that write every property of one object into another: `for (const [k, v] of Object.entries(options)) this[k] = v`. */
import { walk } from '../../syntax/link.ts';
import type { Binding, Scopes } from '../../syntax/scopes.ts';
import type { AssignNode, CallNode, Expression, NameNode, Node, ParamNode, VariableNode } from '../../syntax/tree.ts';
import type { SourceModule } from '../module.ts';
import { isSamePath } from '../names/same-path.ts';

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
export interface Copying {
  readonly from: Expression;
  readonly into: Expression;
  readonly write: Node;
}

/** The object whose properties are copied as they are by a loop that a write is all of. */
export function copiedWhole(write: Node, key: NameNode, module: SourceModule): Expression | undefined {
  const copying = copyingWith(key, module);
  return copying?.write === write ? copying.from : undefined;
}

/** The loop that an expression is the name of each in, if it does nothing but copy. */
export function copyingWith(key: Node | undefined, { scopes }: SourceModule): Copying | undefined {
  const owner = key?.kind === 'name' ? scopes.bindingOf(key)?.owner : undefined;
  return owner?.kind === 'variable' || owner?.kind === 'param' ? copyingBy(owner, scopes) : undefined;
}

/** The loop through an object, `for (const name in auth)`, or through a listing, `Object.entries(auth)`, that only copies it. */
export function copyingOf(over: Node, { scopes }: SourceModule): Copying | undefined {
  const { parent } = over;
  if (parent?.kind === 'variable' && parent.init === over) return copyingBy(parent, scopes);
  const [each] = parent?.kind === 'member' && parent.parent?.kind === 'call' ? parent.parent.args : [];
  const [first] = each?.kind === 'function' ? each.params : [];
  return first === undefined ? undefined : copyingBy(first, scopes);
}

function copyingBy(owner: VariableNode | ParamNode, scopes: Scopes): Copying | undefined {
  const { over, body } = loopOf(owner) ?? {};
  const { write, test } = stepOf(body ?? []);
  const put = write === undefined ? undefined : putBy(write);
  // Headers and maps are gone through as they are.
  const from = over?.kind === 'call' && isListing(over) ? listed(over) : over;
  if (over === undefined || from === undefined || put === undefined || write === undefined) return undefined;
  const taken = takenBy(owner, over);
  const own = withoutDefault(from);
  const asks = [put.name, put.value, ...(test === undefined ? [] : [test])];
  const isOnly = (node: Node, taken: Node | undefined): boolean => {
    const binding = node.kind === 'name' ? scopes.bindingOf(node) : undefined;
    return (
      binding !== undefined && binding.declaration === taken && binding.references.every((each) => asks.some((part) => holds(part, each)))
    );
  };
  if (taken === undefined || !isOnly(put.name, taken.name)) return undefined;
  const isValue = taken.isByName ? isItemOf(put.value, own, put.name, scopes) : isOnly(put.value, taken.value);
  const isPlain = put.isCalled || (test === undefined && !taken.isByName) || isMadeThere(put.into, scopes);
  if (!isValue || !isPlain || !(test === undefined || isOfItem(test, { ...put, own }, scopes))) return undefined;
  return { from, into: put.into, write };
}

/** `headers` of `headers ?? {}`. */
function withoutDefault(from: Expression): Expression {
  const isDefault = from.kind === 'logical' && from.operator !== '&&' && from.right.kind === 'object' && from.right.properties.length === 0;
  return isDefault ? from.left : from;
}

/** Whether it is a variable with an object that is written there: nobody else's properties are put over. */
function isMadeThere(into: Expression, scopes: Scopes): boolean {
  const owner = into.kind === 'name' ? scopes.bindingOf(into)?.owner : undefined;
  const made = owner?.kind === 'variable' && owner.declares === 'const' && owner.target.kind === 'patternName' ? owner.init : undefined;
  return made?.kind === 'object' && made.properties.every((each) => each.kind !== 'property' || each.accessor === undefined);
}

/** `options[name]` */
const isItemOf = (node: Node, from: Expression, name: Node, scopes: Scopes): boolean =>
  node.kind === 'member' && node.computed !== undefined && isSamePath(node.computed, name, scopes) && isSamePath(node.object, from, scopes);

/** Whether a test only asks if the object itself has the property, or anything under it: `options.hasOwnProperty(name)`, `value != null`. */
function isOfItem(test: Node, { name, value, own }: Pick<Put, 'name' | 'value'> & { readonly own: Expression }, scopes: Scopes): boolean {
  if (test.kind === 'binary') {
    const { left, right, operator } = test;
    return /^!==?$/.test(operator) && isSamePath(left, value, scopes) && isNothing(right);
  }
  if (test.kind !== 'call' || test.callee.kind !== 'member') return isSamePath(test, value, scopes);
  const { object, property } = test.callee;
  const isCalled = property === 'call' && object.kind === 'member' && object.property === 'hasOwnProperty';
  const isOwn = isCalled || isNamed(test, 'Object', 'hasOwn');
  const [of, asked] = isOwn ? test.args : property === 'hasOwnProperty' ? [object, test.args[0]] : [];
  return of !== undefined && asked !== undefined && isSamePath(of, own, scopes) && isSamePath(asked, name, scopes);
}

const isNothing = (node: Node): boolean =>
  (node.kind === 'name' && node.name === 'undefined') || (node.kind === 'literal' && node.value === null);

const holds = (whole: Node, part: Node): boolean => whole.start <= part.start && part.end <= whole.end;

interface Taken {
  readonly name: Node | undefined;
  readonly value?: Node | undefined;
  /** Whether the loop has names alone, and asks the object for what is under them. */
  readonly isByName: boolean;
}

/** The name and the value of each: `([name, value]) => …`, `(value, name) => …`; the name alone of `for (const name in options)` and `Object.keys(options)`. */
function takenBy(owner: VariableNode | ParamNode, over: Expression): Taken | undefined {
  const { target, parent } = owner;
  const listing = over.kind === 'call' && isListing(over) ? over : undefined;
  const isKey = owner.kind === 'variable' && owner.each === 'key';
  if (isKey && listing !== undefined) return undefined;
  if (isKey || (listing !== undefined && isNamed(listing, 'Object', 'keys'))) return { name: target, isByName: true };
  const isByPair = target.kind === 'arrayPattern';
  if (listing !== undefined && !isByPair) return undefined;
  const both = parent?.kind === 'function' ? parent.params.toReversed() : [];
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
  const isOfOne = owner.target.kind === 'arrayPattern' || (object.kind === 'call' && isListing(object));
  if (parent.params.length !== (isOfOne ? 1 : 2) || owner.default !== undefined || property !== 'forEach') return undefined;
  return { over: object, body: [parent.body] };
}

/** The only thing that is done, and what is asked before. */
function stepOf([first, ...more]: readonly (Node | undefined)[]): { readonly write?: Node | undefined; readonly test?: Node } {
  if (more.length > 0 || first === undefined) return {};
  if (first.kind === 'block') return stepOf(first.body);
  if (first.kind !== 'other') return { write: first };
  const [child, ...rest] = first.children;
  if (first.what === 'ExpressionStatement') return { write: child };
  if (first.what !== 'IfStatement' || child === undefined) return {};
  const step = stepOf(rest);
  return step.test === undefined ? { ...step, test: child } : {};
}

interface Put {
  readonly into: Expression;
  readonly name: Node;
  readonly value: Node;
  readonly isCalled: boolean;
}

/** `headers[name] = value`, `headers.set(name, value)`, `request.setHeader(name, value)`: the name and the value, and what they are put into. */
function putBy(write: Node): Put | undefined {
  if (write.kind === 'assign') {
    const { target, value, operator } = write;
    const isPut = operator === '=' && target.kind === 'member' && target.computed !== undefined;
    return isPut ? { into: target.object, name: target.computed, value, isCalled: false } : undefined;
  }
  if (write.kind !== 'call' || write.callee.kind !== 'member') return undefined;
  const [name, value, ...more] = write.args;
  if (name === undefined || value === undefined || more.length > 0 || !setting.test(write.callee.property ?? '')) return undefined;
  return { into: write.callee.object, name, value, isCalled: true };
}

const setting = /^(?:set|append|setHeader|setRequestHeader)$/;

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
