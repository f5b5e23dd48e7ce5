import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limitFit, loadsOf, readPeaks } from '../../src/report/limit-fit.ts';
import { LoadMeter } from '../../src/report/load-meter.ts';
import { planLimits, smallestPlan } from '../../src/report/plan-limits.ts';
import { hourInMs, minuteInMs } from '../../src/contract/times.ts';
import type { Range } from '../../src/usage/model.ts';
import { minutesOfPeak, peakOf } from '../../src/usage/store/load.ts';
import type { Peak, UsageReader } from '../../src/usage/store/store.ts';

const minutesOfDay = 1_440;
/** v2 calls of a key by the minute since the epoch. */
type Minutes = ReadonlyMap<number, number>;

/** A store of these loads, which counts how often it has to read minutes. */
function readerOf(keys: Readonly<Record<string, Minutes>>, days: number) {
  let reads = 0;
  const reader: Pick<UsageReader, 'peaks' | 'load'> = {
    async *peaks({ since, until }): AsyncIterable<readonly Peak[]> {
      for (let day = Math.floor(since / (minutesOfDay * minuteInMs)); day < Math.min(days, until / (minutesOfDay * minuteInMs)); day++) {
        for (const [keyHash, minutes] of Object.entries(keys)) {
          const first = day * minutesOfDay - 60;
          const peak = peakOf(
            day,
            Float64Array.from({ length: minutesOfPeak }, (_, index) => minutes.get(first + index) ?? 0),
          );
          if (peak !== undefined) yield [{ keyHash, day, ...peak }];
        }
      }
    },
    async *load({ since, until }, hashes) {
      reads++;
      for (let minute = Math.ceil(since / minuteInMs); minute * minuteInMs < until; minute++) {
        const v2Calls = hashes.reduce((sum, hash) => sum + (keys[hash]?.get(minute) ?? 0), 0);
        if (v2Calls > 0) yield { minute, v2Calls };
      }
    },
  };
  return { reader, reads: () => reads };
}

/** The same by definition: every hour, every window of the 61 minutes that hold any hour, every call. */
function byBruteForce(keys: Readonly<Record<string, Minutes>>, { since, until }: Range, limit: number | undefined) {
  const from = since / minuteInMs;
  const calls = Array.from({ length: (until - since) / minuteInMs }, (_, index) =>
    Object.values(keys).reduce((sum, minutes) => sum + (minutes.get(from + index) ?? 0), 0),
  );
  const sum = (begin: number, end: number, of = calls): number =>
    of.slice(Math.max(begin, 0), end).reduce((total, count) => total + count, 0);
  const hours = Array.from({ length: Math.ceil((from + calls.length) / 60) - Math.floor(from / 60) }, (_, index) => {
    const begin = (Math.floor(from / 60) + index) * 60 - from;
    return sum(begin, begin + 60);
  });
  const windows = calls.map((_, index) => sum(index - 60, index + 1));
  const accepted: number[] = [];
  for (const [index, count] of calls.entries()) accepted.push(Math.min(count, (limit ?? Infinity) - sum(index - 60, index, accepted)));
  return {
    clockHour: Math.max(0, ...hours),
    sliding: Math.max(0, ...windows),
    refused:
      limit === undefined
        ? undefined
        : {
            clockHour: hours.reduce((total, count) => total + Math.max(0, count - limit), 0),
            sliding: sum(0, calls.length) - sum(0, calls.length, accepted),
          },
  };
}

const days = 3;
const load = fc
  .array(fc.tuple(fc.nat(days * minutesOfDay - 1), fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 40 })), { maxLength: 8 })
  .map((bursts): Minutes => {
    const minutes = new Map<number, number>();
    for (const [at, calls, length] of bursts) {
      for (let minute = at; minute < Math.min(at + length, days * minutesOfDay); minute++)
        minutes.set(minute, (minutes.get(minute) ?? 0) + calls);
    }
    return minutes;
  });
const cut = fc.tuple(fc.nat(days * 24), fc.nat(days * 24)).filter(([a, b]) => a !== b);

test('the loads of any keys together are what looking at every minute gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.record({ a: load }), fc.record({ a: load, b: load, c: load })),
      cut,
      fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
      async (keys, hours, limit) => {
        const range = { since: Math.min(...hours) * hourInMs, until: Math.max(...hours) * hourInMs };
        const { reader } = readerOf(keys, days);
        const group = { keyHashes: Object.keys(keys), limit };
        const peaks = await readPeaks(reader, range, [group]);
        const { clockHour, sliding, refused } = await loadsOf(reader, range, group, peaks.get(group));
        expect({ clockHour: clockHour?.v2Calls ?? 0, sliding: sliding?.v2Calls ?? 0, refused }).toEqual(byBruteForce(keys, range, limit));
      },
    ),
    { numRuns: 150 },
  );
});

test('a workspace with one key and within its limit is never looked at by the minute', async () => {
  const { reader, reads } = readerOf(
    {
      a: new Map([
        [100, 5],
        [2_000, 9],
      ]),
    },
    days,
  );
  const range = { since: 0, until: days * minutesOfDay * minuteInMs };
  const group = { keyHashes: ['a'], limit: 10 };
  const peaks = await readPeaks(reader, range, [group]);
  const { sliding } = await loadsOf(reader, range, group, peaks.get(group));
  expect([sliding?.v2Calls, reads()]).toEqual([9, 0]);
});

test('calls within an hour of each other count together, in whatever minutes by the clock they are', async () => {
  // 10:00:59 and 11:00:30.
  const keys = { a: new Map([[600, 90]]), b: new Map([[660, 90]]) };
  const range = { since: 0, until: 24 * hourInMs };
  for (const keyHashes of [['a', 'b'], ['a'], ['b']]) {
    const { reader } = readerOf(keys, 1);
    const group = { keyHashes, limit: 100 };
    const peaks = await readPeaks(reader, range, [group]);
    expect((await loadsOf(reader, range, group, peaks.get(group))).sliding?.v2Calls).toBe(90 * keyHashes.length);
  }
  const one = { a: new Map([...keys.a, ...keys.b]) };
  const group = { keyHashes: ['a'], limit: undefined };
  const { reader, reads } = readerOf(one, 1);
  const peaks = await readPeaks(reader, range, [group]);
  expect([(await loadsOf(reader, range, group, peaks.get(group))).sliding, reads()]).toEqual([
    { since: 600 * minuteInMs, until: 661 * minuteInMs, v2Calls: 180 },
    0,
  ]);
});

describe('around midnight', () => {
  const slidingOf = async (keys: Readonly<Record<string, Minutes>>, range: Range) => {
    const { reader } = readerOf(keys, days);
    const group = { keyHashes: Object.keys(keys), limit: undefined };
    const peaks = await readPeaks(reader, range, [group]);
    return (await loadsOf(reader, range, group, peaks.get(group))).sliding?.v2Calls;
  };

  test('the worst 60 minutes hold the calls of a key that had none since', async () => {
    const keys = { a: new Map([[minutesOfDay - 30, 5]]), b: new Map([[minutesOfDay + 10, 4]]) };
    expect(await slidingOf(keys, { since: 0, until: 2 * 24 * hourInMs })).toBe(9);
  });

  test('the worst 60 minutes of a range do not begin before it', async () => {
    const keys = {
      a: new Map([
        [minutesOfDay - 10, 5],
        [minutesOfDay + 5, 4],
      ]),
    };
    expect(await slidingOf(keys, { since: 24 * hourInMs, until: 2 * 24 * hourInMs })).toBe(4);
  });
});

test('a key that belongs to nobody does not count', async () => {
  const { reader } = readerOf({ a: new Map([[100, 5]]), b: new Map([[100, 1]]) }, days);
  const group = { keyHashes: ['b'], limit: undefined };
  const range = { since: 0, until: 24 * hourInMs };
  const peaks = await readPeaks(reader, range, [group]);
  expect((await loadsOf(reader, range, group, peaks.get(group))).sliding?.v2Calls).toBe(1);
});

describe('a limit', () => {
  const metered = (limit: number, loads: readonly (readonly [number, number])[]) => {
    const meter = new LoadMeter(limit);
    for (const [minute, calls] of loads) meter.add(minute, calls);
    return [meter.clockHour?.v2Calls, meter.sliding?.v2Calls, meter.refusedByClock, meter.refusedSliding];
  };

  test.each<[string, number, readonly (readonly [number, number])[], readonly number[]]>([
    [
      'refuses nothing that it allows',
      10,
      [
        [0, 10],
        [61, 10],
      ],
      [10, 10, 0, 0],
    ],
    [
      'that is counted by the clock lets twice as much through around the full hour',
      10,
      [
        [59, 10],
        [60, 10],
      ],
      [10, 20, 0, 10],
    ],
    [
      'does not count what it has refused',
      10,
      [
        [0, 25],
        [59, 5],
        [61, 10],
      ],
      [30, 30, 20, 20],
    ],
    [
      'opens again when all calls are surely an hour old',
      10,
      [
        [0, 10],
        [60, 1],
        [61, 1],
      ],
      [10, 11, 0, 1],
    ],
  ])('%s', (_name, limit, loads, expected) => {
    expect(metered(limit, loads)).toEqual(expected);
  });
});

describe('the smallest plan', () => {
  test.each([
    [100, 'Free', []],
    [101, 'Pro', ['Starter', 'Growth']],
    [10_000, 'Agency', ['Starter', 'Growth']],
    [10_001, 'Enterprise', ['Starter', 'Growth']],
  ])('for %d v2 calls an hour is %s, and nobody knows of %j', (v2Calls, plan, notShown) => {
    expect(smallestPlan(planLimits({}), v2Calls)).toEqual({ plan, notShown });
  });

  test('is one whose limit the user knows, where the reference shows none', () => {
    const limits = planLimits({ v2RequestsPerHourGrowth: 500, v2RequestsPerHourEnterprise: 50_000 });
    expect(smallestPlan(limits, 400)).toEqual({ plan: 'Growth', notShown: ['Starter'] });
    expect(smallestPlan(limits, 60_000)).toEqual({ plan: null, notShown: [] });
  });

  test.each([
    ['Enterprise', 'Enterprise'],
    ['Agency', 'Agency'],
    ['Free', 'Pro'],
  ] as const)('for a workspace with %s is no smaller one: it may call v2 past the proxy as well', (own, plan) => {
    expect(smallestPlan(planLimits({}), 150, own).plan).toBe(plan);
  });

  test('has a limit that says where it comes from', () => {
    expect(planLimits({ v2RequestsPerHourStarter: 250 }).map(({ plan, perHour, basis }) => [plan, perHour, basis])).toEqual([
      ['Free', 100, 'published'],
      ['Starter', 250, 'given'],
      ['Growth', null, 'not_shown'],
      ['Pro', 1_000, 'published'],
      ['Agency', 10_000, 'published'],
      ['Enterprise', null, 'custom'],
    ]);
  });
});

describe('the fit', () => {
  const most = (v2Calls: number) => ({ since: 0, until: hourInMs, v2Calls });
  const free = { plan: 'Free', perHour: 100, basis: 'published' } as const;
  const starter = { plan: 'Starter', perHour: null, basis: 'not_shown' } as const;
  test.each([
    ['fits within the limit', 100, 100, free, 'fits'],
    ['depends on how v2 counts', 100, 101, free, 'depends'],
    ['exceeds the limit either way', 101, 120, free, 'exceeds'],
    ['is unknown without a plan', 1, 1, null, 'unknown'],
    ['is unknown where the limit of the plan is not shown', 1, 1, starter, 'unknown'],
  ])('%s', (_name, clockHour, sliding, limit, expected) => {
    const loads = { clockHour: most(clockHour), sliding: most(sliding), refused: undefined };
    expect(limitFit(loads, limit, planLimits({}), []).fit).toBe(expected);
  });

  test('is not judged by an older peak, and tells one that was higher', () => {
    const loads = { clockHour: most(90), sliding: most(90), refused: undefined };
    expect(limitFit(loads, free, planLimits({}), [], most(150))).toMatchObject({
      fit: 'fits',
      smallestPlan: 'Free',
      older: { v2Calls: 150 },
    });
    expect(limitFit(loads, free, planLimits({}), [], most(80)).older).toBeNull();
  });

  test('advises a workspace whose limit is custom to no other plan', () => {
    const loads = { clockHour: most(90), sliding: most(90), refused: undefined };
    const custom = { plan: 'Enterprise', perHour: null, basis: 'custom' } as const;
    expect(limitFit(loads, custom, planLimits({}), [])).toMatchObject({ fit: 'unknown', smallestPlan: 'Enterprise', notShown: [] });
  });

  test('names the endpoint that makes the most v2 calls', () => {
    const uses = [
      { endpoint: 'GET /v1/messages', v2Calls: 10 },
      { endpoint: 'GET /v1/messages/:id', v2Calls: 30 },
    ];
    const loads = { clockHour: most(40), sliding: most(40), refused: undefined };
    expect(limitFit(loads, free, planLimits({}), uses).tame).toEqual({ endpoint: 'GET /v1/messages/:id', v2Calls: 30, share: 0.75 });
  });
});
