/** Real-looking files that speak of v1's header and paths, and none of which is a call of ours: not one edit is allowed. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../codemods/migrate.ts';
import { readTree } from './helpers/fixtures.ts';

const corpus = fileURLToPath(new URL('decoys', import.meta.url));
const files = Object.entries(readTree(corpus));
/** Calls that are v1's in everything but their host. */
const vendors = files.map(([file]) => file).filter((file) => file.startsWith('vendors/'));
const v1Base = 'https://api.example.com';

/** The corpus in a folder of its own, and what a run over it gives. */
async function run(prepare: (folder: string) => void = () => undefined) {
  const cwd = mkdtempSync(join(tmpdir(), 'decoys-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  cpSync(corpus, cwd, { recursive: true });
  prepare(cwd);
  const before = readTree(cwd);
  const result = await migrate({ paths: ['.'], cwd, v1Base: [v1Base], force: true, env: {} });
  return { result, before, after: readTree(cwd) };
}

test('the corpus has at least 60 files, and each speaks of something that v1 has too', () => {
  expect(files.length).toBeGreaterThanOrEqual(60);
  expect(files.filter(([, text]) => !/api-key|v1|api\.example\.com/i.test(text)).map(([file]) => file)).toEqual([]);
});

test('not one edit is planned, and every file keeps its bytes', async () => {
  const { result, before, after } = await run();
  expect(result.plan.edits).toEqual([]);
  expect(result.written).toEqual([]);
  expect(after).toEqual(before);
});

test('not one of the calls counts as moved, and none of the files fails', async () => {
  const { result } = await run();
  expect(result.plan.calls).toEqual([]);
  expect(result.failures).toEqual([]);
});

test('what keeps them is that their host is not proven: with our base in its place, all calls of vendors are moved, and nothing else', async () => {
  expect(vendors.length).toBeGreaterThanOrEqual(20);
  const { result } = await run((folder) => {
    for (const file of vendors) {
      const path = join(folder, file);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/https:\/\/[\w.-]+/g, v1Base));
    }
  });
  expect(result.changed.map(({ file }) => file).toSorted()).toEqual(vendors);
  expect(result.changed.filter(({ after }) => !after.includes('Bearer ')).map(({ file }) => file)).toEqual([]);
});
