import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/contract/plans.ts';
import { hourInMs } from '../../src/contract/times.ts';
import { planLimits } from '../../src/report/plan-limits.ts';
import { readSavers, SaversMeter, saversFit } from '../../src/report/savers.ts';
import { reuseTimes } from '../../src/usage/model.ts';
import type { Saving, UsageReader } from '../../src/usage/store/store.ts';

const limits = planLimits({});
const limitOf = (plan: Plan) => limits.find((each) => each.plan === plan) ?? null;

/** A store with these rows, which come hour by hour. */
const readerOf = (rows: readonly Saving[]): Pick<UsageReader, 'savings'> => ({
  async *savings() {
    for (const page of Map.groupBy(
      rows.toSorted((a, b) => a.hour - b.hour),
      ({ hour }) => hour,
    ).values())
      yield page;
  },
});

const range = { since: 0, until: 100 * hourInMs };
const groupOf = (...hashes: readonly string[]) => ({ keys: hashes.map((hash) => ({ hash })) });

/** What one hour means. */
function fitOf(asked: number, saved: readonly number[], plan?: Plan) {
  const meter = new SaversMeter();
  meter.add(7, asked, 3, saved);
  meter.end();
  return saversFit(meter, plan === undefined ? null : limitOf(plan), limits);
}

describe('the limit fit with savers', () => {
  test('is made of the worst hour of all keys of a workspace together, under each setting by itself', async () => {
    const row = fc.record({
      keyHash: fc.constantFrom('a', 'b', 'c', 'stranger'),
      hour: fc.nat(5),
      asked: fc.integer({ min: 40, max: 400 }),
      untranslated: fc.nat(40),
      saved: fc.array(fc.nat(40), { minLength: reuseTimes.length, maxLength: reuseTimes.length }),
    });
    const rows = fc.uniqueArray(row, { selector: ({ keyHash, hour }) => `${keyHash} ${hour}` });
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const [both, one] = [groupOf('a', 'b'), groupOf('c')];
        const meters = await readSavers(readerOf(all), range, [both, one]);
        for (const group of [both, one]) {
          const own = all.filter(({ keyHash }) => group.keys.some(({ hash }) => hash === keyHash));
          const hours = [...Map.groupBy(own, ({ hour }) => hour)]
            .map(([hour, rows]) => ({ hour, rows }))
            .toSorted((a, b) => a.hour - b.hour);
          const left = (setting: number) =>
            hours.map(({ rows }) =>
              rows.reduce((sum, { asked, saved }) => sum + asked - (setting === 0 ? 0 : (saved[setting - 1] ?? 0)), 0),
            );
          const worst = hours[left(0).indexOf(Math.max(...left(0)))];
          const expected = {
            since: new Date((hours[0]?.hour ?? 0) * hourInMs).toISOString(),
            left: [0, 1, 2, 3, 4, 5].map((setting) => Math.max(...left(setting))),
            untranslated: worst?.rows.reduce((sum, { untranslated }) => sum + untranslated, 0),
          };
          const fit = saversFit(meters.get(group), null, limits);
          const found = fit && {
            since: fit.since,
            left: fit.settings.map(({ clockHour }) => clockHour?.v2Calls ?? 0),
            untranslated: fit.untranslated,
          };
          expect(found).toEqual(own.length === 0 ? null : expected);
        }
      }),
    );
  });

  test('names the smallest setting under which the plan holds', () => {
    expect(fitOf(412, [12, 200, 312, 341, 350], 'Free')).toMatchObject({
      limit: { plan: 'Free', perHour: 100 },
      needed: { coalescing: true, reuse: 10_000 },
      smallestPlan: 'Free',
    });
    expect(fitOf(412, [312, 312, 312, 341, 350], 'Free')?.needed).toEqual({ coalescing: true, reuse: 0 });
    expect(fitOf(412, [312, 312, 312, 341, 350], 'Pro')?.needed).toEqual({ coalescing: false, reuse: 0 });
  });

  test('goes by the smallest plan with a known limit where there is none', () => {
    expect(fitOf(412, [0, 0, 0, 341, 350])).toMatchObject({ limit: { plan: 'Free', perHour: 100 }, needed: { reuse: 30_000 } });
  });

  test('names the smallest plan that would do where the own one does not', () => {
    expect(fitOf(5_000, [0, 0, 0, 100, 200], 'Pro')).toMatchObject({ needed: null, smallestPlan: 'Agency' });
    expect(fitOf(50, [0, 0, 0, 0, 0], 'Pro')?.smallestPlan).toBe('Pro');
  });

  test('compares with no limit that nobody knows', () => {
    expect(fitOf(412, [12, 200, 312, 341, 350], 'Growth')).toMatchObject({ limit: null, needed: null });
    expect(fitOf(412, [12, 200, 312, 341, 350], 'Enterprise')).toMatchObject({ limit: null, needed: null, smallestPlan: 'Enterprise' });
  });

  test('is none where nothing is known', () => {
    expect(saversFit(undefined, null, limits)).toBeNull();
    expect(saversFit(new SaversMeter(), null, limits)).toBeNull();
  });
});
