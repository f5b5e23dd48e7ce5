import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from './build.ts';
import { cleanEnvironment } from './process.ts';
import { skippedLine } from './tools.ts';

test('the line at the end counts each skipped test once, and each thing that is lacking with the tests that lack it', () => {
  expect(skippedLine([])).toBeUndefined();
  expect(skippedLine([['git (x)']])).toBe('1 test was skipped: 1 for lack of git (x)');
  expect(skippedLine([['git (x)'], ['git (x)', 'curl (y)']])).toBe('2 tests were skipped: 2 for lack of git (x), 1 for lack of curl (y)');
});

/** A process on a machine that has no program. */
async function ended(
  args: readonly string[],
  extra: Record<string, string> = {},
): Promise<{ readonly code: number | null; readonly said: string }> {
  const env = cleanEnvironment({ PATH: '/nowhere', ...extra });
  if (!('SKIP_NO_TESTS' in extra)) delete env['SKIP_NO_TESTS'];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: projectRoot, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, said: stderr + stdout }),
    );
  });
}

test('a test that needs what this machine lacks is skipped, and the last line says why', async () => {
  const needsGit = 'test/codemods/find/walk-git.test.ts';
  const { code, said } = await ended([join(projectRoot, 'node_modules/vitest/vitest.mjs'), 'run', needsGit, '--reporter=dot']);
  expect(said).toMatch(/\n1 test was skipped: 1 for lack of git \(apt-get install git\)\n$/);
  expect(code).toBe(0);
});

test('a file of tests that need what this machine lacks fails where nothing may be skipped', async () => {
  const script = `import { needs } from ${JSON.stringify(join(import.meta.dirname, 'tools.ts'))}; needs('git');`;
  const { code, said } = await ended(['--input-type=module', '--eval', script], { SKIP_NO_TESTS: '1' });
  expect(said).toMatch(/SKIP_NO_TESTS is set, and there is no git/);
  expect(code).toBe(1);
});
