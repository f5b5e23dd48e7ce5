/** The packages of a run's own files, which others may name as if they were installed. */
import { join, posix, resolve as resolvePath } from 'node:path';
import { v1Auth } from '../../../src/contract/auth.ts';
import { memo, once } from '../../once.ts';
import { readIfThere } from '../files/repository.ts';
import { exportTargets, type Package, packageNamed, rangeOf } from '../packages/packages.ts';
import { isOfTests } from '../packages/stand-ins.ts';
import type { Folders } from './folders.ts';

export class Workspace {
  readonly #folders: Folders;
  readonly #modules: ReadonlySet<string>;
  readonly #homes: RegExp;
  readonly #byName = once(() => namedPackages([...this.#modules], this.#folders));
  /** Whether the code of a package, its tests apart, names the header of the key: a copy that adds it by itself is no longer the library. */
  readonly #knowsKey = memo((folder): boolean =>
    [...this.#modules].some((file) => {
      const { cwd } = this.#folders;
      const isOwn = this.#ownerOf(join(cwd, posix.dirname(file)))?.folder === folder && !isOfTests(file);
      return isOwn && readIfThere(join(cwd, file))?.toLowerCase().includes(v1Auth.field) === true;
    }),
  );

  /** @param homes where libraries are made: a package of such a repository is the library itself */
  constructor(folders: Folders, modules: ReadonlySet<string>, homes: RegExp) {
    this.#folders = folders;
    this.#modules = modules;
    this.#homes = homes;
  }

  /** Whether a library is meant by its name, from outside of its own folder: in there its own files are meant. */
  isLibrary(folder: string, specifier: string): boolean {
    const found = this.#byName().get(packageNamed(specifier));
    if (found === undefined || this.#ownerOf(folder)?.folder === found.folder) return false;
    // Its name alone says nothing: a team may call its own wrapper as the library that it wraps.
    return this.#homes.test(JSON.stringify(found.manifest['repository'] ?? '')) && !this.#knowsKey(found.folder);
  }

  /** Absolute paths that a specifier stands for by the names of packages, and by those that packages around a folder give to others. */
  targets(folder: string, specifier: string): string[] {
    const { upwards, packageAt } = this.#folders;
    const around = upwards(folder).flatMap((each) => packageAt(each) ?? []);
    return [...targetsIn(this.#byName().get(packageNamed(specifier)), specifier), ...linkedTargets(around, packageAt, specifier)];
  }

  #ownerOf(folder: string): Package | undefined {
    return this.#folders.nearest(folder, this.#folders.packageAt);
  }
}

function namedPackages(modules: readonly string[], { cwd, packageAt, upwards }: Folders): ReadonlyMap<string, Package> {
  const folders = new Set([...new Set(modules.map((path) => posix.dirname(path)))].flatMap((folder) => upwards(join(cwd, folder))));
  const packages = [...folders].toSorted().flatMap((folder) => packageAt(folder) ?? []);
  return new Map(packages.flatMap((each) => (each.name === undefined ? [] : [[each.name, each] as const])));
}

/** `"core": "file:../core"`: a folder under a name that need not be its own. */
const linkedTargets = (packages: readonly Package[], packageAt: (folder: string) => Package | undefined, specifier: string): string[] =>
  packages.flatMap((each) => {
    const [, path] = /^(?:file|link|portal):(.+)/.exec(rangeOf(each, packageNamed(specifier)) ?? '') ?? [];
    return path === undefined ? [] : targetsIn(packageAt(resolvePath(each.folder, path)), specifier);
  });

function targetsIn(found: Package | undefined, specifier: string): string[] {
  if (found === undefined) return [];
  return exportTargets(found, `.${specifier.slice(packageNamed(specifier).length)}`).map((target) => join(found.folder, target));
}
