import { describe, expect, test } from 'vitest';
import type { Edit } from '../../../codemods/model.ts';
import { patchOf } from '../../../codemods/edit/patch.ts';
import { type PatchOptions, printablePatch } from '../../../codemods/report/patch.ts';

/** The edit of one of the lines `/v1`. */
const edit = (file: string, group: string, at = 0): Edit => ({ file, group, start: at + 1, end: at + 3, text: 'v2', what: 'path' });

/** Files that begin with a line `/v1`. */
const print = (files: Readonly<Record<string, string>>, edits: readonly Edit[], options: Partial<PatchOptions> = {}) =>
  printablePatch({
    changed: Object.entries(files).map(([file, text]) => ({ file, before: `/v1\n${text}`, after: `/v2\n${text}` })),
    edits: edits.length > 0 ? edits : Object.keys(files).map((file) => edit(file, file)),
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
    const edits = [edit('a.js', '1'), edit('b.js', '1'), edit('c.js', '2')];
    const files = { 'a.js': "const apiKey = 'tk-51c2-secret';\n", 'b.js': '1;\n', 'c.js': '1;\n' };
    const { patch, withheld } = print(files, edits);
    expect(patch).toMatch(/^--- a\/c\.js\n/);
    expect(withheld).toEqual([
      { file: 'a.js', why: 'key', edits: 1, of: 1 },
      { file: 'b.js', why: 'together', edits: 1, of: 1 },
    ]);
  });

  test('leaves out of a file only what is changed near the key, and what is changed together with that', () => {
    const far = '1;\n'.repeat(9);
    const text = `${far}/v1\nconst apiKey = 'tk-51c2-secret';\n${far}/v1\n`;
    const [second, third] = [4 + far.length, 4 + text.length - 4];
    const edits = [edit('a.js', '1'), edit('a.js', '2', second), edit('a.js', '3', third), edit('b.js', '2'), edit('b.js', '4', 4)];
    const { patch, withheld } = print({ 'a.js': text, 'b.js': '/v1\n' }, edits);
    expect(patch.match(/^[+]\/v2$/gm)).toHaveLength(3);
    expect(patch).toMatch(/^--- a\/a\.js\n[^]*^@@ -1,4 [^]*^--- a\/b\.js\n/m);
    expect(patch).not.toContain('tk-51c2');
    expect(withheld).toEqual([
      { file: 'a.js', why: 'key', edits: 1, of: 3 },
      { file: 'b.js', why: 'together', edits: 1, of: 2 },
    ]);
  });

  test('holds a file whose key is far from the change', () => {
    expect(print({ 'a.js': `${'1;\n'.repeat(9)}const apiKey = 'tk-51c2-secret';\n` }, []).withheld).toEqual([]);
  });

  test('leaves out a file with what proofs know to be a key, whatever it looks like', () => {
    expect(print({ 'a.js': "const k = 'plainword';\n" }, [], { keys: new Set(['plainword']) }).withheld).toEqual([
      { file: 'a.js', why: 'key', edits: 1, of: 1 },
    ]);
  });

  test('leaves out control characters where a terminal would obey them, and only there', () => {
    const files = { 'a.js': "const red = '\u001b[31m';\r\n" };
    expect(print(files, []).withheld).toEqual([{ file: 'a.js', why: 'control', edits: 1, of: 1 }]);
    expect(print(files, [], { isTerminal: false }).withheld).toEqual([]);
  });
});
