import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../run.ts';
import { base, clean, cleanAfter, workspace } from './workspace.ts';

/** Sends itself SIGINT once the second file has taken its place. */
const hooks = `
const files = require('node:fs');
const { renameSync } = files;
let renamed = 0;
files.renameSync = (...paths) => {
  renameSync(...paths);
  if (++renamed === 2) process.kill(process.pid, 'SIGINT');
};
require('node:module').syncBuiltinESMExports();
`;

test('Ctrl-C while files are written finishes the file at hand, begins no other and says how far it came', async () => {
  const files = Array.from({ length: 30 }, (_, index) => `src/${index}.js`);
  const { cwd, read } = workspace({ ...Object.fromEntries(files.map((file) => [file, clean])), 'hooks.cjs': hooks });
  const { code, stdout, stderr } = await run(['src', '--v1-base', base], {
    cwd,
    env: { NODE_OPTIONS: `--require ${JSON.stringify(join(cwd, 'hooks.cjs'))}` },
  });
  expect(code).toBe(130);
  const [, written] =
    /^\nStopping; press again to stop at once\nStopped: (\d+) files of 30 written; run again for the others\n$/.exec(stderr) ?? [];
  // The signal comes while a later file waits for the disk.
  expect(Number(written)).toBeGreaterThanOrEqual(2);
  expect(Number(written)).toBeLessThan(30);
  const texts = files.map(read);
  expect(texts.filter((text) => text === cleanAfter)).toHaveLength(Number(written));
  expect(texts.filter((text) => text === clean)).toHaveLength(30 - Number(written));
  expect(stdout).toContain('not written');
});
