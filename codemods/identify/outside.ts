/** Writes to properties by name, whatever they are written to: what `this` is elsewhere, code around it may change. */
import type { Expression } from '../syntax/tree.ts';
import type { SourceModule } from './module.ts';
import type { World } from './world.ts';

export interface OutsideWrite {
  readonly object: Expression;
  readonly value: Expression;
  readonly module: SourceModule;
}

const known = new WeakMap<World, ReadonlyMap<string, readonly OutsideWrite[]>>();

/** @returns every `object.name = value` of the project, but for those to `this` */
export function writesTo(world: World, name: string): readonly OutsideWrite[] {
  const index = known.get(world) ?? indexOf(world);
  known.set(world, index);
  return index.get(name) ?? [];
}

function indexOf(world: World): Map<string, OutsideWrite[]> {
  const index = new Map<string, OutsideWrite[]>();
  for (const module of world.modules.values()) {
    for (const { target, value, operator } of module.writes) {
      if (target.kind !== 'member' || target.property === undefined || target.object.kind === 'this' || operator === '+=') continue;
      const found = index.get(target.property) ?? [];
      index.set(target.property, [...found, { object: target.object, value, module }]);
    }
  }
  return index;
}
