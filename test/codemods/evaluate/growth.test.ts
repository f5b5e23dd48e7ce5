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
  'data beside': 2000,
  // What takes long still.
  'spreads under conditions over what is read from a header': 20,
  'spreads of the object before under conditions': 25,
  'fields of other classes': 25,
  'assignments to one variable that is read after each': 25,
  'functions that ask and call two others': 25,
  'functions that call two others': 12,
  'instances of a class with a dozen methods': 25,
};
const usual = 50;

/** What takes more than it should, today: each fails as soon as that is so no more. */
const notYet: ReadonlySet<string> = new Set(['fields of other classes']);

describe('the steps of an analysis grow as the program does', () => {
  test.each(Object.entries(programs))('with %s', (name, grown: Grown) => {
    const size = sizes[name] ?? usual;
    const grownTo = [size, 2 * size, 4 * size].map(grown);
    const [once = 0, twice = 0, fourTimes = 0] = grownTo.map(stepsOf);
    const ratio = Math.max(twice / Math.max(once, little), fourTimes / Math.max(twice, little));
    const isLinear = ratio <= maxRatio && fourTimes / bytesOf(grownTo[2] ?? {}) <= maxPerByte;
    expect(isLinear, `${once}, ${twice}, ${fourTimes} steps`).toBe(!notYet.has(name));
  });
});
