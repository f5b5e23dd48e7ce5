/** Which files stand in for something where tests run: a name alone proves nothing, so who imports them has to say the same. */
import { basename } from 'node:path';
import { isNamedAsFake, isTest } from '../evaluate/test-files.ts';
import { type Imports, reach } from '../find/components.ts';

/**
 * @param modules everything that can be imported
 * @param manifests the texts of the packages' manifests: what these name is run, or offered to others
 * @returns those that are called so, that tests import, by way of any number of others, and nothing else does
 */
export function fakesIn(modules: Iterable<string>, imports: Imports, manifests: () => string): ReadonlySet<string> {
  const named = [...modules].filter((file) => isNamedAsFake(file));
  if (named.length === 0) return new Set();
  const words = new Set(manifests().match(/[\w-]+/g));
  const isRun = (file: string): boolean => words.has(basename(file).replace(/\..*$/, ''));
  const mayBe = new Set(named.filter((file) => !isRun(file)));
  const [tests = [], programs = []] = [true, false].map((isOfTests) =>
    [...imports.of.keys()].filter((file) => !mayBe.has(file) && isTest({ file }) === isOfTests),
  );
  const [byTests, byPrograms] = [reach(tests, imports.of), reach(programs, imports.of)];
  return new Set([...mayBe].filter((file) => byTests.has(file) && !byPrograms.has(file)));
}
