/** Programs in whose process no other file of the project runs: what one does to a library is done to nobody else. */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import type { Scan } from '../scan.ts';

/** Of Node's own modules, those that run files. */
const running = /^(?:node:)?(?:module|repl|vm)$/;

/** `"sync": "node --env-file=.env scripts/sync.js contacts"`; what `--require` names runs in the process of another. */
const start =
  /(?<=["\s])(?:node|tsx|ts-node|bun)\s+(?:--(?!require|import|loader)[\w-]+(?:=[^\s"]+)?\s+)*(?:\.\/)?(?<file>[\w./-]+\.[cm]?[jt]s)(?=["\s;&|])/g;

/**
 * Tells which files are programs by their first line or by a command of a manifest, import no file of the project, and are imported by none.
 * @param manifests the paths of `package.json` files
 * @param imports the files of the project that each imports, and by which each is imported
 * @param inert whether a package is known to load no file of the project
 */
export function lonePrograms(
  { specifiers, loadsAny }: Pick<Scan, 'specifiers' | 'loadsAny'>,
  imports: Readonly<Record<'of' | 'by', ReadonlyMap<string, readonly string[]>>>,
  manifests: readonly string[],
  inert: (name: string) => boolean,
  read: (file: string) => string,
): (file: string) => boolean {
  const started = new Set(
    manifests.flatMap((manifest) =>
      Array.from(read(manifest).matchAll(start), ({ groups }) => posix.join(posix.dirname(manifest), groups?.['file'] ?? '')),
    ),
  );
  const loadsNone = (name: string): boolean => inert(name) || (isBuiltin(name) && !running.test(name));
  return (file) =>
    !loadsAny &&
    (started.has(file) || read(file).startsWith('#!')) &&
    [imports.of, imports.by].every((files) => (files.get(file)?.length ?? 0) === 0) &&
    (specifiers.get(file) ?? []).every(loadsNone) &&
    !/\bexports\b|^export\b/m.test(read(file));
}
