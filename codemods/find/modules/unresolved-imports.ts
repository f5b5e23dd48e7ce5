/** Imports by names that are the project's own and lead to no file: who uses what such a name stands for was not followed. */
import { isBuiltin } from 'node:module';
import { dirname, join, posix, relative } from 'node:path';
import { once } from '../../once.ts';
import { exportedBy } from './auto-imports.ts';
import { escaped } from '../words/literals.ts';
import { type Package, packageIn, rangeOf } from '../packages/packages.ts';
import { readIfThere } from '../files/repository.ts';
import type { Resolve } from './resolver.ts';
import type { Scan } from '../scan.ts';
import type { Walk } from '../walk.ts';

export interface UnresolvedImport {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  /** What it names. */
  readonly names: ReadonlySet<string>;
  /** The last part of what it is imported from, where it takes that as a whole. */
  readonly from: string | undefined;
}

type IsOffered = (specifier: string, isAsked: (name: string) => boolean) => boolean;

/**
 * @param read gives the text of a file
 * @param offered what is looked for: what those export and are called that may be meant
 * @param isOffered tells of names that no file of the project has, by the packages that it asks for
 */
export function unresolvedImports(
  walked: Pick<Walk, 'cwd' | 'names'>,
  { modules, imports }: Pick<Scan, 'modules' | 'imports'>,
  resolve: Resolve,
  read: (file: string) => string,
  offered: () => ReadonlySet<string>,
  isOffered: IsOffered,
): UnresolvedImport[] {
  const isOwn = ownNames(walked, modules, isOffered);
  const mayMean = (specifier: string, clause: string): boolean =>
    [lastPartOf(specifier) ?? '', ...(clause.match(/[\w$]+/g) ?? [])].some((word) => offered().has(word));
  return [...imports].flatMap(([file, named]) => {
    const open = [...named].flatMap(([specifier, clause]) =>
      isOwn(file, specifier) &&
      resolve(file, specifier) === undefined &&
      mayMean(specifier, clause) &&
      resolve.isLibrary?.(file, specifier) !== true
        ? specifier
        : [],
    );
    const found = open.length === 0 ? undefined : importsIn(read(file), new Set(open));
    return open.flatMap((specifier) => found?.get(specifier)?.map((each) => ({ file, ...each })) ?? []);
  });
}

/** By what an import may mean a file. */
export interface Offer {
  /** Of its path. */
  readonly parts: readonly string[];
  /** Of what it exports. */
  readonly names: ReadonlySet<string>;
}

export const offerOf = (file: string, text: string): Offer => ({
  parts: file.replace(/\.\w+$/, '').split('/'),
  names: new Set([...exportedBy(file, text).map(({ name }) => name), ...commonJsNames(text)]),
});

/**
 * Finds the import that may mean a file, by what it offers.
 * @param isImport asked of those found in the text, before one counts: programs that a test or a template has as texts import, too
 */
export function importersBy(
  imports: readonly UnresolvedImport[],
  isImport: (found: UnresolvedImport) => boolean = () => true,
): (file: string, offer: Offer) => UnresolvedImport | undefined {
  const byPart = Map.groupBy(imports, ({ from }) => from);
  const named = imports.flatMap((each) => Array.from(each.names, (name) => ({ name, each })));
  const byName = Map.groupBy(named, ({ name }) => name);
  return (file, { parts, names }) => {
    const isOther = (each: UnresolvedImport): boolean => each.file !== file && isImport(each);
    for (const part of parts) {
      const found = byPart.get(part)?.find(isOther);
      if (found !== undefined) return found;
    }
    for (const name of names) {
      const found = byName.get(name)?.find(({ each }) => isOther(each));
      if (found !== undefined) return found.each;
    }
    return undefined;
  };
}

/** `exports.x = …` and `module.exports = { x }`. */
const commonJsNames = (text: string): string[] => [
  ...Array.from(text.matchAll(/\bexports\.([\w$]+)\s*=/g), ([, name = '']) => name),
  ...Array.from(text.matchAll(/\bmodule\.exports\s*=\s*\{([^}]*)\}/g), ([, listed = '']) => namesListed(listed)).flat(),
];

/** Loaders of webpack that give a module as a text or an address; others run it. */
const givingTexts = /^!*(?:(?:raw|file|url|text)-loader\b[^!]*!)+/;
/** Pictures, styles and texts hold nothing that runs, whoever bundles them. */
const ofAssets =
  /\.(?:css|s[ac]ss|less|styl|svg|png|jpe?g|gif|webp|avif|ico|mp[34]|webm|woff2?|ttf|eot|otf|wasm|pdf|csv|gql|graphql)(?:\?\w+)?$/i;

const lockFiles = ['package-lock.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock'];
/** `"axios@^1.6.0"`, `/axios@1.6.0:`, and not what lies in the project itself. */
const locked = (name: string): RegExp => new RegExp(`(?:^|["'/ ])${escaped(name)}@(?!(?:workspace|file|link|portal):)`, 'm');

/** What folders and files are called. */
const partsIn = (files: Iterable<string>): ReadonlySet<string> =>
  new Set(Array.from(files).flatMap((file) => file.replace(/\.\w+$/, '').split('/')));

/** A package that package.json asks for in a version is none of the project's; without any package.json a scope says that it is none of the platform's. */
function ownNames(
  { cwd, names }: Pick<Walk, 'cwd' | 'names'>,
  modules: ReadonlySet<string>,
  isOffered: IsOffered,
): (file: string, specifier: string) => boolean {
  const known = new Map<string, readonly Package[]>();
  /** The nearest first, also above the working directory. */
  const packagesAbove = (folder: string): readonly Package[] => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const own = names.get(folder)?.includes('package.json') === false ? undefined : packageIn(folder);
    const above = dirname(folder) === folder ? [] : packagesAbove(dirname(folder));
    const found = own === undefined ? above : [own, ...above];
    known.set(folder, found);
    return found;
  };
  const packagesOf = (file: string): readonly Package[] => packagesAbove(join(cwd, posix.dirname(file)));
  const all = new Set([...modules].flatMap((file) => packagesOf(file)));
  const own = new Set([...all].flatMap((each) => (offersCode(each, cwd, modules) ? (each.name ?? []) : [])));
  const isAsked = (name: string): boolean => [...all].some((each) => rangeOf(each, name) !== undefined);
  const locks = once(() =>
    [cwd, ...Array.from(all, ({ folder }) => folder)].flatMap((folder) => lockFiles.map((file) => readIfThere(join(folder, file)) ?? '')),
  );
  const isLocked = (name: string): boolean =>
    locks().some(
      (text) => new RegExp(`"node_modules/${escaped(name)}": ?\\{(?![^{}]*"link": ?true)`).test(text) || locked(name).test(text),
    );
  // A folder or file of that name is the project's own, whoever else asks for a package that is called like it.
  const parts = partsIn(modules);
  return (file, specifier) => {
    if (/^\.|:/.test(specifier) || isBuiltin(specifier)) return false;
    if (ofAssets.test(specifier) || givingTexts.test(specifier) || isOffered(specifier, isAsked)) return false;
    const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
    if (name === undefined || /^[~#$]|^@\//.test(specifier) || own.has(name)) return true;
    // In a workspace, what one package asks for lies where the others find it, too.
    const packages = packagesOf(file);
    const asking = parts.has(name) ? packages : [...packages, ...all];
    const range = asking.map((each) => rangeOf(each, name)).find((each) => each !== undefined);
    // What some other package brings along is taken without being asked for.
    if (range === undefined && !parts.has(name) && isLocked(name)) return false;
    return range === undefined ? packages.length > 0 || name.startsWith('@') : /^(?:workspace|file|link|portal):/.test(range);
  };
}

/** Whether a package of the project has anything to import: one that is nothing but its settings only has the name of another. */
function offersCode({ folder, manifest }: Package, cwd: string, modules: ReadonlySet<string>): boolean {
  const above = `${relative(cwd, folder).replaceAll('\\', '/')}/`;
  const isSetting = (file: string): boolean => file.endsWith('.json') && file.indexOf('/', above.length) === -1;
  const isCode = (file: string): boolean => file.startsWith(above) && !isSetting(file);
  return /^(?:\.\.)?\//.test(above) || JSON.stringify(manifest).includes('"../') || [...modules].some(isCode);
}

/** An import clause, or the pattern that takes a required module. */
const clause =
  /(?:\b(?:import|export)\b(?!\s+type\s+[\w{*])([^;'"`()=]*?)\bfrom|(?:\b(?:const|let|var)\s+([^;'"`()=]*?)=\s*(?:await\s+)?)?\b(?:require|import)\s*\()\s*(['"`])([^'"`\n]+)\3/g;

/** What is named of what some specifiers lead to, by these. */
function importsIn(text: string, open: ReadonlySet<string>): ReadonlyMap<string, readonly Omit<UnresolvedImport, 'file'>[]> {
  const clauses = Array.from(text.matchAll(clause)).filter(({ 4: specifier = '' }) => open.has(specifier));
  const imports = clauses.map(({ 0: whole, 1: imported, 2: pattern, 4: specifier = '', index }) => {
    const names = imported ?? pattern ?? '';
    const [, listed] = /\{([^}]*)\}/.exec(names) ?? [];
    const single = /^\s*([\w$]+)/.exec(names)?.[1];
    const end = index + whole.length;
    return {
      specifier,
      start: index,
      end,
      line: text.slice(0, end).split('\n').length,
      names: new Set([...(listed === undefined ? [] : namesListed(listed)), ...(single === undefined ? [] : [single])]),
      from: listed === undefined || single !== undefined ? lastPartOf(specifier) : undefined,
    };
  });
  return Map.groupBy(imports, ({ specifier }) => specifier);
}

const lastPartOf = (specifier: string): string | undefined =>
  specifier
    .replace(/(?:\/index)?(?:\.\w+)?$/, '')
    .split('/')
    .at(-1);

/** `createClient as make`, `createClient: make`; types name nothing that runs. */
const namesListed = (listed: string): string[] =>
  listed.split(',').flatMap((each) => (/^\s*type\s+[\w$]/.test(each) ? [] : (/[\w$]+/.exec(each)?.[0] ?? [])));
