/** Writes to properties by name, whatever they are written to: what `this` is elsewhere, code around it may change. */
import { isWithin } from '../../syntax/link.ts';
import type { AssignNode, ClassNode, Expression, MemberNode, NameNode, Node } from '../../syntax/tree.ts';
import { forAllCallers } from '../calls/all-callers.ts';
import { isObjectAssign } from './copies.ts';
import { isOfItself } from '../names/same-path.ts';
import { declaredAs } from '../names/declared.ts';
import type { At, Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import { type Keys, ResolvedIndex } from '../values/resolved-index.ts';
import { superclassOf } from '../classes/subclasses.ts';
import { choiceOf, optionsOf, type Value } from '../values/values.ts';
import type { World } from '../program.ts';

/** The instances of a class and of those that inherit from it. */
interface Instances {
  readonly of: ClassNode;
}

/** What a write may be to: an object, a class itself or one that inherits from it, all exports of a file, or instances. */
export type WriteTarget = Node | SourceModule | Instances;

const instances = new WeakMap<ClassNode, Instances>();

export function instancesOf(of: ClassNode): WriteTarget {
  const target = instances.get(of) ?? { of };
  instances.set(of, target);
  return target;
}

interface OutsideWrite {
  readonly node: AssignNode;
  readonly object: Expression;
  readonly value: Expression;
  readonly module: SourceModule;
}

interface Place {
  readonly object: Expression;
  /** `client.url`, or a name that it is given before something is written into it. */
  readonly place: MemberNode | NameNode;
  readonly module: SourceModule;
}

/**
 * What is written into a property from anywhere.
 * @param target what is asked about
 * @param isKnown places that are reckoned with already
 */
export const writtenFromOutside = (ev: Evaluation, name: string, target: WriteTarget, isKnown?: (node: AssignNode) => boolean): Value[] =>
  lookUp(ev, indexesOf(ev).writes, name, target).flatMap(({ node, value, module }) => {
    if (isKnown?.(node) === true) return [];
    const isOf = (fn: Node): boolean => isWithin(fn, node);
    return optionsOf(forAllCallers(ev, undefined, (frame) => ev.evaluate(value, { module, frame }), { isOf })).map(asAssigned);
  });

/** What `Object.assign` puts into a property of an instance or class, whatever it copies. */
export const copiedFromOutside = (ev: Evaluation, name: string, target: WriteTarget): Value[] =>
  indexesOf(ev)
    .copies.under(target)
    .flatMap(({ place, sources, module }) => {
      const at: At = { module, frame: undefined };
      // What is copied may be made of what it is copied into: `Object.assign(model, new Model(model))`.
      const copied = (source: Expression): Value =>
        ev.remember(copyOf(source, name), { node: source, module }, undefined, () => ev.member(ev.evaluate(source, at), name, place, at));
      return sources.flatMap((source) => optionsOf(copied(source)).map(asAssigned));
    })
    .filter((value) => value.type !== 'literal' || value.value !== undefined);

const copies = new WeakMap<Node, Map<string, object>>();

/** What a property that is copied is remembered by. */
function copyOf(source: Node, name: string): object {
  const names = copies.get(source) ?? new Map<string, object>();
  copies.set(source, names);
  const key = names.get(name) ?? {};
  names.set(name, key);
  return key;
}

/** Whether any code writes to a property of a name, whatever it is written to. */
export const isWrittenOutside = (ev: Evaluation, name: string): boolean => indexesOf(ev).writes.items.has(name);

/** Every `object.name` of other code that something is written into: `client.headers[…] = …`, `Object.assign(client.headers, …)`. */
export const placesOutside = (ev: Evaluation, name: string, target: WriteTarget): readonly Place[] =>
  lookUp(ev, indexesOf(ev).places, name, target);

/** By the name of the property, and then by what the object may be. */
interface ByName<Item> {
  readonly items: ReadonlyMap<string, readonly Item[]>;
  readonly resolved: Map<string, ResolvedIndex<Item, WriteTarget>>;
}

function lookUp<Item extends Pick<Place, 'object' | 'module'>>(
  ev: Evaluation,
  { items, resolved }: ByName<Item>,
  name: string,
  target: WriteTarget,
): readonly Item[] {
  const all = items.get(name);
  if (all === undefined) return [];
  const index = resolved.get(name) ?? new ResolvedIndex(all, (item) => targetsOf(ev, item));
  resolved.set(name, index);
  return index.under(target);
}

/** What an object may be that something is written to. Where the syntax says which one, nobody asks what it holds. */
function targetsOf(ev: Evaluation, { object, module }: Pick<Place, 'object' | 'module'>): Keys<WriteTarget> | undefined {
  const declared = declaredTargets(ev, object, module);
  if (declared !== undefined) return { keys: declared, isFinal: true };
  const at: At = { module, frame: undefined };
  if (ev.budget.isExhausted) {
    ev.budget.cut();
    return undefined;
  }
  const { cuts } = ev.budget;
  const value = ev.evaluate(object, at);
  // Nothing that may be edited gets there: what was not followed to its end is none of it, as what is not known is not.
  if (ev.budget.isFar({ node: object, module })) ev.budget.restore(cuts);
  ev.budget.charge(optionsOf(value).length);
  let isFinal = ev.isResolved(object, at);
  const keys = optionsOf(value).flatMap((option): WriteTarget[] => {
    if (option.type === 'object') return [option.node];
    if (option.type === 'namespace') return [option.module];
    if (option.type !== 'class' && option.type !== 'instance') return [];
    const line: ClassNode[] = [];
    for (let of: Value | undefined = option.type === 'class' ? option : option.of; of?.type === 'class' && !line.includes(of.node);) {
      line.push(of.node);
      const next: Value | undefined = superclassOf(ev, of);
      isFinal &&= of.node.superclass === undefined || ev.isResolved(of.node.superclass, of);
      of = next;
    }
    return option.type === 'class' ? line : line.map(instancesOf);
  });
  return { keys, isFinal };
}

/** `const options = {}`, `const client = new Client()`: the object that stands there, or instances of the class and of those that it inherits from. */
function declaredTargets(ev: Evaluation, object: Expression, module: SourceModule): readonly WriteTarget[] | undefined {
  const declared = object.kind === 'name' ? declaredAs(ev, object, module) : undefined;
  if (declared?.node.kind === 'object') return [declared.node];
  if (declared?.node.kind !== 'call' || !declared.node.isNew) return undefined;
  const line: ClassNode[] = [];
  for (let of = declaredAs(ev, declared.node.callee, declared.module); ;) {
    if (of?.node.kind !== 'class' || line.includes(of.node)) return undefined;
    line.push(of.node);
    const { superclass } = of.node;
    if (superclass === undefined) return line.map(instancesOf);
    of = declaredAs(ev, superclass, of.module);
  }
}

/** `Object.assign(client, …)` */
interface Copy {
  readonly place: Node;
  readonly object: Expression;
  readonly sources: readonly Expression[];
  readonly module: SourceModule;
}

interface Indexes {
  readonly copies: ResolvedIndex<Copy, WriteTarget>;
  readonly writes: ByName<OutsideWrite>;
  readonly places: ByName<Place>;
}

const indexes = new WeakMap<Evaluation, Indexes>();

function indexesOf(ev: Evaluation): Indexes {
  const before = indexes.get(ev);
  if (before !== undefined) return before;
  const made = {
    copies: new ResolvedIndex(copiesIn(ev), (item: Copy) => targetsOf(ev, item)),
    writes: { items: writesIn(ev.world), resolved: new Map() },
    places: { items: placesIn(ev.world), resolved: new Map() },
  };
  indexes.set(ev, made);
  return made;
}

function placesIn(world: World): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  const put = (name: string, { object, place, module }: Place): void => {
    if (isSelf(object, module) || isPlain(object, module)) listIn(places, name).push({ object, place, module });
  };
  const add = (place: Node | undefined, module: SourceModule): void => {
    if (place?.kind === 'member' && place.object.kind !== 'this') put(place.property ?? '', { object: place.object, place, module });
  };
  const addNamed = (place: NameNode, module: SourceModule): void => {
    const taken = takenAs(place, module);
    if (taken !== undefined) put(taken.property, { object: taken.object, place, module });
  };
  const addBoth = (node: Node | undefined, module: SourceModule): void => {
    if (node?.kind !== 'member') return;
    add(node, module);
    add(node.object, module);
    if (node.object.kind === 'name') addNamed(node.object, module);
  };
  for (const module of world.modules.values()) {
    for (const { target } of module.writes) addBoth(target, module);
    for (const { callee, args } of module.calls) {
      addBoth(callee, module);
      addBoth(args[0], module);
    }
  }
  return places;
}

/** `const self = this` */
function isSelf(node: Expression, { scopes }: SourceModule): boolean {
  const owner = node.kind === 'name' ? scopes.bindingOf(node)?.owner : undefined;
  return owner?.kind === 'variable' && owner.init?.kind === 'this';
}

/** What a name is declared to be of something: `const url = client.url`, `const { url } = client`. */
function takenAs(name: NameNode, { scopes }: SourceModule): { readonly object: Expression; readonly property: string } | undefined {
  const binding = scopes.bindingOf(name);
  const { init, target } = binding?.owner.kind === 'variable' ? binding.owner : {};
  if (init === undefined || target === undefined) return undefined;
  if (target.kind === 'objectPattern') {
    const taken = target.properties.find((each) => each.target === binding?.declaration);
    return taken?.name === undefined ? undefined : { object: init, property: taken.name };
  }
  return init.kind === 'member' && init.property !== undefined ? { object: init.object, property: init.property } : undefined;
}

/** What is put in place of a value by a statement is no default of it: where it is not known, nothing stands for it. */
export function asAssigned(value: Value): Value {
  if (value.type === 'text') {
    const [first, ...rest] = value.parts;
    return first === undefined || !('unknownPart' in first)
      ? value
      : { ...value, parts: [{ ...first, unknownPart: asAssigned(first.unknownPart) }, ...rest] };
  }
  return open.has(value.type) ? { ...value, why: 'assigned' } : value;
}

const open: ReadonlySet<Value['type']> = new Set(['unknown', 'param', 'external', 'method']);

/** What a statement writes; a text among what it chooses from is a default that speaks for the rest: `this.base = base ?? '…'`. */
export function written(value: Value): Value {
  const options = optionsOf(value);
  const hasDefault = options.some((option) => option.type === 'text' && option.parts[0] !== undefined && 'text' in option.parts[0]);
  const assigned = options.map(asAssigned);
  return hasDefault || assigned.every((each, index) => each === options[index]) ? value : choiceOf(assigned);
}

/**
 * Names of objects, instances and modules: to evaluate anything else may lead back to what is being asked about.
 * @param seen variables on the way here: one may begin with itself
 */
function isPlain(node: Expression, module: SourceModule, seen: readonly Node[] = []): boolean {
  if (node.kind === 'member') return isPlain(node.object, module, seen);
  if (node.kind === 'call') return node.isNew || (node.callee.kind === 'name' && node.callee.name === 'require');
  if (node.kind !== 'name') return node.kind === 'object';
  const owner = module.scopes.bindingOf(node)?.owner;
  if (owner?.kind === 'variable') return owner.init !== undefined && !seen.includes(owner) && isPlain(owner.init, module, [...seen, owner]);
  return owner?.kind === 'import' || owner?.kind === 'class';
}

/** Every `Object.assign(object, …)` of the project, but for those into `this`, into what is made there, and into what is no instance. */
function copiesIn(ev: Evaluation): Copy[] {
  return [...ev.world.modules.values()].flatMap((module) =>
    module.calls.flatMap((call): Copy[] => {
      const [object, ...given] = call.args;
      if (!isObjectAssign(call) || object === undefined || object.kind !== 'name' || !isPlain(object, module)) return [];
      if (declaredAs(ev, object, module)?.node.kind === 'object') return [];
      return [{ place: call, object, sources: given.map((each) => (each.kind === 'spread' ? each.argument : each)), module }];
    }),
  );
}

/** Every `object.name = value` of the project, but for those to `this`. */
function writesIn(world: World): Map<string, OutsideWrite[]> {
  const index = new Map<string, OutsideWrite[]>();
  for (const module of world.modules.values()) {
    for (const node of module.writes) {
      const { target, value, operator } = node;
      if (target.kind !== 'member' || target.property === undefined || target.object.kind === 'this') continue;
      // Who reads the variable counts what it puts behind a text of its own object.
      if (operator === '+=' || (isOfItself(node, module) && isMadeByName(target.object, module))) continue;
      if (isPlain(target.object, module)) listIn(index, target.property).push({ node, object: target.object, value, module });
    }
  }
  return index;
}

/** Whether a name is declared as an object that stands there. */
function isMadeByName(object: Expression, { scopes }: SourceModule): boolean {
  const owner = object.kind === 'name' ? scopes.bindingOf(object)?.owner : undefined;
  return owner?.kind === 'variable' && owner.target.kind === 'patternName' && owner.init?.kind === 'object';
}

/** The list under a name, there from then on. */
function listIn<Item>(lists: Map<string, Item[]>, name: string): Item[] {
  const list = lists.get(name) ?? [];
  if (list.length === 0) lists.set(name, list);
  return list;
}
