/** Files that a script has a package load by their folder: `register(autoload, { dir: join(__dirname, 'plugins') })`. */
import { posix } from 'node:path';
import type { Scan } from './scan.ts';

/** `join(__dirname, 'src', 'plugins')`, `${__dirname}/plugins`, `__dirname + '/plugins'`, `new URL('plugins', import.meta.url)`. */
const folder = /(?:\b(?:join|resolve)\(\s*[\w.]+\s*,|dirname\}|dirname\s*\+|\bURL\()\s*(?<texts>(?:['"`]?[\w./-]+['"`]\s*,?\s*)+)/g;

/**
 * @param loaders how such packages are imported
 * @returns for each script that imports one the files in the folders that it names
 */
export function loadedFolders(
  { specifiers, modules }: Pick<Scan, 'specifiers' | 'modules'>,
  loaders: readonly RegExp[],
  read: (file: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const loading = [...specifiers].filter(([, names]) => names.some((name) => loaders.some((loader) => loader.test(name))));
  return new Map(
    loading.map(([file]) => {
      const folders = Array.from(read(file).matchAll(folder), ({ groups }) => {
        const parts = (groups?.['texts'] ?? '').match(/[\w./-]+/g) ?? [];
        return `${posix.join(posix.dirname(file), ...parts)}/`;
      });
      return [file, [...modules].filter((module) => module !== file && folders.some((each) => module.startsWith(each)))];
    }),
  );
}
