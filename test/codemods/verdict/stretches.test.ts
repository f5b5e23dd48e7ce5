import { expect, test } from 'vitest';
import { Stretches, within, without } from '../../../codemods/verdict/changes/stretches.ts';

const at = (start: number, end: number): { start: number; end: number } => ({ start, end });
const sorted = [at(2, 4), at(6, 12), at(8, 10), at(14, 20)];

test('what lies in a stretch that was added is there, and what only touches one is not', () => {
  const stretches = new Stretches();
  expect([at(10, 20), at(0, 5), at(30, 40)].map((each) => stretches.add(each))).toEqual([true, true, true]);
  expect([at(0, 5), at(12, 20), at(30, 30)].map((each) => stretches.has(each))).toEqual([true, true, true]);
  expect([at(4, 6), at(9, 12), at(0, 20), at(41, 42)].map((each) => stretches.has(each))).toEqual([false, false, false, false]);
});

test('a stretch takes the place of those that lie in it', () => {
  const stretches = new Stretches();
  for (const each of [at(0, 5), at(10, 20), at(22, 24), at(30, 40)]) stretches.add(each);
  expect([at(10, 25), at(22, 24), at(8, 26)].map((each) => stretches.add(each))).toEqual([true, false, true]);
  expect([at(8, 26), at(0, 5), at(30, 40)].map((each) => stretches.has(each))).toEqual([true, true, true]);
});

test('those that lie in a stretch are found, and what is left without them', () => {
  expect(within(sorted, at(6, 16))).toEqual([at(6, 12), at(8, 10)]);
  expect(without(at(0, 16), sorted)).toEqual([at(0, 2), at(4, 6), at(12, 16)]);
  expect(without(at(14, 20), sorted)).toEqual([]);
});
