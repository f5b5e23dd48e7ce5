/** Programs that tests start as processes of their own, by their files' names: nobody imports them. */
import { posix } from 'node:path';
import { sourcesOf } from './packages.ts';
import { projectsIn } from './projects.ts';
import type { Resolve } from '../modules/resolver.ts';
import type { Scan } from '../scan.ts';
import { specifierOf } from './stand-ins.ts';

const starting = /^(?:(?:node:)?child_process|execa|cross-spawn|nano-spawn|tinyexec|zx|bun)$/;
/** Names of files of tests. */
export const ofTests = /(?:^|\/)(?:__tests__|tests?|specs?|e2e)\/|(?:[.-](?:test|spec)\.[cm]?[jt]|_test\.m?t)sx?$/;
/** `'src/cli.ts'`, `'../dist/cli.js'`, `${root}/src/cli.ts`, `'node src/cli.js contacts'` */
const script = /(?<=['"`\s]|\}\/)(?:[\w.-]+\/)*[\w.-]+\.[cm]?[jt]s(?=['"`\s])/g;

/**
 * @param paths every file of the run
 * @returns for each file of tests that starts programs those of the project that it names, from its own folder or from that of its package
 */
export function startedPrograms(
  { specifiers }: Pick<Scan, 'specifiers'>,
  paths: readonly { readonly path: string }[],
  read: (file: string) => string,
  resolve: Resolve,
): ReadonlyMap<string, readonly string[]> {
  const tests = [...specifiers].filter(([file, names]) => ofTests.test(file) && names.some((name) => starting.test(name)));
  if (tests.length === 0) return new Map();
  const projectOf = projectsIn(paths);
  return new Map(
    tests.map(([file]) => {
      const root = projectOf(file);
      const named = Array.from(read(file).matchAll(script), ([name]) => [
        posix.join(posix.dirname(file), name),
        posix.join(root, name),
      ]).flat();
      const built = named.flatMap((path) =>
        path.startsWith(root) ? sourcesOf(path.slice(root.length)).map((source) => posix.join(root, source)) : [],
      );
      const found = [...named, ...built].flatMap((path) => resolve(file, specifierOf(file, path)) ?? []);
      return [file, [...new Set(found)].filter((each) => each !== file)];
    }),
  );
}
