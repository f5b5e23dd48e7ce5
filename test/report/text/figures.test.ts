import { describe, expect, test } from 'vitest';
import { age, ago, changed, lengthOf, percent } from '../../../src/report/text/figures.ts';
import { sparkline } from '../../../src/report/text/sparkline.ts';

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
const now = Date.UTC(2026, 10, 20, 12);
const before = (milliseconds: number): string => new Date(now - milliseconds).toISOString();

describe('figures for people', () => {
  test.each([
    [0.9949, '99.4%'],
    [0.995, '99.5%'],
    [0.29, '29%'],
    [1, '100%'],
    [0.0001, 'less than 0.1%'],
    [0, '0%'],
  ])('a share of %d never looks larger than it is: %s', (share, text) => {
    expect(percent(share)).toBe(text);
  });

  test.each([
    [{ calls: 4, ratio: -0.25 }, '−25%'],
    [{ calls: 4, ratio: 12 }, '+1,200%'],
    [{ calls: 4, ratio: 0.001 }, '±0%'],
    [{ calls: 0, ratio: null }, 'new'],
    [null, ''],
  ])('a change of %j is %j', (change, text) => {
    expect(changed(change)).toBe(text);
  });

  test.each([
    [30 * second, 'less than a minute', 'just now', 'now'],
    [minute, '1 minute', '1 minute ago', '1 min'],
    [95 * minute, '95 minutes', '95 minutes ago', '95 min'],
    [36 * hour, '36 hours', '36 hours ago', '36 h'],
    [14 * day, '14 days', '14 days ago', '14 d'],
  ])('a time of %d milliseconds is %s', (time, length, then, short) => {
    expect([lengthOf(time), ago(before(time), before(0)), age(before(time), before(0))]).toEqual([length, then, short]);
  });
});

describe('a trend', () => {
  test('has the lowest block for nothing, and for nothing else', () => {
    expect(sparkline([0, 1, 50, 100], 10)).toBe('▁▂▅█');
  });

  test('marks what was not recorded', () => {
    expect(sparkline([null, 0, 3, null], 10)).toBe('·▁█·');
  });

  test('takes values together where there is little room, without those that nobody knows', () => {
    expect(sparkline([null, null, 4, null, 2, 2], 3)).toBe('·█▅');
  });

  test('of nothing is flat', () => {
    expect(sparkline([0, 0], 10)).toBe('▁▁');
  });
});
