/** Names that Jest gives to folders (`moduleNameMapper`): it is asked to find by them what something else does where the code runs, as Lambda for its layers. */
import { join } from 'node:path';
import { textsIn, withoutComments } from './repository.ts';
import { standsInByName } from './stand-ins.ts';
import type { Aliases } from './tsconfig.ts';

const configuration = /^jest[\w.-]*\.config[\w.-]*\.(?:[cm]?[jt]s|json)$/;
const inManifest = /"jest"\s*:\s*\{/;

/** `'^/opt/nodejs/(.*)$': '<rootDir>/layers/common/nodejs/$1'`, of which the target may be the first of a list. */
const entry = /(['"])\^?((?:[\w@~#/-]|\\{1,2}[./$-])*)\(\.[*+]\)(?:\\{1,2}\.js)?\$?\1\s*:\s*\[?\s*(['"])<rootDir>([^'"$]*)\$1\3/g;
const rootDirectory = /\brootDir['"]?\s*:\s*(['"])([^'"]+)\1/g;

/**
 * Only folders, and none that stand in for others: what stands for a single module is most often there to be put in its place for tests. A name that has
 * several folders, as of several projects, says nothing.
 * @param folder absolute
 * @returns undefined where no such configuration stands there
 */
export function jestAliasesIn(folder: string): Aliases['paths'] | undefined {
  const texts = [
    ...textsIn(folder, configuration).map(withoutComments),
    ...textsIn(folder, /^package\.json$/).filter((text) => inManifest.test(text)),
  ];
  if (texts.length === 0) return undefined;
  const found = texts.flatMap((text) => {
    const [root = '.', ...others] = new Set(Array.from(text.matchAll(rootDirectory), ([, , path = '']) => path));
    return Array.from(text.matchAll(entry), ([, , name = '', , path = '']) => ({
      pattern: `${name.replaceAll('\\', '')}*`,
      path: others.length === 0 ? join(folder, root, path) : undefined,
      isStandIn: standsInByName.test(path),
    }));
  });
  return [...Map.groupBy(found, ({ pattern }) => pattern)].flatMap(([pattern, all]) => {
    const [path, ...others] = new Set(all.map((each) => each.path));
    return path === undefined || others.length > 0 || all.some(({ isStandIn }) => isStandIn) ? [] : [{ pattern, targets: [`${path}*`] }];
  });
}
