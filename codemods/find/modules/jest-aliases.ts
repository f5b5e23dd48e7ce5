/** Names that Jest gives to folders (`moduleNameMapper`): it is asked to find by them what something else does where the code runs, as Lambda for its layers. */
import { join } from 'node:path';
import { textsIn, withoutComments } from '../files/repository.ts';
import { standsInByName } from '../packages/stand-ins.ts';
import type { Aliases } from './tsconfig.ts';

const configuration = /^jest[\w.-]*\.config[\w.-]*\.(?:[cm]?[jt]s|json)$/;
const inManifest = /"jest"\s*:\s*\{/;

/** `'^/opt/nodejs/(.*)$': '<rootDir>/layers/common/nodejs/$1'`, of which the target may be the first of a list. */
const entry = /(['"])\^?((?:[\w@~#/-]|\\{1,2}[./$-])*)\(\.[*+]\)(?:\\{1,2}\.js)?\$?\1\s*:\s*\[?\s*(['"])<rootDir>([^'"$]*)\$1\3/g;
/** `'^@config$': '<rootDir>/src/config'`: a single module, which tests alone are given by that name. */
const single = /(['"])\^((?:[\w@~#/-]|\\{1,2}[./$-])+)(?:\\{1,2}\.js)?\$\1\s*:\s*\[?\s*(['"])<rootDir>([^'"$]+)\3/g;
const rootDirectory = /\brootDir['"]?\s*:\s*(['"])([^'"]+)\1/g;

export interface JestAliases {
  /** Folders, and none that stand in for others. */
  readonly folders: Aliases['paths'];
  /** Single modules, as tests alone find them: they are most often there to be put in the place of something. */
  readonly modules: Aliases['paths'];
}

/**
 * A name that has several places, as of several projects, says nothing.
 * @param folder absolute
 * @returns undefined where no such configuration stands there
 */
export function jestAliasesIn(folder: string): JestAliases | undefined {
  const texts = [
    ...textsIn(folder, configuration).map(withoutComments),
    ...textsIn(folder, /^package\.json$/).filter((text) => inManifest.test(text)),
  ];
  if (texts.length === 0) return undefined;
  const folders = namedIn(folder, texts, entry);
  // The first that fits is taken, and nobody knows which that is.
  const isBelow = (name: string): boolean => folders.some((each) => name.startsWith(each.name));
  return {
    folders: folders.flatMap(({ name, path, isStandIn }) =>
      path === undefined || isStandIn ? [] : [{ pattern: `${name}*`, targets: [`${path}*`] }],
    ),
    modules: namedIn(folder, texts, single).flatMap(({ name, path }) =>
      path === undefined || isBelow(name) ? [] : [{ pattern: name, targets: [path] }],
    ),
  };
}

/** Names with the absolute path that each has, where it is one. */
function namedIn(folder: string, texts: readonly string[], entries: RegExp) {
  const found = texts.flatMap((text) => {
    const [root = '.', ...others] = new Set(Array.from(text.matchAll(rootDirectory), ([, , path = '']) => path));
    return Array.from(text.matchAll(entries), ([, , name = '', , path = '']) => ({
      name: name.replaceAll('\\', ''),
      path: others.length === 0 ? join(folder, root, path) : undefined,
      isStandIn: standsInByName.test(path),
    }));
  });
  return Array.from(
    Map.groupBy(found, ({ name }) => name),
    ([name, all]) => {
      const [path, ...others] = new Set(all.map((each) => each.path));
      return { name, path: others.length > 0 ? undefined : path, isStandIn: all.some(({ isStandIn }) => isStandIn) };
    },
  );
}
