/** Which files stand in for something where tests run: a name alone proves nothing, so who imports them has to say the same. */
import { basename, dirname } from 'node:path';
import { parse } from 'jsonc-parser';
import { isNamedAsFake, isTest } from '../evaluate/libraries/test-files.ts';
import { type Imports, reach } from '../find/components.ts';
import { table } from '../find/files/json.ts';

/**
 * @param modules everything that can be imported
 * @param manifests the paths of the packages' manifests: what these name is run, or what others get who import the package. What they get beside that, by a path of its
 *   own, tests of theirs get, too; so does all of a package that is called as one that serves tests
 * @param read the text of one
 * @returns those that are called so, that tests import, by way of any number of others, and nothing else does
 */
export function fakesIn(
  modules: Iterable<string>,
  imports: Imports,
  manifests: readonly string[],
  read: (file: string) => string,
): ReadonlySet<string> {
  const named = [...modules].filter((file) => isNamedAsFake(file));
  if (named.length === 0) return new Set();
  const words = new Map(manifests.map((file) => [dirname(file), new Set(withoutSubpaths(read(file)).match(/[\w-]+/g) ?? [])]));
  const isRun = (file: string): boolean => {
    const word = basename(file).replace(/\..*$/, '');
    const folders = [...words].filter(([folder]) => folder === '.' || file.startsWith(`${folder}/`));
    return folders.some(([folder, each]) => each.has(word) && !isNamedAsFake(`${folder}/`));
  };
  const mayBe = new Set(named.filter((file) => !isRun(file)));
  const [tests = [], programs = []] = [true, false].map((isOfTests) =>
    [...imports.of.keys()].filter((file) => !mayBe.has(file) && isTest({ file }) === isOfTests),
  );
  const [byTests, byPrograms] = [reach(tests, imports.of), reach(programs, imports.of)];
  return new Set([...mayBe].filter((file) => byTests.has(file) && !byPrograms.has(file)));
}

function withoutSubpaths(manifest: string): string {
  const fields = table(parse(manifest)) ?? {};
  const exports = table(fields['exports']);
  return JSON.stringify(exports?.['.'] === undefined ? fields : { ...fields, exports: exports['.'] });
}
