/** What a specifier that is not relative may stand for: names that configurations give to files, packages of the run, and what frameworks agree on. */
import { extname, join } from 'node:path';
import { dependsOn, importTargets, type Package, packageNamed } from '../packages/packages.ts';
import { standsInByName } from '../packages/stand-ins.ts';
import type { Folders } from './folders.ts';
import type { JestAliases } from './jest-aliases.ts';
import { defaultsIn } from './node-config-files.ts';
import { started } from './open-imports.ts';
import { type Aliases, isMappedToPackage, targetsOf } from './tsconfig.ts';
import type { Workspace } from './workspace.ts';

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

/** A name, who asks for it, and what is known there. */
interface Asked {
  readonly specifier: string;
  /** Absolute. */
  readonly folder: string;
  readonly isTest: boolean;
  readonly folders: Folders;
  readonly owner: Package | undefined;
  /** The folder of that package. */
  readonly root: string;
  readonly aliases: Aliases | undefined;
  /** Whether it asks for a package of this name. */
  isInstalled(): boolean;
}

/** Absolute paths, the likeliest first. */
export function namedTargets(specifier: string, folder: string, isTest: boolean, folders: Folders, workspace: Workspace): string[] {
  const owner = folders.nearest(folder, folders.packageAt);
  const root = owner?.folder ?? folders.cwd;
  const aliases = folders.nearest(folder, folders.aliasesAt);
  const own = targetsOf(specifier, aliases?.paths ?? []);
  if (specifier.startsWith(started)) return [...own, join(root, specifier.slice(started.length))];
  const isInstalled = (): boolean => folders.upwards(folder).some((each) => dependsOn(folders.packageAt(each), packageNamed(specifier)));
  const asked = { specifier, folder, isTest, folders, owner, root, aliases, isInstalled };
  const configured = [...own, ...configuredTargets(asked)];
  if (workspace.isLibrary(folder, specifier)) return configured;
  return [
    ...configured,
    ...workspace.targets(folder, specifier),
    ...(specifier === 'config' ? ofNodeConfig(folder, folders) : []),
    ...customaryTargets(asked),
    ...targetsInTests(asked),
  ];
}

function configuredTargets({ specifier, isTest, folders, owner, root, aliases, isInstalled }: Asked): string[] {
  // What is looked for in folders of the project is a package, where one is asked for.
  const named = folders.bundlerAliasesAt(root).paths.filter(({ pattern }) => pattern !== '*' || !isInstalled());
  const isMapped = aliases?.baseUrl === undefined || isMappedToPackage(specifier, aliases.paths);
  return [
    // What stands in for something is what tests run with, and nobody else.
    ...targetsOf(specifier, named).filter((target) => !standsIn(target, folders) || (isTest && !isInstalled())),
    ...(specifier.startsWith('#') && owner !== undefined ? importTargets(owner, specifier).map((target) => join(root, target)) : []),
    // What the configuration says lies among the packages is one, whatever folder of the project is called so.
    ...(isMapped ? [] : [join(aliases.baseUrl, specifier)]),
  ];
}

const standsIn = (target: string, folders: Folders): boolean => standsInByName.test(folders.pathOf(target));

/** What node-config reads where the program is started, which is most often where its package.json is; what that needs may stand in one above. */
function ofNodeConfig(folder: string, { upwards, packageAt }: Folders): string[] {
  const folders = upwards(folder);
  const packages = folders.flatMap((each) => packageAt(each) ?? []);
  return packages.length === 0 || packages.some((each) => dependsOn(each, 'config')) ? folders.flatMap(defaultsIn) : [];
}

function customaryTargets({ specifier, folder, folders, owner, root, aliases }: Asked): string[] {
  const above = folders.upwards(folder);
  // Where no configuration is to be found, `src/environments/environment` is what it says, if no package is called so.
  const isBare = aliases?.baseUrl === undefined && /^[\w-]+\//.test(specifier) && !dependsOn(owner, specifier.split('/', 1)[0] ?? '');
  return [
    ...targetsBelow(() => [root], specifier, customary),
    ...targetsBelow(() => above.filter(folders.hasNuxt).toReversed(), specifier, ofNuxt),
    ...ofEmber(owner, specifier, folders),
    // In an application of Meteor `/imports/api/texts` begins where that does.
    ...(specifier.startsWith('/') ? above.filter(folders.hasMeteor).map((each) => join(each, specifier)) : []),
    ...(isBare ? ['', 'src'].map((each) => join(root, each, specifier)) : []),
  ];
}

const targetsBelow = (roots: () => readonly string[], specifier: string, places: typeof customary): string[] =>
  places
    .filter(({ prefix }) => specifier.startsWith(prefix))
    .flatMap(({ prefix, folders }) => roots().flatMap((root) => folders.map((each) => join(root, each, specifier.slice(prefix.length)))));

/** By the name of an application of Ember its modules are imported, which lie in `app`, and what its configuration makes. */
function ofEmber(owner: Package | undefined, specifier: string, { hasEmber }: Folders): string[] {
  if (owner?.name === undefined || !specifier.startsWith(`${owner.name}/`) || !hasEmber(owner.folder)) return [];
  const own = specifier.slice(owner.name.length + 1);
  return [join(owner.folder, own === 'config/environment' ? '' : 'app', own)];
}

/** What only tests are told: the code runs without it, so that it says where folders are, and nothing of single modules. */
function targetsInTests({ specifier, folder, isTest, folders, owner, root, isInstalled }: Asked): string[] {
  const { inTests } = folders.bundlerAliasesAt(root);
  const ofJest = folders.nearest(folder, (each) => folders.jestAliasesAt(each) ?? (each === owner?.folder ? noAliases : undefined));
  const { modules, folders: named } = ofJest ?? noAliases;
  const targets = [
    ...targetsOf(specifier, inTests).filter((target) => isTest || (extname(target) === '' && !standsIn(target, folders))),
    ...targetsOf(specifier, isTest ? [...modules, ...named] : named),
  ];
  // Where the code runs, a package is found by its name, whatever tests put in its place.
  return targets.length > 0 && !isInstalled() ? targets : [];
}

const noAliases: JestAliases = { folders: [], modules: [] };
