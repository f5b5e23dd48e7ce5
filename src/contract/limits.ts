/** The published limits (api.md §8). `null` means unlimited; `undefined` that the number is custom; those of absent plans are not shown. */
import type { Plan } from './plans.ts';

export const v2RequestsPerHour: Partial<Record<Plan, number>> = { Free: 100, Pro: 1_000, Agency: 10_000, Enterprise: undefined };

export const webhookEndpointsPerWorkspace: Partial<Record<Plan, number | null>> = {
  Free: 2,
  Starter: 10,
  Growth: 30,
  Pro: 100,
  Agency: null,
};

/** v1's two windows; the per-plan numbers are not shown. */
export const v1Windows = {
  minute: { scope: 'key', resets: 'with the next minute' },
  day: { scope: 'workspace', resets: 'at 00:00 UTC' },
} as const;
