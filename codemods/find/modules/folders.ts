/** What the folders of a run say of modules. None is read before it is asked about, and nothing in it twice. */
import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { memo } from '../../once.ts';
import { packageIn } from '../packages/packages.ts';
import type { Walk } from '../walk.ts';
import { bundlerAliasesIn } from './bundler-aliases.ts';
import { jestAliasesIn } from './jest-aliases.ts';
import { type Aliases, aliasesOf, importMapOf, packagesMappedIn } from './tsconfig.ts';

/** What says of modules where they are: packages, configurations of compilers, bundlers and tests, and what node-config reads. */
const configuration = /^(?:package|[jt]sconfig(?:\.base)?|deno|import_map)\.jsonc?$|\.config[\w.-]*\.[cm]?[jt]s(?:on)?$|^config$/i;
/** What cannot be listed may say something even so. */
const says = (names: readonly string[] | undefined): boolean => names?.some((name) => configuration.test(name)) !== false;

/** All of them are absolute. */
export class Folders {
  readonly cwd: string;
  readonly packageAt = memo(packageIn);
  readonly aliasesAt = memo(configIn);
  readonly bundlerAliasesAt = memo(bundlerAliasesIn);
  readonly jestAliasesAt = memo(jestAliasesIn);
  /** What import maps of Deno name of packages. */
  readonly mapsAt = memo((folder) => importMaps.flatMap((name) => packagesMappedIn(`${folder}/${name}`)));
  readonly hasNuxt = this.#having(/^nuxt\.config\.[cm]?[jt]s$/);
  readonly hasEmber = this.#having(/^ember-cli-build\.[cm]?js$/);
  readonly hasMeteor = this.#having(/^\.meteor$/);
  /** Of the folder and those above it up to the working directory, for files outside of it up to the root, those that say where modules are: few do. */
  readonly upwards = memo((folder: string): readonly string[] => {
    const above = folder === this.cwd || dirname(folder) === folder ? [] : this.upwards(dirname(folder));
    return says(this.#namesIn(folder)) ? [folder, ...above] : above;
  });
  /** The nearest of these, which says the same of modules as a folder of the run. */
  readonly scopeOf = memo((folder) => {
    const absolute = join(this.cwd, folder);
    return this.upwards(absolute)[0] ?? absolute;
  });
  readonly #listed: Walk['names'];

  /** @param listed of what stands in folders that were listed already */
  constructor(cwd: string, listed: Walk['names']) {
    this.cwd = cwd;
    this.#listed = listed;
  }

  nearest<Found>(folder: string, at: (folder: string) => Found | undefined): Found | undefined {
    for (const each of this.upwards(folder)) {
      const found = at(each);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A path as files of the run have it. */
  pathOf(absolute: string): string {
    const path = relative(this.cwd, absolute);
    return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  }

  #having(name: RegExp): (folder: string) => boolean {
    return memo((folder) => this.#namesIn(folder)?.some((each) => name.test(each)) === true);
  }

  #namesIn(folder: string): readonly string[] | undefined {
    try {
      return this.#listed.get(folder) ?? readdirSync(folder);
    } catch {
      return undefined;
    }
  }
}

/** Where Deno has it. */
const importMaps = ['deno.json', 'deno.jsonc', 'import_map.json'];

function configIn(folder: string): Aliases | undefined {
  return (
    aliasesOf(`${folder}/tsconfig.json`) ??
    aliasesOf(`${folder}/jsconfig.json`) ??
    // Of Nx and the like: what there is below need not say that it extends this one.
    aliasesOf(`${folder}/tsconfig.base.json`) ??
    importMaps.map((name) => importMapOf(`${folder}/${name}`)).find((found) => found !== undefined)
  );
}
