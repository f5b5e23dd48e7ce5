import { expect, test } from 'vitest';
import { profilingOf } from '../../../codemods/run/threads.ts';

test('threads are measured as the program is, with values that stand as words of their own', () => {
  expect(profilingOf(['--cpu-prof', '--cpu-prof-interval', '4000', '--require', './setup.cjs', '--cpu-prof-dir=out'])).toEqual([
    '--cpu-prof',
    '--cpu-prof-interval',
    '4000',
    '--cpu-prof-dir=out',
  ]);
});
