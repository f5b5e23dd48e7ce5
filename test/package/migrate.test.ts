/** `migrate` of the package: what its callers may leave out. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FindError, migrate, MigrateError } from '../../src/index.ts';

const call = (base: string): string => `fetch('${base}/v1/messages', { headers: { 'x-api-key': key } });\n`;
const moved = (base: string): string => call(base).replace('v1', 'v2').replace("'x-api-key': key", 'Authorization: `Bearer ${key}`');
const [one, other] = ['https://api.example.com', 'https://eu.example.com'] as const;

let folder: string;
const file = (): string => join(folder, 'client.js');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrate-'));
  writeFileSync(file(), call(one) + call(other));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('takes one base', async () => {
  const { written } = await migrate({ paths: 'client.js', cwd: folder, v1Base: one, force: true });
  expect(written).toEqual(['client.js']);
  expect(readFileSync(file(), 'utf8')).toBe(moved(one) + call(other));
});

test('takes several paths and bases', async () => {
  await migrate({ paths: [folder], cwd: folder, v1Base: [one, other], force: true });
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

test('does not send what several hosts are asked to one host of v2, as one may be a stage', async () => {
  const failure = migrate({
    paths: '.',
    cwd: folder,
    v1Base: [one, other, 'env:TEXTS_URL'],
    v2Base: 'https://v2.example.com',
    dryRun: true,
  });
  await expect(failure).rejects.toMatchObject({ code: 'BASE_INVALID' });
  await expect(failure).rejects.toThrow(`--v2-base would send what asks ${new URL(one).host} and ${new URL(other).host} to one host`);
});

/** What JavaScript lets its callers give. */
const given = (options: unknown): Promise<unknown> => migrate(options as Parameters<typeof migrate>[0]);

test.each<[unknown, string, string]>([
  [
    undefined,
    'OPTION_INVALID',
    "undefined is no object with options: write migrate({ paths: ['src'], v1Base: 'https://api.example.com' })",
  ],
  ['src', 'OPTION_INVALID', `"src" is no object with options: write migrate({ paths: ['src'], v1Base: 'https://api.example.com' })`],
  [{}, 'OPTION_INVALID', "paths: undefined is not a file or folder, or a list of them: write ['src']"],
  [{ paths: 'src', allow: ['src/api.js'] }, 'OPTION_INVALID', `allow: [ 'src/api.js' ] is not a list of places: write ['src/api.js:12']`],
  [{ paths: [] }, 'OPTION_INVALID', "paths: [] is not a file or folder, or a list of them: write ['src']"],
  [{ paths: '' }, 'OPTION_INVALID', `paths: "" is not a file or folder, or a list of them: write ['src']`],
  [{ paths: '.', v1base: one }, 'OPTION_UNKNOWN', 'v1base: no such option; did you mean v1Base?'],
  [{ paths: '.', dryrun: true }, 'OPTION_UNKNOWN', 'dryrun: no such option; did you mean dryRun?'],
  [{ paths: '.', dryRun: 'false' }, 'OPTION_INVALID', 'dryRun: "false" is not true or false'],
  [{ paths: '.', v1Base: 8080 }, 'OPTION_INVALID', 'v1Base: 8080 is not a URL or env:NAME, or a list of them'],
  [{ paths: '.', include: '**/*.ts' }, 'OPTION_INVALID', `include: "**/*.ts" is not a list of globs: write ['**/*.ts']`],
  [{ paths: '.', jobs: 0 }, 'OPTION_INVALID', 'jobs: 0 is not a whole number of at least 1'],
  [{ paths: '.', env: 'KEY=secret' }, 'OPTION_INVALID', 'env: is not an object with the names and values of variables'],
  [{ paths: '.', signal: new AbortController() }, 'OPTION_INVALID', 'signal: is not an AbortSignal'],
])('refuses %j', async (options, code, message) => {
  const failure = given(typeof options === 'object' && options !== null ? { cwd: folder, v1Base: one, ...options } : options);
  await expect(failure).rejects.toMatchObject({ name: 'MigrateError', code, message });
  expect(readFileSync(file(), 'utf8')).toBe(call(one) + call(other));
});

test('names all options where none is like the one that is given', async () => {
  await expect(given({ paths: '.', colour: 'red' })).rejects.toThrow(/^colour: no such option; there are paths, cwd, v1Base, .*signal$/);
});

test('takes undefined for what is left out', async () => {
  const { changed } = await migrate({
    paths: '.',
    cwd: folder,
    v1Base: one,
    v2Base: undefined,
    jobs: undefined,
    env: process.env,
    dryRun: true,
  });
  expect(changed).toHaveLength(1);
});
