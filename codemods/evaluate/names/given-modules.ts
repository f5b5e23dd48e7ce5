/** The files that one import may give. */
import { combined } from '../libraries/combined.ts';
import { variantsOf } from '../../find/modules/variants.ts';
import type { Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';

/** What a build may put in the place of a file. */
export const variantsIn = ({ world, rules }: Evaluation, { file }: SourceModule): SourceModule[] =>
  variantsOf(file, world.modules.keys(), combined(rules).variants).flatMap((variant) => world.modules.get(variant) ?? []);

/** The files of which an import gives something: the one that it leads to, what may be put in its place, and what is laid over it. */
export function modulesGivenBy(ev: Evaluation, from: SourceModule, specifier: string): readonly SourceModule[] {
  const module = ev.world.resolve(from, specifier);
  return module === undefined ? [] : [module, ...variantsIn(ev, module), ...(combined(ev.rules).laidOver(ev, specifier, module) ?? [])];
}
