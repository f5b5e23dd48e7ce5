import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSettings, type Sources } from '../../src/config/load.ts';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'config-migrate-'));
});
afterEach(() => rm(cwd, { recursive: true }));

interface Given extends Partial<Sources> {
  readonly file?: object;
}

async function load({ flags = {}, env = {}, file }: Given) {
  if (file !== undefined) await writeFile(join(cwd, 'migrate-v2.config.json'), JSON.stringify(file));
  return loadSettings('migrate', { flags, env, cwd });
}

const message = async (given: Given): Promise<string> =>
  load(given).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

describe('the base of v1', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://api.example.com/v1', 'https://api.example.com'],
    ['HTTPS://API.example.com:443/tenant/v1//', 'https://api.example.com/tenant'],
    ['http://127.0.0.1:8080/v11', 'http://127.0.0.1:8080/v11'],
    ['env:API_BASE', 'env:API_BASE'],
    ['env:_a1', 'env:_a1'],
  ])('%s is read as %s', async (given, base) => {
    expect((await load({ flags: { 'v1-base': given } })).v1Base).toEqual([base]);
  });

  test('may be given more than once, and each counts once', async () => {
    const { v1Base } = await load({ flags: { 'v1-base': ['https://a.test', 'env:B', 'https://a.test/v1/'] } });
    expect(v1Base).toEqual(['https://a.test', 'env:B']);
  });

  test('is a list in the file, and has commas in the environment', async () => {
    const file = { migrate: { v1Base: ['https://a.test', 'env:B'] } };
    expect((await load({ file })).v1Base).toEqual(['https://a.test', 'env:B']);
    expect((await load({ file, env: { MIGRATE_V2_V1_BASE: 'https://c.test, env:D' } })).v1Base).toEqual(['https://c.test', 'env:D']);
  });

  test('is no base where none is given', async () => {
    expect((await load({})).v1Base).toEqual([]);
  });

  test.each([
    ['api.example.com', '--v1-base: "api.example.com" is not an http(s) URL, nor env:NAME for an environment variable that holds one'],
    ['ftp://a.test', '--v1-base: "ftp://a.test" is not an http(s) URL, nor env:NAME for an environment variable that holds one'],
    ['https://me:secret@a.test', '--v1-base: must not hold a user name or password'],
    ['https://a.test/?key=1', '--v1-base: must not have a query or fragment'],
    ['env:1A', '--v1-base: "env:1A" does not name an environment variable: write env:API_BASE'],
    ['env:', '--v1-base: "env:" does not name an environment variable: write env:API_BASE'],
    [' ', '--v1-base: must not hold an empty text'],
  ])('%j is refused', async (given, expected) => {
    expect(await message({ flags: { 'v1-base': given } })).toBe(`${expected} (from the command line)`);
  });
});

describe('the base of v2', () => {
  test.each([
    ['https://v2.example.com', 'https://v2.example.com'],
    ['https://v2.example.com/v2/', 'https://v2.example.com'],
    ['https://v2.example.com/eu/v2', 'https://v2.example.com/eu'],
  ])('%s is read as %s', async (given, base) => {
    expect((await load({ flags: { 'v2-base': given } })).v2Base).toBe(base);
  });

  test.each([
    ['env:V2', '--v2-base: "env:V2" is not an http(s) URL (from the command line)'],
    ['https://me@a.test', '--v2-base: must not hold a user name or password (from the command line)'],
  ])('%j is refused', async (given, expected) => {
    expect(await message({ flags: { 'v2-base': given } })).toBe(expected);
  });

  test('of the proxy and that of the codemods are checked by their own rules', async () => {
    const file = { v2Base: 'https://v2.example.com/v2' };
    expect((await load({ file })).v2Base).toBe('https://v2.example.com');
    await expect(loadSettings('proxy', { flags: {}, env: {}, cwd })).rejects.toThrow('must end before /v2');
  });
});

describe('paths and globs', () => {
  test('paths are absolute: those of the command line from the working directory, those of a file from its folder', async () => {
    const folder = await mkdtemp(join(cwd, 'conf-'));
    await writeFile(join(folder, 'own.json'), JSON.stringify({ migrate: { paths: ['../lib', 'src'] } }));
    expect((await load({ flags: { paths: ['src', '/abs'] } })).paths).toEqual([join(cwd, 'src'), '/abs']);
    expect((await load({ flags: { config: join(folder, 'own.json') } })).paths).toEqual([join(cwd, 'lib'), join(folder, 'src')]);
  });

  test('without paths there are none', async () => {
    expect((await load({})).paths).toBeUndefined();
  });

  test('a glob of a flag is taken whole, and one of the environment keeps its braces', async () => {
    expect((await load({ flags: { include: ['a,b', '*.{js,ts}'] } })).include).toEqual(['a,b', '*.{js,ts}']);
    expect((await load({ env: { MIGRATE_V2_EXCLUDE: 'a/**,*.{js,ts}' } })).exclude).toEqual(['a/**', '*.{js,ts}']);
  });
});

describe('settings that say opposite things', () => {
  test.each<[Given['flags'] & object, string]>([
    [
      { interactive: true, check: true },
      '--interactive: excludes --check, which writes nothing, so that there is nothing to accept; leave one of them out',
    ],
    [{ interactive: true, yes: true }, '--interactive: excludes --yes, which accepts everything; leave one of them out'],
    [{ explain: 'a.ts:1', diff: true }, '--explain: excludes --diff, which it has no use for: it only explains; leave one of them out'],
    [{ todo: true, check: true }, '--todo: excludes --check, which writes nothing; leave one of them out'],
    [{ format: 'json', diff: true }, '--format: does not go with --diff, which has a form of its own; leave one of them out'],
    [{ format: 'sarif', explain: 'a.ts:1' }, '--format: does not go with --explain, which has a form of its own; leave one of them out'],
  ])('%j', async (flags, expected) => {
    expect(await message({ flags })).toBe(`${expected} (from the command line)`);
  });

  test.each([
    { check: true, diff: true },
    { diff: true, todo: true },
    { check: true, format: 'sarif' },
    { 'dry-run': true, diff: true },
  ])('%j go together', async (flags) => {
    expect(await message({ flags })).toBe('accepted');
  });
});
