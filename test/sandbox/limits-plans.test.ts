/** api.md §8: the numbers of the plans, counted call by call. */
import { describe, expect, test } from 'vitest';
import { assume } from '../../src/contract/assumptions.ts';
import { type Plan, plans } from '../../src/contract/plans.ts';
import { Limits, planLimits } from '../../src/sandbox/service/limits.ts';
import type { Refusal } from '../../src/sandbox/service/outcome.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import type { Key } from '../../src/sandbox/store/keys.ts';

const { store, clock } = createSandbox({ clock: '2026-08-01T12:00:00Z' });

/** A key of a new workspace. */
function keyOn(plan: Plan): Key {
  return store.keys.create(store.createWorkspace('Shop', plan), { name: 'Shop', access: 'read' }).key;
}

/** How many calls go in, and why the next one does not. */
function callsOf(count: () => Refusal | undefined): readonly [calls: number, refused: string] {
  for (let calls = 0; ; calls++) {
    const refusal = count();
    if (refusal !== undefined) return [calls, refusal.refused];
  }
}

describe('v2 calls an hour', () => {
  test.each([
    ['Free', 100],
    ['Pro', 1_000],
    ['Agency', 10_000],
  ] as const)('%s: %i, exactly', (plan, calls) => {
    const [limits, key] = [new Limits(clock, assume()), keyOn(plan)];
    expect(callsOf(() => limits.countV2(key))).toEqual([calls, 'hourlyLimit']);
  });
  test('Enterprise: the number that the workspace has of its own', () => {
    const [limits, key] = [new Limits(clock, assume()), keyOn('Enterprise')];
    key.workspace.limits = { perHour: 12_345 };
    expect(callsOf(() => limits.countV2(key))).toEqual([12_345, 'hourlyLimit']);
  });
  test.each(['Starter', 'Growth', 'Enterprise'] as const)('%s: as assumed', (plan) => {
    const assumptions = assume({ [`v2RequestsPerHour${plan}`]: 7 });
    const [limits, key] = [new Limits(clock, assumptions), keyOn(plan)];
    expect(callsOf(() => limits.countV2(key))).toEqual([7, 'hourlyLimit']);
  });
  test('each workspace has an hour of its own', () => {
    const [limits, key] = [new Limits(clock, assume()), keyOn('Free')];
    callsOf(() => limits.countV2(key));
    expect(limits.countV2(keyOn('Free'))).toBeUndefined();
  });
});

test('another plan, chosen in the dashboard, counts at once', () => {
  const { dashboard } = createSandbox({ clock: '2026-08-01T12:00:00Z' });
  const { id } = dashboard.createWorkspace({ name: 'Shop', plan: 'Free' });
  expect(dashboard.usage(id)).toMatchObject({ hour: { limit: 100 }, webhookEndpoints: { limit: 2 } });
  dashboard.changeWorkspace(id, { plan: 'Pro' });
  expect(dashboard.usage(id)).toMatchObject({ hour: { limit: 1_000 }, webhookEndpoints: { limit: 100 } });
});

describe.each(plans)('v1 calls on the plan %s', (plan) => {
  const assumptions = assume({ [`v1RequestsPerMinute${plan}`]: 5, [`v1RequestsPerDay${plan}`]: 8 });
  test('a minute: as assumed', () => {
    const [limits, key] = [new Limits(clock, assumptions), keyOn(plan)];
    expect(callsOf(() => limits.countV1(key))).toEqual([5, 'rateLimited']);
  });
  test('a day: as assumed', () => {
    let now = clock.now();
    const [limits, key] = [new Limits({ now: () => now }, assumptions), keyOn(plan)];
    callsOf(() => limits.countV1(key));
    now += 60_000;
    expect(callsOf(() => limits.countV1(key))).toEqual([3, 'dailyLimit']);
  });
  test('assumed are whole numbers, more a day than a minute', () => {
    const { perMinute, perDay } = planLimits(plan, assume());
    expect([Number.isSafeInteger(perMinute), Number.isSafeInteger(perDay), perDay > perMinute]).toEqual([true, true, true]);
  });
});
