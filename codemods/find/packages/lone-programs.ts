/** Programs in whose process no other file of the project runs: what one does to a library is done to nobody else. */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import type { Scan } from '../scan.ts';

/** Of Node's own modules, those that run files. */
const running = /^(?:node:)?(?:module|repl|vm)$/;

/**
 * What scripts have beside their client, and what loads no file of the project. Anything else may: command lines load their commands and servers
 * their routes by the names of folders, and a package of the same repository is no file of it that is seen.
 */
const inert: ReadonlySet<string> = new Set(
  'chalk commander csv-parse csv-parse/sync date-fns dayjs dotenv dotenv/config minimist p-limit p-map zod'.split(' '),
);

/** `"sync": "node --env-file=.env scripts/sync.js contacts"`; what `--require` names runs in the process of another. */
const start =
  /(?<=["\s])(?:node|tsx|ts-node|bun)\s+(?:--(?!require|import|loader)[\w-]+(?:=[^\s"]+)?\s+)*(?:\.\/)?(?<file>[\w./-]+\.[cm]?[jt]s)(?=["\s;&|])/g;

/**
 * Tells which files are programs by their first line or by a command of a manifest, import no file of the project, and are imported by none.
 * @param manifests the paths of `package.json` files
 * @param imports the files of the project that each imports, and by which each is imported
 * @param clients packages of HTTP clients
 */
export function lonePrograms(
  { specifiers, loadsAny }: Pick<Scan, 'specifiers' | 'loadsAny'>,
  imports: Readonly<Record<'of' | 'by', ReadonlyMap<string, readonly string[]>>>,
  manifests: readonly string[],
  clients: ReadonlySet<string>,
  read: (file: string) => string,
): (file: string) => boolean {
  const started = new Set(
    manifests.flatMap((manifest) =>
      Array.from(read(manifest).matchAll(start), ({ groups }) => posix.join(posix.dirname(manifest), groups?.['file'] ?? '')),
    ),
  );
  const loadsNone = (name: string): boolean => clients.has(name) || inert.has(name) || (isBuiltin(name) && !running.test(name));
  return (file) =>
    !loadsAny &&
    (started.has(file) || read(file).startsWith('#!')) &&
    [imports.of, imports.by].every((files) => (files.get(file)?.length ?? 0) === 0) &&
    (specifiers.get(file) ?? []).every(loadsNone) &&
    !/\bexports\b|^export\b/m.test(read(file));
}
