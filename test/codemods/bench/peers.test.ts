/** Who is compared does the same work: what migrate-v2 changes in the generated trees, and nothing else. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jscodeshift, { type API, type FileInfo } from 'jscodeshift';
import { expect, onTestFinished, test } from 'vitest';
import { v1Base } from '../../../bench/codemods/calls.ts';
import { writeTree } from '../../../bench/codemods/tree.ts';
import { migrate } from '../../../codemods/migrate.ts';

type Transform = (file: Pick<FileInfo, 'source'>, api: Pick<API, 'j'>) => string | undefined;
const print: Transform = createRequire(import.meta.url)('../../../bench/codemods/peers/jscodeshift-print.cjs');

test("jscodeshift's transform makes migrate-v2's edits, and leaves the vendor that looks alike", async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'migrate-v2-peers-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const { callers, lookalikes } = writeTree(cwd, { files: 400, density: 'sparse', seed: 1, connected: false });
  const j = jscodeshift.withParser('tsx');
  const sources = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter((path) => /\/src\/.*\.[jt]sx?$/.test(path));
  const printed = sources.flatMap((file) => {
    const source = readFileSync(join(cwd, file), 'utf8');
    // In the others nothing can change, and parsing them takes long.
    const after = /v1\/|x-api-key/.test(source) ? print({ source }, { j }) : undefined;
    return after === undefined ? [] : [{ file, after }];
  });

  const { changed } = await migrate({ cwd, paths: ['.'], v1Base: [v1Base], dryRun: true });

  expect({ callers, lookalikes }).toEqual({ callers: 20, lookalikes: 1 });
  expect(new Map(printed.map(({ file, after }) => [file, after]))).toEqual(new Map(changed.map(({ file, after }) => [file, after])));
});
