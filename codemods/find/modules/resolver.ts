/** Finds the file that a module specifier means, among the files of the run. */
import { readdirSync } from 'node:fs';
import { dirname, extname, join, posix, relative, resolve as resolvePath } from 'node:path';
import { v1Auth } from '../../../src/contract/auth.ts';
import { memo, once } from '../../once.ts';
import { amdResolver, ofAmd } from './amd.ts';
import { bundlerAliasesIn } from './bundler-aliases.ts';
import { examplesIn } from '../packages/examples.ts';
import { defaultsIn } from './node-config-files.ts';
import { type JestAliases, jestAliasesIn } from './jest-aliases.ts';
import { inLayer, layersOf } from './lambda-layers.ts';
import { dependsOn, exportTargets, importTargets, mainTargets, type Package, packageIn, rangeOf } from '../packages/packages.ts';
import { started } from './open-imports.ts';
import { readIfThere } from '../files/repository.ts';
import { standsInByName } from '../packages/stand-ins.ts';
import { type Aliases, aliasesOf, importMapOf, isMappedToPackage, packagesMappedIn, targetsOf } from './tsconfig.ts';
import type { Walk } from '../walk.ts';

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

const extensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
/** `./schema` may have types alone. */
const declarations = ['.ts', '.mts', '.cts'];
/** TypeScript names its modules as they will be called once built. */
const sources: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};
/** What bundlers and frameworks agree on where no configuration that can be read without running it says otherwise. */
const customary = [
  { prefix: '@/', folders: ['src', '', 'app'] },
  { prefix: '~/', folders: ['src', '', 'app'] },
  { prefix: '$lib/', folders: ['src/lib'] },
  // Docusaurus: https://docusaurus.io/docs/docusaurus-core
  { prefix: '@site/', folders: [''] },
];

/** … and Nuxt, from the root of the project, of its layers, too: https://nuxt.com/docs/api/nuxt-config#alias. */
const ofNuxt = [
  { prefix: '~~/', folders: [''] },
  { prefix: '@@/', folders: [''] },
  { prefix: '~/', folders: ['app', ''] },
  { prefix: '@/', folders: ['app', ''] },
  { prefix: '#shared/', folders: ['shared'] },
  { prefix: '#server/', folders: ['server'] },
];

/** What says of modules where they are: packages, configurations of compilers, bundlers and tests, and what node-config reads. */
const configuration = /^(?:package|[jt]sconfig(?:\.base)?|deno|import_map)\.jsonc?$|\.config[\w.-]*\.[cm]?[jt]s(?:on)?$|^config$/i;
/** What cannot be listed may say something even so. */
const says = (names: readonly string[] | undefined): boolean => names?.some((name) => configuration.test(name)) !== false;

function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

/**
 * Makes the resolver of one run. It reads nothing before it is asked, and nothing twice.
 * @param cwd absolute, without symbolic links
 * @param modules the files that can be found, relative to `cwd`
 * @param homes where libraries are made: a package of such a repository is the library itself
 * @param names of what stands in folders that were listed already
 */
export function resolverOf(cwd: string, modules: ReadonlySet<string>, homes: RegExp, names: Walk['names'] = new Map()): Resolve {
  const aliasesAt = memo(configIn);
  const packageAt = memo(packageIn);
  const bundlerAliasesAt = memo(bundlerAliasesIn);
  const jestAliasesAt = memo(jestAliasesIn);
  /** Of the folder and those above it up to the working directory, for files outside of it up to the root, those that say where modules are: few do. */
  const upwards = memo((folder: string): readonly string[] => {
    const above = folder === cwd || dirname(folder) === folder ? [] : upwards(dirname(folder));
    return says(names.get(folder) ?? namesIn(folder)) ? [folder, ...above] : above;
  });
  const hasNuxt = memo(
    (folder) => (names.get(folder) ?? namesIn(folder))?.some((name) => /^nuxt\.config\.[cm]?[jt]s$/.test(name)) === true,
  );
  const hasEmber = memo(
    (folder) => (names.get(folder) ?? namesIn(folder))?.some((name) => /^ember-cli-build\.[cm]?js$/.test(name)) === true,
  );
  const hasMeteor = memo((folder) => (names.get(folder) ?? namesIn(folder))?.includes('.meteor') === true);
  /** The nearest of these, which says the same of modules as the folder. */
  const scopeOf = memo((folder) => {
    const absolute = join(cwd, folder);
    return upwards(absolute)[0] ?? absolute;
  });
  const nearest = <Found>(folder: string, at: (folder: string) => Found | undefined): Found | undefined => {
    for (const each of upwards(folder)) {
      const found = at(each);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const finder = once(() => finderOf(modules));
  const find: ReturnType<typeof finderOf> = (path, fromTypeScript) => finder()(path, fromTypeScript);
  /** A file beside the working directory may import one in it: `../src/a` is `a` there. */
  const fromHere = (path: string): string => (path.startsWith('../') ? toPosix(relative(cwd, join(cwd, path))) : path);
  const namedByAmd = amdResolver(cwd, (path) => find(path, false));
  const layers = once(() => layersOf(modules));
  /** Of a file that is in nobody's repository, what people copy to it. */
  const examples = once(() => examplesIn(modules));
  const workspaces = once(() => namedPackages([...modules], cwd, packageAt, upwards));
  /** By its name, from outside of its own folder: in there its own files are meant. */
  const isLibraryFrom = (folder: string, specifier: string): boolean => {
    const found = workspaces().get(packageNamed(specifier));
    if (found === undefined || nearest(folder, packageAt)?.folder === found.folder) return false;
    // Its name alone says nothing: a team may call its own wrapper as the library that it wraps.
    return homes.test(JSON.stringify(found.manifest['repository'] ?? '')) && !knowsKey(found.folder);
  };
  /** Whether the code of a package, its tests apart, names the header of the key: a copy that adds it by itself is no longer the library. */
  const knowsKey = memo((folder): boolean =>
    [...modules].some((file) => {
      const isOwn = nearest(join(cwd, posix.dirname(file)), packageAt)?.folder === folder && !isOfTests(file);
      return isOwn && readIfThere(join(cwd, file))?.toLowerCase().includes(v1Auth.field) === true;
    }),
  );

  /** Absolute paths that a specifier which is not relative may stand for. */
  const candidates = function* (folder: string, specifier: string, isTest: boolean): Generator<string> {
    const aliases = nearest(folder, aliasesAt);
    yield* targetsOf(specifier, aliases?.paths ?? []);
    const owner = nearest(folder, packageAt);
    if (specifier.startsWith(started)) return yield join(owner?.folder ?? cwd, specifier.slice(started.length));
    const isAsked = (): boolean => upwards(folder).some((each) => dependsOn(packageAt(each), packageNamed(specifier)));
    const bundled = bundlerAliasesAt(owner?.folder ?? cwd);
    // What stands in for something is what tests run with, and nobody else.
    const standsIn = (target: string): boolean => standsInByName.test(toPosix(relative(cwd, target)));
    // What is looked for in folders of the project is a package, where one is asked for.
    const named = bundled.paths.filter(({ pattern }) => pattern !== '*' || !isAsked());
    for (const target of targetsOf(specifier, named)) if (!standsIn(target) || (isTest && !isAsked())) yield target;
    if (specifier.startsWith('#') && owner !== undefined) {
      yield* importTargets(owner, specifier).map((target) => join(owner.folder, target));
    }
    // What the configuration says lies among the packages is one, whatever folder of the project is called so.
    if (aliases?.baseUrl !== undefined && !isMappedToPackage(specifier, aliases.paths)) yield join(aliases.baseUrl, specifier);
    if (isLibraryFrom(folder, specifier)) return;
    yield* workspaceTargets(workspaces(), specifier);
    yield* linkedTargets(
      upwards(folder).flatMap((each) => packageAt(each) ?? []),
      packageAt,
      specifier,
    );
    if (specifier === 'config') yield* configured(folder);
    for (const { prefix, folders } of customary) {
      if (specifier.startsWith(prefix)) yield* folders.map((each) => join(owner?.folder ?? cwd, each, specifier.slice(prefix.length)));
    }
    for (const { prefix, folders } of ofNuxt) {
      const roots = specifier.startsWith(prefix) ? upwards(folder).filter(hasNuxt).toReversed() : [];
      yield* roots.flatMap((root) => folders.map((each) => join(root, each, specifier.slice(prefix.length))));
    }
    yield* ofEmber(owner, specifier);
    // In an application of Meteor `/imports/api/texts` begins where that does.
    if (specifier.startsWith('/')) yield* upwards(folder).flatMap((root) => (hasMeteor(root) ? join(root, specifier) : []));
    // Where no configuration is to be found, `src/environments/environment` is what it says, if no package is called so.
    if (aliases?.baseUrl === undefined && /^[\w-]+\//.test(specifier) && !dependsOn(owner, specifier.split('/', 1)[0] ?? ''))
      yield* ['', 'src'].map((each) => join(owner?.folder ?? cwd, each, specifier));
    // What only tests are told: the code runs without it, so that it says where folders are, and nothing of single modules.
    const ofJest = nearest(folder, (each) => jestAliasesAt(each) ?? (each === owner?.folder ? noAliases : undefined)) ?? noAliases;
    const inTests = [
      ...targetsOf(specifier, bundled.inTests).filter((target) => isTest || (extname(target) === '' && !standsIn(target))),
      ...targetsOf(specifier, isTest ? [...ofJest.modules, ...ofJest.folders] : ofJest.folders),
    ];
    // Where the code runs, a package is found by its name, whatever tests put in its place.
    if (inTests.length > 0 && !isAsked()) yield* inTests;
  };
  /** By the name of an application of Ember its modules are imported, which lie in `app`, and what its configuration makes. */
  const ofEmber = (owner: Package | undefined, specifier: string): string[] => {
    if (owner?.name === undefined || !specifier.startsWith(`${owner.name}/`) || !hasEmber(owner.folder)) return [];
    const own = specifier.slice(owner.name.length + 1);
    return [join(owner.folder, own === 'config/environment' ? '' : 'app', own)];
  };
  /** The same by a relative path; a declaration there only says of which type it is. */
  const findModule: typeof find = (path, fromTypeScript) => {
    const found = find(path, fromTypeScript);
    if (found !== undefined && !found.endsWith('.d.ts')) return found;
    const [, root] = /^((?:.*\/)?)app\/config\/environment(?:\.js)?$/.exec(path) ?? [];
    const made = root !== undefined && hasEmber(join(cwd, root)) ? find(`${root}config/environment`, false) : undefined;
    return made ?? found;
  };
  /** What node-config reads where the program is started, which is most often where its package.json is; what that needs may stand in one above. */
  const configured = (folder: string): string[] => {
    const folders = upwards(folder);
    const packages = folders.flatMap((each) => packageAt(each) ?? []);
    return packages.length === 0 || packages.some((each) => dependsOn(each, 'config')) ? folders.flatMap(defaultsIn) : [];
  };
  const findNamed = memo((key) => {
    // A NUL is in no path.
    const [folder = '', language, by, specifier = ''] = key.split('\0');
    const paths = Array.from(candidates(folder, specifier, by === 'test'), (candidate) => toPosix(relative(cwd, candidate)));
    for (const path of paths) {
      const found = findModule(path, language === 'ts');
      if (found !== undefined) return found;
    }
    const [example] = paths.flatMap((path) => examples().get(path) ?? []);
    return example ?? inLayer(cwd, specifier, layers, (path) => find(path, language === 'ts'));
  });
  /** `require('..')` is what the folder's package begins with. */
  const begins = (path: string): string[] => {
    const found = packageAt(resolvePath(cwd, path));
    return found === undefined ? [] : mainTargets(found).map((target) => toPosix(relative(cwd, join(found.folder, target))));
  };
  const resolved = memo((key) => {
    const [folder = '', language = '', by = '', specifier = ''] = key.split('\0');
    if (specifier.startsWith(ofAmd)) return namedByAmd(folder, specifier.slice(ofAmd.length));
    // What follows a question mark is for bundlers: `./x.json?raw`.
    const [name = ''] = specifier.split('?', 1);
    if (/^\.{1,2}(?:\/|$)/.test(name)) {
      const path = fromHere(posix.join(folder, name));
      const found = findModule(path, language === 'ts');
      // Where a folder has a package, what that says comes before its index.
      if (found !== undefined && !/(?:^|\/)index\.\w+$/.test(found)) return found;
      return (
        begins(path).flatMap((each) => find(each, true) ?? [])[0] ??
        found ??
        sourcesOf(path).flatMap((each) => find(each, true) ?? [])[0] ??
        examples().get(path)
      );
    }
    return findNamed([scopeOf(folder), language, by, name].join('\0'));
  });
  const mapsAt = memo((folder) => importMaps.flatMap((name) => packagesMappedIn(`${folder}/${name}`)));
  const mapped = (from: string, specifier: string): string => {
    const maps = upwards(join(cwd, posix.dirname(from))).map((folder) => targetsOf(specifier, mapsAt(folder)));
    return maps.find((targets) => targets.length > 0)?.[0] ?? specifier;
  };
  // Each import is asked about some dozens of times, and to put its key together takes longer than to find what is known of it.
  const resolvedFrom = memo((from) => {
    const own = [posix.dirname(from), typeScript.test(from) ? 'ts' : 'js', isOfTests(from) ? 'test' : ''].join('\0');
    return memo((specifier) => resolved(`${own}\0${specifier}`));
  });
  const resolve: Resolve = (from, specifier) => resolvedFrom(from)(specifier);
  const isLibraryNamed = (from: string, specifier: string): boolean => isLibraryFrom(join(cwd, posix.dirname(from)), specifier);
  return Object.assign(resolve, { mapped, isLibrary: isLibraryNamed });
}

const noAliases: JestAliases = { folders: [], modules: [] };

/** Where Deno has it. */
const importMaps = ['deno.json', 'deno.jsonc', 'import_map.json'];

/** What is built, such as `dist/client.js`, is nobody's to edit: what it is built of stands in `src`, or beside that folder. */
function sourcesOf(path: string): string[] {
  const [, before = '', rest] = /^((?:.*\/)?)(?:dist|build|out)\/(?:(?:esm|cjs|types)\/)?(.+)$/.exec(path) ?? [];
  return rest === undefined ? [] : [`${before}src/${rest}`, `${before}${rest}`];
}

const typeScript = /\.(?:[cm]?tsx?|vue|svelte|astro)$/;

/** Finds files by their path without an extension, or with the one that they get when built: a few look-ups, however many extensions. */
function finderOf(modules: ReadonlySet<string>): (path: string, fromTypeScript: boolean) => string | undefined {
  const byStem = new Map<string, Map<string, string>>();
  for (const module of modules) {
    const extension = extname(module);
    const stem = module.slice(0, module.length - extension.length);
    const spellings = byStem.get(stem) ?? new Map<string, string>();
    byStem.set(stem, spellings.set(extension, module));
  }
  const spelled = (stem: string, order: readonly string[]): string | undefined => {
    const spellings = byStem.get(stem);
    const extension = spellings && order.find((each) => spellings.has(each));
    return extension === undefined ? undefined : spellings?.get(extension);
  };
  return (given, fromTypeScript) => {
    // `./lib/` and `.` name folders.
    const path = given === '.' ? '' : given.replace(/\/$/, '');
    const extension = extname(path);
    const stem = path.slice(0, path.length - extension.length);
    const built = sources[extension] && spelled(stem, sources[extension]);
    if (built !== undefined && fromTypeScript) return built;
    if (modules.has(path)) return path;
    const folder = path === '' ? 'index' : `${path}/index`;
    return (
      built ??
      spelled(path, extensions) ??
      spelled(folder, extensions) ??
      spelled(`${path}.d`, declarations) ??
      spelled(`${folder}.d`, declarations) ??
      (sources[extension] && spelled(`${stem}.d`, declarations))
    );
  };
}

const toPosix = (path: string): string => (process.platform === 'win32' ? path.replaceAll('\\', '/') : path);

const configIn = (folder: string): Aliases | undefined =>
  aliasesOf(`${folder}/tsconfig.json`) ??
  aliasesOf(`${folder}/jsconfig.json`) ??
  // Of Nx and the like: what there is below need not say that it extends this one.
  aliasesOf(`${folder}/tsconfig.base.json`) ??
  importMaps.map((name) => importMapOf(`${folder}/${name}`)).find((found) => found !== undefined);

/** The packages of the files' own folders, by name. */
function namedPackages(
  modules: readonly string[],
  cwd: string,
  packageAt: (folder: string) => Package | undefined,
  upwards: (folder: string) => readonly string[],
): ReadonlyMap<string, Package> {
  const folders = new Set([...new Set(modules.map((path) => posix.dirname(path)))].flatMap((folder) => upwards(join(cwd, folder))));
  const packages = [...folders].toSorted().flatMap((folder) => packageAt(folder) ?? []);
  return new Map(packages.flatMap((each) => (each.name === undefined ? [] : [[each.name, each] as const])));
}

const isOfTests = (file: string): boolean =>
  standsInByName.test(file) || /(?:[.-](?:test|spec|cy|e2e)\.[cm]?[jt]|_test\.m?t)sx?$/.test(file);

const packageNamed = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';

const workspaceTargets = (packages: ReadonlyMap<string, Package>, specifier: string): string[] =>
  targetsIn(packages.get(packageNamed(specifier)), specifier);

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
