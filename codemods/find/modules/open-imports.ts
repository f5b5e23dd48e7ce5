/**
 * Modules of which a program writes only a part of the name, as settings for each environment are loaded: `require('./' + env + '.json')`,
 * `require(`./env/${name}`)`. All files that it may mean are those that there are.
 */
import { posix } from 'node:path';
import { escaped } from '../words/literals.ts';
import { specifierOf } from '../packages/stand-ins.ts';

const put = String.raw`[\w.$\s]+(?:\|\|\s*['"]\w+['"]\s*)?`;
const written = String.raw`(?<before>\.{1,2}/[\w./-]*)`;
const opening = new RegExp(
  [
    String.raw`\b(?:require|import)\(\s*(?:['"]${written}['"]\s*\+\s*(?:\(${put}\)\s*|${put})(?:\+\s*['"](?<behind>[\w./-]+)['"]\s*)?\)`,
    String.raw`${'`'}${written.replace('before', 'begin')}\$\{[^{}${'`'}]*\}(?<end>[\w./-]*)${'`'}\s*\))`,
  ].join('|'),
  'g',
);

/** What builds load by a pattern, and programs for each file of a folder: `import.meta.glob('./jobs/*.js')`, `require.context('./jobs')`, `require(join(__dirname, 'jobs', file))`. */
const loading = new RegExp(
  [
    String.raw`\bimport\.meta\.glob(?:Eager)?(?:<[^()]*>)?\(\s*\[?\s*['"](?<pattern>\.{1,2}/[\w./-]*\*[\w.-]*)['"]`,
    String.raw`\brequire\.context\(\s*['"](?<context>\.{1,2}(?:/[\w./-]*)?)['"](?<deep>\s*,\s*true)?`,
    String.raw`\b(?:require|import)\(\s*(?:\w+\.)?\w+\(\s*[\w.]*dirname\s*,\s*(?<parts>(?:['"][\w./-]+['"]\s*,\s*)*)[\w.]+\s*\)`,
  ].join('|'),
  'g',
);

function loadedIn(script: string): string[] {
  if (!/import\.meta\.glob|require\.context|dirname/.test(script)) return [];
  return Array.from(script.matchAll(loading), ({ groups: { pattern, context, deep, parts } = {} }) => {
    const folder = context ?? ['.', ...((parts ?? '').match(/[\w./-]+/g) ?? [])].join('/');
    return pattern ?? `${folder.replace(/\/$/, '')}/${deep === undefined ? '' : '**/'}*`;
  });
}

/** @returns what they are called, with `*` for what is not written */
export function openImportsIn(script: string): string[] {
  if (!/\b(?:require|import)\b/.test(script)) return [];
  const opened = Array.from(
    script.matchAll(opening),
    ({ groups: { before, behind, begin, end } = {} }) => `${before ?? begin ?? ''}*${behind ?? end ?? ''}`,
  );
  return [...opened, ...loadedIn(script)];
}

/** What a script may import by a name, which is any file that it names: `const path = './texts.js'; await import(path)`, `['./a.js', './b.js'].map((each) => import(each))`. */
export function importedByName(script: string): { readonly start: number; readonly specifier: string }[] {
  const places = Array.from(script.matchAll(/\bimport\(\s*[\w$.]+\s*[,)]/g), ({ index }) => index);
  if (places.length === 0) return [];
  const named = new Set(Array.from(script.matchAll(/(['"`])(\.{1,2}\/[\w./-]+\.[cm]?[jt]sx?)\1/g), ([, , name = '']) => name));
  return places.flatMap((start) => [...named].map((specifier) => ({ start, specifier })));
}

/** Where a program is started: as a rule where its `package.json` is. */
export const started = 'cwd:';

/** Of more than these nobody says that they are the same thing for several environments. */
const maxFiles = 12;

/** @returns how the file imports each of those that a specifier may mean */
export const namesOf = (from: string, name: string, files: Iterable<string>): string[] =>
  name.includes('*') ? openedBy(from, name, files).map((file) => specifierOf(from, file)) : [name];

/** @returns the files that such a name may mean; none where it means none, or too many */
export function openedBy(from: string, name: string, files: Iterable<string>): string[] {
  const isDeep = name.includes('**/');
  const all = [...files];
  const folder = name.startsWith(started) ? startedIn(from, new Set(all)) : posix.dirname(from);
  const [before = '', behind = ''] = posix.join(folder, name.replace(started, '').replace('**/', '')).split('*');
  const rest = new RegExp(`^${isDeep ? '.' : '[^/]'}+?${escaped(behind)}(?:\\.(?:[cm]?[jt]s|json)|/index\\.[cm]?[jt]s)?$`);
  const found = all.filter((file) => file !== from && file.startsWith(before) && rest.test(file.slice(before.length)));
  return found.length > maxFiles ? [] : found;
}

/** The nearest folder above a file that has a package. */
export function startedIn(from: string, files: ReadonlySet<string>): string {
  const folder = posix.dirname(from);
  return folder === posix.dirname(folder) || files.has(posix.join(folder, 'package.json')) ? folder : startedIn(folder, files);
}
