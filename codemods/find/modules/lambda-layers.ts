/** Lambda unpacks its layers into `/opt`, and the code of each stands in a folder called `nodejs`: https://docs.aws.amazon.com/lambda/latest/dg/nodejs-layers.html. */
import { dirname, join } from 'node:path';
import { textsIn } from '../files/repository.ts';
import { standsInByName } from '../packages/stand-ins.ts';

const unpacked = '/opt/nodejs/';
/** `layers/common/client.js` is put into such a folder by the build of SAM. */
const ofLayer = /(?<=^|\/)(?:nodejs|layers?\/[^/]+|(?:[\w.-]*-)?layer)\//g;
/** Code that is there to be read. */
const shown = /(?:^|\/)(?:examples?|samples?|docs?)\//;

/** The folders that may be the code of a layer. */
export const layersOf = (modules: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    [...modules].flatMap((path) =>
      standsInByName.test(path) || shown.test(path)
        ? []
        : Array.from(path.matchAll(ofLayer), ({ 0: name, index }) => path.slice(0, index + name.length)),
    ),
  );

/**
 * The file that is imported by its place in a layer; undefined where several layers have one of that name: which of them a function has, its deployment says.
 * @param cwd absolute
 * @param find a file by its path without an extension
 */
export function inLayer(
  cwd: string,
  specifier: string,
  layers: () => ReadonlySet<string>,
  find: (path: string) => string | undefined,
): string | undefined {
  if (!specifier.startsWith(unpacked)) return undefined;
  const found = [...layers()].flatMap((layer) => {
    const file = find(layer + specifier.slice(unpacked.length));
    return file === undefined ? [] : [{ layer, file }];
  });
  const [only] = found;
  const isOnly = only !== undefined && found.every(({ file }) => file === only.file);
  return isOnly && (named.test(only.layer) || isDeployed(cwd, dirname(only.layer))) ? only.file : undefined;
}

/** Says by its name that it is a layer; `nodejs` alone may be anything. */
const named = /(?:^|\/)(?:layers?\/|(?:[\w.-]*-)?layer\/)/;
const deployment = /^(?:template[\w.-]*|serverless)\.ya?ml$/;
/** What SAM and the Serverless Framework take for the folder of a layer. */
const content = /^[ \t-]*(?:ContentUri|path)\s*:\s*['"]?([\w./-]+)/gm;

/** Whether a deployment's configuration beside a folder, or above it, names it. */
function isDeployed(cwd: string, folder: string): boolean {
  for (let above = folder; ; above = dirname(above)) {
    const paths = textsIn(join(cwd, above), deployment).flatMap((text) => Array.from(text.matchAll(content), ([, path = '']) => path));
    if (paths.some((path) => join(above, path, '.') === join(folder, '.'))) return true;
    if (above === '.') return false;
  }
}
