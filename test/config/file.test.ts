import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfigFile } from '../../src/config/file.ts';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'config-'));
});
afterEach(() => rm(cwd, { recursive: true }));

const write = (name: string, content: string) => writeFile(join(cwd, name), content);

test.each([
  ['json', '\uFEFF{"listen": 8080, "mappings": {}}'],
  ['yaml', 'listen: 8080\nmappings: {}\n'],
  ['yml', '# a comment\nlisten: 8080\nmappings: {}'],
  ['js', 'export default { listen: 4040 * 2, mappings: {} };'],
  ['ts', 'interface Own { listen: number; mappings: object }\nexport default { listen: 8080, mappings: {} } satisfies Own;'],
])('migrate-v2.config.%s in the working directory is found', async (extension, content) => {
  const name = `migrate-v2.config.${extension}`;
  await write(name, content);
  expect(await readConfigFile(cwd)).toMatchObject({ content: { listen: 8080, mappings: {} }, name, folder: cwd });
});

test('without a file there is none', async () => {
  expect(await readConfigFile(cwd)).toBeUndefined();
});

test('the given file is read instead of the one in the working directory', async () => {
  await write('migrate-v2.config.json', '{"seed": "found"}');
  await write('own.yaml', 'seed: given');
  expect(await readConfigFile(cwd, { path: 'own.yaml', source: 'the command line' })).toMatchObject({
    content: { seed: 'given' },
    name: 'own.yaml',
  });
});

test('a YAML file with nothing but comments says nothing', async () => {
  await write('migrate-v2.config.yaml', '# seed: x\n');
  expect((await readConfigFile(cwd))?.content).toEqual({});
});

test('two files are one too many', async () => {
  await write('migrate-v2.config.json', '{}');
  await write('migrate-v2.config.ts', 'export default {}');
  await expect(readConfigFile(cwd)).rejects.toMatchObject({
    code: 'CONFIG_CONFLICT',
    message: '--config: both migrate-v2.config.json and migrate-v2.config.ts are here; remove one or say which',
  });
});

test.each([
  ['JSON with a comma too many', 'a.json', '{\n  "a": 1,\n}', "a.json: cannot be read: Quoted object key expected but got '}' at line 3"],
  ['JSON with a key twice', 'a.json', '{"a": 1, "a": 2}', "a.json: cannot be read: Duplicate key 'a' encountered at line 1"],
  ['JSON that is no table', 'a.json', '[1]', 'a.json: must hold a table of settings'],
  ['YAML with a key twice', 'a.yaml', 'a: 1\na: 2', 'a.yaml: cannot be read: Map keys must be unique at line 2, column 1'],
  ['a module that throws', 'a.js', 'throw new Error("not today")', 'a.js: cannot be read: not today'],
  ['a module without a default export', 'a.ts', 'export const a = 1;', 'a.ts: cannot be read: it has no default export'],
  ['another format', 'a.toml', 'a = 1', 'a.toml: must end in one of .json, .yaml, .yml, .js, .ts'],
])('%s is refused in one line', async (_name, file, content, message) => {
  await write(file, content);
  await expect(readConfigFile(cwd, { path: file, source: 'MIGRATE_V2_CONFIG' })).rejects.toMatchObject({
    code: 'CONFIG_UNREADABLE',
    key: file,
    source: 'MIGRATE_V2_CONFIG',
    message: `${message} (from MIGRATE_V2_CONFIG)`,
  });
});

test('a given file that is not there is refused', async () => {
  await expect(readConfigFile(cwd, { path: 'no.json', source: 'the command line' })).rejects.toThrow(
    /^no\.json: cannot be read: ENOENT.* \(from the command line\)$/,
  );
});

test('a secret near a fault in the file is not shown', async () => {
  await write('migrate-v2.config.json', '{"hashSecret": topsecret}');
  await expect(readConfigFile(cwd)).rejects.toThrow(/^migrate-v2\.config\.json: (?!.*topsecret)/);
});
