import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';
import { base, trees, type Tree } from '../helpers/growing-trees.ts';
import { worksOf } from '../helpers/work.ts';

// What is done once for all runs is done in the first.
beforeAll(() => costsOfTrees([{ 'main.ts': `fetch('${base}/v1/contacts', { headers: { 'x-api-key': process.env.API_KEY } });` }]));

/** The fewest, where so few are followed one by one and more are not. */
const fewest: Readonly<Record<string, number>> = { 'paths that are assigned to one URL': 20 };
/** The file that is about it, where what else is done takes more than it should. */
const parts: Readonly<Record<string, RegExp>> = {
  'options that are filled in where they have something else not': /evaluate\/writes\/unmade-writes/,
};
const step = 15;

test.for(Object.keys(trees))('%s: as many more of them cost no more where there are many than where there are few', async (name) => {
  const from = fewest[name] ?? 5;
  const grown = [from, from + step, from + 2 * step].map((count) => trees[name]?.(count) ?? {});
  const [few = 0, more = 0, many = 0] = await costsOfTrees(grown, parts[name]);
  expect(more).toBeGreaterThan(few);
  expect((many - more) / (more - few)).toBeLessThan(1.1);
});

async function costsOfTrees(grown: readonly Tree[], of?: RegExp): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'linear-'));
  try {
    const runs = grown.map((tree, index) => {
      const cwd = join(folder, String(index));
      mkdirSync(cwd);
      for (const [file, text] of Object.entries(tree)) writeFileSync(join(cwd, file), text);
      return () => migrate({ paths: ['.'], cwd, v1Base: [base], dryRun: true, jobs: 1 });
    });
    return await worksOf(runs, of);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
