import type { Assumptions } from '../contract/assumptions.ts';
import { v2RequestsPerHour } from '../contract/limits.ts';
import { type Plan, plans } from '../contract/plans.ts';
import type { PlanLimit } from './model.ts';

const published: Partial<Record<Plan, number | undefined>> = v2RequestsPerHour;

/**
 * What each plan may call v2 in an hour, from the smallest to the largest. What the kit merely assumes is no limit here: a plan would be bought for it.
 * @param given what the user gave in place of the assumed values
 */
export function planLimits(given: Partial<Assumptions>): readonly PlanLimit[] {
  const known: Partial<Record<Plan, number | undefined>> = {
    Starter: given.v2RequestsPerHourStarter,
    Growth: given.v2RequestsPerHourGrowth,
    Enterprise: given.v2RequestsPerHourEnterprise,
  };
  return plans.map((plan) => {
    const [perHour, told] = [published[plan], known[plan]];
    if (perHour !== undefined) return { plan, perHour, basis: 'published' };
    if (told !== undefined) return { plan, perHour: told, basis: 'given' };
    return { plan, perHour: null, basis: plan in published ? 'custom' : 'not_shown' };
  });
}

/**
 * The smallest plan that allows so many v2 calls an hour, and smaller ones of which nobody knows.
 * @param limits from the smallest plan to the largest
 * @param own the plan that there is, if any: no smaller one is told, as only the calls through the proxy are known
 */
export function smallestPlan(
  limits: readonly PlanLimit[],
  v2Calls: number,
  own?: Plan,
): { readonly plan: Plan | null; readonly notShown: readonly Plan[] } {
  const larger = own === undefined ? limits : limits.slice(limits.findIndex(({ plan }) => plan === own));
  const index = larger.findIndex(({ perHour, basis }) => basis === 'custom' || (perHour !== null && perHour >= v2Calls));
  return {
    plan: larger[index]?.plan ?? null,
    notShown: larger
      .slice(0, Math.max(index, 0))
      .filter(({ basis }) => basis === 'not_shown')
      .map(({ plan }) => plan),
  };
}
