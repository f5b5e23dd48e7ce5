import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';
import { base, trees, type Tree } from '../helpers/growing-trees.ts';
import { workOf } from '../helpers/work.ts';

// What is done once for all runs is done in the first.
beforeAll(() => costOfTree({ 'main.ts': `fetch('${base}/v1/contacts', { headers: { 'x-api-key': process.env.API_KEY } });` }));

test.for(Object.keys(trees))('%s: what twice as many of them cost more is at most twice as much', async (name) => {
  const costOf = (count: number): Promise<number> => costOfTree(trees[name]?.(count) ?? {});
  const [few, more, many] = [await costOf(14), await costOf(28), await costOf(56)];
  expect((many - more) / (more - few)).toBeLessThan(2.3);
});

async function costOfTree(tree: Tree): Promise<number> {
  const cwd = mkdtempSync(join(tmpdir(), 'linear-'));
  try {
    for (const [file, text] of Object.entries(tree)) writeFileSync(join(cwd, file), text);
    return await workOf(() => migrate({ paths: ['.'], cwd, v1Base: [base], dryRun: true, jobs: 1 }));
  } finally {
    rmSync(cwd, { recursive: true });
  }
}
