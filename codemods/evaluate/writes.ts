/** What is written into an object after it is made: `h['x-api-key'] = k`, `h.set('x-api-key', k)`, `Object.assign(h, …)`. */
import type { Binding } from '../syntax/scopes.ts';
import type { AssignNode, CallNode, NameNode, Node, UnaryNode } from '../syntax/tree.ts';
import { aliasesOf } from './aliases.ts';
import { placesOfField } from './class-index.ts';
import { copiedFrom, isNamed, isObjectAssign } from './copies.ts';
import type { At, Evaluation } from './evaluation.ts';
import { computedKeys, keysOf } from './objects.ts';
import { orderOf } from './order.ts';
import { type Contents as Additions, Shape } from './shape.ts';
import { asAssigned, written as asWritten } from './external-writes.ts';
import { joinUrl, urlPart, concatenated } from './text.ts';
import {
  type Caller,
  choiceOf,
  type ClassValue,
  type Entry,
  type Frame,
  joinProvenance,
  lazily,
  type ObjectValue,
  optionsOf,
  plainText,
  unknown,
  type Value,
} from './values.ts';

/** The value of a variable with everything that is written through its name. */
export function withWrites(ev: Evaluation, value: Value, binding: Binding, at: At): Value {
  const options = optionsOf(value);
  if (options.some(({ type }) => type === 'text'))
    return choiceOf(options.map((option) => (option.type === 'text' ? withPathname(ev, option, binding, at) : option)));
  if (options.some(({ type }) => type === 'list'))
    return binding.references.some(isReordered) ? unknown(undefined, at.module, 'assigned') : value;
  if (!options.some(({ type }) => type === 'object')) return value;
  const named = [
    { binding, at },
    ...aliasesOf(ev.world, binding).map(({ binding: alias, module }) => ({ binding: alias, at: { module, frame: undefined } })),
  ];
  return named
    .flatMap(({ binding: { references: places }, at: where }) => [
      ...places.flatMap((place) => givenTo(ev, place, where)),
      { places, at: where },
    ])
    .reduceRight<Value>((whole, { places, at: where }) => writtenAt(ev, whole, places, where), value);
}

/** Methods that put other items where some were. */
const reordering = new Set(['unshift', 'shift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin', 'pop']);

/** `bases[0] = …`, `bases.reverse()` */
function isReordered(reference: Node): boolean {
  const { parent } = reference;
  if (parent?.kind !== 'member' || parent.object !== reference) return false;
  const around = parent.parent;
  return around?.kind === 'call' ? reordering.has(parent.property ?? '') : around?.kind === 'assign' && around.target === parent;
}

/** Where a function of the project names what it is given here: `setUp(config)`. */
function givenTo(ev: Evaluation, reference: Node, at: At): readonly { readonly places: readonly Node[]; readonly at: At }[] {
  const { parent: call } = reference;
  if (call?.kind !== 'call' || call.callee.kind !== 'name' || !isFunctionName(call.callee, at)) return [];
  const index = call.args.findIndex((arg) => arg === reference);
  const fn = ev.evaluate(call.callee, { module: at.module, frame: undefined });
  const target = fn.type === 'function' ? fn.node.params[index]?.target : undefined;
  if (fn.type !== 'function' || target?.kind !== 'patternName') return [];
  const { module } = fn;
  const caller: Caller = {
    node: call,
    module: at.module,
    args: (evaluation, frame) => evaluation.args(call, { module: at.module, frame }),
  };
  const places = (module.scopes.declaredBy(target)?.references ?? []).filter(isWrittenTo);
  return places.length === 0 ? [] : [{ places, at: { module, frame: { owner: fn.node, call: caller, outer: at.frame } } }];
}

/** What is asked of its name alone, so that no question goes in circles. */
function isFunctionName(callee: NameNode, { module }: At): boolean {
  const owner = module.scopes.bindingOf(callee)?.owner;
  return owner?.kind === 'function' || owner?.kind === 'import' || (owner?.kind === 'variable' && owner.init?.kind === 'function');
}

/** `config.base = …`, `Object.assign(config, …)` */
const isWrittenTo = (reference: Node): boolean => {
  const { parent } = reference;
  if (parent?.kind === 'call') return parent.args[0] === reference;
  let whole = reference;
  while (whole.parent?.kind === 'member' && whole.parent.object === whole) whole = whole.parent;
  return whole !== reference && whole.parent?.kind === 'assign' && whole.parent.target === whole;
};

/** Whether a write is run after a name is declared, whatever happens, and before anything else is read through the name. */
function isAlwaysRun(write: AssignNode, { declaration, references }: Binding): boolean {
  const around = new Set<Node>();
  for (let at: Node | undefined = declaration; at !== undefined; at = at.parent) around.add(at);
  const [item] = orderOf([write], (node) => around.has(node));
  return item?.kind === 'step' && references.every(({ start }) => start >= write.start);
}

/** Parts of a URL that no route hangs on, and methods by which these are changed. */
const besidePath = new Set(['search', 'searchParams', 'hash']);

/** `url.pathname = path` of a URL object; what is written into its address otherwise is not followed. */
function withPathname(ev: Evaluation, value: Value, binding: Binding, at: At): Value {
  const writes = binding.references.flatMap((reference) => {
    const { parent } = reference;
    if (parent?.kind !== 'member' || parent.object !== reference || besidePath.has(parent.property ?? '')) return [];
    const write = parent.parent;
    return write?.kind === 'assign' && write.target === parent ? [{ name: parent.property, write }] : [];
  });
  const other = writes.find(({ name, write }) => name !== 'pathname' || write.operator !== '=');
  // Whose it is then cannot be told, but which path it asks for.
  if (other !== undefined) return concatenated([unknown(other.write, at.module, 'assigned'), urlPart(value, 'path') ?? value]);
  if (writes.length === 0) return value;
  const paths = writes.map(({ write }) => ev.evaluate(write.value, at));
  const changed = joinUrl(value, choiceOf(paths), 'resolve') ?? value;
  const isCertain = writes.some(({ write }) => isAlwaysRun(write, binding));
  return isCertain ? changed : choiceOf([value, changed]);
}

/** The value of a field with everything that is written through `this.name`. */
export function fieldWrites(
  ev: Evaluation,
  value: Value,
  of: ClassValue,
  name: string,
  frameIn: (member: Node | undefined) => Frame | undefined,
): Value {
  if (!optionsOf(value).some(({ type }) => type === 'object')) return value;
  return placesOfField(of.node, of.module, name).reduce(
    (whole, { member, places }) => writtenAt(ev, whole, places, { module: of.module, frame: frameIn(member) }),
    value,
  );
}

/** Writes at places that name an object, and at the properties of it that are objects: `options.headers['x-api-key'] = key`. */
export function writtenAt(ev: Evaluation, value: Value, places: readonly Node[], at: At): Value {
  const whole = extended(
    ev,
    value,
    places.map((place) => additionsAt(ev, place, at)),
  );
  const inner = Map.groupBy(
    places.flatMap((place) => (place.parent?.kind === 'member' && place.parent.object === place ? [place.parent] : [])),
    ({ property = '' }) => property,
  );
  const deepened = [...inner].filter(([property, members]) => property !== '' && members.some(isChanged));
  if (deepened.length === 0) return whole;
  const deepen = (entry: Entry): Entry => {
    const members = deepened.find(([property]) => property === entry.name)?.[1];
    const [first] = members ?? [];
    if (members === undefined || entry.value.by?.includes(first) === true) return entry;
    // Every mention of the object asks for the same, so it is found out once.
    const value = (): Value =>
      ev.remember(value, { node: first ?? entry.node, module: at.module }, at.frame, () => writtenAt(ev, entry.value(), members, at));
    return { ...entry, value: entry.value.by === undefined ? value : lazily([...entry.value.by, first, at.frame], value) };
  };
  return choiceOf(
    optionsOf(whole).map((option) => (option.type === 'object' ? { ...option, entries: option.entries.map(deepen) } : option)),
  );
}

/** Whether something may be written into what a member names. */
function isChanged(member: Node): boolean {
  const { parent } = member;
  if (parent?.kind === 'call') return parent.args[0] === member;
  return (
    parent?.kind === 'member' &&
    parent.object === member &&
    (parent.parent?.kind === 'assign' || parent.parent?.kind === 'call' || parent.parent?.kind === 'member')
  );
}

/** How many properties are put into an object for one step. */
const copiedPerStep = 64;
const nothing: Additions = { entries: [], unknown: [] };

function extended(ev: Evaluation, value: Value, additions: readonly Additions[]): Value {
  const added = additions.filter(({ entries, unknown }) => entries.length + unknown.length > 0);
  if (added.length === 0) return value;
  const open = added.flatMap(({ unknown }) => unknown);
  return choiceOf(
    optionsOf(value).map((option) => {
      if (option.type !== 'object') return option;
      if (ev.budget.isExhausted) return cutAt(ev, option);
      const shape = new Shape(option.node);
      for (const each of option.unknown) shape.open(each);
      shape.write(option.entries);
      for (const each of open) shape.open(each, asAssigned(each));
      for (const { entries } of added) shape.copy(entries);
      ev.budget.charge(Math.trunc(shape.size / copiedPerStep));
      return { ...option, ...shape.end() };
    }),
  );
}

function cutAt(ev: Evaluation, { node, module }: ObjectValue): Value {
  ev.budget.cut();
  return unknown(node, module, 'too many');
}

/** What happens to an object at one place that names it. */
export function additionsAt(ev: Evaluation, reference: Node, at: At): Additions {
  const { parent } = reference;
  if (parent?.kind === 'call' && parent.args[0] === reference) return assigned(ev, parent, at);
  if (parent?.kind !== 'member' || parent.object !== reference) return nothing;
  const outer = parent.parent;
  if (outer?.kind === 'assign' && outer.target === parent && outer.operator === '=') {
    const source = parent.computed === undefined ? undefined : copiedFrom(outer, at.module);
    const copied = source === undefined ? undefined : ev.evaluate(source, at);
    // The names are those of another object, and code beside may look at them.
    if (copied?.type === 'object')
      return {
        ...copied,
        entries: copied.entries.map((entry) => ({ ...entry, key: undefined, isShared: true, node: outer, module: at.module })),
      };
    const keys = parent.computed === undefined ? [memberKey(parent, at)] : computedKeys(ev, parent.computed, at);
    return { entries: written(ev, keys, outer, outer.value, at), unknown: [] };
  }
  const isSet = parent.property === 'set' || parent.property === 'append';
  return isSet && outer?.kind === 'call' && outer.callee === parent ? setBy(ev, outer, at) : nothing;
}

/** The header that `….headers['x-api-key'] = key` sets, or that `delete ….headers['x-api-key']` takes away. */
export function writtenHeader(ev: Evaluation, node: AssignNode | UnaryNode, at: At): ObjectValue {
  const target = node.kind === 'assign' ? node.target : node.argument;
  const entries =
    target.kind !== 'member' ? [] : node.kind === 'assign' ? additionsAt(ev, target.object, at).entries : removed(ev, target, at);
  return { type: 'object', node, module: at.module, entries, unknown: [] };
}

function removed(ev: Evaluation, member: Extract<Node, { kind: 'member' }>, at: At): Entry[] {
  const keys = member.computed === undefined ? [memberKey(member, at)] : computedKeys(ev, member.computed, at);
  return keys.map((key) => ({
    ...key,
    node: member,
    module: at.module,
    valueNode: member,
    value: () => ({ type: 'literal', value: undefined }),
  }));
}

function memberKey(member: Extract<Node, { kind: 'member' }>, { module }: At): Key {
  const { property = '', propertyStart: start } = member;
  return {
    name: property,
    key: { text: property, source: { module, start, isExact: module.text.startsWith(property, start), node: member } },
  };
}

type Key = ReturnType<typeof computedKeys>[number];

/** An entry for each name that may be written; they hold one value. */
function written(ev: Evaluation, keys: readonly Key[], node: Node, valueNode: Node, at: At): Entry[] {
  const expression = valueNode.kind === 'spread' ? undefined : valueNode;
  const value = lazily([node, valueNode, at.frame], () => writtenValue(ev, node, valueNode, at));
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

/** Writes whose values are being looked at: `options.headers = { ...options.headers, … }` adds nothing to itself. */
const writing = new Set<Node>();

function writtenValue(ev: Evaluation, node: Node, valueNode: Node, at: At): Value {
  if (writing.has(node)) return { type: 'literal', value: undefined };
  writing.add(node);
  try {
    return asWritten(ev.evaluate(valueNode, at));
  } finally {
    writing.delete(node);
  }
}

/** `set(name, value)`, `append(name, value)` and `set({ … })`, as headers of all clients have them. */
export function setBy(ev: Evaluation, call: CallNode, at: At): Additions {
  const [name, value] = call.args;
  if (name === undefined) return nothing;
  if (value === undefined) return spreadOf([ev.evaluate(name, at)]);
  return { entries: written(ev, keysAt(ev, name, at), call, value, at), unknown: [] };
}

const keysAt = (ev: Evaluation, name: CallNode['args'][number], at: At): readonly Key[] =>
  name.kind === 'spread' ? [] : computedKeys(ev, name, at);

function assigned(ev: Evaluation, call: CallNode, at: At): Additions {
  if (isNamed(call, 'Object', 'defineProperty')) return defined(ev, call, at);
  // Without the first argument: that is what is being asked about.
  return isObjectAssign(call)
    ? spreadOf(call.args.slice(1).map((arg) => ev.evaluate(arg.kind === 'spread' ? arg.argument : arg, at)))
    : nothing;
}

/** `Object.defineProperty(config, 'base', { value })`; what a getter would give is not followed. */
function defined(ev: Evaluation, call: CallNode, at: At): Additions {
  const [, name, how] = call.args;
  if (name === undefined || how === undefined) return nothing;
  const value = how.kind === 'object' ? how.properties.find((each) => each.kind === 'property' && each.name === 'value') : undefined;
  const given = (): Value => (value?.kind === 'property' ? ev.evaluate(value.value, at) : unknown(how, at.module, 'assigned'));
  return { entries: written(ev, keysAt(ev, name, at), call, how, at).map((entry) => ({ ...entry, value: given })), unknown: [] };
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
  const node = value.nodes.find((each) => each !== undefined)?.parent;
  if (node === undefined) return undefined;
  const pairs = isFlat || value.items.some(({ type }) => type === 'text') ? flatPairs(value.items, value.nodes) : value.items.map(pairOf);
  const entries = pairs.flatMap((pair): Entry[] => {
    if (pair === undefined) return [];
    const [name, item, valueNode] = pair;
    return keysOf(name).map((key) => ({ ...key, node: valueNode?.parent ?? node, module: value.module, valueNode, value: () => item }));
  });
  const isOpen = value.isOpen || pairs.includes(undefined);
  return {
    type: 'object',
    node,
    module: value.module,
    entries,
    unknown: isOpen ? [{ type: 'unknown', node, module: value.module }] : [],
    provenance: value.provenance,
  };
}

type Pair = readonly [name: Value, value: Value, valueNode: Entry['valueNode']] | undefined;

function pairOf(item: Value): Pair {
  if (item.type !== 'list' || item.isOpen) return undefined;
  const [name, value] = item.items;
  return name === undefined || value === undefined ? undefined : [name, value, item.nodes[1]];
}

function flatPairs(items: readonly Value[], nodes: readonly Entry['valueNode'][]): Pair[] {
  return items.flatMap((name, index): Pair[] => {
    const value = items[index + 1];
    return index % 2 === 0 && value !== undefined && plainText(name) !== undefined ? [[name, value, nodes[index + 1]]] : [];
  });
}
