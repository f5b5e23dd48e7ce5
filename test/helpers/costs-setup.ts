/**
 * In every worker, where TEST_COSTS names a file: what each file of tests takes of the processors, as one line of JSON. How long it took says little of
 * that, as others run beside it.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

const target = process.env['TEST_COSTS'];
/** Seconds of this process with its threads, and of the processes that it started and that have ended; Linux counts in hundredths. */
const spent = (): { readonly own: number; readonly started: number } => {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? [];
  const [user = 0, system = 0, userOfStarted = 0, systemOfStarted = 0] = fields.slice(11, 15);
  return { own: (user + system) / 100, started: (userOfStarted + systemOfStarted) / 100 };
};

if (target !== undefined) {
  const before = spent();
  afterAll(() => {
    const after = spent();
    const costs = { file: expect.getState().testPath, own: after.own - before.own, started: after.started - before.started };
    appendFileSync(target, `${JSON.stringify(costs)}\n`);
  });
}
