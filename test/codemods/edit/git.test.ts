import { chmodSync, existsSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { treeState } from '../../../codemods/edit/git.ts';
import { temporaryName } from '../../../codemods/find/files/temporary.ts';
import { needs } from '../../helpers/tools.ts';
import { type Tree, treeOf } from '../find/tree.ts';

afterEach(() => vi.unstubAllEnvs());

/** A repository where these files are committed. */
function repository(files: Readonly<Record<string, string>> = { 'src/a.ts': 'a', 'lib/b.ts': 'b', '.gitignore': 'local/' }): Tree {
  const tree = treeOf(files);
  tree.git('init', '-q');
  tree.git('add', '.');
  tree.git('commit', '-q', '-m', 'x');
  return tree;
}

describe('the state of a git tree', needs('git'), () => {
  test('a tree where all is committed is clean', async () => {
    using tree = repository();
    tree.write('local/c.ts');
    expect(await treeState(tree.root, ['.'])).toEqual({ dirty: [], unversioned: [] });
  });

  test('changed, staged, renamed, deleted and untracked files make it dirty', async () => {
    using tree = repository({ a: 'a', b: 'b', c: 'c', d: 'd\nd\nd\nd\n' });
    tree.write('a', 'A');
    tree.write('b', 'B');
    tree.git('add', 'b');
    tree.git('rm', '-q', 'c');
    tree.git('mv', 'd', 'new d');
    tree.write('ü\n"x"/f');
    expect(await treeState(tree.root, ['.'])).toEqual({ dirty: ['a', 'b', 'c', 'd', 'new d', 'ü\n"x"'], unversioned: [] });
  });

  test('only what is within the given paths counts, named from the working directory', async () => {
    using tree = repository();
    tree.write('src/a.ts', 'A');
    tree.write('lib/b.ts', 'B');
    tree.link('there', 'lib');
    expect((await treeState(tree.root, ['src'])).dirty).toEqual(['src/a.ts']);
    expect((await treeState(tree.at('src'), ['.'])).dirty).toEqual(['a.ts']);
    expect((await treeState(tree.at('src'), ['../lib/b.ts'])).dirty).toEqual(['../lib/b.ts']);
    expect((await treeState(tree.root, ['there/b.ts'])).dirty).toEqual(['lib/b.ts']);
  });

  test('a path that looks like a pattern means itself', async () => {
    using tree = repository({ '*.ts': 'a', 'b.ts': 'b', ':(top)x': 'c' });
    tree.write('b.ts', 'B');
    expect((await treeState(tree.root, ['*.ts', ':(top)x'])).dirty).toEqual([]);
  });

  test('what a killed run left behind does not count', async () => {
    using tree = repository();
    tree.write(`src/${temporaryName('a.ts')}`);
    expect((await treeState(tree.root, ['.'])).dirty).toEqual([]);
  });

  test('each path is asked of in the repository that holds it', async () => {
    using one = repository();
    using other = repository();
    using none = treeOf({ 'x.ts': '' });
    other.write('src/a.ts', 'A');
    const state = await treeState(one.root, ['src', other.root, none.at('x.ts')]);
    expect(state.dirty).toEqual([expect.stringMatching(/^\.\.\/.*\/src\/a\.ts$/)]);
    expect(state.unversioned).toEqual([{ path: none.at('x.ts'), reason: 'not a git repository' }]);
  });

  test('thousands of paths are no obstacle', async () => {
    using tree = repository();
    tree.write('src/a.ts', 'A');
    const paths = Array.from({ length: 1_200 }, () => 'lib/b.ts');
    expect((await treeState(tree.root, [...paths, 'src/a.ts'])).dirty).toEqual(['src/a.ts']);
  });

  test('a broken repository and a machine without git are told apart from one that is not versioned', async () => {
    using tree = treeOf({ '.git/x': '' });
    expect((await treeState(tree.root, ['.'])).unversioned).toEqual([
      { path: '.', reason: expect.stringMatching(/^fatal: not a git repository/) },
    ]);
    vi.stubEnv('PATH', '/nowhere');
    expect((await treeState(tree.root, ['.'])).unversioned).toEqual([{ path: '.', reason: 'git is not installed' }]);
  });

  test('no program of the repository is run, and a hook around us leads to no other repository', async () => {
    using tree = repository();
    tree.write('.git/spy', `#!/bin/sh\ntouch ${tree.at('.git/ran')}\n`);
    chmodSync(tree.at('.git/spy'), 0o755);
    tree.git('config', 'core.fsmonitor', tree.at('.git/spy'));
    tree.write('src/a.ts', 'A');
    using other = repository();
    vi.stubEnv('GIT_DIR', other.at('.git'));
    vi.stubEnv('GIT_INDEX_FILE', other.at('.git/index'));
    expect((await treeState(tree.root, ['.'])).dirty).toEqual(['src/a.ts']);
    expect(existsSync(tree.at('.git/ran'))).toBe(false);
  });
});
