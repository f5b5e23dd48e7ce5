import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ApplyError } from '../../../codemods/edit/errors.ts';
import { type Change, decode, readText, writeText } from '../../../codemods/edit/write.ts';
import { treeOf } from '../find/tree.ts';

const codeOf = async (writing: Promise<void>): Promise<string | undefined> => {
  const error: unknown = await writing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ApplyError ? error.code : undefined;
};

test.each(['\uFEFFa', 'a\r\nb\rc\n', 'ü😀\u2028\0', '', '#!/usr/bin/env node\n'])(
  'what is read is written byte for byte: %j',
  async (content) => {
    using tree = treeOf({ 'a.ts': content });
    const before = readText(tree.at('a.ts'));
    await writeText({ path: tree.at('a.ts'), before, after: `${before}x` });
    expect(readFileSync(tree.at('a.ts'))).toEqual(Buffer.from(`${content}x`));
  },
);

test.each([[[0xff]], [[0x61, 0xe4, 0x62]], [[0xed, 0xa0, 0x80]], [[0xc0, 0x80]]])('what is not UTF-8 is not decoded: %j', (bytes) => {
  expect(() => decode(Uint8Array.from(bytes))).toThrow(expect.objectContaining({ code: 'UNREADABLE' }));
});

test('a file that is not there cannot be read', () => {
  using tree = treeOf();
  expect(() => readText(tree.at('a.ts'))).toThrow(expect.objectContaining({ code: 'UNREADABLE', message: 'cannot be read (ENOENT)' }));
});

test.each([0o644, 0o600, 0o755, 0o4711, 0o666])('the mode is kept: %o', async (mode) => {
  using tree = treeOf({ 'a.sh': 'a' });
  chmodSync(tree.at('a.sh'), mode);
  await writeText({ path: tree.at('a.sh'), before: 'a', after: 'b' });
  expect(statSync(tree.at('a.sh')).mode & 0o7777).toBe(mode);
});

test('a link stays one, and its own file is written', async () => {
  using tree = treeOf({ 'real/a.ts': 'a' });
  tree.link('b.ts', 'real/a.ts');
  await writeText({ path: tree.at('b.ts'), before: 'a', after: 'b' });
  expect([lstatSync(tree.at('b.ts')).isSymbolicLink(), readFileSync(tree.at('real/a.ts'), 'utf8')]).toEqual([true, 'b']);
});

test('another name of the file keeps the old text', async () => {
  using tree = treeOf({ 'a.ts': 'a' });
  linkSync(tree.at('a.ts'), tree.at('b.ts'));
  await writeText({ path: tree.at('a.ts'), before: 'a', after: 'b' });
  expect([readFileSync(tree.at('a.ts'), 'utf8'), readFileSync(tree.at('b.ts'), 'utf8')]).toEqual(['b', 'a']);
});

test('the longest possible name is no obstacle', async () => {
  const name = `${'ü'.repeat(126)}.ts`;
  using tree = treeOf({ [name]: 'a' });
  await writeText({ path: tree.at(name), before: 'a', after: 'b' });
  expect(readdirSync(tree.root)).toEqual([name]);
});

test.each<[string, string, (path: string) => void, string]>([
  ['CHANGED_MEANWHILE', 'was changed since', (path) => writeFileSync(path, 'other'), 'other'],
  ['UNWRITABLE', 'is read-only', (path) => chmodSync(path, 0o444), 'a'],
])('%s: a file that %s is left as it is, and nothing beside it', async (code, _, happens, content) => {
  using tree = treeOf({ 'a.ts': 'a' });
  happens(tree.at('a.ts'));
  expect(await codeOf(writeText({ path: tree.at('a.ts'), before: 'a', after: 'b' }))).toBe(code);
  expect([readdirSync(tree.root), readFileSync(tree.at('a.ts'), 'utf8')]).toEqual([['a.ts'], content]);
});

test('UNWRITABLE: a file that is gone is not made anew', async () => {
  using tree = treeOf();
  expect(await codeOf(writeText({ path: tree.at('a.ts'), before: 'a', after: 'b' }))).toBe('UNWRITABLE');
  expect(readdirSync(tree.root)).toEqual([]);
});

test('UNWRITABLE: half a character is not written as another one', async () => {
  using tree = treeOf({ 'a.ts': 'a' });
  expect(await codeOf(writeText({ path: tree.at('a.ts'), before: 'a', after: '\uD83D' }))).toBe('UNWRITABLE');
});

test('where the last step fails, nothing is left beside the file', async () => {
  using tree = treeOf({ 'a.ts': 'a' });
  const change: Change = { path: tree.at('a.ts'), before: 'a', after: 'b' };
  const fs = await import('node:fs/promises');
  const rename = (): Promise<void> => Promise.reject(Object.assign(new Error('no'), { code: 'EIO' }));
  vi.doMock('node:fs/promises', () => ({ ...fs, rename }));
  vi.resetModules();
  onTestFinished(() => {
    vi.doUnmock('node:fs/promises');
    vi.resetModules();
  });
  const { writeText: failing } = await import('../../../codemods/edit/write.ts');
  await expect(failing(change)).rejects.toMatchObject({ code: 'UNWRITABLE', message: 'cannot be written (EIO)', cause: { code: 'EIO' } });
  expect([readdirSync(tree.root), readFileSync(tree.at('a.ts'), 'utf8')]).toEqual([['a.ts'], 'a']);
});

test('a folder in the place of the file is not written', async () => {
  using tree = treeOf();
  mkdirSync(tree.at('a.ts'));
  expect(await codeOf(writeText({ path: tree.at('a.ts'), before: 'a', after: 'b' }))).toBe('UNWRITABLE');
  expect(readdirSync(tree.root).map((name) => basename(name))).toEqual(['a.ts']);
});
