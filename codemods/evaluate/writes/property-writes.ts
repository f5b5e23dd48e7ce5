/** Who writes a property of a name, whatever it is of: what is written once and nowhere else is what it is. */
import type { AssignNode } from '../../syntax/tree.ts';
import type { World } from '../program.ts';

const known = new WeakMap<World, ReadonlyMap<string, readonly AssignNode[]>>();

/** @returns the assignments to properties of that name, of all files of a component */
export function writesOf(world: World, name: string): readonly AssignNode[] {
  const before = known.get(world);
  if (before !== undefined) return before.get(name) ?? [];
  const all = [...world.modules.values()].flatMap(({ writes }) => writes);
  const found = Map.groupBy(all, ({ target }) => (target.kind === 'member' ? (target.property ?? '') : ''));
  known.set(world, found);
  return found.get(name) ?? [];
}
