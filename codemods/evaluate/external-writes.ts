/** Writes to properties by name, whatever they are written to: what `this` is elsewhere, code around it may change. */
import type { AssignNode, Expression, MemberNode, Node } from '../syntax/tree.ts';
import type { Evaluation } from './evaluation.ts';
import type { SourceModule } from './module.ts';
import { choiceOf, optionsOf, type Value } from './values.ts';
import type { World } from './program.ts';

export interface OutsideWrite {
  readonly node: AssignNode;
  readonly object: Expression;
  readonly value: Expression;
  readonly module: SourceModule;
}

const known = new WeakMap<World, ReadonlyMap<string, readonly OutsideWrite[]>>();

/** @returns every `object.name = value` of the project, but for those to `this` */
function writesTo(world: World, name: string): readonly OutsideWrite[] {
  const index = known.get(world) ?? indexOf(world);
  known.set(world, index);
  return index.get(name) ?? [];
}

/**
 * What is written into a property from anywhere.
 * @param isMeant whether what is written to is what is being asked about
 * @param known places that are reckoned with already
 */
export function writtenFromOutside(
  ev: Evaluation,
  name: string,
  isMeant: (target: Value) => boolean,
  known?: (node: AssignNode) => boolean,
): Value[] {
  return writesTo(ev.world, name).flatMap(({ node, object, value, module }) => {
    if (known?.(node) === true || !isPlain(object, module)) return [];
    if (!optionsOf(ev.evaluate(object, { module, frame: undefined })).some(isMeant)) return [];
    return optionsOf(ev.evaluate(value, { module, frame: undefined })).map(asAssigned);
  });
}

interface Place {
  readonly place: MemberNode;
  readonly module: SourceModule;
}

const knownPlaces = new WeakMap<World, ReadonlyMap<string, readonly Place[]>>();

/** Every `object.name` of other code that something is written into: `client.headers[…] = …`, `Object.assign(client.headers, …)`. */
export function placesOutside(ev: Evaluation, name: string, isMeant: (target: Value) => boolean): Place[] {
  const index = knownPlaces.get(ev.world) ?? placesIn(ev.world);
  knownPlaces.set(ev.world, index);
  return (index.get(name) ?? []).filter(
    ({ place, module }) =>
      isPlain(place.object, module) && optionsOf(ev.evaluate(place.object, { module, frame: undefined })).some(isMeant),
  );
}

function placesIn(world: World): Map<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  const add = (place: Node | undefined, module: SourceModule): void => {
    if (place?.kind === 'member' && place.object.kind !== 'this') listIn(places, place.property ?? '').push({ place, module });
  };
  const addBoth = (node: Node | undefined, module: SourceModule): void => {
    if (node?.kind !== 'member') return;
    add(node, module);
    add(node.object, module);
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

/** What is put in place of a value by a statement is no default of it: where it is not known, nothing stands for it. */
export function asAssigned(value: Value): Value {
  if (value.type === 'text') {
    const [first, ...rest] = value.parts;
    return first === undefined || !('hole' in first) ? value : { ...value, parts: [{ ...first, hole: asAssigned(first.hole) }, ...rest] };
  }
  return open.has(value.type) ? { ...value, why: 'assigned' } : value;
}

const open: ReadonlySet<Value['type']> = new Set(['unknown', 'param', 'external', 'method']);

/** What a statement writes; a text among what it chooses from is a default that speaks for the rest: `this.base = base ?? '…'`. */
export function written(value: Value): Value {
  const options = optionsOf(value);
  const hasDefault = options.some((option) => option.type === 'text' && option.parts[0] !== undefined && 'text' in option.parts[0]);
  return hasDefault ? value : choiceOf(options.map(asAssigned));
}

/** Names of objects, instances and modules: to evaluate anything else may lead back to what is being asked about. */
function isPlain(node: Expression, module: SourceModule): boolean {
  if (node.kind === 'member') return isPlain(node.object, module);
  if (node.kind === 'call') return node.isNew || (node.callee.kind === 'name' && node.callee.name === 'require');
  if (node.kind !== 'name') return node.kind === 'object';
  const owner = module.scopes.bindingOf(node)?.owner;
  if (owner?.kind === 'variable') return owner.init !== undefined && isPlain(owner.init, module);
  return owner?.kind === 'import' || owner?.kind === 'class';
}

function indexOf(world: World): Map<string, OutsideWrite[]> {
  const index = new Map<string, OutsideWrite[]>();
  for (const module of world.modules.values()) {
    for (const node of module.writes) {
      const { target, value, operator } = node;
      if (target.kind !== 'member' || target.property === undefined || target.object.kind === 'this' || operator === '+=') continue;
      listIn(index, target.property).push({ node, object: target.object, value, module });
    }
  }
  return index;
}

/** The list under a name, there from then on. */
function listIn<Item>(lists: Map<string, Item[]>, name: string): Item[] {
  const list = lists.get(name) ?? [];
  if (list.length === 0) lists.set(name, list);
  return list;
}
