import { describe, expect, test } from 'vitest';
import type { Edit } from '../../../codemods/model.ts';
import { patchOf } from '../../../codemods/edit/patch.ts';
import { type PatchOptions, printablePatch } from '../../../codemods/report/patch.ts';

const edit = (file: string, group: string): Edit => ({ file, group, start: 0, end: 0, text: '', what: 'path' });

const print = (files: Readonly<Record<string, string>>, edits: readonly Edit[], options: Partial<PatchOptions> = {}) =>
  printablePatch({
    changed: Object.entries(files).map(([file, text]) => ({ file, before: `/v1\n${text}`, after: `/v2\n${text}` })),
    edits,
    keys: new Set(),
    isTerminal: true,
    patchOf: ({ file, before, after }) => patchOf([{ path: file, before, after }]),
    ...options,
  });

describe('a patch that is printed', () => {
  test('is whole where nothing in it must be hidden', () => {
    const { patch, withheld } = print({ 'a.js': 'const key = process.env.API_KEY;\n', 'b.js': '1;\n' }, []);
    expect(patch).toMatch(/\+\+\+ b\/a\.js\n[^]*\+\+\+ b\/b\.js\n/);
    expect(withheld).toEqual([]);
  });

  test('leaves out a file with a key near the change, and every file that is changed together with it', () => {
    const edits = [edit('a.js', '1'), edit('b.js', '1'), edit('b.js', '2'), edit('c.js', '2'), edit('d.js', '3')];
    const files = { 'a.js': "const apiKey = 'tk-51c2-secret';\n", 'b.js': '1;\n', 'c.js': '1;\n', 'd.js': '1;\n' };
    const { patch, withheld } = print(files, edits);
    expect(patch).toMatch(/^--- a\/d\.js\n/);
    expect(withheld).toEqual([
      { file: 'a.js', why: 'key' },
      { file: 'b.js', why: 'together' },
      { file: 'c.js', why: 'together' },
    ]);
  });

  test('holds a file whose key is far from the change', () => {
    expect(print({ 'a.js': `${'1;\n'.repeat(9)}const apiKey = 'tk-51c2-secret';\n` }, []).withheld).toEqual([]);
  });

  test('leaves out a file with what proofs know to be a key, whatever it looks like', () => {
    expect(print({ 'a.js': "const k = 'plainword';\n" }, [], { keys: new Set(['plainword']) }).withheld).toEqual([
      { file: 'a.js', why: 'key' },
    ]);
  });

  test('leaves out control characters where a terminal would obey them, and only there', () => {
    const files = { 'a.js': "const red = '\u001b[31m';\r\n" };
    expect(print(files, []).withheld).toEqual([{ file: 'a.js', why: 'control' }]);
    expect(print(files, [], { isTerminal: false }).withheld).toEqual([]);
  });
});
