/**
 * Examples of settings that a recipe copies for another program, `cp .env.example ../legacy/.env`: that would be given v2's address with the key in v1's header.
 * The copy beside the example, and one for another package of the project, is read by what moves with it.
 */
import { posix } from 'node:path';
import { escaped } from '../../find/words/literals.ts';
import type { Walk } from '../../find/walk.ts';
import { memo } from '../../once.ts';
import type { IsMadeHere } from '../../run/made-images.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { VariableUse } from '../../uses-between-components.ts';
import type { IsOpen } from '../../verdict/directive-comments.ts';
import { foldersAbove, isAround } from './other-copies.ts';
import { isBehindMark, withoutComments } from './foreign-readers.ts';

interface Around {
  readonly textIn: (file: string) => string;
  readonly isOpen: IsOpen;
  readonly isMadeHere: IsMadeHere;
}

const example = /(?:^|\.)env\..*(?:example|sample|template|dist|defaults?)|(?:example|sample|template)\.env$/;

/** What people make of an example of settings, where that stands in none of the files: `.env` of `.env.example`. */
export const copyOfEnvExample = (file: string): string | undefined =>
  example.test(posix.basename(file))
    ? posix.join(
        posix.dirname(file),
        posix.basename(file).replace(/[._-](?:example|sample|template|dist|defaults?)\b|^(?:example|sample|template)(?=\.)/, ''),
      )
    : undefined;

/**
 * @param changed where files set variables whose value is to change
 * @returns the first such place of each file, for each of the variables
 */
export function envExampleCopiesIn(
  { files, others }: Pick<Walk, 'files' | 'others'>,
  changed: readonly Pick<VariableUse, 'file' | 'name'>[],
  { textIn, isOpen, isMadeHere }: Around,
): VariableUse[] {
  const examples = Map.groupBy(
    changed.filter(({ file }) => example.test(posix.basename(file))),
    ({ file }) => file,
  );
  if (examples.size === 0) return [];
  const all = [...files.map(({ path }) => path), ...others];
  const isOthers = memo((folder: string) => isOfOtherLanguage(folder, all));
  const isKnown = memo((folder: string) => all.some((path) => `/${path}`.startsWith(`/${folder}/`)));
  return all.filter(mayCopy).flatMap((file) => {
    const text = textIn(file);
    return [...examples].flatMap(([path, set]) => {
      const own = posix.basename(path);
      if (!text.includes(own)) return [];
      const code = withoutComments(text, file);
      const mentions = code.matchAll(new RegExp(String.raw`(?<folder>[^\s'"\x60=:,()]*/)?(?<![\w-])${escaped(own)}(?![\w.-])`, 'g'));
      const at = Array.from(mentions, ({ index, 0: all, groups }) => ({
        index: index + all.length - own.length,
        folder: groups?.['folder'] ?? '',
      })).find(
        ({ index, folder }) =>
          isThat(`${folder}${own}`, file, path) &&
          !isBehindMark(code, index) &&
          (goesElsewhere(code, index, { file, path, own, isOthers, isKnown }) || isInOtherImage(code, index, file, isMadeHere)),
      );
      if (at === undefined) return [];
      const [start, end] = [at.index, at.index + own.length];
      if (!isOpen({ file, start, end })) return [];
      const names = new Set(set.map(({ name }) => name));
      return [...names].map((name) => ({
        file,
        start,
        end,
        ...positionsOf(text)(start),
        name,
        group: undefined,
        needsValue: true as const,
      }));
    });
  });
}

/** Whether a recipe means the example by a path, from some folder around it; of one that is put together, whether it stands around. */
const isThat = (mention: string, file: string, path: string): boolean =>
  /[$%~{}]|^\//.test(mention) ? isAround(file, path) : foldersAbove(file).some((folder) => posix.join(folder, mention) === path);

const isImageRecipe = /(?:^|\/)(?:[\w-]+\.)?(?:Docker|Container)file(?:\.[\w-]+)?$|\.dockerfile$/i;
const mayCopy = (file: string): boolean => !/\.(?:md|mdx|rst|txt|adoc|lock)$/i.test(file);
const copying = /\b(?:cp|copy|xcopy|scp|rsync|install|ln)\s[^\n]*$/;
const copyCall = /\b(?:cp|copy\w*)\([^;\n]*$/i;
/** What a path is put together of that leads to the folder of the program, or of the script itself. */
const leadsHere =
  /\b(?:path|join|resolve|__dirname|process|cwd|root\w*|import|meta|dirname|url|new|URL|fileURLToPath|base(?:Dir|name)?)\b/gi;

interface Copied {
  /** The recipe. */
  readonly file: string;
  /** The example, and its name alone. */
  readonly path: string;
  readonly own: string;
  /** Whether a folder has a program in another language. */
  readonly isOthers: (folder: string) => boolean;
  /** Whether any file of the project is below a folder. */
  readonly isKnown: (folder: string) => boolean;
}

/** Whether a line copies it to where another program is. */
function goesElsewhere(code: string, at: number, copied: Copied): boolean {
  const lineStart = code.lastIndexOf('\n', at) + 1;
  const before = code.slice(lineStart, at);
  const [behind = ''] = code.slice(at + copied.own.length).split('\n', 1);
  if (isImageRecipe.test(copied.file)) return false;
  if (copyCall.test(before)) {
    const target = /^['"`]\s*\)*\s*,\s*(.*)$/.exec(behind)?.[1] ?? '';
    const texts = Array.from(target.matchAll(/(['"`])([^'"`]*)\1/g), ([, , text = '']) => text);
    const rest = target.replaceAll(/(['"`])[^'"`]*\1/g, '').replaceAll(leadsHere, '');
    const first = rest.replace(/\)\s*(?:;.*)?$/s, '');
    if (texts.length === 0 || !texts.some((text) => /env/.test(text))) return false;
    return /[A-Za-z_$]/.test(first.split(/\)\s*[,;]/)[0] ?? '') || isElsewhere(texts.join('/'), copied);
  }
  const [command = ''] = behind.split(/&&|[;|]/);
  if (!copying.test(before.split(/&&|[;|]/).at(-1) ?? '') && !command.includes('>')) return false;
  const target = (command.match(/[^\s'"`;|&(){}<>,]+/g) ?? []).findLast((word) => /\.\w+$|\/$|:/.test(word));
  return target !== undefined && isElsewhere(target, copied);
}

/** Whether a path is on another machine, outside of the project, or in a folder of it with a program in another language. */
function isElsewhere(target: string, { file, path, isOthers, isKnown }: Copied): boolean {
  if (/^[^/]+:(?!\\)/.test(target)) return true;
  if (/^[/$%~]/.test(target)) return false;
  const folderOf = (from: string): string => posix.dirname(posix.join(from, target.endsWith('/') ? `${target}x` : target));
  // A recipe is started in its own folder, or where the example is.
  const folders = [folderOf(posix.dirname(path)), folderOf(posix.dirname(file))];
  const own = posix.dirname(path);
  if (folders.includes(own)) return false;
  const isBelow = (folder: string): boolean => (own === '.' ? !/^\.\.(?:\/|$)/.test(folder) : folder.startsWith(`${own}/`));
  return folders.every((folder) => !isBelow(folder) && !isKnown(folder)) || folders.some(isOthers);
}

const manifests =
  /^(?:composer\.json|Gemfile|pyproject\.toml|requirements\.txt|setup\.py|Pipfile|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|mix\.exs|.*\.(?:csproj|fsproj))$/;

/** Whether a folder is that of a program in another language, and none of JavaScript. */
function isOfOtherLanguage(folder: string, all: readonly string[]): boolean {
  const names = all.flatMap((path) => (posix.dirname(path) === folder ? posix.basename(path) : []));
  return folder !== '.' && names.some((name) => manifests.test(name)) && !names.includes('package.json');
}

/** `FROM acme/agent` and `COPY .env.example /app/.env`, where nothing of the project is run in the image. */
function isInOtherImage(code: string, at: number, file: string, isMadeHere: IsMadeHere): boolean {
  if (!isImageRecipe.test(file)) return false;
  const begin = code.slice(0, at).search(/^FROM\s(?![^]*^FROM\s)/im);
  const stage = code.slice(begin === -1 ? 0 : begin).split(/\n(?=FROM\s)/i)[0] ?? '';
  const image = /^FROM\s+(?:--\S+\s+)*(\S+)/i.exec(stage)?.[1];
  const isCopied = /^(?:COPY|ADD)\s/im.test(code.slice(code.lastIndexOf('\n', at) + 1, at));
  const runsOwn = /^(?:COPY|ADD)\s+(?:--\S+\s+)*\.\/?\s|^(?:RUN|CMD|ENTRYPOINT)\b.*\b(?:node|npm|npx|yarn|pnpm|bun|deno)\b/im.test(stage);
  return image !== undefined && isCopied && !runsOwn && isMadeHere(image) !== true;
}
