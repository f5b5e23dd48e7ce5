/** The published limits (api.md §8). `null` means unlimited; `undefined` that the number is custom; those of absent plans are not shown. */
import type { Plan } from './plans.ts';
import { dayInMs, hourInMs, minuteInMs } from './times.ts';

type ByPlan<Limit> = Partial<Record<Plan, Limit>>;

export const v2RequestsPerHour = { Free: 100, Pro: 1_000, Agency: 10_000, Enterprise: undefined } as const satisfies ByPlan<
  number | undefined
>;

export const webhookEndpointsPerWorkspace = {
  Free: 2,
  Starter: 10,
  Growth: 30,
  Pro: 100,
  Agency: null,
} as const satisfies ByPlan<number | null>;

/** v1's two windows, their lengths in milliseconds; the per-plan numbers are not shown. */
export const v1Windows = {
  minute: { length: minuteInMs, scope: 'key', resets: 'with the next minute' },
  day: { length: dayInMs, scope: 'workspace', resets: 'at 00:00 UTC' },
} as const;

/** v2's window. Its limit is the plan's, which is that of a workspace. */
export const v2Windows = { hour: { length: hourInMs, scope: 'workspace' } } as const;
