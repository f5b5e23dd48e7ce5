/** Twice the program takes twice the steps, whatever it is made of: counted, as time is the machine's. */
import { describe, expect, test } from 'vitest';
import { type Grown, programs } from '../helpers/growth/programs.ts';
import { bytesOf, stepsOf } from '../helpers/growth/steps.ts';

/** A little more than twice, as some of it grows with the depth of what is nested. */
const maxRatio = 2.5;
/** What is so little that a ratio says nothing. */
const little = 1000;
const maxPerByte = 20;

/** Where the usual sizes say nothing. */
const sizes: Readonly<Record<string, number>> = {
  'classes under each other': 30,
  'classes beside each other': 300,
  'fields that set each other': 200,
  'a union of literals': 2500,
  'data beside': 7000,
};
const usual = 50;

/** What takes more than it should, today. */
const notYet: ReadonlySet<string> = new Set([
  'spreads under conditions over what is read from a header',
  'spreads of the object before under conditions',
  'constants that double',
  'Object.assign after Object.assign',
  'fields of other classes',
  'methods that call methods',
  'a class of a client that all files share',
]);

describe('the steps of an analysis grow as the program does', () => {
  test.each(Object.entries(programs).filter(([name]) => !notYet.has(name)))('with %s', (name, grown: Grown) => {
    const size = sizes[name] ?? usual;
    const grownTo = [size, 2 * size, 4 * size].map(grown);
    const [once = 0, twice = 0, fourTimes = 0] = grownTo.map(stepsOf);
    const ratios = [twice / Math.max(once, little), fourTimes / Math.max(twice, little)];
    expect(Math.max(...ratios), `${once}, ${twice}, ${fourTimes} steps`).toBeLessThanOrEqual(maxRatio);
    expect(fourTimes / bytesOf(grownTo[2] ?? {})).toBeLessThan(maxPerByte);
  });
});
