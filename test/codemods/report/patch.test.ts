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

  test('is whole where a test names a key by words', () => {
    const { patch, withheld } = print({ 'a.test.js': "/v1 apiKey = 'test-acme-key';\n" }, [edit('a.test.js', '1', 4)]);
    expect(patch).toContain("+/v2 apiKey = 'test-acme-key';");
    expect(withheld).toEqual([]);
  });

  /** A line that changes, with a key in it. */
  const withKey = "/v1 apiKey = 'tk-51c2-secret';\n";

  test('leaves out a change with a key in its line, and every file that is changed together with it', () => {
    const edits = [edit('a.js', '1', 4), edit('b.js', '1'), edit('c.js', '2')];
    const { patch, withheld } = print({ 'a.js': withKey, 'b.js': '1;\n', 'c.js': '1;\n' }, edits);
    expect(patch).toMatch(/^--- a\/c\.js\n/);
    expect(withheld).toEqual([
      { file: 'a.js', why: 'key', edits: 1, of: 1 },
      { file: 'b.js', why: 'together', edits: 1, of: 1 },
    ]);
  });

  test('leaves out of a file only what is changed with the key, and what is changed together with that', () => {
    const far = '1;\n'.repeat(9);
    const text = `${far}${withKey}${far}/v1\n`;
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

  test('shows what changes beside a change with a key, and what is changed together with it elsewhere', () => {
    const edits = [edit('a.js', '1'), edit('a.js', '2', 4), edit('b.js', '1'), edit('c.js', '2')];
    const { patch, withheld, isCut } = print({ 'a.js': withKey, 'b.js': '1;\n', 'c.js': '1;\n' }, edits);
    expect(patch).toMatch(/^--- a\/a\.js\n[^]*^@@ -1,1 \+1,1 @@\n-\/v1\n\+\/v2\n--- a\/b\.js\n/m);
    expect(patch).not.toMatch(/tk-51c2|c\.js/);
    expect(withheld).toEqual([
      { file: 'a.js', why: 'key', edits: 1, of: 2 },
      { file: 'c.js', why: 'together', edits: 1, of: 1 },
    ]);
    expect(isCut).toBe(true);
  });

  const key = "const apiKey = 'tk-51c2-secret';\n";
  test.each([
    { where: 'two lines after the change', text: `1;\n${key}2;\n`, hunks: ['@@ -1,2 +1,2 @@'], isCut: false },
    { where: 'right after the change', text: `${key}2;\n`, hunks: ['@@ -1,1 +1,1 @@'], isCut: true },
    { where: 'between two changes', text: `${key}/v1\n`, at: 4 + key.length, hunks: ['@@ -1,1 +1,1 @@', '@@ -3,1 +3,1 @@'], isCut: true },
  ])('shows no line with a key, $where', ({ text, at, hunks, isCut }) => {
    const edits = [edit('a.js', '1'), ...(at === undefined ? [] : [edit('a.js', '2', at)])];
    const printed = print({ 'a.js': text }, edits);
    expect(printed.patch.match(/^@@.*/gm)).toEqual(hunks);
    expect(printed.patch).not.toContain('tk-51c2');
    expect(printed).toMatchObject({ withheld: [], isCut });
  });

  test('holds a file whose key is far from the change', () => {
    expect(print({ 'a.js': `${'1;\n'.repeat(9)}const apiKey = 'tk-51c2-secret';\n` }, []).withheld).toEqual([]);
  });

  test('leaves out a file with what proofs know to be a key, whatever it looks like', () => {
    expect(print({ 'a.js': "/v1 k = 'plainword';\n" }, [edit('a.js', '1', 4)], { keys: new Set(['plainword']) }).withheld).toEqual([
      { file: 'a.js', why: 'key', edits: 1, of: 1 },
    ]);
  });

  test('leaves out control characters where a terminal would obey them, and only there', () => {
    const [files, edits] = [{ 'a.js': "/v1 red = '\u001b[31m';\r\n" }, [edit('a.js', '1', 4)]];
    expect(print(files, edits).withheld).toEqual([{ file: 'a.js', why: 'control', edits: 1, of: 1 }]);
    expect(print(files, edits, { isTerminal: false }).withheld).toEqual([]);
  });
});
