/** Files that configure the project around them, where frameworks look for them by their names. */
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import type { Value } from '../../evaluate/values/values.ts';

const named = new WeakMap<World, Map<RegExp, readonly SourceModule[]>>();

/** @returns the nearest file above another that is named so; of several beside each other, the one with the longest name */
export function fileAbove(world: World, { file: below }: SourceModule, name: RegExp): SourceModule | undefined {
  const known = named.get(world) ?? new Map<RegExp, readonly SourceModule[]>();
  named.set(world, known);
  const all = known.get(name) ?? [...world.modules.values()].filter(({ file }) => name.test(file));
  known.set(name, all);
  const above = all.filter(({ file }) => below.startsWith(file.replace(name, '')));
  return above.toSorted((one, other) => other.file.length - one.file.length)[0];
}

/**
 * @param name the name of such a file, at the end of its path
 * @returns what the nearest one above a file exports, and where
 */
export function configAbove(ev: Evaluation, below: SourceModule, name: RegExp): { readonly value: Value; readonly at: At } | undefined {
  const nearest = fileAbove(ev.world, below, name);
  const value = nearest && ev.exported(nearest, 'default');
  return nearest === undefined || value === undefined ? undefined : { value, at: { module: nearest, frame: undefined } };
}
