/** What tests put in the place of clients, and what they have for these. */
import { asksOwnServer, stubsFetch } from '../../clients/testing/libraries.ts';
import { runsTests } from '../../clients/testing/declared-tests.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { World } from '../../evaluate/program.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { memo, once } from '../../once.ts';
import { isExpected } from '../paths/repeats.ts';
import { leadingTo } from './help-texts.ts';
import { isPathOf, type Suspicious, suspicious, textIn } from './suspicious.ts';

/**
 * @param isRunning whether a file is of the tests of what moves
 * @param isLeft whether a literal stays
 * @returns whether a path may be of what such a test stubs, or keeps of requests
 */
export function stubbedIn(
  world: World,
  isRunning: (module: SourceModule) => boolean,
  isLeft: (literal: Suspicious) => boolean,
): (place: Pick<Suspicious, 'node' | 'module'>) => boolean {
  // What a test that puts its own in the place of `fetch` has its answers from.
  const isFilling = memo((module: SourceModule): boolean => {
    const isHelping = leadingTo(world, new Set([module.file]));
    return (
      !runsTests(module.text) && [...world.modules.values()].some((each) => isTest(each) && stubsFetch.test(each.text) && isHelping(each))
    );
  });
  const left = once(() => {
    const literals = [...world.modules.values()].filter((module) => !isTest(module)).flatMap(suspicious);
    return new Set(literals.filter(isLeft).map(({ node }) => textIn(node)));
  });
  return ({ node, module }) => {
    if (!isPathOf(node) || !isRunning(module)) return false;
    if (stubsFetch.test(module.text) || isFilling(module)) return true;
    // What it expects of requests, it may have from helpers that keep these; of routes that the program has, it may expect the same.
    return isExpected(node, module) && !asksOwnServer(module.text) && !left().has(textIn(node));
  };
}
