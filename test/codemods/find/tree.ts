/** Real folders with real files for tests, removed by `using`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Tree extends Disposable {
  /** Absolute, without symbolic links. */
  readonly root: string;
  at(path: string): string;
  write(path: string, content?: string | Uint8Array): void;
  link(path: string, target: string): void;
  /** Runs git in the root, as nobody in particular and without the machine's configuration. */
  git(...args: string[]): string;
}

const gitEnvironment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

/** Makes a folder with these files. */
export function treeOf(files: Readonly<Record<string, string | Uint8Array>> = {}): Tree {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tree-')));
  const tree: Tree = {
    root,
    at: (path) => join(root, path),
    write(path, content = '') {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    link(path, target) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      symlinkSync(target, join(root, path));
    },
    git: (...args) => execFileSync('git', args, { cwd: root, env: gitEnvironment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
  for (const [path, content] of Object.entries(files)) tree.write(path, content);
  return tree;
}
