/** What the words of the command line and `--explain` name on the disk. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isTest } from '../../../codemods/evaluate/libraries/test-files.ts';
import type { Line } from '../../../codemods/report/explain.ts';
import { ConfigError } from '../../config/errors.ts';
import { commands } from '../../config/setting.ts';
import { didYouMean } from '../../config/suggest.ts';
import { packageJson } from '../package-json.ts';

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The default command is never called by its name. */
const named = commands.filter((command) => command !== 'migrate');

/**
 * @param paths absolute; undefined for none given
 * @returns the paths, all of them there
 * @throws ConfigError for the first that is not; a word that may be a mistyped command says so
 */
export async function checkedPaths(paths: readonly string[] | undefined, cwd: string): Promise<readonly string[]> {
  for (const path of paths ?? []) {
    if (await isThere(path)) continue;
    const word = relative(cwd, path);
    throw new ConfigError({ code: 'CONFIG_UNKNOWN', key: word, problem: missing(word) });
  }
  return paths ?? [cwd];
}

function missing(word: string): string {
  if (!/^[\w-]+$/.test(word)) return 'no such file or folder';
  const suggestion = didYouMean(word, named);
  return suggestion === ''
    ? `no such file or folder, and no such command; ${packageJson.name} --help lists them`
    : `no such command${suggestion}`;
}

/**
 * The folder that a run counts its files from: the working directory, but for a project that is given alone and lies below a folder that is called as those of tests
 * are. By their paths from the working directory all of its files would count as tests.
 * @param paths absolute
 */
export async function rootOf(paths: readonly string[], cwd: string): Promise<string> {
  const [project, ...more] = paths;
  if (project === undefined || more.length > 0 || !(await isThere(join(project, 'package.json')))) return cwd;
  return isTest({ file: `${relative(cwd, project).replaceAll(sep, '/')}/index` }) ? project : cwd;
}

const isWithin = (folder: string, path: string): boolean => {
  const between = relative(folder, path);
  return between === '' || (!isAbsolute(between) && between !== '..' && !between.startsWith(`..${sep}`));
};

/**
 * Whether a patch can be applied in the working directory: git takes none for what lies outside of it.
 * @throws ConfigError for the first path that does, wherever links lead
 */
export async function requireWithin(cwd: string, paths: readonly string[]): Promise<void> {
  const here = await realpath(cwd);
  for (const path of paths) {
    const real = await realpath(path);
    if (isWithin(here, real)) continue;
    const problem = `${relative(here, real)} lies outside of the working directory, and git apply takes no patch for it; run in a folder that holds all paths`;
    throw new ConfigError({ code: 'CONFIG_CONFLICT', key: '--diff', problem });
  }
}

/**
 * Reads what a flag is given that names a place.
 * @param flag as it is written
 * @param paths absolute: what is looked at
 * @param root what files are counted from
 * @throws ConfigError where it is not FILE:LINE, or no file that is looked at
 */
export async function givenLine(flag: string, given: string, paths: readonly string[], cwd: string, root = cwd): Promise<Line> {
  const fail = (problem: string): ConfigError => new ConfigError({ code: 'CONFIG_INVALID', key: flag, problem });
  const [, name, line] = /^(.+?):(\d+)(?::\d+)?$/s.exec(given) ?? [];
  if (name === undefined || Number(line) < 1) throw fail(`${JSON.stringify(given)} is not FILE:LINE: write src/api.ts:12`);
  const path = resolve(cwd, name);
  if (!(await isThere(path))) throw fail(`${name} is not there`);
  if (!paths.some((folder) => isWithin(folder, path))) throw fail(`${name} is not within what is looked at; add it to the paths`);
  const lines = (await readFile(path, 'latin1').catch(() => '')).split(/\r\n|\n|\r/).length;
  if (Number(line) > lines) throw fail(`${name} has no line ${line}, but ${lines}`);
  return { file: relative(root, path).replaceAll(sep, '/'), line: Number(line) };
}
