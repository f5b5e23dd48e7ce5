/** What is written into an object after it is made: `h['x-api-key'] = k`, `h.set('x-api-key', k)`, `Object.assign(h, …)`. */
import { combined } from '../libraries/combined.ts';
import { moduleOf } from '../module.ts';
import { exact } from '../../syntax/lists.ts';
import type { AssignNode, CallNode, Expression, MemberNode, Node, UnaryNode } from '../../syntax/tree.ts';
import { forAllCallers } from '../calls/all-callers.ts';
import { changedList, settersOf } from './added-items.ts';
import { isAddressWritten, withPathname } from './address-writes.ts';
import { isReckoning } from '../names/assignments.ts';
import { placesOfField } from '../classes/class-index.ts';
import { ifClosed, isClosedField, isFilledFromOutside } from './closed-collections.ts';
import { copiedFrom, copiedWhole, isNamed, isObjectAssign } from './copies.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { asGiven } from '../names/beside-name.ts';
import { computedKeys, keysOfPair } from '../names/computed-names.ts';
import { innerOf } from '../names/inner-names.ts';
import { grownBy } from './grown-texts.ts';
import { extended } from './extended.ts';
import { leadsToWrite, mayBeWrittenAt } from './leads-to-write.ts';
import { afterLoss, bare, gone } from './loss.ts';
import { isConstant, type Named } from '../names/named.ts';
import { namesOf } from '../names/other-names.ts';
import { type Contents as Additions, Shape } from '../values/shape.ts';
import { written as asWritten } from './external-writes.ts';
import { givenToSetter } from './setter-calls.ts';
import { assignmentTo, isChanging } from './targets.ts';
import { joinProvenance } from '../values/provenance.ts';
import { withoutUnmade } from './unmade-writes.ts';
import type { Frame } from '../calls/frame.ts';
import {
  choiceOf,
  type ClassValue,
  type Entry,
  lazily,
  type ObjectValue,
  optionsOf,
  plainText,
  tooMany,
  unknown,
  type Value,
} from '../values/values.ts';

/** The value of a field with everything that is written through `this.name`. */
export function fieldWrites(
  ev: Evaluation,
  value: Value,
  of: ClassValue,
  name: string,
  frameIn: (member: Node | undefined) => Frame | undefined,
): Value {
  if (!optionsOf(value).some((option) => isChangeable(option) || isAddressWritten(ev, option))) return value;
  const places = placesOfField(of.node, of.module, name).flatMap(({ member, places: all }) => {
    const at: At = { module: of.module, frame: frameIn(member) };
    return all.map((node): Named => ({ node, at, isOwn: node.kind === 'member' || isConstant(node, of.module) }));
  });
  const isClosed = (): boolean => isClosedField(ev, of.node, name);
  const isList = optionsOf(value).some(({ type }) => type === 'list');
  const begun = isList && isFilledFromOutside(ev, name) && !isClosed() ? choiceOf(optionsOf(value).map(opened)) : value;
  return ifClosed(writtenAt(ev, begun, places, isList && isClosed()), value, isClosed);
}

const opened = (value: Value): Value => (value.type === 'list' ? { ...value, isOpen: true, placed: undefined } : value);

/** Whether something can be put into a value. */
export const isChangeable = ({ type }: Value): boolean => type === 'object' || type === 'list';

/**
 * Writes at places that name an object, and at the properties of it that are objects: `options.headers['x-api-key'] = key`.
 * @param isClosed whether nobody else may add to a list
 */
export function writtenAt(ev: Evaluation, value: Value, first: readonly Named[], isClosed = false): Value {
  const leading = first.filter((named) => leadsToWrite(ev, named));
  if (leading.length === 0) return value;
  if (optionsOf(value).some((option) => isAddressWritten(ev, option))) return withPathname(ev, value, leading, () => false);
  const { all, isCut, lost, lostWithin } = namesOf(ev, leading);
  ev.budget.charge(all.length);
  const own = new Set(leading);
  const ordered = [...all.filter((named) => !own.has(named)), ...leading];
  const additions = ordered.map((named) => {
    const added = mayBeWrittenAt(named) ? additionsAt(ev, named.node, named.at) : nothing;
    // What goes by other names may be other objects, too.
    return { named, added: named.isOwn ? added : { ...added, entries: added.entries.map((entry) => ({ ...entry, isShared: true })) } };
  });
  const made = isCut ? [] : withoutUnmade(ev, () => afterLoss(ev, value, lost, false), additions);
  const whole = extended(ev, value, isCut ? [...additions.map(({ added }) => added), { entries: [], unknown: [tooMany([value])] }] : made);
  return afterLoss(ev, deepenedAt(ev, changedList(ev, whole, all, isClosed), ordered), lost ?? lostWithin, lost === undefined);
}

/** What is written into the objects and lists that an object or list holds. */
export function deepenedAt(ev: Evaluation, whole: Value, names: readonly Named[]): Value {
  const inner = names.flatMap(({ node, at, isOwn }) =>
    innerOf(ev, node, at).flatMap(({ property, places }) => places.map((place) => ({ property, named: { ...place, isOwn } }))),
  );
  const leading = inner.filter(({ named }) => leadsToWrite(ev, named));
  if (leading.length === 0) return whole;
  const byProperty = Map.groupBy(leading, ({ property }) => property);
  const deepen = (entry: Entry): Entry => {
    const named = [...(byProperty.get(entry.name) ?? []), ...(entry.name === undefined ? [] : (byProperty.get(undefined) ?? []))].map(
      (each) => each.named,
    );
    const at = named[0];
    if (at === undefined || entry.value.by?.includes(at.node) === true) return entry;
    // Every mention of the object asks for the same, so it is found out once.
    const value = (): Value =>
      ev.remember(value, { node: at.node, module: at.at.module }, at.at.frame, () => writtenAt(ev, entry.value(), named));
    return { ...entry, value: entry.value.by === undefined ? value : lazily(exact([...entry.value.by, at.node, at.at.frame]), value) };
  };
  const items = leading.filter(({ property }) => property === undefined || /^\d+$/.test(property)).map(({ named }) => named);
  return choiceOf(
    optionsOf(whole).map((option) => {
      if (option.type === 'list') return { ...option, items: option.items.map((item) => writtenAt(ev, item, items)) };
      return option.type === 'object' ? { ...option, entries: option.entries.map(deepen) } : option;
    }),
  );
}

const nothing: Additions = { entries: [], unknown: [] };

/** What happens to an object at one place that names it. */
export function additionsAt(ev: Evaluation, reference: Node, at: At): Additions {
  const { parent } = reference;
  if (parent?.kind === 'call' && parent.args[0] === reference) return assigned(ev, parent, at);
  if (parent?.kind !== 'member' || parent.object !== reference) return nothing;
  const outer = parent.parent;
  if (outer?.kind === 'call' && outer.callee === parent) return calledOn(ev, parent, outer, at);
  if (outer?.kind === 'unary') {
    if (outer.operator === 'delete') return { entries: keysIn(ev, parent, at).map(({ name }) => gone(name, outer, at)), unknown: [] };
    return isChanging(outer) ? put(ev, parent, outer, unknown(outer, at.module, 'assigned'), at) : nothing;
  }
  const write = assignmentTo(parent, outer);
  if (write === undefined) return nothing;
  const { operator, value } = write;
  const grown = write.target === parent ? grownBy(ev, parent, write, at) : undefined;
  if (grown !== undefined) return { entries: [grown], unknown: [] };
  if (write.target !== parent || isReckoning(write)) return put(ev, parent, write, unknown(value, at.module, 'assigned'), at);
  const whole = parent.computed === undefined ? undefined : copiedBy(ev, write, parent.computed, at);
  if (whole !== undefined) return whole;
  const source = parent.computed === undefined ? undefined : copiedFrom(write, at.module);
  const copied = source === undefined ? undefined : ev.evaluate(source, at);
  // The names are those of another object, and code beside may look at them.
  if (copied?.type === 'object')
    return {
      ...copied,
      entries: copied.entries.map((entry) => ({ ...entry, key: undefined, isShared: true, node: write, module: at.module })),
    };
  const { computed } = parent;
  const own = (): Entry[] => written(ev, keysIn(ev, parent, at), write, value, at, settersOf(reference, at));
  const entries =
    computed === undefined ? own() : (byCallers(ev, computed, write, value, at) ?? own().map((entry) => asGiven(ev, entry, computed)));
  return { entries: operator === '=' ? entries : entries.map((entry) => ({ ...entry, isShared: true })), unknown: [] };
}

/** What a loop puts into an object that it only copies, as `Object.assign` does. */
function copiedBy(ev: Evaluation, write: Node, key: Node, at: At): Additions | undefined {
  const source = key.kind === 'name' ? copiedWhole(write, key, at.module) : undefined;
  const copied = source === undefined ? undefined : ev.evaluate(source, at);
  // What a list has for names are numbers.
  return copied === undefined || optionsOf(copied).some(({ type }) => type === 'list') ? undefined : spreadOf([copied]);
}

const keysIn = (ev: Evaluation, member: MemberNode, at: At): readonly Key[] =>
  member.computed === undefined ? [memberKey(member, at)] : computedKeys(ev, member.computed, at);

/** A value that stands in no place that could be edited. */
function put(ev: Evaluation, member: MemberNode, node: Node, value: Value, at: At): Additions {
  return { entries: keysIn(ev, member, at).map(({ name }) => bare(name, node, value, at)), unknown: [] };
}

/** `headers.set(name, value)`, `headers.delete(name)`, `request.removeHeader(name)`, and own methods of a library's headers. */
function calledOn(ev: Evaluation, { property, object }: MemberNode, call: CallNode, at: At): Additions {
  if (property === 'set' || property === 'append') return setBy(ev, call, at, settersOf(object, at));
  if ((property !== 'delete' && property !== 'removeHeader') || call.args.length === 0)
    return { entries: combined(ev.rules).headersSetBy(ev, property, call, at), unknown: [] };
  return { entries: namedFirst(ev, call, at).map((key) => gone(key.name, call, at)), unknown: [] };
}

const namedFirst = (ev: Evaluation, { args }: CallNode, at: At): readonly Key[] => args.slice(0, 1).flatMap((name) => keysAt(ev, name, at));

/** The header that `client.deleteHeader('x-api-key')` takes away. */
export const takenHeader = (ev: Evaluation, call: CallNode, at: At): ObjectValue => ({
  type: 'object',
  node: call,
  module: at.module,
  entries: namedFirst(ev, call, at).map((key) => taken(key, call, at)),
  unknown: [],
});

/** The header that `….headers['x-api-key'] = key` sets, or that `delete ….headers['x-api-key']` takes away. */
export function writtenHeader(ev: Evaluation, node: AssignNode | UnaryNode, at: At): ObjectValue {
  const target = node.kind === 'assign' ? node.target : node.argument;
  const entries =
    target.kind !== 'member' ? [] : node.kind === 'assign' ? additionsAt(ev, target.object, at).entries : removed(ev, target, at);
  return { type: 'object', node, module: at.module, entries, unknown: [] };
}

function removed(ev: Evaluation, member: Extract<Node, { kind: 'member' }>, at: At): Entry[] {
  const keys = member.computed === undefined ? [memberKey(member, at)] : computedKeys(ev, member.computed, at);
  return keys.map((key) => taken(key, member, at));
}

const taken = (key: Key, node: Node, { module }: At): Entry => ({
  ...key,
  node,
  module,
  valueNode: undefined,
  value: () => ({ type: 'literal', value: undefined }),
});

function memberKey(member: Extract<Node, { kind: 'member' }>, { module }: At): Key {
  const { property = '', propertyStart: start } = member;
  return {
    name: property,
    key: { text: property, source: { module, start, isExact: module.text.startsWith(property, start), node: member } },
  };
}

type Key = ReturnType<typeof computedKeys>[number];

/**
 * An entry for each name that may be written; they hold one value.
 * @param isOf the functions of which all callers are asked for what they give
 */
function written(
  ev: Evaluation,
  keys: readonly Key[],
  node: Node,
  valueNode: Node,
  at: At,
  isOf: (fn: Node) => boolean = () => false,
): Entry[] {
  const expression = valueNode.kind === 'spread' ? undefined : valueNode;
  const find = (frame: Frame | undefined): Value => asWritten(ev.evaluate(valueNode, { module: at.module, frame }));
  const value = lazily([node, valueNode, at.frame], () => forAllCallers(ev, at.frame, find, { isOf }));
  return keys.map((key) => ({
    ...key,
    node,
    module: at.module,
    // What is written is an expression: assignments and arguments hold nothing else.
    valueNode: expression as Entry['valueNode'],
    value,
    provenance: joinProvenance({ node, module: at.module, rest: undefined }, key.provenance),
  }));
}

/** The same for each who calls a function that only hands on both. */
const byCallers = (ev: Evaluation, name: Expression, node: Node, value: Node, at: At): Entry[] | undefined =>
  givenToSetter(ev, name, value, at)?.flatMap((each) =>
    written(ev, computedKeys(ev, each.name, each.at), each.call, each.value, each.at).map((entry) => ({
      ...entry,
      put: { node: value, module: at.module },
      provenance: joinProvenance({ node: name, module: at.module, rest: { node, module: at.module, rest: undefined } }, entry.provenance),
    })),
  );

/** `set(name, value)`, `append(name, value)` and `set({ … })`, as headers of all clients have them. */
export function setBy(ev: Evaluation, call: CallNode, at: At, isOf?: (fn: Node) => boolean): Additions {
  const [name, value] = call.args;
  if (name === undefined) return nothing;
  if (value === undefined) return spreadOf([ev.evaluate(name, at)]);
  const given = name.kind === 'spread' ? undefined : byCallers(ev, name, call, value, at);
  const put = (): Entry[] =>
    written(ev, keysAt(ev, name, at), call, value, at, isOf).map((entry) => (name.kind === 'spread' ? entry : asGiven(ev, entry, name)));
  return copiedBy(ev, call, name, at) ?? { entries: given ?? put(), unknown: [] };
}

const keysAt = (ev: Evaluation, name: CallNode['args'][number], at: At): readonly Key[] =>
  name.kind === 'spread' ? [] : computedKeys(ev, name, at);

function assigned(ev: Evaluation, call: CallNode, at: At): Additions {
  if (isNamed(call, 'Object', 'defineProperty') || isNamed(call, 'Reflect', 'defineProperty')) return defined(ev, call, at);
  const [, name, value] = call.args;
  if (isNamed(call, 'Reflect', 'set') && name !== undefined && value !== undefined)
    return { entries: written(ev, keysAt(ev, name, at), call, value, at).map((entry) => ({ ...entry, isShared: true })), unknown: [] };
  if (isNamed(call, 'Reflect', 'deleteProperty') && name !== undefined)
    return { entries: keysAt(ev, name, at).map((key) => gone(key.name, call, at)), unknown: [] };
  // Without the first argument: that is what is being asked about.
  return isObjectAssign(call)
    ? spreadOf(call.args.slice(1).map((arg) => ev.evaluate(arg.kind === 'spread' ? arg.argument : arg, at)))
    : nothing;
}

/** `Object.defineProperty(config, 'base', { value })`; what a getter would give is not followed, and a descriptor from elsewhere is no text. */
function defined(ev: Evaluation, call: CallNode, at: At): Additions {
  const [, name, how] = call.args;
  if (name === undefined || how === undefined) return nothing;
  const keys = keysAt(ev, name, at);
  const properties = how.kind === 'object' && how.properties.every(({ kind }) => kind === 'property') ? how.properties : [];
  const value = properties.find((each) => each.kind === 'property' && each.name === 'value');
  if (value?.kind === 'property') return { entries: written(ev, keys, call, value.value, at), unknown: [] };
  const given = (): Value => unknown(how, at.module, 'assigned');
  return { entries: written(ev, keys, call, how, at).map((entry) => ({ ...entry, value: given, isShared: true })), unknown: [] };
}

function spreadOf(values: readonly Value[]): Additions {
  const shape = new Shape();
  for (const value of values) shape.spread(value);
  return shape.end();
}

/** Headers from what a client takes for headers: an object, `Headers`, a list of pairs, or a flat list of names and values. */
export function headersOf(value: Value, isFlat = false): ObjectValue | undefined {
  if (value.type === 'object') return value;
  if (value.type !== 'list') return undefined;
  const own = value.nodes.find((each) => each !== undefined)?.parent;
  const isFlatList = isFlat || value.items.some(({ type }) => type === 'text');
  const pairs =
    isFlatList && own !== undefined ? flatPairs(value.items, value.nodes) : value.items.map((item) => pairOf(item, own === undefined));
  const node = own ?? pairs.find((pair) => pair !== undefined)?.node;
  const isOpen = value.isOpen || pairs.includes(undefined);
  if (node === undefined || (own === undefined && isOpen)) return undefined;
  const entries = pairs.flatMap((pair): Entry[] => {
    if (pair === undefined) return [];
    const { name, item, valueNode } = pair;
    const of = valueNode?.parent ?? pair.node ?? node;
    const module = moduleOf(of, pair.module ?? value.module);
    const nameNode = of.kind === 'array' ? of.elements[of.elements.findIndex((each) => each === valueNode) - 1] : undefined;
    return keysOfPair(name, nameNode, module).map((key) => ({ ...key, node: of, module, valueNode, value: () => item }));
  });
  return {
    type: 'object',
    node,
    module: value.module,
    entries,
    unknown: isOpen ? [{ type: 'unknown', node, module: value.module }] : [],
    provenance: value.provenance,
  };
}

interface Pair {
  readonly name: Value;
  readonly item: Value;
  readonly valueNode: Entry['valueNode'];
  readonly module?: Entry['module'];
  readonly node?: Node | undefined;
}

/** @param isMade whether a function made the list: what it writes for one header, it writes for all */
function pairOf(item: Value, isMade: boolean): Pair | undefined {
  if (item.type !== 'list' || item.isOpen) return undefined;
  const [[name, value], [nameNode, valueNode]] = [item.items, item.nodes];
  if (name === undefined || value === undefined) return undefined;
  const about = isMade ? { module: item.module, node: valueNode?.parent } : {};
  return { name, item: value, valueNode: isMade && nameNode !== undefined ? undefined : valueNode, ...about };
}

function flatPairs(items: readonly Value[], nodes: readonly Entry['valueNode'][]): Pair[] {
  return items.flatMap((name, index): Pair[] => {
    const item = items[index + 1];
    return index % 2 === 0 && item !== undefined && plainText(name) !== undefined ? [{ name, item, valueNode: nodes[index + 1] }] : [];
  });
}
