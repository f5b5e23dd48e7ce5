import { describe, expect, test } from 'vitest';
import { Pace } from '../../../src/report/live/pace.ts';

const start = 1_000_000;

/** A pace whose first round began at `start` and took so long. */
function begun(took: number): Pace {
  const pace = new Pace();
  pace.notBefore(start);
  pace.spend(took);
  return pace;
}

describe('reports are made anew', () => {
  test('when something was recorded', () => {
    const pace = begun(1);
    expect(pace.next).toBeUndefined();
    pace.news();
    expect(pace.notBefore(start + 5_000)).toBe(start + 5_000);
  });

  test('once a second at most', () => {
    const pace = begun(1);
    pace.news();
    expect(pace.next).toBe(start + 1_000);
    expect(pace.notBefore(start + 999)).toBe(start);
    expect(pace.notBefore(start + 1_000)).toBe(start + 1_000);
  });

  test('in a quarter of the time at most, all of a round together', () => {
    const pace = begun(500);
    pace.spend(300);
    pace.news();
    expect(pace.next).toBe(start + 3_200);
    expect(pace.notBefore(start + 3_199)).toBe(start);
  });

  test('without news after half a minute, as their times go on', () => {
    const pace = begun(1);
    expect(pace.notBefore(start + 29_999)).toBe(start);
    expect(pace.notBefore(start + 30_000)).toBe(start + 30_000);
  });

  test('for what was recorded while they were made', () => {
    const pace = begun(1);
    pace.news();
    pace.notBefore(start + 1_000);
    pace.news();
    expect(pace.next).toBe(start + 2_000);
  });
});
