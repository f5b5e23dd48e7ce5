import { writeFileSync } from 'node:fs';
import { getPriority, constants } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceBin } from '../../helpers/build.ts';
import { run } from '../run.ts';
import { newFolder } from './stores.ts';

/** Says with which priority the command line is loaded. */
const preload = `import { registerHooks } from 'node:module';
import { getPriority } from 'node:os';
const load = (url, context, next) => {
  if (/cli\\/main\\.ts$/.test(url)) console.error('priority ' + getPriority());
  return next(url, context);
};
registerHooks({ load });`;

test.each([
  ['report', constants.priority.PRIORITY_LOW],
  ['sandbox', getPriority()],
])('%s is loaded with the priority %i', async (command, priority) => {
  const file = join(newFolder(), 'preload.mjs');
  writeFileSync(file, preload);
  const { stderr } = await run([command, '--help'], { file: sourceBin, env: { NODE_OPTIONS: `--import ${JSON.stringify(file)}` } });
  expect(stderr).toContain(`priority ${priority}\n`);
});
