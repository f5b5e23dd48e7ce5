import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Plan, simulate } from './simulated-fleet.ts';

const hour = Date.UTC(2026, 10, 22, 9) / 3_600_000;

const plans: fc.Arbitrary<Plan> = fc.record({
  seed: fc.nat(),
  limit: fc.constantFrom(20, 100, 300, 1_000),
  replicas: fc.integer({ min: 1, max: 8 }),
  from: fc.integer({ min: 50, max: 57 }),
  minutes: fc.constant(20),
  demand: fc.integer({ min: 400, max: 12_000 }),
  writes: fc.double({ min: 0, max: 1, noNaN: true }),
  loss: fc.constantFrom(0, 0.002, 0.02),
  apart: fc.integer({ min: -1_900, max: 1_900 }),
  kills: fc.array(fc.record({ at: fc.integer({ min: 0, max: 1_200 }), back: fc.integer({ min: 0, max: 60 }), replica: fc.nat(7) }), {
    maxLength: 12,
  }),
  outages: fc.array(
    fc.record({ at: fc.integer({ min: 0, max: 1_000 }), seconds: fc.constantFrom(1, 2, 3, 5, 12, 300), silent: fc.boolean() }),
    { maxLength: 3 },
  ),
});

/** Killed before the store that was away from the beginning could be told what it had sent: of such a replica nobody knows, so it is killed later. */
const startedInAnOutage: Plan = {
  seed: 0,
  limit: 20,
  replicas: 1,
  from: 50,
  minutes: 20,
  demand: 400,
  writes: 0,
  loss: 0,
  apart: 0,
  kills: [{ at: 10, back: 0, replica: 0 }],
  outages: [{ at: 0, seconds: 300, silent: false }],
};

/** Eight replicas in a whole hour, ten kills spread over it. */
const hourOf = (limit: number, outages: Plan['outages']): Plan => ({
  seed: limit,
  limit,
  replicas: 8,
  from: 55,
  minutes: 65,
  demand: limit * 2,
  writes: 0.5,
  kills: Array.from({ length: 10 }, (_, index) => ({ at: 400 + index * 320, back: 2 + index * 6, replica: index })),
  outages,
  loss: 0.002,
  apart: 1_900,
});

describe('replicas that share an hour', () => {
  it('never send more than its limit, whatever order messages, kills and outages come in', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const { counted } = await simulate(plan);
        for (const calls of counted.values()) expect(calls).toBeLessThanOrEqual(plan.limit);
      }),
      // A failure prints the seed and the plan.
      { numRuns: 6, examples: [[startedInAnOutage]] },
    );
  });

  it.each([100, 2_000])('use at least 97 in 100 of %i calls where replicas are killed and the store is there', async (limit) => {
    const { counted, kills } = await simulate(hourOf(limit, []));
    expect(kills).toBe(10);
    expect(counted.get(hour)).toBeGreaterThanOrEqual(limit * 0.97);
    expect(counted.get(hour)).toBeLessThanOrEqual(limit);
  });

  it('go on while the store is away for five minutes, each with its share, and send no more together', async () => {
    const outages = [{ at: 360, seconds: 300, silent: false }];
    const { counted, refused } = await simulate({ ...hourOf(1_000, outages), kills: [], minutes: 11, demand: 4_000 });
    // One minute of the hour with the store, and five without it.
    expect(counted.get(hour)).toBeGreaterThan(300);
    expect(refused).toBeLessThan(200);
  });

  it('that start while the store is away take one part of the limit each, and no more', async () => {
    const outages = [{ at: 600, seconds: 300, silent: true }];
    const kills = [{ at: 650, back: 5, replica: 1 }];
    const { counted, unknown } = await simulate({
      ...hourOf(100, outages),
      seed: 5,
      demand: 1_200,
      minutes: 40,
      kills,
      startsWithout: true,
    });
    expect(unknown).toBe(1);
    expect(counted.get(hour)).toBeLessThanOrEqual(100 + Math.floor(100 / 8));
  });
});
