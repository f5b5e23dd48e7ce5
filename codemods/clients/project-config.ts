/** Files that configure the project around them, where frameworks look for them by their names. */
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import type { SourceModule } from '../evaluate/module.ts';
import type { Value } from '../evaluate/values.ts';

/**
 * @param named the name of such a file, at the end of its path
 * @returns what the nearest one above a file exports, and where; of several beside each other, the one with the longest name
 */
export function configAbove(
  ev: Evaluation,
  { file: below }: SourceModule,
  named: RegExp,
): { readonly value: Value; readonly at: At } | undefined {
  const above = [...ev.world.modules.values()].filter(({ file }) => named.test(file) && below.startsWith(file.replace(named, '')));
  const nearest = above.toSorted((one, other) => other.file.length - one.file.length)[0];
  const value = nearest && ev.exported(nearest, 'default');
  return nearest === undefined || value === undefined ? undefined : { value, at: { module: nearest, frame: undefined } };
}
