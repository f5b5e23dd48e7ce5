/** Lambda unpacks its layers into `/opt`, and the code of each stands in a folder called `nodejs`: https://docs.aws.amazon.com/lambda/latest/dg/nodejs-layers.html. */
import { standsInByName } from './stand-ins.ts';

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
 * @param find a file by its path without an extension
 */
export function inLayer(
  specifier: string,
  layers: () => ReadonlySet<string>,
  find: (path: string) => string | undefined,
): string | undefined {
  if (!specifier.startsWith(unpacked)) return undefined;
  const [found, ...others] = new Set([...layers()].flatMap((layer) => find(layer + specifier.slice(unpacked.length)) ?? []));
  return others.length === 0 ? found : undefined;
}
