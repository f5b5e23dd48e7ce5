/** `migrate` of the package: what its callers may leave out. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FindError, migrate, MigrateError } from '../../src/index.ts';

const call = (base: string): string => `fetch('${base}/v1/messages', { headers: { 'x-api-key': key } });\n`;
const moved = (base: string): string => call(base).replace('v1', 'v2').replace("'x-api-key': key", "'Authorization': `Bearer ${key}`");
const [one, other] = ['https://api.example.com', 'https://eu.example.com'] as const;

let folder: string;
const file = (): string => join(folder, 'client.js');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrate-'));
  writeFileSync(file(), call(one) + call(other));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('takes one base', async () => {
  const { written } = await migrate({ paths: 'client.js', cwd: folder, v1Base: one });
  expect(written).toEqual(['client.js']);
  expect(readFileSync(file(), 'utf8')).toBe(moved(one) + call(other));
});

test('takes several paths and bases', async () => {
  await migrate({ paths: [folder], cwd: folder, v1Base: [one, other] });
  expect(readFileSync(file(), 'utf8')).toBe(moved(one) + moved(other));
});

test('names files relative to the working directory of the process where none is given', async () => {
  const { changed } = await migrate({ paths: file(), v1Base: one, dryRun: true });
  expect(changed).toHaveLength(1);
  expect(changed[0]?.file).toMatch(/^(?:\.\.\/)+.*client\.js$/);
});

test('writes nothing without a base, and says which ones there are', async () => {
  const { plan, written } = await migrate({ paths: '.', cwd: folder });
  expect(written).toEqual([]);
  expect(plan.candidates.map(({ base }) => base).toSorted()).toEqual([one, other]);
});

test('throws errors with a code where it may not begin', async () => {
  await expect(migrate({ paths: 'missing', cwd: folder, v1Base: one })).rejects.toThrow(FindError);
  const failure = migrate({ paths: '.', cwd: folder, v1Base: 'api.example.com' });
  await expect(failure).rejects.toThrow(MigrateError);
  await expect(failure).rejects.toMatchObject({ code: 'BASE_INVALID' });
});
