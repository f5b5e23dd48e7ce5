/** Which files are tests of Playwright, and which others these have: https://playwright.dev/docs/api/class-testconfig#test-config-test-match. */
import { posix } from 'node:path';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import { specifiersOf } from '../../evaluate/names/specifiers.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { globsOf } from '../../find/files/globs.ts';
import type { Expression } from '../../syntax/tree.ts';

/** What Playwright takes for tests where nothing else is said; other files may be used by tests of any project. */
export const isTestFile = /\.(?:spec|test)\.[cm]?[jt]sx?$/;

const leading = new WeakMap<SourceModule, ReadonlySet<SourceText>>();

/** Whether a test has another file by its imports, through any number of others: what it uses counts for nobody else. */
export function leadsTo({ world }: Pick<Evaluation, 'world'>, test: SourceModule, module: SourceText): boolean {
  const found = leading.get(test);
  if (found !== undefined) return found.has(module);
  // A set that grows while it is walked.
  const reached = new Set<SourceModule>([test]);
  for (const each of reached)
    for (const next of specifiersOf(each).flatMap((specifier) => world.resolve(each, specifier) ?? [])) reached.add(next);
  const files: ReadonlySet<SourceText> = reached;
  leading.set(test, files);
  return files.has(module);
}

const importing = new WeakMap<World, ReadonlyMap<SourceModule, readonly SourceModule[]>>();

/** The files that have one by their imports, through any number of others: any of them may be a test. */
export function importersOf({ world }: Pick<Evaluation, 'world'>, file: string): readonly string[] {
  const importers = importing.get(world) ?? importersIn(world);
  importing.set(world, importers);
  const module = world.modules.get(file);
  const reached = new Set(module === undefined ? [] : importers.get(module));
  for (const each of reached) for (const next of importers.get(each) ?? []) reached.add(next);
  return [...reached].map((each) => each.file);
}

function importersIn(world: World): ReadonlyMap<SourceModule, readonly SourceModule[]> {
  const found = new Map<SourceModule, SourceModule[]>();
  for (const each of world.modules.values())
    for (const imported of specifiersOf(each).flatMap((specifier) => world.resolve(each, specifier) ?? []))
      found.set(imported, [...(found.get(imported) ?? []), each]);
  return found;
}

/** The beginning of the paths in a folder that a configuration names. */
export function folderOf(config: string, inner = '.'): string {
  const root = posix.join(posix.dirname(config), inner);
  return root.replace(/^\.?\/?$|(?<=.)\/$/, '') === '' ? '' : `${root.replace(/\/$/, '')}/`;
}

export type Matcher = (path: string) => boolean;

/**
 * Which paths a pattern of a configuration matches, or any of several.
 * @returns undefined where it is not known
 */
export function matcherOf(pattern: Expression | undefined, at: At): Matcher | undefined {
  if (pattern?.kind === 'string') return globOf(pattern.value.toLowerCase());
  if (pattern?.kind === 'array') {
    const all = pattern.elements.map((each) => (each?.kind === 'spread' ? undefined : matcherOf(each, at)));
    return all.includes(undefined) ? undefined : (path) => all.some((matches) => matches?.(path) === true);
  }
  const [, source, flags] =
    pattern?.kind === 'literal' ? (/^\/(.+)\/(\w*)$/.exec(at.module.text.slice(pattern.start, pattern.end)) ?? []) : [];
  if (source === undefined) return undefined;
  try {
    const regexp = new RegExp(source, flags?.replace('g', ''));
    // Of an absolute path.
    return (path) => regexp.test(`/${path}`);
  } catch {
    return undefined;
  }
}

/**
 * A pattern as minimatch reads it, from any folder, in small letters. Patterns of .gitignore are like these where the last of it is of files: they have
 * neither `@(spec|test)` nor `?(x)`, and what they say of a folder is of all in it.
 */
function globOf(glob: string): Matcher | undefined {
  const plain = glob.replace(/([@?])\(([^()]+)\)/g, (_, sign: string, inner: string) =>
    sign === '?' || inner.includes('|') ? `{${sign === '?' ? ',' : ''}${inner.replaceAll('|', ',')}}` : inner,
  );
  if (!/^(?!\.|\/)[\w\-/*?{},.[\]]+$/.test(plain) || !/(?:^|\/)(?:\*\*|[^/]*\.[^/]*)$/.test(plain)) return undefined;
  const matches = globsOf([plain.startsWith('**/') ? plain : `**/${plain}`]);
  return (path) => matches?.(path.toLowerCase()) === true;
}
