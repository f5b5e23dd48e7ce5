import { describe, expect, test } from 'vitest';
import { type DailyCalls, forecastOf } from '../../src/report/forecast.ts';
import { dayInMs } from '../../src/contract/times.ts';

const end = Date.UTC(2026, 10, 20);
const until = end + 9 * 3_600_000;

/** Random numbers that are the same in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A Poisson number: by its definition where it is small, else by the normal. */
function poisson(mean: number, random: () => number): number {
  if (mean > 50)
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())));
  let [count, product] = [0, random()];
  for (const least = Math.exp(-mean); product > least; product *= random()) count++;
  return count;
}

interface Course {
  /** Days that are known, up to `end`. */
  readonly known: number;
  /** Mean calls of a day, by the days since the beginning. */
  readonly mean: (day: number) => number;
  /** Calls come in bursts of so many. */
  readonly burst?: number;
  readonly recorded?: (daysBack: number) => number;
}

/** Draws a course up to its end, and gives what is known of it at `until`. */
function draw(
  { known, mean, burst = 1, recorded = () => 1 }: Course,
  random: () => number,
): { readonly days: DailyCalls; readonly lastCall: number } {
  const calls = Array.from({ length: known + 500 }, (_, day) => poisson(mean(day) / burst, random) * burst);
  const timeOf = (day: number): number => end + (day - known + 0.5) * dayInMs;
  const first = calls.findIndex((count) => count > 0);
  const last = calls.slice(0, known).findLastIndex((count) => count > 0);
  return {
    days: {
      end,
      calls: (back) => (recorded(back) > 0 ? (calls[known - 1 - back] ?? 0) : 0),
      recorded,
      first: first === -1 ? undefined : timeOf(first),
      last: last === -1 ? undefined : timeOf(last),
    },
    lastCall: timeOf(calls.findLastIndex((count) => count > 0)),
  };
}

const reasonOf = (course: Course, seed = 1) => {
  const forecast = forecastOf(draw(course, randomFrom(seed)).days, until);
  return forecast.state === 'none' ? forecast.reason : forecast.state;
};

const decline =
  (from: number, halfLifeInDays: number) =>
  (day: number): number =>
    from * 0.5 ** (day / halfLifeInDays);
const weekly =
  (mean: (day: number) => number) =>
  (day: number): number =>
    mean(day) * (day % 7 < 5 ? 1.4 : 0);

describe('a known decline', () => {
  test.each<[string, Course]>([
    ['of thousands of calls that halve every week', { known: 63, mean: decline(5_000, 7) }],
    ['of hundreds of calls that halve every two weeks', { known: 84, mean: decline(400, 14) }],
    ['seen for four weeks only', { known: 28, mean: decline(2_000, 5) }],
    ['with quiet weekends', { known: 63, mean: weekly(decline(1_000, 10)) }],
    ['in bursts of twenty', { known: 84, mean: decline(1_000, 12), burst: 20 }],
    ['of which one day in ten was not recorded', { known: 70, mean: decline(800, 9), recorded: (back) => (back % 10 === 3 ? 0 : 1) }],
  ])('%s is recovered: in at least nine of ten cases the last call lies within the interval', (_name, course) => {
    const random = randomFrom(7);
    const runs = Array.from({ length: 120 }, () => {
      const { days, lastCall } = draw(course, random);
      const forecast = forecastOf(days, until);
      // A last call in the past is another question; so is a decline that chance may have made.
      if (forecast.state === 'none' || lastCall < until) return undefined;
      return { forecast, lastCall };
    }).filter((run) => run !== undefined);
    expect(runs.length).toBeGreaterThan(100);
    const hit = runs.filter(
      ({ forecast, lastCall }) => lastCall >= Date.parse(forecast.earliest) - dayInMs && lastCall <= Date.parse(forecast.latest) + dayInMs,
    );
    expect(hit.length / runs.length).toBeGreaterThanOrEqual(0.9);
  });

  test('is met by the date itself, half of the time early and half of the time late', () => {
    const random = randomFrom(3);
    const late = Array.from({ length: 300 }, () => {
      const { days, lastCall } = draw({ known: 84, mean: decline(2_000, 10) }, random);
      const forecast = forecastOf(days, until);
      return forecast.state === 'forecast' && lastCall > Date.parse(forecast.date);
    }).filter(Boolean);
    expect(late.length / 300).toBeGreaterThan(0.35);
    expect(late.length / 300).toBeLessThan(0.65);
  });

  test('has its half-life and what it was made of told', () => {
    const forecast = forecastOf(draw({ known: 63, mean: decline(50_000, 7) }, randomFrom(1)).days, until);
    if (forecast.state !== 'forecast') throw new Error(forecast.reason);
    expect(forecast.halfLife / dayInMs).toBeCloseTo(7, 0);
    expect(forecast.basis).toMatchObject({ weeks: 9, since: '2026-09-18T00:00:00.000Z', until: '2026-11-20T00:00:00.000Z' });
    expect([forecast.earliest, forecast.date, forecast.latest].toSorted()).toEqual([forecast.earliest, forecast.date, forecast.latest]);
  });
});

describe('there is no forecast', () => {
  test.each<[string, Course, string]>([
    ['without a call', { known: 84, mean: () => 0 }, 'no_calls'],
    ['where the calls have stopped', { known: 84, mean: (day) => (day < 60 ? 100 : 0) }, 'quiet'],
    ['from less than four weeks', { known: 27, mean: decline(1_000, 5) }, 'too_short'],
    [
      'from a record with too many weeks missing',
      { known: 56, mean: decline(1_000, 9), recorded: (back) => (back % 14 < 7 ? 1 : 0) },
      'too_patchy',
    ],
    ['from a handful of calls', { known: 84, mean: () => 0.15 }, 'too_few'],
    ['where calls grow', { known: 84, mean: decline(20, -14) }, 'growing'],
    ['where the decline is too slow', { known: 84, mean: decline(1_000_000, 150) }, 'too_far'],
  ])('%s', (_name, course, reason) => {
    expect(reasonOf(course)).toBe(reason);
  });

  test('where calls stay as they are, but for one case in twenty that chance makes look like a decline', () => {
    const reasons = Array.from({ length: 200 }, (_, seed) => reasonOf({ known: 84, mean: () => 50 }, seed));
    expect(reasons.filter((reason) => reason === 'forecast' || reason === 'too_far').length).toBeLessThanOrEqual(16);
    expect(reasons.filter((reason) => reason === 'flat').length).toBeGreaterThan(170);
  });
});
