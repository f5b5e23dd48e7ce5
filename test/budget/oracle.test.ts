/** What clients get of their hour, held against what the best order of the same calls would have given them. */
import { describe, expect, it } from 'vitest';
import { usualBudget } from '../../src/budget/policy.ts';
import { type Behaviour } from './behaviours/behaviour.ts';
import { behaviours } from './behaviours/behaviours.ts';
import { replay } from './behaviours/replay.ts';

/** The hours of the day in which a behaviour shows. */
const firstHours: Readonly<Record<string, number>> = { 'batch at midnight': 18 };
const span = ({ name }: Behaviour): { readonly first: number; readonly hours: number } => ({ first: firstHours[name] ?? 0, hours: 2 });

const named = behaviours.map((behaviour) => [behaviour.name, behaviour] as const);

describe('where the budget is off', () => {
  it.each(named)('%s: reads take what sends need, and v2 itself refuses them', async (_, behaviour) => {
    const { hours } = await replay(behaviour, { ...span(behaviour), budget: { ...usualBudget, enabled: false } });
    expect(Math.max(...hours.map(({ needless }) => needless))).toBeGreaterThan(0);
    expect(hours.some(({ refusedByV2 }) => refusedByV2 > 0)).toBe(true);
    expect(hours.map(({ refusedByV2 }) => refusedByV2)).toEqual(hours.map(({ sendsRefused, readsRefused }) => sendsRefused + readsRefused));
  });
});
