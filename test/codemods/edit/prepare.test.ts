import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { prepare } from '../../../codemods/edit/prepare.ts';
import type { Edit } from '../../../codemods/model.ts';

const edit = (file: string, group: string, start = 0): Edit => ({ file, group, start, end: start + 1, text: 'b', what: 'path' });

test('a file that fails takes all edits of all its groups with it, and no others', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'prepare-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const file of ['one.js', 'two.js', 'three.js']) writeFileSync(join(cwd, file), 'aa');
  const edits = [edit('gone.js', 'g1'), edit('gone.js', 'g2', 1), edit('one.js', 'g1'), edit('two.js', 'g2'), edit('three.js', 'g3')];

  const prepared = await prepare({ cwd, edits, parse: () => undefined, versions: new Map(), isWriting: false });

  expect(prepared.failed.map(({ file }) => file)).toEqual(['gone.js']);
  expect(prepared.changed.map(({ file, after }) => [file, after])).toEqual([['three.js', 'ba']]);
  expect(prepared.edits.map(({ group }) => group)).toEqual(['g3']);
});
