/** Files that a script has a package load by their folder: `register(autoload, { dir: join(__dirname, 'plugins') })`. */
import { posix } from 'node:path';
import type { Scan } from '../scan.ts';

/** What a registration goes on with; what other calls name is not loaded. */
const ofLoader = /^[^,{]{0,80}auto-?load/i;
/** What leaves out some files of a folder. */
const leavingOut = /\b(?:ignorePattern|ignoreFilter|matchFilter|maxDepth)\b/;

/** `join(__dirname, 'src', 'plugins')`, `${__dirname}/plugins`, `__dirname + '/plugins'`, `new URL('plugins', import.meta.url)`. */
const start = /(?:(?:\w+\.)?(?:join|resolve)\(\s*[\w.]*dirname\s*,|`\$\{[\w.]*dirname\}|[\w.]*dirname\s*\+|(?:[\w.]+\()?new URL\()/;
/** A folder that goes on with what only the program knows is another. */
const texts = /\s*(?<texts>(?:['"`]?[\w./-]+['"`]\s*(?:,\s*)?)+)(?!\s*(?:[+,]|(?!import\.meta)[\w.]+\s*[,)(]))/;
const folder = new RegExp(`\\bdir:\\s*${start.source}${texts.source}`);

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
      const folders = read(file)
        .split(/\bregister\(/)
        .flatMap((options) => {
          const isWhole = ofLoader.test(options) && !leavingOut.test(options);
          const found = isWhole ? folder.exec(options.slice(0, /\}\s*\)/.exec(options)?.index))?.groups?.['texts'] : undefined;
          return found === undefined ? [] : [`${posix.join(posix.dirname(file), ...(found.match(/[\w./-]+/g) ?? []))}/`];
        });
      return [file, [...modules].filter((module) => module !== file && folders.some((each) => module.startsWith(each)))];
    }),
  );
}
