import type * as fileSystem from 'node:fs';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { together } from '../../../codemods/edit/together.ts';
import { writeAll } from '../../../codemods/edit/write-all.ts';
import { journalName } from '../../../codemods/find/files/temporary.ts';
import type { ChangedFile } from '../../../codemods/result.ts';
import type { Edit } from '../../../codemods/model.ts';
import { wordsOf } from '../../../codemods/report/wording.ts';
import { type Tree, treeOf } from '../find/tree.ts';

const changeOf = (file: string): ChangedFile => ({ file, before: 'a', after: 'b' });
const editOf = (file: string, group: string): Edit => ({ file, group, start: 0, end: 1, text: 'b', what: 'path' });
const textsOf = (tree: Tree): Record<string, string> =>
  Object.fromEntries(readdirSync(tree.root).map((name) => [name, readFileSync(tree.at(name), 'utf8')]));

test('files that share a group, however many steps away, are one set; the order of files stays', () => {
  const edits = [editOf('a', '1'), editOf('b', '2'), editOf('c', '2'), editOf('c', '3'), editOf('d', '4'), editOf('e', '3')];
  const sets = together(['a', 'b', 'c', 'd', 'e'].map(changeOf), edits);
  expect(sets.map((set) => set.map(({ file }) => file))).toEqual([['a'], ['b', 'c', 'e'], ['d']]);
});

test('where one file of a set fails at the last moment, none of the set is written, and nothing is left beside them', async () => {
  using tree = treeOf({ 'a.ts': 'a', 'b.ts': 'other', 'c.ts': 'a' });
  const changed = ['a.ts', 'b.ts', 'c.ts'].map(changeOf);
  const { written, failed } = await writeAll({ cwd: tree.root }, changed, [editOf('a.ts', '1'), editOf('b.ts', '1'), editOf('c.ts', '2')]);
  expect([written, failed.map(({ file }) => file)]).toEqual([['c.ts'], ['b.ts']]);
  expect(textsOf(tree)).toEqual({ 'a.ts': 'a', 'b.ts': 'other', 'c.ts': 'b' });
});

type FileSystem = typeof fileSystem;

/** `writeAll`, on a system that does some things otherwise. */
async function writeAllWhere(differs: (fs: FileSystem) => Partial<FileSystem>): Promise<typeof writeAll> {
  const fs = await import('node:fs');
  vi.doMock('node:fs', () => ({ ...fs, ...differs(fs) }));
  vi.resetModules();
  onTestFinished(() => {
    vi.doUnmock('node:fs');
    vi.resetModules();
  });
  return (await import('../../../codemods/edit/write-all.ts')).writeAll;
}

/** With something that happens once all others have their new texts, before a file of that name gets its own. */
async function writeAllBefore(name: string, happens: () => void): Promise<typeof writeAll> {
  const fs = await import('node:fs/promises');
  const begun: Promise<void>[] = [];
  const rename = async (from: string, to: string): Promise<void> => {
    const isLast = basename(to) === name;
    if (isLast) {
      await Promise.all(begun);
      happens();
    }
    const done = fs.rename(from, to);
    if (!isLast) begun.push(done);
    await done;
  };
  vi.doMock('node:fs/promises', () => ({ ...fs, rename }));
  onTestFinished(() => void vi.doUnmock('node:fs/promises'));
  return writeAllWhere(() => ({}));
}

const failing = (code: string): never => {
  throw Object.assign(new Error('no'), { code });
};

const refuse = (): never => failing('EBUSY');
const threeFiles = ['a.ts', 'b.ts', 'c.ts'];
const asOne = threeFiles.map((file) => editOf(file, '1'));

test('where the system refuses the last file of a set, those before it are put back', async () => {
  using tree = treeOf({ 'a.ts': 'a', 'b.ts': 'a', 'c.ts': 'a' });
  const writing = await writeAllBefore('c.ts', refuse);
  const { written, failed } = await writing({ cwd: tree.root }, threeFiles.map(changeOf), asOne);
  expect([written, failed.map(({ file, detail }) => [file, detail['reason']])]).toEqual([[], [['c.ts', 'cannot be written (EBUSY)']]]);
  expect(textsOf(tree)).toEqual({ 'a.ts': 'a', 'b.ts': 'a', 'c.ts': 'a' });
});

test('what cannot be put back is told as written, and why', async () => {
  using tree = treeOf({ 'a.ts': 'a', 'b.ts': 'a', 'c.ts': 'a' });
  const writing = await writeAllBefore('c.ts', () => {
    tree.write('b.ts', 'saved by an editor');
    refuse();
  });
  const { written, failed } = await writing({ cwd: tree.root }, threeFiles.map(changeOf), asOne);
  expect(written).toEqual(['b.ts']);
  expect(failed.map((failure) => wordsOf(failure).reason)).toEqual([
    'Cannot be written (EBUSY); it is as it was, but not all that would change together with it.',
    'Was changed while the run was on; it was written and could not be put back, though what belongs to it is as it was.',
  ]);
  expect(textsOf(tree)).toEqual({ 'a.ts': 'a', 'b.ts': 'saved by an editor', 'c.ts': 'a' });
});

test('where the disk is full, a set that does not fit stays as it was, and what to do is said', async () => {
  using tree = treeOf({ 'a.ts': 'a', 'b.ts': 'a', 'c.ts': 'a' });
  const writing = await writeAllWhere(({ writeFileSync, openSync }) => {
    const full = new Set<number>();
    return {
      openSync: (path, ...how) => {
        const descriptor = openSync(path, ...how);
        if (basename(String(path)).startsWith('.b.ts')) full.add(descriptor);
        return descriptor;
      },
      writeFileSync: (file, ...what) => (typeof file === 'number' && full.delete(file) ? failing('ENOSPC') : writeFileSync(file, ...what)),
    };
  });
  const edits = [editOf('a.ts', '1'), editOf('b.ts', '1'), editOf('c.ts', '2')];
  const { written, failed } = await writing({ cwd: tree.root }, threeFiles.map(changeOf), edits);
  expect([written, failed.map(({ file, detail }) => [file, detail])]).toEqual([
    ['c.ts'],
    [['b.ts', { reason: 'cannot be written (ENOSPC)', remedy: 'make room on the disk, and run again' }]],
  ]);
  expect(textsOf(tree)).toEqual({ 'a.ts': 'a', 'b.ts': 'a', 'c.ts': 'b' });
});

test.each<[string, Parameters<typeof writeAllWhere>[0]]>([
  ['whose file system knows one name for a file', () => ({ linkSync: () => failing('EPERM') })],
  [
    'whose system cannot flush folders',
    ({ openSync }) => ({ openSync: (path, how, mode) => (how === 'r' ? failing('EISDIR') : openSync(path, how, mode)) }),
  ],
])('a folder %s is written all the same', async (_what, differs) => {
  using tree = treeOf({ 'a.ts': 'a', 'b.ts': 'a', 'c.ts': 'a' });
  const writing = await writeAllWhere(differs);
  expect(await writing({ cwd: tree.root }, threeFiles.map(changeOf), asOne)).toEqual({ written: threeFiles, failed: [] });
  expect(textsOf(tree)).toEqual({ 'a.ts': 'b', 'b.ts': 'b', 'c.ts': 'b' });
});

test('where the folder that holds all files may not be written, each set has its journal in its own, and one without is written as well', async () => {
  using tree = treeOf({ 'one/a.ts': 'a', 'two/b.ts': 'a', 'two/c.ts': 'a' });
  const journals: string[] = [];
  const writing = await writeAllWhere(({ accessSync, linkSync }) => ({
    accessSync: (path, mode) => (path === tree.root ? failing('EACCES') : accessSync(path, mode)),
    linkSync: (from, to) => {
      journals.push(String(to));
      linkSync(from, to);
    },
  }));
  const files = ['one/a.ts', 'two/b.ts', 'two/c.ts'];
  const apart = files.map((file) => editOf(file, file));
  expect(await writing({ cwd: tree.root }, files.map(changeOf), apart)).toEqual({ written: files, failed: [] });
  expect(journals).toEqual(['one', 'two', 'two'].map((folder) => tree.at(`${folder}/${journalName}`)));
  const back = files.map((file): ChangedFile => ({ file, before: 'b', after: 'a' }));
  expect(
    await writing(
      { cwd: tree.root },
      back,
      files.map((file) => editOf(file, '1')),
    ),
  ).toEqual({ written: files, failed: [] });
  expect([journals.length, readdirSync(tree.at('two')), readFileSync(tree.at('two/c.ts'), 'utf8')]).toEqual([3, ['b.ts', 'c.ts'], 'a']);
});
