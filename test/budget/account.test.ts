/** What may be sent of an account: how the hour is counted, what is kept for writes, and what v2's word changes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AccountState, type Terms, block, hear, isDenied, newAccount, standingOf, take } from '../../src/budget/account.ts';
import { type WindowKind, skew } from '../../src/budget/hour.ts';
import { hourInMs, minuteInMs } from '../../src/contract/times.ts';

const noon = Date.parse('2026-10-01T12:00:00Z');
const [read, write] = [0, 1];
const terms = (limit: number | undefined, reserve = 0, kind: WindowKind = 'fixed', phase = 0): Terms => ({
  limit,
  reserve,
  window: { kind, phase },
});

/** Asks so often, at one instant. @returns how many were granted */
function ask(state: AccountState, of: Terms, weight: number, times: number, now: number): number {
  let granted = 0;
  for (let asked = 0; asked < times; asked++) granted += take(state, of, weight, 1, now).places;
  return granted;
}

const retryAt = (state: AccountState, of: Terms, weight: number, now: number): number => {
  const answer = take(state, of, weight, 1, now);
  return isDenied(answer) ? answer.retryAt : 0;
};

describe('an hour of the clock', () => {
  const minutesPast = (minutes: number): number => noon + minutes * minuteInMs;

  test('has as many places as the limit, and begins anew on the hour', () => {
    const state = newAccount();
    expect(ask(state, terms(100), write, 150, minutesPast(20))).toBe(100);
    expect(retryAt(state, terms(100), write, minutesPast(20))).toBe(noon + hourInMs);
    expect(ask(state, terms(100), write, 150, minutesPast(61))).toBe(100);
  });

  test('that begins at half past begins anew at half past', () => {
    const half = terms(100, 0, 'fixed', hourInMs / 2);
    const state = newAccount();
    expect(ask(state, half, write, 150, minutesPast(20))).toBe(100);
    expect(retryAt(state, half, write, minutesPast(20))).toBe(minutesPast(30));
    expect(ask(state, half, write, 150, minutesPast(31))).toBe(100);
  });

  test('counts what is sent at its very end in the next one, too: it may be that before it arrives', () => {
    const state = newAccount();
    expect(ask(state, terms(100), write, 60, noon - 1)).toBe(60);
    expect(ask(state, terms(100), write, 150, minutesPast(5))).toBe(40);
  });

  test('that was used up is not over to the second: the calls after it wait until it surely is', () => {
    const state = newAccount();
    ask(state, terms(100), write, 100, minutesPast(-10));
    expect(retryAt(state, terms(100), write, noon + 1)).toBe(noon + skew);
    expect(ask(state, terms(100), write, 150, noon + skew)).toBe(100);
  });

  test.each([-1, 1])('is not given out twice by a clock that is turned by %i hour and back', (hours) => {
    const state = newAccount();
    ask(state, terms(100), write, 70, minutesPast(20));
    const away = ask(state, terms(100), write, 20, minutesPast(20 + hours * 60));
    const back = ask(state, terms(100), write, 150, minutesPast(21));
    expect(hours < 0 ? away + back : back).toBeLessThanOrEqual(hours < 0 ? 30 : 100);
  });

  test('is one of UTC, whatever zone the machine is in and whether its clocks change', () => {
    // The last Sunday of October, at the hour that many countries have twice.
    const twice = Date.parse('2026-10-25T01:10:00Z');
    const state = newAccount();
    expect([ask(state, terms(10), write, 20, twice - 30 * minuteInMs), ask(state, terms(10), write, 20, twice)]).toEqual([10, 10]);
  });
});

/** A count of its own, which knows nothing of slots. */
const worstHour = (times: readonly number[]): number =>
  Math.max(0, ...times.map((end) => times.filter((at) => at > end - hourInMs && at <= end).length));

const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 * minuteInMs }), fc.integer({ min: 1, max: 12 }), fc.boolean()), {
  maxLength: 80,
});

/** Sends what is granted at random times. @returns when */
function sentAt(of: Terms, random: readonly (readonly [number, number, boolean])[]): number[] {
  const state = newAccount();
  const sent: number[] = [];
  let now = noon;
  for (const [pause, calls, writes] of random) {
    now += pause;
    for (let granted = ask(state, of, writes ? write : read, calls, now); granted > 0; granted--) sent.push(now);
  }
  return sent;
}

describe('whatever comes', () => {
  test('no hour of the clock has more than the limit, even by a clock that is two seconds off', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 30 }), fc.integer({ min: -skew, max: skew }), (random, limit, off) => {
        const byHour = Map.groupBy(sentAt(terms(limit, 0.5), random), (at) => Math.floor((at + off) / hourInMs));
        for (const calls of byHour.values()) expect(calls.length).toBeLessThanOrEqual(limit);
      }),
    );
  });

  test('no sixty minutes have more than the limit where they slide', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 30 }), (random, limit) => {
        expect(worstHour(sentAt(terms(limit, 0.5, 'sliding'), random))).toBeLessThanOrEqual(limit);
      }),
    );
  });

  test('a bucket never holds more than it has', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 30 }), (random, limit) => {
        let [level, last] = [limit, noon];
        for (const at of sentAt(terms(limit, 0.5, 'bucket'), random)) {
          level = Math.min(limit, level + ((at - last) * limit) / hourInMs) - 1;
          last = at;
          expect(level).toBeGreaterThan(-0.001);
        }
      }),
    );
  });

  test('what it says of when to ask again is true: then there is a place, where nobody else has come', () => {
    const kinds = fc.constantFrom<WindowKind>('fixed', 'sliding', 'bucket');
    fc.assert(
      fc.property(steps, kinds, fc.integer({ min: 2, max: 30 }), fc.boolean(), fc.nat(30), (random, kind, limit, writes, others) => {
        const state = newAccount();
        const of = terms(limit, 0.5, kind);
        let now = noon;
        for (const [pause, calls] of random) ask(state, of, write, calls, (now += pause));
        if (others > 0) hear(state, of, { remaining: Math.max(0, limit - others) }, now);
        // At the turn of an hour it may be known in two steps: that the hour is over, and that it surely is; where hours slide, what writes free is kept for writes first.
        let answer = take(state, of, writes ? write : read, 1, now);
        for (let round = 0; round < (kind === 'sliding' ? limit : 2) && isDenied(answer); round++)
          answer = take(state, of, writes ? write : read, 1, (now = answer.retryAt));
        expect(answer.places).toBe(1);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('what is kept for writes', () => {
  const half = terms(100, 0.5);

  test('is not given to reads, and all of the hour to writes', () => {
    const state = newAccount();
    expect(ask(state, half, read, 100, noon + 10_000)).toBe(50);
    expect(take(state, half, read, 1, noon + 10_000)).toMatchObject({ why: 'kept for writes' });
    expect(ask(state, half, write, 100, noon + 10_000)).toBe(50);
    expect(take(state, half, write, 1, noon + 10_000)).toMatchObject({ why: 'used up' });
  });

  test('is less with each write: what they have had need not be kept', () => {
    const state = newAccount();
    expect([ask(state, half, write, 30, noon + 10_000), ask(state, half, read, 100, noon + 10_000)]).toEqual([30, 50]);
    const other = newAccount();
    expect([ask(other, half, write, 60, noon + 10_000), ask(other, half, read, 100, noon + 10_000)]).toEqual([60, 40]);
  });

  test('goes in part to calls of a weight between', () => {
    const state = newAccount();
    expect([ask(state, half, read, 100, noon + 10_000), ask(state, half, 0.5, 100, noon + 10_000)]).toEqual([50, 25]);
  });

  test('is given out in the last minutes of an hour in which nobody writes', () => {
    const state = newAccount();
    ask(state, half, read, 100, noon + 10_000);
    const told = retryAt(state, half, read, noon + 10_000);
    expect(told).toBeGreaterThan(noon + 49 * minuteInMs);
    expect(told).toBeLessThan(noon + 52 * minuteInMs);
    expect(ask(state, half, read, 100, noon + 55 * minuteInMs)).toBe(25);
    expect(ask(state, half, read, 100, noon + hourInMs - 3_000)).toBeGreaterThanOrEqual(24);
  });

  test('of an hour that is just over keeps a read waiting until that is sure, and not until the end of the next one', () => {
    const state = newAccount();
    expect(ask(state, half, read, 100, noon + 10_000)).toBe(50);
    const next = noon + hourInMs;
    expect(retryAt(state, half, read, next)).toBe(next + skew);
    expect(ask(state, half, read, 100, next + skew)).toBe(50);
  });

  test('is not given out before the writes that came so late in an hour of the day before', () => {
    const state = newAccount();
    ask(state, half, write, 40, noon + 58 * minuteInMs);
    const next = noon + 24 * hourInMs;
    ask(state, half, read, 100, next + 10 * minuteInMs);
    expect(ask(state, half, read, 100, next + 57 * minuteInMs)).toBeLessThanOrEqual(10);
    expect(ask(state, half, write, 40, next + 58 * minuteInMs)).toBe(40);
  });
});

describe('writes that come late in their hours, beside reads that take whatever they get', () => {
  const half = terms(100, 0.5);
  /** Instants in an hour, some seconds away from its turns. */
  const instants = fc.integer({ min: 3, max: 3_596 }).map((seconds) => seconds * 1_000);
  const hourOfWrites = fc.array(instants, { minLength: 50, maxLength: 50 });

  /** A read every twenty seconds, and writes. @returns how many writes were refused */
  function refusedIn(state: AccountState, hour: number, writes: readonly number[]): number {
    const reads = Array.from({ length: 180 }, (_, index) => ({ at: index * 20_000 + 2_500, weight: read }));
    const all = [...reads, ...writes.map((at) => ({ at, weight: write }))].toSorted((a, b) => a.at - b.at);
    return all.filter(({ at, weight }) => take(state, half, weight, 1, hour + at).places === 0 && weight === write).length;
  }

  test('are refused in the last ten minutes of the first hour at most: that they come, nobody knows', () => {
    fc.assert(
      fc.property(hourOfWrites, (writes) => {
        const late = writes.filter((at) => at > 50 * minuteInMs).length;
        expect(refusedIn(newAccount(), noon, writes)).toBeLessThanOrEqual(late);
      }),
    );
    const allLate = Array.from({ length: 40 }, () => 57 * minuteInMs);
    expect(refusedIn(newAccount(), noon, allLate)).toBeGreaterThan(0);
  });

  test('are not refused once there was such an hour, though they were refused in it', () => {
    fc.assert(
      fc.property(hourOfWrites, fc.integer({ min: 1, max: 3 }), (writes, later) => {
        const state = newAccount();
        refusedIn(state, noon, writes);
        expect(refusedIn(state, noon + later * hourInMs, writes)).toBe(0);
      }),
    );
  });

  test('nor where only their number is the same, and not when they come', () => {
    fc.assert(
      fc.property(fc.array(hourOfWrites, { minLength: 3, maxLength: 6 }), (hours) => {
        const state = newAccount();
        const refused = hours.map((writes, index) => refusedIn(state, noon + index * hourInMs, writes));
        expect(refused.slice(1)).toEqual(hours.slice(1).map(() => 0));
      }),
    );
  });

  test('nor at the same time of the next day', () => {
    const state = newAccount();
    const late = Array.from({ length: 40 }, () => 57 * minuteInMs);
    const refused = Array.from({ length: 25 }, (_, hour) => refusedIn(state, noon + hour * hourInMs, hour % 24 === 0 ? late : []));
    expect([refused[0], refused[24]]).toEqual([10, 0]);
  });

  test('nor in the first hour, where they come evenly', () => {
    const evenly = Array.from({ length: 48 }, (_, index) => index * 75_000 + 5_000);
    expect(refusedIn(newAccount(), noon, evenly)).toBe(0);
  });
});

describe("v2's word", () => {
  test('is the limit, until the configuration has another one', () => {
    const state = newAccount();
    hear(state, terms(100), { limit: 1_000 }, noon);
    expect(standingOf(state, terms(100), noon).limit).toBe(1_000);
    expect(standingOf(state, terms(250), noon).limit).toBe(250);
  });

  test('that others have called takes places from reads, and none from writes: it can be wrong, and v2 can say no itself', () => {
    const state = newAccount();
    ask(state, terms(100), read, 10, noon + 10_000);
    hear(state, terms(100), { remaining: 30 }, noon + 10_000);
    expect(ask(state, terms(100), read, 100, noon + 10_000)).toBe(30);
    expect(ask(state, terms(100), write, 100, noon + 10_000)).toBe(60);
  });

  test('that more is left than was counted here changes nothing: what is under way it does not know', () => {
    const state = newAccount();
    ask(state, terms(100), read, 90, noon + 10_000);
    hear(state, terms(100), { remaining: 100 }, noon + 10_000);
    expect(ask(state, terms(100), read, 100, noon + 10_000)).toBe(10);
  });

  test('that it refuses ends everything until then, and a larger limit ends that', () => {
    const state = newAccount();
    block(state, terms(100), noon + 20 * minuteInMs);
    expect(take(state, terms(100), write, 1, noon)).toMatchObject({ why: 'v2 said so', retryAt: noon + 20 * minuteInMs });
    expect(ask(state, terms(1_000), write, 1, noon)).toBe(1);
    expect(ask(state, terms(100), write, 1, noon + 20 * minuteInMs)).toBe(1);
  });
});

test('without a limit that anybody knows, nothing is refused, and all is counted', () => {
  const state = newAccount();
  expect(ask(state, terms(undefined, 0.5), read, 500, noon + 10_000)).toBe(500);
  expect(standingOf(state, terms(undefined, 0.5), noon + 10_000)).toMatchObject({ limit: undefined, used: 500, kept: 0 });
});
