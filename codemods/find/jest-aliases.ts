/** Names that Jest gives to folders (`moduleNameMapper`): it is asked to find by them what something else does where the code runs, as Lambda for its layers. */
import { join } from 'node:path';
import { textsIn } from './repository.ts';
import { standsInByName } from './stand-ins.ts';
import type { Aliases } from './tsconfig.ts';

const configuration = /^(?:jest[\w.-]*\.config[\w.-]*\.(?:[cm]?[jt]s|json)|package\.json)$/;

/** `'^/opt/nodejs/(.*)$': '<rootDir>/layers/common/nodejs/$1'`, of which the target may be the first of a list. */
const entry = /(['"])\^?((?:[\w@~#/-]|\\{1,2}[./$-])*)\(\.[*+]\)(?:\\{1,2}\.js)?\$?\1\s*:\s*\[?\s*(['"])<rootDir>([^'"$]*)\$1\3/g;
const rootDirectory = /\brootDir['"]?\s*:\s*(['"])([^'"]+)\1/;

/**
 * Only folders, and none that stand in for others: what stands for a single module is most often there to be put in its place for tests.
 * @param folder absolute: where such a configuration stands
 */
export function jestAliasesIn(folder: string): Aliases['paths'] {
  return textsIn(folder, configuration).flatMap((text) => {
    const [, , root = '.'] = rootDirectory.exec(text) ?? [];
    return Array.from(text.matchAll(entry)).flatMap(([, , name = '', , path = '']) =>
      standsInByName.test(path) ? [] : [{ pattern: `${name.replaceAll('\\', '')}*`, targets: [`${join(folder, root, path)}*`] }],
    );
  });
}
