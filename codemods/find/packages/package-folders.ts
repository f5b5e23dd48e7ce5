/** Which package a file belongs to, by where the manifests lie. */
import { posix } from 'node:path';
import type { FoundFile } from '../walk.ts';

/** The folder of the package that is around a file, with a slash at its end: that of the nearest `package.json` above it, or '' where there is none. */
export function packageFolders(files: readonly FoundFile[]): (place: { readonly file: string }) => string {
  const roots = new Set(
    files.flatMap(({ path }) => (posix.basename(path) === 'package.json' ? path.slice(0, -'package.json'.length) : [])),
  );
  return ({ file }) => foldersAbove(file).find((folder) => roots.has(folder)) ?? '';
}

/** The nearest first, and '' for all last. */
export function foldersAbove(file: string): string[] {
  const folders: string[] = [];
  for (let folder = file; folder !== ''; folders.push(folder)) folder = folder.replace(/[^/]*\/?$/, '');
  return folders;
}
