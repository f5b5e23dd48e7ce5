/**
 * Modules of which a program writes only a part of the name, as settings for each environment are loaded: `require('./' + env + '.json')`,
 * `require(`./env/${name}`)`. All files that it may mean are those that there are.
 */
import { posix } from 'node:path';
import { escaped } from './literals.ts';
import { specifierOf } from './stand-ins.ts';

const put = String.raw`[\w.$\s]+(?:\|\|\s*['"]\w+['"]\s*)?`;
const written = String.raw`(?<before>\.{1,2}/[\w./-]*)`;
const opening = new RegExp(
  [
    String.raw`\brequire\(\s*(?:['"]${written}['"]\s*\+\s*(?:\(${put}\)\s*|${put})(?:\+\s*['"](?<behind>[\w./-]+)['"]\s*)?\)`,
    String.raw`${'`'}${written.replace('before', 'begin')}\$\{[^{}${'`'}]*\}(?<end>[\w./-]*)${'`'}\s*\))`,
  ].join('|'),
  'g',
);

/** @returns what they are called, with `*` for what is not written */
export function openImportsIn(script: string): string[] {
  if (!script.includes('require(')) return [];
  return Array.from(
    script.matchAll(opening),
    ({ groups: { before, behind, begin, end } = {} }) => `${before ?? begin ?? ''}*${behind ?? end ?? ''}`,
  );
}

/** Of more than these nobody says that they are the same thing for several environments. */
const maxFiles = 12;

/** @returns how the file imports each of those that a specifier may mean */
export const namesOf = (from: string, name: string, files: Iterable<string>): string[] =>
  name.includes('*') ? openedBy(from, name, files).map((file) => specifierOf(from, file)) : [name];

/** @returns the files that such a name may mean; none where it means none, or too many */
function openedBy(from: string, name: string, files: Iterable<string>): string[] {
  const [before = '', behind = ''] = posix.join(posix.dirname(from), name).split('*');
  const rest = new RegExp(`^[^/]+?${escaped(behind)}(?:\\.(?:[cm]?[jt]s|json)|/index\\.[cm]?[jt]s)?$`);
  const found = [...files].filter((file) => file !== from && file.startsWith(before) && rest.test(file.slice(before.length)));
  return found.length > maxFiles ? [] : found;
}
