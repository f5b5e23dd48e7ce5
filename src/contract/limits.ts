/** The published limits (api.md §8). `null` means unlimited, `undefined` that the number is not shown. */

export const v2RequestsPerHour = {
  Free: 100,
  Pro: 1_000,
  Agency: 10_000,
  Enterprise: undefined,
} as const satisfies Record<string, number | undefined>;

export const webhookEndpointsPerWorkspace = {
  Free: 2,
  Starter: 10,
  Growth: 30,
  Pro: 100,
  Agency: null,
} as const satisfies Record<string, number | null>;

/** v1's two windows; the per-plan numbers are not shown. */
export const v1Windows = {
  minute: { scope: 'key', resets: 'with the next minute' },
  day: { scope: 'workspace', resets: 'at 00:00 UTC' },
} as const;
