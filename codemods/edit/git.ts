/** Whether git could bring back what a run changes. */
import { execFile } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../find/files/repository.ts';
import { isTemporary, journalName } from '../find/files/temporary.ts';

export interface TreeState {
  /** Files and folders within the given paths that are changed or untracked, relative to the working directory, sorted. */
  readonly dirty: readonly string[];
  /** Given paths of which git cannot tell, and why. */
  readonly unversioned: readonly { readonly path: string; readonly reason: string }[];
}

const run = promisify(execFile);

/** No hook, no program of the repository's choice, no lock that a concurrent git would meet. */
const safely = ['-c', 'core.fsmonitor=false', '--no-pager', '--no-optional-locks', '--literal-pathspecs'];
const status = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=normal', '--'];
/** Set where git itself runs us, from a hook; they would point every repository to that one. */
const fromHook = /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|OBJECT_DIRECTORY|NAMESPACE)$/;
/** Paths on one command line: systems bound its length. */
const atOnce = 500;

/**
 * Asks git about the given paths, each in the repository that holds it.
 * @param paths relative to `cwd`, there
 */
export async function treeState(cwd: string, paths: readonly string[]): Promise<TreeState> {
  const here = realpathSync(cwd);
  // Git takes no path that leads through a link.
  const given = paths.map((path) => ({ path, real: realpathSync(resolve(here, path)) }));
  const dirty = new Set<string>();
  const unversioned: { path: string; reason: string }[] = [];
  for (const [root, within] of Map.groupBy(given, ({ real }) => rootOf(real))) {
    try {
      if (root === undefined) throw new Error('not a git repository');
      const names = await changedIn(
        root,
        within.map(({ real }) => real),
      );
      for (const name of names) dirty.add(relative(here, join(root, name)) || '.');
    } catch (error) {
      unversioned.push(...within.map(({ path }) => ({ path, reason: reasonOf(error) })));
    }
  }
  return { dirty: [...dirty].toSorted(), unversioned };
}

const rootOf = (path: string): string | undefined => repositoryRoot(statSync(path).isDirectory() ? path : dirname(path));

const ownName = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

/** Names relative to the root. */
async function changedIn(root: string, paths: readonly string[]): Promise<string[]> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !fromHook.test(name)));
  const names: string[] = [];
  for (let from = 0; from < paths.length; from += atOnce) {
    const args = [...safely, '-C', root, ...status, ...paths.slice(from, from + atOnce)];
    const { stdout } = await run('git', args, { env: { ...env, LC_ALL: 'C' }, maxBuffer: 1024 ** 3 });
    // `XY name`, each ended by a NUL.
    names.push(
      ...stdout
        .split('\0')
        .slice(0, -1)
        .map((entry) => entry.slice(3)),
    );
  }
  return names.filter((name) => !isOwn(ownName(name)));
}

/** What runs leave, and the configuration that the run itself writes where a base is chosen in a terminal; no run changes it. */
const isOwn = (name: string): boolean => isTemporary(name) || name === journalName || /^migrate-v2\.config\.\w+$/.test(name);

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT') return 'git is not installed';
  const [line = ''] = ('stderr' in error && typeof error.stderr === 'string' ? error.stderr : error.message).trim().split('\n');
  return line;
}
