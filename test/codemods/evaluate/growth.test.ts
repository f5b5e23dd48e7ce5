/** Twice the program takes twice the steps, whatever it is made of: counted, as time is the machine's. */
import { describe, expect, test } from 'vitest';
import { data } from '../helpers/growth/files.ts';
import { type Grown, programs } from '../helpers/growth/programs.ts';
import { bytesOf, searchesOf, stepsOf } from '../helpers/growth/steps.ts';

/** A little more than twice, as some of it grows with the depth of what is nested. */
const maxRatio = 2.5;
/** What is so little that a ratio says nothing. */
const little = 1000;
const maxPerByte = 20;

/** Where the usual sizes say nothing. */
const sizes: Readonly<Record<string, number>> = {
  'classes under each other': 60,
  'classes beside each other': 600,
  'fields that set each other': 400,
  'a union of literals': 5000,
  'data beside': 4000,
  'methods of one class that are called each': 300,
  'calls in the cases of a switch': 300,
  'calls in a chain of conditions': 225,
  // What takes long still.
  'spreads of the object before under conditions': 50,
  'fields of other classes': 20,
  'methods of one name that are called on what they are given': 20,
  'assignments to one variable that is read after each': 40,
  'functions that ask and call two others': 25,
  'functions that call two others': 12,
  'instances of a class with a dozen methods': 50,
};
const usual = 100;

/** Four, and what is made once for each program. */
const ofSquare = 4.2;

/** What takes more than it should, today, and the square at most: each fails as soon as that is so no more. */
const notYet: ReadonlySet<string> = new Set([
  // What is in a field of one goes by who made that, and on whose way: each class is asked about for each that it is made in.
  'fields of other classes',
  // Each is as long as all before it, and made of them: the square.
  'a state that is spread by whatever sets it',
  'headers that are spread under conditions',
  'spreads under conditions over what is read from a header',
]);

describe('the steps of an analysis grow as the program does', () => {
  test.each(Object.entries(programs))('with %s', (name, grown: Grown) => {
    const size = sizes[name] ?? usual;
    const [small, large] = [grown(size), grown(2 * size)];
    const [once, twice] = [stepsOf(small), stepsOf(large)];
    const isLinear = twice / Math.max(once, little) <= maxRatio && twice / bytesOf(large) <= maxPerByte;
    expect(isLinear, `${once}, ${twice} steps`).toBe(!notYet.has(name));
    expect(twice / Math.max(once, little), `${once}, ${twice} steps`).toBeLessThanOrEqual(ofSquare);
  });
});

/** With so many, a look at all of them for each is seen in what every row is searched for by itself, which is 3,000 to 7,000 characters and items. */
const many = 500;
const maxSearches = 2.1;

describe('what an analysis searches, without a step, grows as the program does', () => {
  test.each(Object.entries(data))('with %s', (_, grown) => {
    const [once, twice] = [searchesOf(grown(many)), searchesOf(grown(2 * many))];
    expect(twice / once, `${once}, ${twice} characters and items`).toBeLessThanOrEqual(maxSearches);
  });
});
