/** Which files packages offer to others: what these export may be used by code that is not among the files. */
import { dirname, join } from 'node:path';
import { packageIn, type Package } from '../packages/packages.ts';
import { table } from '../files/json.ts';
import type { Resolve } from './resolver.ts';

/**
 * @param cwd absolute
 * @returns whether a file, by its path relative to `cwd`, is what others get who import its package
 */
export function entriesIn(cwd: string, resolve: Resolve): (file: string) => boolean {
  return (file) => {
    const owner = ownerOf(join(cwd, file), cwd);
    const { name } = owner ?? {};
    return owner !== undefined && name !== undefined && offeredBy(owner).some((subpath) => resolve(file, name + subpath) === file);
  };
}

function ownerOf(path: string, cwd: string): Package | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = packageIn(folder);
    if (found !== undefined || folder === cwd || dirname(folder) === folder) return found;
  }
}

/** What comes after the name of a package in what others import of it. An application has none of that. */
function offeredBy({ manifest }: Package): string[] {
  const subpaths = Object.keys(table(manifest['exports']) ?? {}).filter((key) => key.startsWith('.'));
  if (subpaths.length > 0) return subpaths.map((key) => key.slice(1));
  const isOffered = ['exports', 'main', 'module', 'types'].some((field) => manifest[field] !== undefined);
  return isOffered || manifest['private'] !== true ? [''] : [];
}
