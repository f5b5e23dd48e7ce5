/** The modules that a file names, by its text alone. Cheap and generous: a name too many is looked up and not found. */
import { escaped } from '../words/literals.ts';
import { amdImportsIn } from './amd.ts';
import { importedByName, openImportsIn } from './open-imports.ts';
import { dataFilesIn } from './read-files.ts';

// A comment may stand between: import(/* webpackChunkName: "x" */ './x').
// So may what makes an address of the module: import(new URL('./x', import.meta.url)). A `$` may begin a name, as in Svelte's $lib; with a brace after it, nothing is known.
const specifier =
  /\b(?:from|import|require(?:Actual)?|importActual|importFresh|proxyquire(?:\.\w+)?|esmock(?:\.\w+)?|rewire|createRequire\([^()]*\))\s*(?:<[^>()]*>\s*)?(?:\(\s*)?(?:\/\*[^*]*\*\/\s*)?(?:(?:new\s+URL|import\.meta\.resolve)\(\s*)?(['"`])((?:[^'"`\n$]|\$(?!\{))+)\1/g;

/** What a file imports: for each specifier, as it is in UTF-8, what stands before it where it is no path. What is taken from there is named in it, and more. */
export type NamedImports = ReadonlyMap<string, string>;

/**
 * The modules of `import`, `export … from`, `import()` and `require()`, and JSON that is read as if it were one.
 * @param latin1 a script or component, its bytes read as Latin-1
 */
export function importsIn(latin1: string): NamedImports {
  const found = new Map<string, string>();
  for (const { index, 2: name = '' } of latin1.matchAll(specifier)) {
    const known = found.get(name) ?? '';
    found.set(name, name.startsWith('.') ? known : known + clauseBefore(latin1, index));
  }
  for (const { specifier: file } of [...dataFilesIn(latin1), ...requiredByName(latin1), ...importedByName(latin1)]) found.set(file, '');
  for (const name of [...openImportsIn(latin1), ...amdImportsIn(latin1)]) found.set(name, '');
  // Copied, so that they do not keep the whole text alive.
  return new Map(
    Array.from(found, ([name, clause]) => [Buffer.from(name, 'latin1').toString('utf8'), Buffer.from(clause, 'latin1').toString('latin1')]),
  );
}

/** What is required under another name: `const load = createRequire(import.meta.url); load('./texts.cjs')`. */
export function requiredByName(text: string): { readonly start: number; readonly specifier: string }[] {
  if (!text.includes('createRequire(')) return [];
  const names = new Set(Array.from(text.matchAll(named), ([, name = '']) => name));
  return [...names].flatMap((name) => {
    const call = String.raw`(?<![\w$.])${escaped(name)}\(\s*`;
    const found = text.matchAll(new RegExp(`${call}(['"])([^'"\\n]+)\\1`, 'g'));
    return Array.from(found, ({ index: start, 2: file = '' }) => ({ start, specifier: file }));
  });
}

const named = /\b(?:const|let|var)\s+(?!require\b)([\w$]+)\s*=\s*(?:\w+\.)?createRequire\(/g;

/** Whether a file loads others whose names only the program knows: `import(`./jobs/${name}`)`, `import.meta.glob('./jobs/*.ts')`. */
export const loadsAny = (text: string): boolean => open.test(text);
const open =
  /\b(?:import|require)\(\s*(?:\/\*[^*]*\*\/\s*)?(?:[^\s/'"`)]|`[^`]*\$\{|(?:'[^'\n]*'|"[^"\n]*")\s*\+)|\bimport\.meta\.glob|\brequire\.context\(/;

/** Module specifiers alone, each once. */
export const specifiersIn = (latin1: string): string[] => [...importsIn(latin1).keys()];

/** Back to the statement or text before it: neither is part of what an import takes. */
function clauseBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && !ends.has(text.charCodeAt(start - 1))) start -= 1;
  return text.slice(start, end);
}

const ends: ReadonlySet<number> = new Set(Array.from(`;'"\``, (character) => character.charCodeAt(0)));
