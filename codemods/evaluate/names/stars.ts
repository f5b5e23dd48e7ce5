/** `export * from`: which files a name may come from, found once for each file, however many of these lead on to others. */
import type { SourceModule } from '../module.ts';
import type { World } from '../program.ts';

interface Stars {
  /** By name, the files that export it themselves, in the order in which they are asked. */
  readonly by: ReadonlyMap<string, readonly SourceModule[]>;
  /** Files whose exports are one value, which has what names it has. */
  readonly whole: readonly SourceModule[];
  /** Whether one of them may have other names than are seen. */
  readonly isOpen: boolean;
}

const known = new WeakMap<World, Map<SourceModule, Stars>>();

/** @returns the files that a name may come from by way of a file's `export *`, the first that has it first */
export function withStar(world: World, module: SourceModule, name: string): readonly SourceModule[] {
  if (module.stars.length === 0 || name === 'default' || name === '*') return [];
  const found = knownStars(world, module);
  return [...(found.by.get(name) ?? []), ...found.whole];
}

/** @returns all names that a file has by way of its `export *`; undefined where nobody knows them: of packages, and of what a program may still write to, as in CommonJS */
export function namesBehindStars(world: World, module: SourceModule): readonly string[] | undefined {
  if (module.stars.length === 0) return [];
  const { by, isOpen } = knownStars(world, module);
  return isOpen ? undefined : [...by.keys()].filter((name) => name !== 'default');
}

/** Whether all that a file exports is declared in it. */
export const hasExports = ({ tree }: SourceModule): boolean =>
  tree.program.body.some((node) => node.kind === 'export' || (node.kind === 'exportDeclaration' && !node.isAssignment));

function knownStars(world: World, module: SourceModule): Stars {
  const stars = known.get(world) ?? new Map<SourceModule, Stars>();
  known.set(world, stars);
  const found = stars.get(module) ?? starsOf(world, module);
  stars.set(module, found);
  return found;
}

function starsOf(world: World, module: SourceModule): Stars {
  const by = new Map<string, SourceModule[]>();
  const whole: SourceModule[] = [];
  const seen = new Set([module]);
  const waiting = [module];
  let isOpen = false;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const from = next;
    const targets = from.stars.map((specifier) => world.resolve(from, specifier));
    isOpen ||= targets.some((target) => target === undefined || !hasExports(target));
    const further = targets.flatMap((target) => (target === undefined || seen.has(target) ? [] : target));
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
  return { by, whole, isOpen };
}
