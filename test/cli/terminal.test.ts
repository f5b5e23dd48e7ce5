import { afterEach, expect, test } from 'vitest';
import { openTerminal } from '../../src/cli/terminal.ts';

const { columns } = process.stderr;

afterEach(() => {
  process.stderr.columns = columns;
});

test.each([
  [0, 80],
  [132, 132],
])('a terminal that reports %i columns is asked in lines of %i', async (reported, used) => {
  process.stderr.columns = reported;
  await openTerminal();
  expect(process.stderr.columns).toBe(used);
});
