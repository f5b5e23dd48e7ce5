/** Files that a script has a container load by patterns: `container.loadModules(['services/*.js'], { cwd: __dirname })`. */
import { posix } from 'node:path';
import { globsOf } from '../files/globs.ts';
import type { Scan } from '../scan.ts';
import { startedIn } from './open-imports.ts';
import { constantOf, partsAt, pathOf } from './written-paths.ts';

/** A pattern, and whether it is below the folder of the script, or that where the program is started. */
interface Pattern {
  readonly name: string;
  readonly from: 'script' | 'program';
}

export interface Patterns {
  readonly found: readonly Pattern[];
  /** Whether all that the script loads so is written there. */
  readonly isWhole: boolean;
}

const loading = /\bload(?:Modules|Controllers)\(/g;

/** The patterns that a script hands to what loads by such. */
export function patternsIn(script: string): Patterns {
  const text = uncommented(script);
  const found = Array.from(text.matchAll(loading)).flatMap(({ index, 0: call }) => {
    const [list = '', options = ''] = partsAt(text, index + call.length, ',');
    return itemsOf(list, text).map((each) => patternOf(each, options, text));
  });
  const known = found.filter((each) => each !== undefined);
  return { found: known, isWhole: known.length === found.length };
}

/** `['services/*.js', ['stores/*.js', Lifetime.SINGLETON]]`, also by a name: what is a pattern, or is made into one. */
function itemsOf(list: string, text: string): readonly string[] {
  const written = list.startsWith('[') ? list : (constantOf(list, text) ?? list);
  if (!written.startsWith('[')) return [written];
  return partsAt(written, 1, ',').map((each) => (each.startsWith('[') ? (partsAt(each, 1, ',')[0] ?? '') : each));
}

/** What a matcher of paths reads otherwise, or not at all. */
const unread = /[!()[\]?]/;

function patternOf(written: string, options: string, text: string): Pattern | undefined {
  const path = pathOf(written, text);
  const cwd = options === '' || path.from === 'script' ? undefined : cwdOf(options, text);
  const below = cwd === undefined ? undefined : pathOf(cwd, text);
  if (path.isOpen || below?.isOpen === true || unread.test(path.name)) return undefined;
  return { from: below?.from ?? path.from, name: posix.join(below?.name ?? '.', path.name) };
}

/** @returns undefined where the options are known to say none: it is where the program is started */
function cwdOf(options: string, text: string): string | undefined {
  const written = options.startsWith('{') ? options : (constantOf(options, text) ?? '');
  if (!written.startsWith('{')) return options;
  const parts = partsAt(written, 1, ',');
  const said = parts.find((each) => /^(?:cwd\b|\.\.\.)/.test(each));
  return said?.replace(/^cwd\s*:\s*/, '');
}

/** A `//` or `/*` in a text is none. */
const uncommented = (script: string): string =>
  script.replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`|\/\/[^\n]*|\/\*[^]*?\*\//g, (each) =>
    each.startsWith('/') ? '' : each,
  );

/**
 * @param loaders how packages are imported that load so
 * @returns for each script that imports one the files that its patterns mean
 */
export function loadedByPatterns(
  { specifiers, modules }: Pick<Scan, 'specifiers' | 'modules'>,
  loaders: readonly RegExp[],
  read: (file: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [file, names] of specifiers) {
    if (!names.some((name) => loaders.some((loader) => loader.test(name)))) continue;
    const globs = patternsIn(read(file)).found.map((pattern) => globOf(file, pattern, modules));
    const isMeant = globsOf(globs);
    if (isMeant !== undefined)
      found.set(
        file,
        [...modules].filter((module) => module !== file && isMeant(module)),
      );
  }
  return found;
}

/** TypeScript names the files that it becomes. */
function globOf(file: string, { name, from }: Pattern, modules: ReadonlySet<string>): string {
  const path = posix.join(from === 'script' ? posix.dirname(file) : startedIn(file, modules), name);
  return `/${/\.[cm]?tsx?$/.test(file) ? path.replace(/\.([cm]?)js$/, '.$1{js,ts}') : path}`;
}
