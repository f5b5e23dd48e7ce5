/** Writes to properties by name, whatever they are written to: what `this` is elsewhere, code around it may change. */
import type { AssignNode, Expression, MemberNode } from '../syntax/tree.ts';
import type { Evaluation } from './evaluation.ts';
import type { SourceModule } from './module.ts';
import { choiceOf, optionsOf, type Value } from './values.ts';
import type { World } from './world.ts';

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
  const places = [...world.modules.values()].flatMap((module) =>
    [...module.writes.map(({ target }) => target), ...module.calls.flatMap(({ callee, args }) => [callee, ...args.slice(0, 1)])]
      .flatMap((node) => (node.kind === 'member' ? [node, node.object] : []))
      .flatMap((place) => (place.kind === 'member' && place.object.kind !== 'this' ? [{ place, module }] : [])),
  );
  return Map.groupBy(places, ({ place }) => place.property ?? '');
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
      const found = index.get(target.property) ?? [];
      index.set(target.property, [...found, { node, object: target.object, value, module }]);
    }
  }
  return index;
}
