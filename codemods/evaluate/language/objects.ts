/** Objects and lists: headers, options, tables of endpoints. */
import { asArguments } from '../calls/callers.ts';
import { isAuthorization, isKeyHeader } from '../../../src/contract/auth.ts';
import type { ArrayNode, CallNode, Expression, Node, ObjectNode, PatternProperty, PropertyNode } from '../../syntax/tree.ts';
import { applyFunction } from '../calls/apply.ts';
import { asGiven } from '../names/beside-name.ts';
import { isObjectAssign } from '../writes/copies.ts';
import { isEnvironment } from '../settings/environments.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { asAssigned, writtenFromOutside } from '../writes/external-writes.ts';
import { givenIn } from '../libraries/given.ts';
import { functionAround } from '../calls/callees.ts';
import { computedKeys } from '../names/computed-names.ts';
import { pairsOf } from './listings.ts';
import { isOfKnown } from './listings.ts';
import { sizeOf } from '../values/same.ts';
import { selvesIn } from '../classes/selves.ts';
import { isLeftToDefault } from './or-default.ts';
import { fieldsOf } from '../classes/instance-fields.ts';
import { isSchemaMethod, variable } from '../settings/settings.ts';
import { Shape } from '../values/shape.ts';
import { writtenAt } from '../writes/writes.ts';
import { defaultsSpread } from '../libraries/client-base.ts';
import {
  after,
  choiceOf,
  type Entry,
  lazily,
  type ObjectValue,
  optionsOf,
  type ParamValue,
  type TextPart,
  unknown,
  type Value,
} from '../values/values.ts';

export function evaluateObject(ev: Evaluation, node: ObjectNode, at: At): Value {
  const shape = new Shape(node);
  for (const property of node.properties) {
    // What it has from another is there before all that it has itself, wherever it stands.
    if (property.kind === 'property' && isPrototype(property)) shape.spread(ev.evaluate(property.value, at));
  }
  for (const property of node.properties) {
    if (property.kind === 'property') {
      if (isPrototype(property)) continue;
      // What a setter does with what it is given is found in it.
      if (property.accessor === 'set') continue;
      // Where a key is put in anew, the one before is renamed with it: under its old name it would be sent, too.
      if (property.name !== undefined && !isKeyHeader(property.name) && !isAuthorization(property.name)) shape.forget(property.name);
      shape.write(entriesOf(ev, property, at));
    } else shape.spread(spreadOf(ev, ev.evaluate(property.argument, at), at));
  }
  ev.budget.count(shape.work);
  const { entries, unknown: open } = shape.end();
  const made: ObjectValue = { type: 'object', node, module: at.module, entries: spelled(entries), unknown: open, provenance: undefined };
  const own = selvesIn(node);
  return own.length === 0
    ? made
    : writtenAt(
        ev,
        made,
        own.map((self) => ({ node: self, at, isOwn: true })),
      );
}

function spreadOf(ev: Evaluation, value: Value, at: At): Value {
  const options = optionsOf(value);
  const found = options.map((each) => fieldsOf(ev, defaultsSpread(ev, each), at));
  return found.every((each, index) => each === options[index]) ? value : choiceOf(found);
}

/** `{ __proto__: base }`, which says what it is made over, and is no property. */
export const isPrototype = ({ name, shorthand, value }: PropertyNode): boolean =>
  name === '__proto__' && !shorthand && value.kind !== 'function';

/** Of a header that is there in two spellings, renaming both would leave one: `{ 'x-api-key': a, 'X-Api-Key': b }`. */
function spelled(entries: readonly Entry[]): readonly Entry[] {
  const spellings = new Map<string, Set<string>>();
  for (const { name } of entries) {
    if (name === undefined || !name.includes('-')) continue;
    const known = spellings.get(name.toLowerCase());
    if (known === undefined) spellings.set(name.toLowerCase(), new Set([name]));
    else known.add(name);
  }
  const isTwice = ({ name }: Entry): boolean => name !== undefined && (spellings.get(name.toLowerCase())?.size ?? 0) > 1;
  return entries.some(isTwice) ? entries.map((entry) => (isTwice(entry) ? { ...entry, isShared: true } : entry)) : entries;
}

function entriesOf(ev: Evaluation, property: PropertyNode, at: At): Entry[] {
  const { module } = at;
  const value = lazily([property, at.frame], () => ev.evaluate(property.value, at));
  const entry = (name: string | undefined, key: TextPart | undefined): Entry => {
    return { name, key, node: property, module, value, valueNode: property.value, provenance: undefined };
  };
  if (property.name !== undefined) return [entry(property.name, writtenKey(property, at))];
  if (property.computed === undefined) return [entry(undefined, undefined)];
  const { computed } = property;
  return computedKeys(ev, computed, at).map((key) => asGiven(ev, { ...entry(key.name, key.key), ...key }, computed));
}

/** The name of a property as it stands there, in an object or a pattern. */
export function writtenKey(node: PropertyNode | PatternProperty, { module }: At): TextPart {
  const { keyStart, keyEnd, name = '' } = node;
  const start = keyEnd - keyStart > name.length ? keyStart + 1 : keyStart;
  return { text: name, source: { module, start, isExact: module.text.startsWith(name, start), node } };
}

/** A property of an object: what was written last, and every alternative where that is not certain. */
export function objectMember(ev: Evaluation, object: ObjectValue, name: string, node: Node, at: At): Value {
  const all = object.entries.filter((entry) => entry.name === name);
  const own = Math.max(
    0,
    all.findLastIndex((entry) => isOwn(entry, object)),
  );
  // What is assigned to a getter never takes its place.
  const isGetter = all[own] !== undefined && isOwn(all[own], object) && isGetterNode(all[own].node);
  const found = all.slice(own).filter(({ node: { kind } }) => !isGetter || kind !== 'assign');
  const open = object.unknown.length > 0 || object.entries.some((entry) => entry.name === undefined);
  const given = overriding(ev, object, found, name, node, at);
  const isWritten = (write: Node): boolean => object.entries.some((entry) => entry.node === write);
  const elsewhere = writtenFromOutside(ev, name, object.node, isWritten);
  if (found.length + given.length === 0) {
    const none = open ? openMember(ev, object, name, node, at) : missing(object, name, node, at);
    return elsewhere.length === 0 ? none : choiceOf([none, ...elsewhere]);
  }
  // What a statement writes may be written in some cases alone.
  const isWrittenAlone = found.length > 0 && !found.some((entry) => isOwn(entry, object));
  const before = isWrittenAlone ? [...spreadVariables(ev, object, name, node, at), ...spreadUntilThen(object, found)] : [];
  const values = [...before, ...found.map((entry) => after(valueOf(ev, entry, object, at), entry.provenance)), ...given, ...elsewhere];
  // To join them is to compare what they hold.
  if (values.length > 1) ev.budget.charge(values.flatMap(optionsOf).reduce((sum, each) => sum + sizeOf(each), 0));
  return choiceOf(values);
}

/** What is spread into it may have it. */
function openMember(ev: Evaluation, object: ObjectValue, name: string, node: Node, at: At): Value {
  const variables = spreadVariables(ev, object, name, node, at);
  if (variables.length > 0) return choiceOf(variables);
  // `{ ...first }` of an instance that is given its fields by `Object.assign(this, options)`.
  const copied = object.unknown.filter(({ type }) => type === 'instance');
  if (copied.length > 0) {
    const rest = copied.length < object.unknown.length ? [unknown(node, at.module)] : [];
    return choiceOf([...copied.map((each) => ev.member(each, name, node, at)), ...rest]);
  }
  const receiver = object.unknown.find((each) => givenIn(each) !== undefined);
  if (receiver !== undefined) return memberOfGiven(receiver, name);
  // `{ path, ...options }` has as much of it as options that callers whom nobody sees give.
  const last = object.unknown.at(-1);
  return last !== undefined && object.unknown.every(isLeftToDefault) ? memberOfGiven(last, name) : unknown(node, at.module);
}

/** `{ ...process.env, KEY: 'k' }` */
function spreadVariables(ev: Evaluation, { unknown: spread }: ObjectValue, name: string, node: Node, at: At): Value[] {
  const variables = variable.test(name) ? spread.map((each) => ev.member(each, name, node, at)) : [];
  return variables.every(({ type }) => type === 'env') ? variables : [];
}

/** `{ ...options, set(name, value) { this[name] = value; } }`: until a method is called it has what it was given, whatever that is. */
function spreadUntilThen(object: ObjectValue, written: readonly Entry[]): readonly Value[] {
  const around = functionAround(object.node);
  return written.every(({ node }) => functionAround(node) !== around) ? object.unknown.filter(({ type }) => type === 'param') : [];
}

const isGetterNode = (node: Node): boolean => node.kind === 'property' && node.accessor === 'get';

/** Written in the object itself: what stands before it never counts. */
const isOwn = ({ node, isShared, isBack }: Entry, object: ObjectValue): boolean =>
  node.kind === 'property' && node.parent === object.node && isShared !== true && isBack !== true;

/** What may stand in the place of what was found, or of nothing: what is spread after it, and what is written to any name. */
function overriding(ev: Evaluation, object: ObjectValue, found: readonly Entry[], name: string, node: Node, at: At): Value[] {
  const last = found.at(-1);
  if (last === undefined) return object.unknown.filter(({ type }) => type === 'param');
  const toAnyName = object.entries
    .slice(object.entries.indexOf(last) + 1)
    .flatMap((entry) => (entry.name === undefined ? optionsOf(entry.value()).map(asAssigned) : []));
  // What came before one that may not be there may have been hidden, too.
  const hiding = new Set(found.flatMap(({ hiddenBy }) => hiddenBy ?? []));
  return [...[...hiding].flatMap((value) => spreadAs(ev, value, name, node, at)), ...toAnyName];
}

/** What something that is spread over a known property makes of that. */
function spreadAs(ev: Evaluation, value: Value, name: string, node: Node, at: At): Value[] {
  // `{ url: 'https://…', ...window.appConfig }`: a variable, which the default stands for.
  if (value.type === 'external' && isEnvironment(ev, value)) return [ev.member(value, name, node, at)];
  // Options that nobody was seen to give leave the default as it is.
  if (value.type === 'param') return [value];
  if (givenIn(value) !== undefined) return [memberOfGiven(value, name)];
  if (isLeftToDefault(value) || isTakenBefore(value, name)) return [];
  if (value.type === 'namespace') {
    const exported = ev.exported(value.module, name);
    return exported === undefined ? [] : [exported];
  }
  return value.type === 'instance' || value.type === 'class' || value.type === 'function'
    ? []
    : [unknown(undefined, at.module, 'assigned')];
}

/** `({ base, ...others }) => ({ base: base ?? 'https://…', ...others })`: what is left of whatever it is has no such name. */
function isTakenBefore(value: Value, name: string): boolean {
  // The whole has no name there, and each other name is of a part that is known by its own.
  const of = value.type === 'unknown' && value.why !== 'call' ? value.node : undefined;
  const { properties = [], rest } = of?.kind === 'param' && of.target.kind === 'objectPattern' ? of.target : {};
  const isRest = rest !== undefined && properties.every((taken) => taken.name !== undefined && taken.target.kind === 'patternName');
  return isRest && properties.some((taken) => taken.name === name);
}

const memberOfGiven = (value: Value, name: string): Value =>
  value.type === 'method' ? { ...value, path: [...value.path, name] } : { type: 'method', receiver: value, path: [name] };

function valueOf(ev: Evaluation, entry: Entry, object: ObjectValue, at: At): Value {
  const { node } = entry;
  const value = entry.value();
  if ((node.kind !== 'property' && node.kind !== 'assign' && node.kind !== 'class') || value.type !== 'function') return value;
  // `crm.contacts = client.contacts` is of what it is called on, as if it had been written there; so is what a copy of an instance has of that.
  if (node.kind !== 'property' || node.accessor !== 'get') return value.isBound === true ? value : { ...value, self: object };
  const call = { kind: 'call', callee: value.node, args: [], isNew: false, start: node.start, end: node.end } as const;
  return applyFunction(ev, { ...value, self: object }, asArguments([]), call, at);
}

/** Methods that every object has are not properties that are missing. */
function missing(object: ObjectValue, name: string, node: Node, at: At): Value {
  const isCalled = node.parent?.kind === 'call' && node.parent.callee === node;
  const isMethod = objectMethods.has(name) && !(object.node.kind === 'object' && !inherited.has(name) && isTakenOr(node));
  if (isMethod || (isCalled && isSchemaMethod(name))) return { type: 'method', receiver: object, path: [name] };
  return isWhole(object.node) ? { type: 'literal', value: undefined } : unknown(node, at.module);
}

/** `({ get = fetch }) => …`, `options.get ?? fetch`: what is taken by its name, and may be missing, is no method of a Map. */
const isTakenOr = (node: Node): boolean =>
  node.kind !== 'member' || (node.parent?.kind === 'logical' && node.parent.operator !== '&&' && node.parent.left === node);

/** Whether all that an object has stands there: as in a literal, so in `Object.assign({}, a, b)`, what is copied into `this` and what a component is given. */
const isWhole = (node: Node): boolean =>
  node.kind === 'object' ||
  node.kind === 'enum' ||
  (node.kind === 'other' && node.what === 'JsxElement') ||
  (node.kind === 'call' && isMerge(node) && (node.args[0]?.kind === 'object' || node.args[0]?.kind === 'this'));

/** `_.merge({ uri }, more)` as well: what it made is known as an object only where the library's rule says how. */
const isMerge = (call: CallNode): boolean =>
  isObjectAssign(call) || (call.callee.kind === 'member' && /^(?:merge|assign|extend)$/.test(call.callee.property ?? ''));

const objectMethods = new Set([
  'set',
  'append',
  'get',
  'has',
  'delete',
  'entries',
  'forEach',
  'keys',
  'values',
  'hasOwnProperty',
  'toString',
  'toJSON',
]);

/** Of these, what a literal has, too. */
const inherited = new Set(['hasOwnProperty', 'toString']);

export function evaluateArray(ev: Evaluation, node: ArrayNode, at: At): Value {
  const items: Value[] = [];
  const nodes: (Expression | undefined)[] = [];
  let isOpen = false;
  let isOfItems = true;
  let placed: number | undefined;
  let given: ParamValue | undefined;
  for (const element of node.elements) {
    if (element?.kind === 'spread') {
      const spread = ev.evaluate(element.argument, at);
      const list = pairsOf(spread, at.module) ?? spread;
      given ??= list.type === 'param' ? list : list.type === 'list' && list.isOpen ? list.given : undefined;
      if (list.type !== 'list' || list.isOpen) {
        isOpen = true;
        placed ??= items.length;
      }
      if (list.type !== 'list' || !isOfKnown(list)) isOfItems = false;
      else {
        items.push(...list.items);
        nodes.push(...list.items.map((_, index) => list.nodes[index]));
      }
    } else {
      items.push(element === undefined ? { type: 'literal', value: undefined } : ev.evaluate(element, at));
      nodes.push(element);
    }
  }
  return {
    type: 'list',
    items,
    nodes,
    isOpen,
    ...(isOfItems && placed !== undefined && { placed }),
    ...(given !== undefined && { given }),
    module: at.module,
  };
}

/** What `...others` has beside the names that a pattern takes: `({ authorization, ...others }) => others` takes out the key, once that has moved. */
export function withoutNames(value: ObjectValue, taken: ReadonlySet<string | undefined>): ObjectValue {
  const left = value.entries.filter(({ name }) => !taken.has(name));
  const takesKey = [...taken].some(isAuthorization);
  return { ...value, entries: takesKey ? left.map((entry) => (isKeyHeader(entry.name) ? { ...entry, isShared: true } : entry)) : left };
}
