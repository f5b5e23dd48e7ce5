/** What v2's fields say of its hour; and all that says nothing, as it is wrong, of another window, or contradicts itself. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRateLimit } from '../../../proxy/budget/rate-limit-fields.ts';
import { WindowWatch } from '../../../proxy/budget/window-watch.ts';
import { hourInMs, minuteInMs } from '../../../src/contract/times.ts';

const now = Date.parse('2026-11-20T10:20:00Z');
const epoch = now / 1_000;
const fields = (...texts: readonly string[]): readonly string[] => texts;
const read = (...texts: readonly string[]) => readRateLimit(fields('Date', 'x', ...texts, 'X-Request-Id', 'y'), now);
const hourly = { limit: 100, remaining: 50, reset: 2_400_000 };
/** Whether the fields themselves say that it is an hour, is told apart. */
const figures = (...texts: readonly string[]) => {
  const { isNamed: _, ...rest } = read(...texts) ?? { isNamed: false };
  return read(...texts) && rest;
};

describe('is read', () => {
  test.each<readonly [string, readonly string[]]>([
    ['the draft', ['RateLimit-Policy', '"hour";q=100;w=3600', 'RateLimit', '"hour";r=50;t=2400']],
    [
      'the draft with another policy beside it',
      ['RateLimit-Policy', '"burst";q=10;w=60, "hour";q=100;w=3600', 'RateLimit', '"burst";r=9;t=4, "hour";r=50;t=2400'],
    ],
    ['the draft in its older form', ['RateLimit-Policy', '100;w=3600', 'RateLimit', 'limit=100, remaining=50, reset=2400']],
    ['the draft in its oldest form', ['RateLimit-Limit', '100', 'RateLimit-Remaining', '50', 'RateLimit-Reset', '2400']],
    ['X-RateLimit with seconds', ['X-RateLimit-Limit', '100', 'X-RateLimit-Remaining', '50', 'X-RateLimit-Reset', '2400']],
    [
      'X-RateLimit with an epoch time',
      ['x-ratelimit-limit', '100', 'x-ratelimit-remaining', '50', 'x-ratelimit-reset', String(epoch + 2_400)],
    ],
    [
      'X-RateLimit with milliseconds',
      ['X-RateLimit-Limit', '100', 'X-RateLimit-Remaining', '50', 'X-RateLimit-Reset', String((epoch + 2_400) * 1_000)],
    ],
    ['two ways that agree', ['RateLimit', '"hour";r=50;t=2400', 'RateLimit-Policy', '"hour";q=100;w=3600', 'X-RateLimit-Limit', '100']],
  ])('%s', (_, given) => {
    expect(figures(...given)).toEqual(hourly);
    expect(read(...given)?.isNamed).toBe(given.join().includes('w=3600'));
  });
});

const nothing = { limit: undefined, remaining: undefined, reset: undefined };

describe('says nothing of the hour', () => {
  test.each<readonly [string, readonly string[], unknown]>([
    ['no field of this kind', ['Content-Type', 'application/json', 'X-Robots-Tag', 'none', 'Referrer-Policy', 'no-referrer'], undefined],
    ['the limit of a minute', ['X-RateLimit-Limit', '60', 'X-RateLimit-Remaining', '59', 'X-RateLimit-Reset', '41'], nothing],
    ['a limit without a window', ['X-RateLimit-Limit', '60', 'X-RateLimit-Remaining', '59'], nothing],
    ['policies of other windows alone', ['RateLimit-Policy', '"day";q=1000;w=86400', 'RateLimit', '"day";r=0;t=2400'], undefined],
    [
      'two that differ',
      ['RateLimit-Limit', '100', 'X-RateLimit-Policy', 'x', 'RateLimit', 'limit=60, remaining=50, reset=2400'],
      undefined,
    ],
    [
      'one field twice',
      ['X-RateLimit-Limit', '100', 'X-RateLimit-Limit', '60', 'X-RateLimit-Reset', '2400'],
      { ...nothing, reset: 2_400_000 },
    ],
    ['more left than there is', ['X-RateLimit-Limit', '100', 'X-RateLimit-Remaining', '101', 'X-RateLimit-Reset', '2400'], undefined],
    ['a limit of 0', ['X-RateLimit-Limit', '0', 'X-RateLimit-Reset', '2400'], { ...nothing, reset: 2_400_000 }],
    ['a limit of 10^12', ['X-RateLimit-Limit', '1000000000000', 'X-RateLimit-Reset', '2400'], { ...nothing, reset: 2_400_000 }],
    ['a limit below 0', ['X-RateLimit-Limit', '-100', 'X-RateLimit-Reset', '2400'], { ...nothing, reset: 2_400_000 }],
    ['an end in days', ['X-RateLimit-Limit', '100', 'X-RateLimit-Reset', '86400'], undefined],
    ['what is no structured field', ['RateLimit', '((((', 'RateLimit-Policy', '"hour;q=100'], nothing],
    ['texts', ['X-RateLimit-Limit', 'many', 'X-RateLimit-Remaining', 'some', 'X-RateLimit-Reset', 'soon'], nothing],
  ])('%s', (_, given, expected) => {
    expect(figures(...given)).toEqual(expected);
  });

  test('whatever bytes: it never throws, and what it gives is in its bounds', () => {
    const name = fc.constantFrom(
      'RateLimit',
      'RateLimit-Policy',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'RateLimit-Reset',
    );
    const value = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.constantFrom('"h";r=1;t=9', '"h";q=5;w=3600', 'remaining=4, reset=3000'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 6 }), (given) => {
        const said = read(...given.flat());
        for (const figure of [said?.limit, said?.remaining, said?.reset])
          expect(figure === undefined || (figure >= 0 && figure <= 1e9)).toBe(true);
        expect(said?.limit === undefined || said.remaining === undefined || said.remaining <= said.limit).toBe(true);
      }),
    );
  });
});

describe('how v2 counts is seen from when it says that there is more', () => {
  /** What an answer each five minutes shows. */
  const seen = (endOf: (at: number) => number, hours: number) => {
    const watch = new WindowWatch('fixed');
    let last: unknown;
    for (let at = now; at < now + hours * hourInMs; at += 5 * minuteInMs)
      last = watch.see(Math.ceil((endOf(at) - at) / 1_000) * 1_000, at) ?? last;
    return last;
  };
  const hourFrom = (phase: number) => (at: number) => at - ((at - phase) % hourInMs) + hourInMs;

  test.each([
    ['hours of the clock', hourFrom(0), { kind: 'fixed', phase: 0 }],
    ['hours that begin at twenty-five past', hourFrom(25 * minuteInMs), { kind: 'fixed', phase: 25 * minuteInMs }],
    ['an end that moves on', (at: number) => at + 40 * minuteInMs, { kind: 'sliding', phase: 0 }],
  ])('%s', (_, endOf, expected) => {
    expect(seen(endOf, 4)).toEqual(expected);
  });

  test.each([
    ['every two hours', 2],
    ['once a night', 24],
  ])('hours of the clock, though calls come %s alone', (_, apart) => {
    const watch = new WindowWatch('fixed');
    const learned: unknown[] = [];
    for (let run = 0; run < 4; run++) {
      const begins = now + run * apart * hourInMs;
      for (const at of [begins, begins + 40_000, begins + 90_000]) learned.push(watch.see(hourFrom(0)(at) - at, at));
    }
    expect(learned.filter((window) => window !== undefined)).not.toContainEqual(expect.objectContaining({ kind: 'sliding' }));
    expect(learned.at(-1)).toEqual({ kind: 'fixed', phase: 0 });
  });

  test('not before an hour has turned: an end that stays may be that of the oldest call', () => {
    expect(seen(hourFrom(25 * minuteInMs), 0.9)).toBeUndefined();
  });
});
