/** What package.json files say about where modules are. */
import { list, readTable, type Table, table } from '../files/json.ts';

export interface Package {
  /** Absolute. */
  readonly folder: string;
  readonly name: string | undefined;
  readonly manifest: Table;
}

/** Reads the package.json of a folder, if it has one. */
export function packageIn(folder: string): Package | undefined {
  const manifest = readTable(`${folder}/package.json`);
  return manifest === undefined ? undefined : { folder, name: list(manifest['name'])[0], manifest };
}

/** The package that a specifier is of, by its name. */
export const packageNamed = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';

/** In which version a package asks for another; undefined where it does not. */
export const rangeOf = ({ manifest }: Package, name: string): string | undefined =>
  ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
    .flatMap((field) => list(table(manifest[field])?.[name]))
    .at(0);

/** Whether a package names another among those that it needs. */
export const dependsOn = (owner: Package | undefined, name: string): boolean => owner !== undefined && rangeOf(owner, name) !== undefined;

/** The paths that `#x` may stand for, relative to the package's folder. */
export const importTargets = ({ manifest }: Package, specifier: string): string[] => matches(table(manifest['imports']) ?? {}, specifier);

/**
 * The paths that a package offers, relative to its folder, the likeliest first. What is built is looked for where its source may be.
 * @param subpath `.` or `./x`
 */
export function exportTargets({ manifest }: Package, subpath: string): string[] {
  const { exports } = manifest;
  const isMap = Object.keys(table(exports) ?? {}).some((key) => key.startsWith('.'));
  const offered = isMap ? matches(table(exports) ?? {}, subpath) : subpath === '.' ? leaves(exports) : [];
  const entries = subpath === '.' ? ['source', 'module', 'main', 'types'].flatMap((field) => list(manifest[field])) : [subpath];
  const fallback = subpath === '.' ? ['src/index', 'index', 'lib/index'] : [`src/${subpath.slice(2)}`];
  const all = [...offered, ...entries];
  return [...all, ...all.flatMap(sourcesOf), ...fallback];
}

/** Where a folder begins that is imported by its path: its `exports` are for those who name the package. */
export const mainTargets = ({ manifest }: Package): string[] => list(manifest['main']).flatMap((main) => [main, ...sourcesOf(main)]);

const built = /^(?:\.\/)?(?:dist|lib|build|out)\/(?:(?:esm|cjs|types)\/)?/;

/** `./dist/x.d.ts` is most often built from `./src/x`, and `./dist/src/x.js` from that as well, where all of the package is built. */
export function sourcesOf(target: string): string[] {
  const own = target.replace(built, 'src/').replace(/(?:\.d)?\.[cm]?[jt]s$/, '');
  return own.startsWith('src/src/') ? [own, own.replace('src/', '')] : [own];
}

/** Targets of a map of subpaths, whose keys may hold one `*` (Node's "Subpath patterns"). */
function matches(map: Table, subpath: string): string[] {
  if (map[subpath] !== undefined) return leaves(map[subpath]);
  const patterns = Object.keys(map)
    .filter((key) => key.includes('*'))
    .toSorted((one, other) => other.indexOf('*') - one.indexOf('*'));
  for (const key of patterns) {
    const [before = '', after = ''] = key.split('*');
    if (!subpath.startsWith(before) || !subpath.endsWith(after) || subpath.length < key.length) continue;
    const middle = subpath.slice(before.length, subpath.length - after.length);
    return leaves(map[key]).map((target) => target.replaceAll('*', () => middle));
  }
  return [];
}

/** Every path of a target, whatever its conditions: which of them is in the tree decides. */
function leaves(target: unknown): string[] {
  if (Array.isArray(target)) return target.flatMap(leaves);
  return typeof target === 'string' ? [target] : Object.values(table(target) ?? {}).flatMap(leaves);
}
