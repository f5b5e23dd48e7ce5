import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { walk } from '../../../codemods/find/walk.ts';
import { isTemporary } from '../../../codemods/find/temporary.ts';
import { start } from '../../helpers/process.ts';
import { treeOf } from '../find/tree.ts';

const writer = fileURLToPath(new URL('./writer.ts', import.meta.url));
const files = 80;
/** Long enough that writing it takes several calls of the system. */
const old = 'a'.repeat(1_000_000);

test.each([1, 5, 20, 50])(
  'killed after %i files, every file is the old or the new one, and the next run takes no notice',
  async (after) => {
    using tree = treeOf(Object.fromEntries(Array.from({ length: files }, (_, index) => [`f${index}.ts`, old])));
    await using running = start(process.execPath, [writer, tree.root, 'NEW'], { cwd: tree.root });
    // Each line of the process is an event; the one that counts kills it at once.
    let lines = 0;
    const killed = new Promise<void>((resolve) => {
      running.child.stdout.on('data', (data: Buffer) => {
        lines += data.toString().split('\n').length - 1;
        if (lines < after) return;
        running.child.kill('SIGKILL');
        resolve();
      });
    });
    await killed;
    await running.stop('SIGKILL');

    const names = readdirSync(tree.root);
    const texts = names.filter((name) => !isTemporary(name)).map((name) => readFileSync(tree.at(name), 'utf8'));
    expect(texts).toHaveLength(files);
    expect(texts.filter((text) => text !== old && text !== `${old}NEW`)).toEqual([]);
    const isNew = texts.filter((text) => text !== old).length;
    expect(isNew).toBeGreaterThanOrEqual(after);
    expect(isNew).toBeLessThan(files);
    expect(walk({ cwd: tree.root, paths: ['.'] }).files).toHaveLength(files);
  },
);
