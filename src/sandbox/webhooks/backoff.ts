import type { Assumptions } from '../../contract/assumptions.ts';
import { deliveryRules } from '../../contract/events.ts';

const second = 1_000;

/**
 * How long to wait before the next attempt (api.md §6): 5 seconds, then exponentially longer; multiplier and maximum are assumed.
 * @param attempt the one that has failed, from 1
 * @returns milliseconds; undefined where it was the last one
 */
export function backoff(attempt: number, { webhookBackoffMultiplier, webhookBackoffMax }: Assumptions): number | undefined {
  if (attempt >= deliveryRules.attempts) return undefined;
  return Math.min(deliveryRules.firstBackoff * webhookBackoffMultiplier ** (attempt - 1), webhookBackoffMax * second);
}
