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

const needsGit = 'test/codemods/find/walk-git.test.ts';

test.each([
  ['is skipped, and the last line says why', {}, 0, /\n1 test was skipped: 1 for lack of git \(apt-get install git\)\n$/],
  ['fails where nothing may be skipped', { SKIP_NO_TESTS: '1' }, 1, /SKIP_NO_TESTS is set, and there is no git/],
])('a test that needs what this machine lacks %s', async (_what, extra, code, says) => {
  const env = cleanEnvironment({ PATH: '/nowhere', ...extra });
  if (!('SKIP_NO_TESTS' in extra)) delete env['SKIP_NO_TESTS'];
  const ended = await new Promise<object>((resolve) => {
    const args = [join(projectRoot, 'node_modules/vitest/vitest.mjs'), 'run', needsGit, '--reporter=dot'];
    const child = execFile(process.execPath, args, { cwd: projectRoot, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, said: stderr + stdout }),
    );
  });
  expect(ended).toEqual({ code, said: expect.stringMatching(says) });
});
