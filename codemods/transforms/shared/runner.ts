/**
 * Which files jscodeshift goes through. It does not tell its transforms: they get one file after the other, each of its processes some.
 * What is changed together may only be changed where all of it comes up.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join, relative, resolve, sep } from 'node:path';
import type { Settings } from './settings.ts';

/** Options of jscodeshift without a value; all others take one. */
const flags = /^(?:-[dps]|--(?:no-.*|dry|print|babel|gitignore|run-in-band|runInBand|silent|fail-on-error|failOnError|stdin))$/;
const runner = /(?:^|[\\/])jscodeshift(?:\.js)?$/;
/** jscodeshift's processes. */
const worker = /[\\/]jscodeshift[\\/](?:src|dist)[\\/]Worker\.js$/;

/**
 * The paths on the command line of jscodeshift.
 * @param argv the command line of this process: jscodeshift itself (--run-in-band), or one of its workers
 * @returns undefined where it is not known, or comes from stdin
 */
export function pathsOfRunner(argv: readonly string[]): string[] | undefined {
  const line = worker.test(argv[1] ?? '') ? commandLine(process.ppid) : argv;
  const at = line.findIndex((arg) => runner.test(arg));
  const args = line.slice(at + 1);
  if (at === -1 || args.includes('--stdin')) return undefined;
  const paths: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (!arg.startsWith('-')) paths.push(arg);
    else if (!arg.includes('=') && !flags.test(arg) && args[index + 1]?.startsWith('-') === false) index++;
  }
  // Where arguments hold spaces, `ps` does not say where they end.
  return paths.length > 0 && paths.every((path) => existsSync(path)) ? paths : undefined;
}

/** Empty where the system does not tell. */
function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    try {
      return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' })
        .trim()
        .split(/\s+/);
    } catch {
      return [];
    }
  }
}

interface Ignores {
  add(patterns: readonly string[]): void;
  addFromFile(files: readonly string[]): void;
  shouldIgnore(path: string): boolean;
}

/** Whether jscodeshift goes to a file, named relative to the working directory: as its Runner.js goes. */
export function visitsOf(settings: Settings): (file: string) => boolean {
  const { cwd, paths = ['.'], extensions } = settings;
  const ignores = ignoresOf(settings);
  return (file) => {
    if (extensions !== undefined && !extensions.includes(extname(file).slice(1))) return false;
    return paths.some((path) => {
      const below = relative(resolve(cwd, path), resolve(cwd, file));
      if (below === '') return !ignores.shouldIgnore(path);
      const parts = below.split(sep);
      return parts[0] !== '..' && !parts.some((_, index) => ignores.shouldIgnore(join(path, ...parts.slice(0, index + 1))));
    });
  };
}

/** jscodeshift's own; a fresh one, as it remembers all that it was ever given. */
function ignoresOf({ cwd, ignorePattern, ignoreConfig, gitignore }: Settings): Ignores {
  const require = createRequire(import.meta.url);
  const file = require.resolve('jscodeshift/src/ignoreFiles.js');
  delete require.cache[file];
  const ignores: Ignores = require(file);
  ignores.add(ignorePattern);
  ignores.addFromFile([...ignoreConfig, ...(gitignore ? [join(cwd, '.gitignore')] : [])]);
  return ignores;
}
