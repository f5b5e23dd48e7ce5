import { describe, expect, it } from 'vitest';
import { compare, comparisonTable, notices } from '../../bench/comparison.ts';

const baseline = {
  version: '1.0.0',
  node: 'v24.0.0',
  machine: '2 × a core',
  results: [
    { name: 'same', ratio: 2 },
    { name: 'worse', ratio: 2 },
    { name: 'better', ratio: 2 },
    { name: 'lost', ratio: 2 },
  ],
};
const results = [
  { name: 'same', ratio: 2.1 },
  { name: 'worse', ratio: 2.5 },
  { name: 'better', ratio: 1 },
  { name: 'lost' },
  { name: 'new', ratio: 0.12345 },
];

describe('the ratios of a run beside those of a release', () => {
  it('are in one table, those that either has not included', () => {
    expect(comparisonTable(compare(results, baseline)).split('\n')).toEqual([
      '| Less is better |        ratio | last release | change |',
      '| -------------- | -----------: | -----------: | -----: |',
      '| same           |          2.1 |            2 |   +5 % |',
      '| worse          |          2.5 |            2 |  +25 % |',
      '| better         |            1 |            2 |  -50 % |',
      '| lost           | not measured |            2 |      – |',
      '| new            |        0.123 |            – |      – |',
    ]);
  });

  it('give a notice where they grew by more than a busy machine explains, and where they are missing', () => {
    expect(notices(compare(results, baseline))).toEqual(['worse: 2.5, 2 in the last release', 'lost: not measured, 2 in the last release']);
  });

  it('give a notice where the benchmark does not tell of what the release has', () => {
    expect(notices(compare([], baseline))).toHaveLength(4);
  });

  it('give none where there was no release', () => {
    expect(notices(compare(results, undefined))).toEqual([]);
  });
});
