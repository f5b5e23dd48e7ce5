import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const module = new URL('../../src/cli/v8.ts', import.meta.url).href;

/** Keeps what it makes for a while, as calls under way are kept, and tells how much the young generation took for that. */
const work = `
  import v8 from 'node:v8';
  import { setUpV8 } from '${module}';
  setUpV8();
  const kept = [];
  for (let turn = 0; turn < 1_000; turn++) {
    for (let index = 0; index < 10_000; index++) kept[index % 5_000] = { turn, of: { index } };
    await new Promise((resolve) => setImmediate(resolve));
  }
  console.log(v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 1024 / 1024);
`;

test('the young generation of a program that bounds its heap grows to 8 MiB, and no further', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', work]);
  expect(Number(stdout)).toBe(8);
});
