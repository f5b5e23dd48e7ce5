/** `export * from`: which files a name may come from, found once for each file, however many of these lead on to others. */
import type { SourceModule } from './module.ts';
import type { World } from './program.ts';

interface Stars {
  /** By name, the files that export it themselves, in the order in which they are asked. */
  readonly by: ReadonlyMap<string, readonly SourceModule[]>;
  /** Files whose exports are one value, which has what names it has. */
  readonly whole: readonly SourceModule[];
}

const known = new WeakMap<World, Map<SourceModule, Stars>>();

/** @returns the files that a name may come from by way of a file's `export *`, the first that has it first */
export function withStar(world: World, module: SourceModule, name: string): readonly SourceModule[] {
  if (module.stars.length === 0 || name === 'default' || name === '*') return [];
  const stars = known.get(world) ?? new Map<SourceModule, Stars>();
  known.set(world, stars);
  const found = stars.get(module) ?? starsOf(world, module);
  stars.set(module, found);
  return [...(found.by.get(name) ?? []), ...found.whole];
}

function starsOf(world: World, module: SourceModule): Stars {
  const by = new Map<string, SourceModule[]>();
  const whole: SourceModule[] = [];
  const seen = new Set([module]);
  const waiting = [module];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const from = next;
    const further = from.stars.flatMap((specifier) => world.resolve(from, specifier) ?? []).filter((each) => !seen.has(each));
    for (const each of further) seen.add(each);
    // The first is asked first, with all that it leads to.
    waiting.push(...further.toReversed());
    if (from === module) continue;
    if (from.whole !== undefined) whole.push(from);
    for (const name of from.exports.keys()) {
      const files = by.get(name);
      if (files === undefined) by.set(name, [from]);
      else files.push(from);
    }
  }
  return { by, whole };
}
