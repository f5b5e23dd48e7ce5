/** Recipes that are read as one with those of other files: `include common.mk` of Make, `import 'common.just'` of just. What one of them sets, all have. */
import { basename } from 'node:path/posix';
import type { Script } from './sourced.ts';

const including = /^[ \t]*(?:[-s]?include|import\??)[ \t]+(?<paths>[^\n#]+)/gm;

/** The names of the files that a file includes. */
const includedBy = (text: string): readonly string[] =>
  Array.from(text.matchAll(including), ({ groups }) => (groups?.['paths'] ?? '').trim().split(/\s+/)).flatMap((paths) =>
    paths.map((path) => basename(path.replaceAll(/["']/g, ''))),
  );

/** A name that is put together may be any. */
const isMeant = (name: string, file: string): boolean => name === basename(file) || (/[$*%]/.test(name) && /\.(?:mk|just)$/.test(file));

const includes = ({ names }: { readonly names: readonly string[] }, file: string): boolean => names.some((name) => isMeant(name, file));

/**
 * @param others files of its kind
 * @returns what those that are read as one are called, by one of them; undefined where it is read alone
 */
export function groupOf(own: Script, others: readonly Script[]): string | undefined {
  const files = others.map((script) => ({ ...script, names: includedBy(script.text) }));
  const group = new Map([[own.file, { ...own, names: includedBy(own.text) }]]);
  // Whoever is found may have more.
  for (const found of group.values())
    for (const other of files)
      if (!group.has(other.file) && (includes(found, other.file) || includes(other, found.file))) group.set(other.file, other);
  return group.size === 1 ? undefined : [...group.keys()].toSorted()[0]?.replaceAll(/[^\w-]+/g, '-');
}
