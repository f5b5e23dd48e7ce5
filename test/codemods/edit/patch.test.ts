import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { patchOf } from '../../../codemods/edit/patch.ts';
import { splice } from '../../../codemods/edit/splice.ts';
import type { Change } from '../../../codemods/edit/write.ts';
import { type Tree, treeOf } from '../find/tree.ts';
import { edited } from './edits.ts';
import { needs } from '../../helpers/tools.ts';

/** Applies the patch of the changes in a folder of the tree, and gives what the files then hold. */
function applied(tree: Tree, changes: readonly Change[], { folder = '.', program = ['git', 'apply'] } = {}): Buffer[] {
  for (const { path, before } of changes) tree.write(`${folder}/${path}`, before);
  const [command = '', ...args] = program;
  execFileSync(command, args, { cwd: tree.at(folder), input: patchOf(changes), stdio: ['pipe', 'ignore', 'pipe'] });
  return changes.map(({ path }) => readFileSync(tree.at(`${folder}/${path}`)));
}

const expected = (changes: readonly Change[]): Buffer[] => changes.map(({ after }) => Buffer.from(after));

const names = [
  'a.ts',
  'with space.ts',
  'deep/ä ö/x.ts',
  '"quoted".ts',
  "it's.ts",
  'back\\slash.ts',
  'tab\there.ts',
  'new\nline.ts',
  '😀.ts',
  '-- a.ts',
];

describe('git apply makes of the old text the new one', needs('git'), () => {
  test.each(names)('in a file called %j', (path) => {
    using tree = treeOf();
    const changes = [{ path, before: 'a\nb\nc\n', after: 'a\nB\nc\n' }];
    expect(applied(tree, changes)).toEqual(expected(changes));
  });

  test('in several files at once, also in a folder of a repository', () => {
    using tree = treeOf();
    tree.git('init', '-q');
    mkdirSync(tree.at('app/src'), { recursive: true });
    const changes = names.map((path, index) => ({ path: `src/${path}`, before: `${index}\n`, after: `${index}!\n` }));
    expect(applied(tree, changes, { folder: 'app' })).toEqual(expected(changes));
  });

  test('where the repository keeps other line ends than the files have', () => {
    using tree = treeOf();
    tree.git('init', '-q');
    tree.git('config', 'core.autocrlf', 'true');
    tree.write('a.ts', 'a\r\nb\r\nc\r\n');
    tree.git('add', '.');
    const changes = [{ path: 'a.ts', before: 'a\r\nb\r\nc\r\n', after: 'a\r\nB\r\nc\r\n' }];
    expect(applied(tree, changes)).toEqual(expected(changes));
  });

  test('whatever the text and the edits', () => {
    using tree = treeOf();
    fc.assert(
      fc.property(edited, ({ before, edits }) => {
        const changes = [{ path: 'a.ts', before, after: splice(before, edits) }];
        fc.pre(before !== changes[0]?.after && before !== '' && changes[0]?.after !== '');
        expect(applied(tree, changes)).toEqual(expected(changes));
        rmSync(tree.at('a.ts'));
      }),
      { numRuns: 30 },
    );
  });
});

test('patch -p1 takes it too', needs('patch'), () => {
  using tree = treeOf();
  const changes = [{ path: 'with space.ts', before: 'a\r\nb', after: 'a\r\nB' }];
  expect(applied(tree, changes, { program: ['patch', '-p1', '--binary'] })).toEqual(expected(changes));
});

test('a file that does not change is not in it', () => {
  expect(patchOf([{ path: 'a.ts', before: 'a', after: 'a' }])).toBe('');
});
