import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isTemporary, journalName } from '../../../codemods/find/files/temporary.ts';
import { recover, type Recovered } from '../../../codemods/edit/recover.ts';
import { versionOf } from '../../../codemods/edit/version.ts';
import { writeAll } from '../../../codemods/edit/write-all.ts';
import { walk } from '../../../codemods/find/walk.ts';
import type { Recovery } from '../../../codemods/result.ts';
import { start } from '../../helpers/process.ts';
import { type Tree, treeOf } from '../find/tree.ts';

const writer = fileURLToPath(new URL('./writer.ts', import.meta.url));

/** Three sets: one of three files, one of two, one of one. */
const names = ['a1.ts', 'a2.ts', 'a3.ts', 'b1.ts', 'b2.ts', 'c1.ts'];
const old = Object.fromEntries(names.map((name) => [name, `old ${name}`]));
const moved = Object.fromEntries(names.map((name) => [name, `new ${name}`]));
const textsIn = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
const textsOf = ({ root }: Tree): Record<string, string> => textsIn(root);

const run = (tree: Tree, ...args: readonly (string | number)[]): Promise<{ readonly steps: number }> =>
  promisify(execFile)(process.execPath, [writer, tree.root, ...args.map(String)]).then(({ stdout }) => JSON.parse(stdout));
/** Runs until it is killed before its n-th step. */
const killed = (tree: Tree, mode: 'write' | 'recover', step: number): Promise<unknown> =>
  run(tree, mode, step).then(
    () => Promise.reject(new Error('was not killed')),
    ({ signal }: { readonly signal: string }) => expect(signal).toBe('SIGKILL'),
  );
const recovered = (tree: Tree, isWriting = true): Promise<Recovered> => recover(walk({ cwd: tree.root, paths: ['.'] }), isWriting);

/** What a run leaves that is killed before each of its steps, the first one first. */
async function leftBefore(tree: Tree, mode: 'write' | 'recover'): Promise<readonly Readonly<Record<string, string>>[]> {
  using copies = treeOf();
  const { steps } = await run(tree, mode, copies.root);
  return Array.from({ length: steps }, (_, index) => textsIn(copies.at(String(index + 1))));
}

/** All files but the last of the first set have their new texts. */
const isWithinSet = ({ 'a2.ts': last, 'a3.ts': next }: Readonly<Record<string, string>>): boolean =>
  last === 'new a2.ts' && next === 'old a3.ts';

/** What a run leaves that is killed within a set. */
async function findWithinSet(): Promise<Readonly<Record<string, string>>> {
  using tree = treeOf(old);
  const left = (await leftBefore(tree, 'write')).findLast(isWithinSet);
  if (left === undefined) throw new Error('there is no such step');
  return left;
}

let withinSet: Promise<Readonly<Record<string, string>>> | undefined;

/** Leaves the tree as such a run does, which need not be started for each. */
async function killedWithinSet(tree: Tree): Promise<void> {
  withinSet ??= findWithinSet();
  for (const [name, text] of Object.entries(await withinSet)) tree.write(name, text);
}

describe('a run that is killed', () => {
  test('leaves what it had come to, and no more', async () => {
    using counted = treeOf(old);
    const left = await leftBefore(counted, 'write');
    const step = left.findIndex(isWithinSet) + 1;
    using tree = treeOf(old);
    await killed(tree, 'write', step);
    expect(isWithinSet(textsOf(tree))).toBe(true);
    // But for the name of its process.
    expect(Object.keys(textsOf(tree))).toHaveLength(Object.keys(left[step - 1] ?? {}).length);
    expect((await recovered(tree)).recoveries).toMatchObject([{ outcome: 'completed' }]);
    expect(textsOf(tree)).toEqual(moved);
  });

  test('before whichever step is undone or completed by the next one that writes, and until then only told of', async () => {
    using counted = treeOf(old);
    const outcomes: (Recovery['outcome'] | undefined)[] = [];
    for (const [index, left] of (await leftBefore(counted, 'write')).entries()) {
      using tree = treeOf(left);
      const told = await recovered(tree, false);
      expect([textsOf(tree), told.failed]).toEqual([left, []]);
      const { recoveries, failed } = await recovered(tree);
      expect(failed).toEqual([]);
      expect(told.recoveries).toEqual(recoveries.map((recovery) => ({ ...recovery, outcome: 'pending' })));
      const isNew = recoveries[0]?.outcome === 'completed' || left['c1.ts'] === 'new c1.ts';
      expect([index, textsOf(tree)]).toEqual([index, isNew ? moved : old]);
      outcomes.push(recoveries[0]?.outcome);
    }
    expect(textsOf(counted)).toEqual(moved);
    // First there is no journal yet.
    expect([...new Set(outcomes)]).toEqual([undefined, 'undone', 'completed']);
  });

  test('while it completes another one is completed as well', async () => {
    using counted = treeOf(old);
    await killedWithinSet(counted);
    for (const [index, left] of (await leftBefore(counted, 'recover')).entries()) {
      using tree = treeOf(left);
      await recovered(tree);
      expect([index, textsOf(tree)]).toEqual([index, moved]);
    }
  });

  test.each<
    [
      what: string,
      happens: (tree: Tree) => void,
      texts: Readonly<Record<string, string>>,
      unclear: readonly string[],
      became: Pick<Recovery, 'outcome' | 'restored'>,
    ]
  >([
    [
      'a file that had not come up was changed since: its set is undone, the others are completed',
      (tree) => tree.write('a3.ts', 'edited'),
      { ...moved, 'a1.ts': 'old a1.ts', 'a2.ts': 'old a2.ts', 'a3.ts': 'edited' },
      [],
      { outcome: 'parted', restored: 2 },
    ],
    [
      'a file that was written was changed since: it stays so, and its set is completed',
      (tree) => tree.write('a1.ts', 'edited'),
      { ...moved, 'a1.ts': 'edited' },
      [],
      { outcome: 'completed', restored: 0 },
    ],
    [
      'both were: nothing that was changed is overwritten, and what a person has to look at is told',
      (tree) => ['a1.ts', 'a3.ts'].forEach((name) => tree.write(name, 'edited')),
      { ...moved, 'a1.ts': 'edited', 'a2.ts': 'old a2.ts', 'a3.ts': 'edited' },
      ['a1.ts'],
      { outcome: 'parted', restored: 1 },
    ],
    [
      'all that was written was brought back: nothing is written again',
      (tree) => names.forEach((name) => tree.write(name, `old ${name}`)),
      old,
      [],
      { outcome: 'undone', restored: 0 },
    ],
    [
      'what had come up whole was brought back, and a file that had not was changed: nothing of it is left',
      (tree) => {
        for (const name of ['b1.ts', 'b2.ts', 'c1.ts']) tree.write(name, `old ${name}`);
        tree.write('a3.ts', 'edited');
      },
      { ...old, 'a3.ts': 'edited' },
      [],
      { outcome: 'put back', restored: 2 },
    ],
    [
      'a file that had not come up may not be written any more: its set is undone',
      (tree) => chmodSync(tree.at('a3.ts'), 0o444),
      { ...moved, 'a1.ts': 'old a1.ts', 'a2.ts': 'old a2.ts', 'a3.ts': 'old a3.ts' },
      ['a3.ts'],
      { outcome: 'parted', restored: 2 },
    ],
    [
      'the new texts were removed: the set is undone, and whole ones stay',
      (tree) =>
        readdirSync(tree.root)
          .filter(isTemporary)
          .forEach((name) => rmSync(tree.at(name))),
      { ...moved, 'a1.ts': 'old a1.ts', 'a2.ts': 'old a2.ts', 'a3.ts': 'old a3.ts' },
      [],
      { outcome: 'parted', restored: 2 },
    ],
  ])('where %s', async (_what, happens, texts, unclear, became) => {
    using tree = treeOf(old);
    await killedWithinSet(tree);
    happens(tree);
    const { recoveries, failed } = await recovered(tree);
    expect([textsOf(tree), failed.map(({ file }) => file)]).toEqual([texts, unclear]);
    expect(recoveries).toMatchObject([became]);
  });

  test('is completed from whichever folder within its own a run begins', async () => {
    using tree = treeOf(Object.fromEntries(names.map((name) => [`src/${name}`, `old ${name}`])));
    tree.write('other/x.ts', 'x');
    await killedWithinSet({
      ...tree,
      root: tree.at('src'),
      at: (path) => tree.at(`src/${path}`),
      write: (path, text) => tree.write(`src/${path}`, text),
    });
    expect((await recover(walk({ cwd: tree.root, paths: ['other'] }), true)).recoveries).toEqual([]);
    expect((await recover(walk({ cwd: tree.root, paths: ['src/c1.ts'] }), true)).recoveries).toEqual([
      { outcome: 'completed', written: 5, total: 6, restored: 0 },
    ]);
    expect(readdirSync(tree.at('src'))).toEqual(names);
  });
});

test('while one run writes no other one does, and a dry one takes no notice', async () => {
  using tree = treeOf(old);
  const { steps } = await run(tree, 'write');
  for (const name of names) tree.write(name, `old ${name}`);
  await using running = start(process.execPath, [writer, tree.root, 'write', String(steps - 1), 'SIGSTOP'], { cwd: tree.root });
  await expect.poll(() => textsOf(tree)).toMatchObject(moved);
  await expect(recovered(tree)).rejects.toMatchObject({ code: 'BUSY', message: expect.stringContaining(`process ${running.child.pid}`) });
  expect(await recovered(tree, false)).toEqual({ recoveries: [], failed: [] });
  const { written, failed } = await writeAll({ cwd: tree.root }, [{ file: 'c1.ts', before: 'new c1.ts', after: 'newer' }], []);
  expect([written, failed.map(({ detail }) => detail['reason'])]).toEqual([[], ['another run is writing there']]);
  expect(textsOf(tree)).toMatchObject(moved);
});

describe('a journal that nobody’s run has written', () => {
  const nobody = 2 ** 31 - 1;
  const temporary = '.a.ts.migrate-v2-7fffffff01234567.tmp';
  const journal = (path: string): string => {
    const file = {
      path,
      temporary,
      before: versionOf('mine'),
      after: versionOf('theirs'),
      undo: { start: 0, end: 6, text: 'mine' },
      set: 0,
    };
    const other = { ...file, path: 'b.ts', temporary: temporary.replace('a.ts', 'b.ts') };
    return `${JSON.stringify({ pid: nobody, temporaries: [path.replace('a.ts', temporary)] })}\n${JSON.stringify([other, file])}\n`;
  };

  test.each(['../a.ts', 'linked/a.ts'])('reaches nothing outside of its folder: %s', async (path) => {
    using tree = treeOf({ 'a.ts': 'mine', [temporary]: 'theirs', 'repo/b.ts': 'theirs' });
    tree.link('repo/linked', '..');
    tree.write(`repo/${journalName}`, journal(path));
    await recover(walk({ cwd: tree.root, paths: ['repo'] }), true);
    expect([readFileSync(tree.at('a.ts'), 'utf8'), readFileSync(tree.at(temporary), 'utf8'), readdirSync(tree.at('repo'))]).toEqual([
      'mine',
      'theirs',
      ['b.ts', 'linked'],
    ]);
  });

  test.each(['', '{', '[]', '{"pid":1}', 'null\n[]'])('and says nothing is removed: %j', async (text) => {
    using tree = treeOf({ 'a.ts': 'mine', [journalName]: text });
    expect(await recovered(tree)).toEqual({ recoveries: [{ outcome: 'undone', written: 0, total: 0, restored: 0 }], failed: [] });
    expect(textsOf(tree)).toEqual({ 'a.ts': 'mine' });
  });
});
