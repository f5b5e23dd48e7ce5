/** The packages of a tree of files. */
import { basename } from 'node:path/posix';

/**
 * Tells the folder of the package.json that a file belongs to: the nearest above it, or the only one there is, as where nginx.conf stands beside `web/`.
 * @param files all files
 */
export function projectsIn(files: readonly { readonly path: string }[]): (file: string) => string {
  const roots = new Set(files.flatMap(({ path }) => (basename(path) === 'package.json' ? path.slice(0, -'package.json'.length) : [])));
  const [only = ''] = roots.size === 1 ? roots : [];
  return (file) => {
    for (let folder = file; folder !== '';) {
      folder = folder.replace(/[^/]*\/?$/, '');
      if (roots.has(folder)) return folder;
    }
    return only;
  };
}

/** Tells whether two files are of one package, or of one that stands in the other's folder: what a workspace has at its root is of all in it. */
export function nestedIn(files: readonly { readonly path: string }[]): (one: string, other: string) => boolean {
  const projectOf = projectsIn(files);
  return (one, other) => {
    const [a, b] = [projectOf(one), projectOf(other)];
    return a.startsWith(b) || b.startsWith(a);
  };
}
