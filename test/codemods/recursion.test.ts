/**
 * No input ends the stack: what is made of itself, and what is deep, is followed as far as it is counted, and the rest of the run goes on. A failure prints its
 * seed; RECURSION_SEED runs it again, RECURSION_RUNS runs more.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stepsOf } from './helpers/growth/steps.ts';
import { circular } from './helpers/recursion/circular.ts';
import { chains, nested } from './helpers/recursion/deep.ts';

const seed = Number(process.env['RECURSION_SEED'] ?? randomInt(2 ** 31));
const numRuns = Number(process.env['RECURSION_RUNS'] ?? 4);

describe('the stack does not end', () => {
  test('with classes, fields and variables that are made of themselves', { timeout: 120_000 }, () => {
    // The worst of them take all steps that there are, which is seconds.
    const how = { seed, numRuns, interruptAfterTimeLimit: 90_000 };
    expect(() =>
      fc.assert(
        fc.property(circular, (text) => stepsOf({ 'a.js': text }) > 0),
        how,
      ),
    ).not.toThrow();
  });

  test.each(Object.entries(chains))('with a chain of %s', { timeout: 60_000 }, (_, chain) => {
    expect(stepsOf({ 'a.js': chain(2000) })).toBeGreaterThan(0);
  });

  test.each(Object.entries(nested))('with %s within each other', { timeout: 60_000 }, (_, nest) => {
    expect(stepsOf({ 'a.js': nest(400) })).toBeGreaterThan(0);
  });
});
