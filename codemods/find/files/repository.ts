/** Where a git repository begins and which files it excludes besides its .gitignore files; read from its folder, git itself need not be there. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * The root of the work tree that holds a folder.
 * @param folder absolute
 * @returns undefined outside of any
 */
export function repositoryRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** The text of a repository's `info/exclude`, which applies like a .gitignore at its root. */
export function excludeText(root: string): string | undefined {
  const folder = commonFolder(join(root, '.git'));
  return folder === undefined ? undefined : readIfThere(join(folder, 'info', 'exclude'));
}

/** A work tree or submodule has a file in place of the folder, which names it (gitrepository-layout). */
function commonFolder(dotGit: string): string | undefined {
  if (statSync(dotGit, { throwIfNoEntry: false })?.isDirectory() === true) return dotGit;
  const [, named] = /^gitdir: (.*)/.exec(readIfThere(dotGit) ?? '') ?? [];
  if (named === undefined) return undefined;
  const folder = resolve(dirname(dotGit), named);
  const common = readIfThere(join(folder, 'commondir'));
  return common === undefined ? folder : resolve(folder, common.trim());
}

/** The text of a file that may be absent or unreadable: then it has no say. */
export function readIfThere(path: string): string | undefined {
  // Most are absent, and an exception costs more than to ask.
  if (!existsSync(path)) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Escapes keep what would begin a comment in a regular expression: `/^~lib\//`. */
const textOrComment = /(['"`])(?:\\[^]|(?!\1)[^\\\n])*\1|\\.|\/\/[^\n]*|\/\*[^]*?\*\//g;

/** Code without its comments. */
export const withoutComments = (code: string): string => code.replaceAll(textOrComment, (found) => (found.startsWith('/') ? '' : found));

/** The texts of those files of a folder whose names match. */
export function textsIn(folder: string, names: RegExp): string[] {
  try {
    return readdirSync(folder).flatMap((name) => (names.test(name) ? (readIfThere(join(folder, name)) ?? []) : []));
  } catch {
    return [];
  }
}
