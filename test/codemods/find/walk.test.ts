import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FindError } from '../../../codemods/find/errors.ts';
import { walk, type WalkOptions } from '../../../codemods/find/walk.ts';
import { type Tree, treeOf } from './tree.ts';
import { needs } from '../../helpers/tools.ts';

const listed = (tree: Tree, options: Partial<WalkOptions> = {}): string[] =>
  walk({ cwd: tree.root, paths: ['.'], ...options }).files.map(({ path }) => path);

describe('what is listed', () => {
  test('files of known kinds in every folder, sorted by path, but not repositories and packages', () => {
    using tree = treeOf({
      'b.ts': '',
      'a/z.js': '',
      'a.ts': '',
      'node_modules/x/i.js': '',
      '.git/hooks/a.sh': '',
      'a/.yarn/r.cjs': '',
      'x.py': '',
      'x.png': '',
    });
    expect(listed(tree)).toEqual(['a.ts', 'a/z.js', 'b.ts', 'x.py']);
  });

  test('names with spaces, newlines, quotes and emoji', () => {
    const names = ['a b.ts', 'a\nb.ts', '"q".ts', '😀.ts', 'ä/ö.ts'];
    using tree = treeOf(Object.fromEntries(names.map((name) => [name, ''])));
    expect(listed(tree)).toEqual(names.toSorted());
  });

  test('each file once, however many given paths lead to it', () => {
    using tree = treeOf({ 'src/a.ts': '', 'src/b.ts': '' });
    tree.link('link', 'src');
    expect(listed(tree, { paths: ['src', 'src/a.ts', './src/../src', tree.root, 'link', 'link/b.ts'] })).toEqual(['src/a.ts', 'src/b.ts']);
  });

  test('paths outside of the working directory, relative to it', () => {
    using tree = treeOf({ 'app/a.ts': '', 'lib/b.ts': '' });
    expect(walk({ cwd: tree.at('app'), paths: ['../lib', '.'] }).files.map(({ path }) => path)).toEqual(['../lib/b.ts', 'a.ts']);
  });

  test('--include and --exclude as patterns of a .gitignore, with alternatives in braces', () => {
    using tree = treeOf({ 'src/a.ts': '', 'src/b.js': '', 'src/old/c.ts': '', 'test/d.tsx': '', 'e.md': '' });
    expect(listed(tree, { include: ['*.{ts,tsx}'], exclude: ['old/'] })).toEqual(['src/a.ts', 'test/d.tsx']);
    expect(listed(tree, { include: ['./src/**'], exclude: ['src/*.{j,t}s'] })).toEqual(['src/old/c.ts']);
  });
});

describe('symbolic links', () => {
  test('are not followed, not even in a loop', () => {
    using outside = treeOf({ 'x.ts': '' });
    using tree = treeOf({ 'a.ts': '' });
    tree.link('file.ts', 'a.ts');
    tree.link('out', outside.root);
    tree.link('loop/again', '..');
    expect(listed(tree)).toEqual(['a.ts']);
  });

  test('are followed where the user names one, and the file is called by its own name', () => {
    using tree = treeOf({ 'real/a.ts': '', 'one.ts': '' });
    tree.link('there', 'real');
    tree.link('two.ts', 'one.ts');
    expect(listed(tree, { paths: ['there', 'two.ts'] })).toEqual(['one.ts', 'real/a.ts']);
  });

  test('leading to the working directory do not change the paths', () => {
    using tree = treeOf({ 'real/deep/a.ts': '', 'real/b.ts': '' });
    tree.link('here', 'real/deep');
    const found = walk({ cwd: tree.at('here'), paths: ['.', tree.at('real/b.ts')] });
    expect([found.cwd, ...found.files.map(({ path }) => path)]).toEqual([tree.at('real/deep'), '../b.ts', 'a.ts']);
  });
});

describe('what is ignored', () => {
  test('what .gitignore files in the folders say, the deepest that says anything first', () => {
    using tree = treeOf({
      '.gitignore': '*.gen.ts\nlogs/\n/top.ts\n',
      'top.ts': '',
      'a.gen.ts': '',
      'logs/a.ts': '',
      'in/.gitignore': '!keep.gen.ts\n!logs/\nlocal.ts\n',
      'in/keep.gen.ts': '',
      'in/b.gen.ts': '',
      'in/logs/c.ts': '',
      'in/logs/c.gen.ts': '',
      'in/local.ts': '',
      'in/top.ts': '',
    });
    expect(listed(tree)).toEqual(['in/keep.gen.ts', 'in/logs/c.ts', 'in/top.ts']);
  });

  test('what .gitignore files above a given path say, up to the root of the repository', () => {
    using tree = treeOf({ '.gitignore': 'a.ts', 'repo/.gitignore': 'b.ts', 'repo/x/y/a.ts': '', 'repo/x/y/b.ts': '', 'repo/x/y/c.ts': '' });
    mkdirSync(tree.at('repo/.git'));
    expect(listed(tree, { paths: ['repo/x/y'] })).toEqual(['repo/x/y/a.ts', 'repo/x/y/c.ts']);
  });

  test('what .git/info/exclude says, also where the repository is a work tree of another', needs('git'), () => {
    using tree = treeOf({ 'a.ts': '', 'b.ts': '' });
    tree.git('init', '-q');
    tree.git('commit', '-q', '--allow-empty', '-m', 'x');
    tree.git('worktree', 'add', '-q', 'other');
    tree.write('other/a.ts');
    tree.write('other/b.ts');
    tree.write('.git/info/exclude', 'a.ts\n');
    expect(listed(tree)).toEqual(['b.ts', 'other/b.ts']);
  });

  test('what .migrate-v2-ignore says, whatever git says', () => {
    using tree = treeOf({
      '.gitignore': '!a.ts',
      '.migrate-v2-ignore': 'a.ts\nlegacy/**\n!legacy/keep.ts',
      'a.ts': '',
      'legacy/b.ts': '',
      'legacy/keep.ts': '',
      'c.ts': '',
    });
    expect(listed(tree)).toEqual(['c.ts', 'legacy/keep.ts']);
  });

  test('nothing by the rules around a repository within the tree', () => {
    using tree = treeOf({ '.gitignore': 'a.ts', 'sub/a.ts': '', 'a.ts': '' });
    mkdirSync(tree.at('sub/.git'));
    expect(listed(tree)).toEqual(['sub/a.ts']);
  });

  test('not examples of settings, which are committed all the same, unless it is said of their folder or by .migrate-v2-ignore', () => {
    using tree = treeOf({
      '.gitignore': '.env*\n/tmp/\n',
      '.env': '',
      '.env.local': '',
      '.env.example': '',
      'app/.env.sample': '',
      'tmp/.env.example': '',
      'own/.migrate-v2-ignore': '.env*',
      'own/.env.example': '',
    });
    expect(listed(tree)).toEqual(['.env.example', 'app/.env.sample']);
  });

  test('not what the user names: a file, or a folder with what is in it', () => {
    using tree = treeOf({ '.gitignore': 'local/\n*.tmp.ts', 'local/deep/a.ts': '', 'local/deep/b.tmp.ts': '', 'c.tmp.ts': '', 'd.ts': '' });
    expect(listed(tree, { paths: ['local/deep', 'c.tmp.ts'] })).toEqual(['c.tmp.ts', 'local/deep/a.ts']);
  });

  test('a file of rules that is no text ignores nothing, and one with a byte order mark is read', () => {
    using tree = treeOf({ '.gitignore': '\uFEFFa.ts\r\nb.ts\r\n', 'a.ts': '', 'b.ts': '', 'c.ts': '', 'x/a.ts': '' });
    tree.write('x/.gitignore', Buffer.from([0xff, 0xfe, 0x00, 0x0a]));
    expect(listed(tree)).toEqual(['c.ts']);
  });
});

describe('what is set aside', () => {
  const aside = (tree: Tree, options: Partial<WalkOptions> = {}): string[] =>
    walk({ cwd: tree.root, paths: ['.'], ...options }).files.flatMap(({ path, aside }) => (aside === undefined ? [] : [path]));

  test('build output, vendored and minified files', () => {
    using tree = treeOf({
      'dist/a.js': '',
      'src/vendor/deep/b.js': '',
      'c.min.js': '',
      'src/.next/d.js': '',
      'src/distance/e.js': '',
      'builder.js': '',
    });
    expect(aside(tree)).toEqual(['c.min.js', 'dist/a.js', 'src/.next/d.js', 'src/vendor/deep/b.js']);
  });

  test('a file in such a folder though the user names it, but not the folder', () => {
    using tree = treeOf({ 'dist/a.js': '', 'dist/b.js': '', 'build/c.js': '' });
    expect(aside(tree, { paths: ['dist/a.js', 'build'] })).toEqual(['dist/a.js']);
    expect(aside(tree, { paths: ['.', 'dist'] })).toEqual(['build/c.js']);
  });
});

describe('what cannot be looked at', () => {
  test.each(['missing', 'a.ts/below', 'dangling'])('a given path that is not there is an error: %s', (path) => {
    using tree = treeOf({ 'a.ts': '' });
    tree.link('dangling', 'nowhere');
    expect(() => listed(tree, { paths: [path] })).toThrow(
      expect.objectContaining({ code: 'PATH_MISSING', path, message: `${path}: is not there` }),
    );
  });

  test('a given path that is neither a file nor a folder is an error', async () => {
    using tree = treeOf();
    await using server = createServer().listen(tree.at('socket.ts'));
    await once(server, 'listening');
    expect(listed(tree)).toEqual([]);
    expect(() => listed(tree, { paths: ['socket.ts'] })).toThrow(FindError);
  });

  test('a folder that may not be read is told, and the rest is listed', () => {
    using tree = treeOf({ 'a.ts': '', 'shut/b.ts': '' });
    // The superuser reads everything; a process of nobody's does not.
    chmodSync(tree.root, 0o755);
    chmodSync(tree.at('shut'), process.getuid?.() === 0 ? 0o700 : 0o000);
    const program = `import { walk } from ${JSON.stringify(join(import.meta.dirname, '../../../codemods/find/walk.ts'))};
      ${process.getuid?.() === 0 ? "process.setuid('nobody');" : ''}
      const { files, faults } = walk({ cwd: ${JSON.stringify(tree.root)}, paths: ['.'] });
      console.log(JSON.stringify({ files: files.map(({ path }) => path), faults }));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    chmodSync(tree.at('shut'), 0o755);
    expect(JSON.parse(stdout)).toEqual({ files: ['a.ts'], faults: [{ path: 'shut', reason: 'EACCES' }] });
  });

  const notUtf8 = Buffer.from([0xe4]);
  const { platform } = process;

  test.runIf(platform === 'linux')('a name that is not UTF-8 is told', () => {
    using tree = treeOf({ 'a.ts': '' });
    writeFileSync(Buffer.concat([Buffer.from(`${tree.root}/`), notUtf8, Buffer.from('.ts')]), '');
    mkdirSync(Buffer.concat([Buffer.from(`${tree.root}/`), notUtf8]));
    const { files, faults } = walk({ cwd: tree.root, paths: ['.'] });
    expect(files.map(({ path }) => path)).toEqual(['a.ts']);
    expect(faults.toSorted((one, other) => one.path.length - other.path.length)).toEqual([
      { path: '\uFFFD', reason: 'name is not UTF-8' },
      { path: '\uFFFD.ts', reason: 'name is not UTF-8' },
    ]);
  });

  test('a name that really has the sign for what is not UTF-8 is listed', () => {
    using tree = treeOf({ '\uFFFD.ts': '' });
    expect(listed(tree)).toEqual(['\uFFFD.ts']);
  });
});
