/** Files that a runner of tests loads before each of them, as its configuration says: what they put in the place of `fetch`, say, is so for all, and no test imports them. */
import { basename, posix } from 'node:path';
import { nestedIn } from '../packages/projects.ts';
import type { Resolve } from './resolver.ts';
import type { Scan } from '../scan.ts';
import { ofTests } from '../packages/started-programs.ts';
import { specifierOf } from '../packages/stand-ins.ts';

const configuring = /^(?:package\.json|\.mocharc\.\w+|bunfig\.toml|[\w.-]+\.(?:config|conf)\.(?:[cm]?[jt]s|json))$/;
/** `setupFiles: ['./test/setup.ts']` of Vitest and Jest, `preload` of Bun, `require` of Mocha, and what Node is started with. */
const loading =
  /(?:\b(?:setupFiles(?:AfterEnv)?|preload|require)\b['"]?\s*[:=]\s*|\s(?:--(?:require|import|preload)|-r)[ =])(\[[^\]]*\]|['"]?[^\s'",\]]+)/g;
/** A path of the project, which Jest writes behind `<rootDir>`. */
const path = /(?<=^|[\s'"[,])(?:<rootDir>\/|\.{1,2}\/)?(?:[\w@.-]+\/)*[\w@.-]+/g;

/**
 * @param scripts files that speak of v1
 * @param paths every file of the run
 * @returns for each file of tests those of the scripts that are loaded before it
 */
export function loadedFirst(
  scripts: readonly string[],
  { modules }: Pick<Scan, 'modules'>,
  paths: readonly { readonly path: string }[],
  read: (file: string) => string,
  resolve: Resolve,
): ReadonlyMap<string, readonly string[]> {
  const isScript = new Set(scripts);
  const isNear = nestedIn(paths);
  const loaded = paths.flatMap(({ path: by }) => {
    if (scripts.length === 0 || !configuring.test(basename(by))) return [];
    const named = Array.from(read(by).matchAll(loading), ([, list = '']) => list.match(path) ?? []).flat();
    const files = named.flatMap(
      (each) => resolve(by, specifierOf(by, posix.join(posix.dirname(by), each.replace('<rootDir>/', '')))) ?? [],
    );
    return files.flatMap((file) => (isScript.has(file) ? { by, file } : []));
  });
  if (loaded.length === 0) return new Map();
  const tests = [...modules].filter((file) => ofTests.test(file));
  return new Map(
    tests.map((test) => [test, [...new Set(loaded.flatMap(({ by, file }) => (file !== test && isNear(by, test) ? file : [])))]]),
  );
}
