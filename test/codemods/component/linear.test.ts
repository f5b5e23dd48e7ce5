import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';
import { base, trees, type Tree } from '../helpers/growing-trees.ts';
import { workOf } from '../helpers/work.ts';

/** Each of these files decides for all others, as `axios.defaults` does: what is joined so is found by comparing all with all. */
const dearer = new Set(['clients that are written to']);

test.for(Object.keys(trees).filter((name) => !dearer.has(name)))(
  '%s: what twice as many of them cost more is at most twice as much',
  async (name) => {
    const costOf = (count: number): Promise<number> => {
      const cwd = written(trees[name]?.(count) ?? {});
      return workOf(() => migrate({ paths: ['.'], cwd, v1Base: [base], dryRun: true, jobs: 1 }));
    };
    // What is done once for all runs is done in the first.
    await costOf(25);
    const [few, more, many] = [await costOf(25), await costOf(50), await costOf(100)];
    expect((many - more) / (more - few)).toBeLessThan(2.25);
  },
);

function written(tree: Tree): string {
  const cwd = mkdtempSync(join(tmpdir(), 'linear-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [file, text] of Object.entries(tree)) writeFileSync(join(cwd, file), text);
  return cwd;
}
