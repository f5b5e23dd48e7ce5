/** Finds the file that a module specifier means, among the files of the run. */
import { join, posix, resolve as resolvePath } from 'node:path';
import { memo, once } from '../../once.ts';
import { mainTargets } from '../packages/packages.ts';
import { isOfTests } from '../packages/stand-ins.ts';
import type { Walk } from '../walk.ts';
import { amdResolver, ofAmd } from './amd.ts';
import { Folders } from './folders.ts';
import { inLayer, layersOf } from './lambda-layers.ts';
import { ModuleFiles } from './module-files.ts';
import { namedTargets } from './named-targets.ts';
import { targetsOf } from './tsconfig.ts';
import { Workspace } from './workspace.ts';

/**
 * @param from the importing file, relative to the working directory
 * @returns the path relative to the working directory; undefined for packages and files outside of the run
 */
export interface Resolve {
  (from: string, specifier: string): string | undefined;
  /** What an import map of Deno says that a specifier names, where it is a package: `https://deno.land/std@0.160.0/http/` of `$std/http/`. */
  readonly mapped?: (from: string, specifier: string) => string;
  /** Whether it names a package of the workspace that is a library known by its name: no file is meant then. */
  readonly isLibrary?: (from: string, specifier: string) => boolean;
}

/**
 * Makes the resolver of one run. It reads nothing before it is asked, and nothing twice.
 * @param cwd absolute, without symbolic links
 * @param modules the files that can be found, relative to `cwd`
 * @param homes where libraries are made: a package of such a repository is the library itself
 * @param names of what stands in folders that were listed already
 */
export function resolverOf(cwd: string, modules: ReadonlySet<string>, homes: RegExp, names: Walk['names'] = new Map()): Resolve {
  const folders = new Folders(cwd, names);
  const workspace = new Workspace(folders, modules, homes);
  const files = new ModuleFiles(modules, folders);
  const foundByAmd = amdResolver(cwd, (path) => files.find(path, false));
  const foundByName = nameResolver(folders, workspace, files);
  const folderOf = (from: string): string => join(cwd, posix.dirname(from));
  // Each import is asked about some dozens of times, and to put one key of all this together takes longer than to find what is known of it.
  const resolvedBy = memo((own) => {
    const [folder = '', language = '', by = ''] = own.split('\0');
    return memo((specifier) => {
      if (specifier.startsWith(ofAmd)) return foundByAmd(folder, specifier.slice(ofAmd.length));
      // What follows a question mark is for bundlers: `./x.json?raw`.
      const [name = ''] = specifier.split('?', 1);
      if (/^\.{1,2}(?:\/|$)/.test(name)) return foundByPath(posix.join(folder, name), language === 'ts', folders, files);
      return foundByName([folders.scopeOf(folder), language, by, name].join('\0'));
    });
  });
  // A NUL is in no path.
  const resolvedFrom = memo((from) =>
    resolvedBy([posix.dirname(from), typeScript.test(from) ? 'ts' : 'js', isOfTests(from) ? 'test' : ''].join('\0')),
  );
  return Object.assign((from: string, specifier: string) => resolvedFrom(from)(specifier), {
    mapped: (from: string, specifier: string): string => {
      const maps = folders.upwards(folderOf(from)).map((folder) => targetsOf(specifier, folders.mapsAt(folder)));
      return maps.find((targets) => targets.length > 0)?.[0] ?? specifier;
    },
    isLibrary: (from: string, specifier: string): boolean => workspace.isLibrary(folderOf(from), specifier),
  });
}

const typeScript = /\.(?:[cm]?tsx?|vue|svelte|astro)$/;

/** @param given relative to the working directory; it may lead out of it and back */
function foundByPath(given: string, fromTypeScript: boolean, folders: Folders, files: ModuleFiles): string | undefined {
  // A file beside the working directory may import one in it: `../src/a` is `a` there.
  const path = given.startsWith('../') ? folders.pathOf(join(folders.cwd, given)) : given;
  const found = files.findModule(path, fromTypeScript);
  // Where a folder has a package, what that says comes before its index.
  if (found !== undefined && !/(?:^|\/)index\.\w+$/.test(found)) return found;
  const firstOf = (paths: readonly string[]): string | undefined => paths.flatMap((each) => files.find(each, true) ?? [])[0];
  return firstOf(beginsOf(path, folders)) ?? found ?? firstOf(sourcesOf(path)) ?? files.examples().get(path);
}

/** `require('..')` is what the folder's package begins with. */
function beginsOf(path: string, folders: Folders): string[] {
  const found = folders.packageAt(resolvePath(folders.cwd, path));
  return found === undefined ? [] : mainTargets(found).map((target) => folders.pathOf(join(found.folder, target)));
}

/** What is built, such as `dist/client.js`, is nobody's to edit: what it is built of stands in `src`, or beside that folder. */
function sourcesOf(path: string): string[] {
  const [, before = '', rest] = /^((?:.*\/)?)(?:dist|build|out)\/(?:(?:esm|cjs|types)\/)?(.+)$/.exec(path) ?? [];
  return rest === undefined ? [] : [`${before}src/${rest}`, `${before}${rest}`];
}

/** Those who ask in one scope, in one language and for tests or not, mean the same by a name. */
function nameResolver(folders: Folders, workspace: Workspace, files: ModuleFiles): (key: string) => string | undefined {
  const layers = once(() => layersOf(files.all));
  return memo((key) => {
    const [folder = '', language, by, specifier = ''] = key.split('\0');
    const find = (path: string): string | undefined => files.find(path, language === 'ts');
    const paths = namedTargets(specifier, folder, by === 'test', folders, workspace).map((target) => folders.pathOf(target));
    for (const path of paths) {
      const found = files.findModule(path, language === 'ts');
      if (found !== undefined) return found;
    }
    const [example] = paths.flatMap((path) => files.examples().get(path) ?? []);
    return example ?? inLayer(folders.cwd, specifier, layers, find);
  });
}
