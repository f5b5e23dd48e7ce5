/** What the whole program is asked for by its text: something that is done in any file counts for all of them. */
import type { World } from '../evaluate/program.ts';
import { isTest } from '../evaluate/libraries/test-files.ts';

const known = new WeakMap<World, Map<string, boolean>>();

/**
 * Whether a file that is no test holds something.
 * @param pattern source of a regular expression
 */
export function isAnywhere(world: World, pattern: string): boolean {
  const answers = known.get(world) ?? new Map<string, boolean>();
  known.set(world, answers);
  const sought = new RegExp(pattern);
  const found = answers.get(pattern) ?? [...world.modules.values()].some((module) => !isTest(module) && sought.test(module.text));
  answers.set(pattern, found);
  return found;
}
