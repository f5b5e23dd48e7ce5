/** Path aliases of TypeScript's configuration files, and of import maps. */
import { dirname, join } from 'node:path';
import { list, readTable, table } from '../files/json.ts';

/** What one configuration says about where modules are. */
export interface Aliases {
  /** The absolute folder that bare specifiers are looked for in. */
  readonly baseUrl?: string;
  /** Patterns with at most one `*`, and absolute paths to try in its place. */
  readonly paths: readonly { readonly pattern: string; readonly targets: readonly string[] }[];
}

/**
 * Reads a tsconfig.json or jsconfig.json with what it extends by relative paths. One that only refers to others, as in Vite's
 * templates, stands for the first of them that has aliases.
 * @param seen files that are not looked into again: they may name each other
 * @returns undefined where it has no aliases or cannot be read
 */
export function aliasesOf(file: string, seen = new Set<string>()): Aliases | undefined {
  const config = seen.has(file) ? undefined : readTable(file);
  seen.add(file);
  if (config === undefined) return undefined;
  const folder = dirname(file);
  const bases = list(config['extends']).map((base) => aliasesOf(withExtension(join(folder, base)), seen));
  // The later base wins over the earlier, the file over both; `paths` replaces as a whole (tsconfig reference, "extends").
  const inherited = bases.findLast((base) => base !== undefined);
  const result = { ...inherited, ...ownAliases(folder, table(config['compilerOptions']) ?? {}, inherited?.baseUrl) };
  if (result.baseUrl !== undefined || result.paths !== undefined) return { ...result, paths: result.paths ?? [] };
  const references = Array.isArray(config['references']) ? config['references'] : [];
  const referred = references.flatMap((reference) => list(table(reference)?.['path']));
  return referred
    .map((path) => aliasesOf(withExtension(join(folder, path), 'tsconfig.json'), seen))
    .find((aliases) => aliases !== undefined);
}

/**
 * The same for an import map, as Deno has it in its configuration (https://docs.deno.com/runtime/fundamentals/configuration/).
 * @returns undefined where it names no files
 */
export function importMapOf(file: string): Aliases | undefined {
  const paths = mappedIn(file).flatMap(({ pattern, target }) =>
    isPath.test(target) ? [{ pattern, targets: [join(dirname(file), target)] }] : [],
  );
  return paths.length === 0 ? undefined : { paths };
}

/** What it names of other packages: `"$std/": "https://deno.land/std@0.160.0/"`. */
export const packagesMappedIn = (file: string): Aliases['paths'] =>
  mappedIn(file).flatMap(({ pattern, target }) => (isPath.test(target) ? [] : [{ pattern, targets: [target] }]));

const isPath = /^\.{0,2}\//;

/** The imports of an import map, or of a configuration that may name one beside it. */
function mappedIn(file: string): { readonly pattern: string; readonly target: string }[] {
  const config = readTable(file);
  const [beside] = list(config?.['importMap']);
  const map = beside === undefined || /^\w+:/.test(beside) ? config : readTable(join(dirname(file), beside));
  return Object.entries(table(map?.['imports']) ?? {}).flatMap(([name, target]) => {
    if (typeof target !== 'string') return [];
    const all = name.endsWith('/') ? '*' : '';
    return [{ pattern: `${name}${all}`, target: `${target}${all}` }];
  });
}

function ownAliases(folder: string, options: Readonly<Record<string, unknown>>, inherited: string | undefined): Partial<Aliases> {
  const [base] = list(options['baseUrl']);
  const baseUrl = base === undefined ? inherited : join(folder, base);
  const paths = table(options['paths']);
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(paths === undefined
      ? {}
      : {
          paths: Object.entries(paths).map(([pattern, targets]) => ({
            pattern,
            targets: list(targets).map((target) => join(baseUrl ?? folder, target)),
          })),
        }),
  };
}

/** What a specifier stands for by the patterns: an exact one first, then the one with the longest text before its `*`. */
export function targetsOf(specifier: string, paths: Aliases['paths']): string[] {
  const matches = paths.flatMap(({ pattern, targets }) => {
    const star = pattern.indexOf('*');
    if (star === -1) return pattern === specifier ? [{ rank: Infinity, targets }] : [];
    const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
    const fits = specifier.length >= before.length + after.length && specifier.startsWith(before) && specifier.endsWith(after);
    const middle = specifier.slice(star, specifier.length - after.length);
    return fits ? [{ rank: star, targets: targets.map((target) => target.replace('*', () => middle)) }] : [];
  });
  return [...(matches.toSorted((one, other) => other.rank - one.rank)[0]?.targets ?? [])];
}

/** `"inngest": ["./node_modules/inngest/index.d.ts"]`; a pattern for all names says nothing of one. */
export function isMappedToPackage(specifier: string, paths: Aliases['paths']): boolean {
  const targets = targetsOf(
    specifier,
    paths.filter(({ pattern }) => pattern !== '*'),
  );
  return targets.length > 0 && targets.every((target) => /[\\/]node_modules[\\/]/.test(target));
}

const withExtension = (path: string, name?: string): string => {
  if (path.endsWith('.json')) return path;
  return name === undefined ? `${path}.json` : join(path, name);
};
