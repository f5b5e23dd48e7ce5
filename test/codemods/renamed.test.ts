/**
 * What a program calls its own things proves nothing: with other names for them, no fixture has an edit more. A share of the fixtures at a time, another
 * in each run; RENAMED_SEED has the same ones again, RENAMED_RUNS=10000 all of them.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import fc from 'fast-check';
import { migrate } from '../../codemods/migrate.ts';
import { type Fixture, loadFixtures, readTree, v1BaseOf } from './helpers/fixtures.ts';
import { renamed } from './helpers/rename.ts';

const seed = Number(process.env['RENAMED_SEED'] ?? randomInt(2 ** 31));
const numRuns = Number(process.env['RENAMED_RUNS'] ?? 25);
const folder = mkdtempSync(join(tmpdir(), 'renamed-'));
beforeAll(() => console.log(`RENAMED_SEED=${seed}`));
afterAll(() => rmSync(folder, { recursive: true }));

const isScript = /\.(?:[cm]?[jt]s|[jt]sx)$/;
/** No word that means something; as components and hooks are told by their first letters, these stay. */
const other = (name: string): string => `${/^(?:use)?[A-Z]?/.exec(name)?.[0] ?? ''}zq${Buffer.from(name).toString('hex')}`;
const withOtherNames = (tree: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(tree).map(([file, text]) => [file, isScript.test(file) ? renamed(file, text, other) : text]));

async function editsOf({ facts }: Fixture, tree: Record<string, string>): Promise<number> {
  const cwd = mkdtempSync(join(folder, 'tree-'));
  for (const [file, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  const { v2Base } = facts;
  const bases = { v1Base: v1BaseOf(facts), ...(v2Base === undefined ? {} : { v2Base }) };
  const { plan } = await migrate({ cwd, paths: ['.'], ...bases, dryRun: true, force: true });
  return plan.edits.length;
}

test('what a program calls its own things proves nothing', async () => {
  const fixtures = loadFixtures();
  const count = Math.min(numRuns, fixtures.length);
  const [some = []] = fc.sample(fc.shuffledSubarray(fixtures, { minLength: count, maxLength: count }), { seed, numRuns: 1 });
  for (const fixture of some) {
    const tree = readTree(fixture.input);
    const changed = withOtherNames(tree);
    if (JSON.stringify(changed) === JSON.stringify(tree)) continue;
    expect(await editsOf(fixture, changed), fixture.name).toBeLessThanOrEqual(await editsOf(fixture, tree));
  }
});
