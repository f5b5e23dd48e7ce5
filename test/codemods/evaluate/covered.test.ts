/**
 * What Node computes is among what the evaluator says, whatever the program. A failure prints the program, its seed and path;
 * EVALUATE_SEED runs it again, EVALUATE_RUNS runs more.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Construct, generated } from '../helpers/values/generate.ts';
import { answersIn } from '../helpers/values/program.ts';
import { uncovered } from '../helpers/values/table.ts';

const seed = Number(process.env['EVALUATE_SEED'] ?? randomInt(2 ** 31));
const numRuns = Number(process.env['EVALUATE_RUNS'] ?? 60);

/** What stands in them beside the usual. */
const sound: readonly Construct[] = ['text that is put after', 'another name', 'a function that writes', 'a write by a road'];

test(`what a generated program gives is among what is said of it, EVALUATE_SEED=${seed}`, async () => {
  await fc.assert(
    fc.asyncProperty(generated(sound), async (program) => {
      expect(await uncovered(program, answersIn(program)), program).toEqual([]);
    }),
    { seed, numRuns },
  );
});
