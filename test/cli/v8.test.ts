import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const module = new URL('../../src/cli/v8.ts', import.meta.url).href;

/** Keeps what it makes for a while, as calls under way are kept, and tells how much the young generation took before it was bound, and after. */
const work = `
  import v8 from 'node:v8';
  import { setUpV8 } from '${module}';
  const kept = [];
  const size = () => v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 1024 / 1024;
  const turn = () => {
    for (let index = 0; index < 10_000; index++) kept[index % 5_000] = { of: { index } };
    return new Promise((resolve) => setImmediate(resolve));
  };
  const least = Number(process.argv[1]);
  while (size() < least) await turn();
  const before = size();
  setUpV8();
  for (let turns = 0; turns < 1_000; turns++) await turn();
  console.log(JSON.stringify({ before, after: size() }));
`;

/** @param least MiB that the young generation takes when it is bound */
async function young(least: number): Promise<{ readonly before: number; readonly after: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', work, String(least)]);
  return JSON.parse(stdout);
}

test('the young generation of a program that bounds its heap grows to 8 MiB, and no further', async () => {
  expect((await young(0)).after).toBe(8);
});

/** Makes the old generation be marked again and again, and tells how much the young one took at most. */
const marking = `
  import v8 from 'node:v8';
  import { setUpV8 } from '${module}';
  setUpV8();
  const kept = [];
  let most = 0;
  const turn = () => {
    most = Math.max(most, v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 1024 / 1024);
    return new Promise((resolve) => setImmediate(resolve));
  };
  for (let index = 0; index < 400_000; index++) {
    kept.push({ of: { index } });
    if (index % 2_000 === 0) await turn();
  }
  for (let turns = 0; turns < 500; turns++) {
    for (let index = 0; index < 5_000; index++) kept[(turns * 5_000 + index) % kept.length] = { of: { index } };
    await turn();
  }
  console.log(most);
`;

test('the young generation is collected also while the old one is marked', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', marking]);
  expect(Number(stdout)).toBe(8);
});

test('the young generation grows no further where it has grown before it is bound', async () => {
  const { before, after } = await young(8);
  expect(after).toBe(before);
});
