/** When a rate-limited client may try again: what v2 says, in any of the usual fields, or the end of v2's hour. */

const hourInMs = 3_600_000;
const dayInMs = 86_400_000;

/**
 * Seconds for Retry-After on a 429, at least 1.
 * Order: Retry-After (RFC 9110 §10.2.3, seconds or a date), the `t` of RateLimit and RateLimit-Reset (IETF drafts), X-RateLimit-Reset
 * (seconds, or an epoch time where it is large), and else the end of the running hour, as v2's limit is per hour (api.md §8).
 * @param field gives v2's field by its lower-case name
 * @param now epoch milliseconds
 */
export function retryAfterSeconds(field: (name: string) => string | undefined, now: number): number {
  const said =
    fromRetryAfter(field('retry-after'), now) ??
    fromRateLimit(field('ratelimit')) ??
    fromReset(field('ratelimit-reset'), now) ??
    fromReset(field('x-ratelimit-reset'), now);
  return said ?? Math.max(1, Math.ceil((hourInMs - (now % hourInMs)) / 1000));
}

/** Seconds until the next 00:00 UTC, at least 1: when the daily limit resets. */
export function secondsUntilMidnight(now: number): number {
  return Math.max(1, Math.ceil((dayInMs - (now % dayInMs)) / 1000));
}

/** The next 00:00 UTC as an ISO 8601 timestamp. */
export function nextMidnight(now: number): string {
  return new Date(now - (now % dayInMs) + dayInMs).toISOString();
}

function fromRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Math.max(1, Number(value));
  // Only HTTP-dates: Date.parse would also take "1" or "June".
  const at = /^[A-Z][a-z]+,? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(1, Math.ceil((at - now) / 1000));
}

function fromRateLimit(value: string | undefined): number | undefined {
  const seconds =
    value === undefined ? undefined : (/(?:^|[;,]\s*)t=(\d{1,9})/.exec(value)?.[1] ?? /(?:^|[;,]\s*)reset=(\d{1,9})/.exec(value)?.[1]);
  return seconds === undefined ? undefined : Math.max(1, Number(seconds));
}

// Above this, a number of seconds is an epoch time (2001); no limit of the service resets in thirty years.
const epochThreshold = 1e9;

function fromReset(value: string | undefined, now: number): number | undefined {
  if (value === undefined || !/^\d{1,13}$/.test(value)) return undefined;
  const reset = Number(value);
  if (reset < epochThreshold) return Math.max(1, reset);
  const at = reset > 1e11 ? reset : reset * 1000;
  return Math.max(1, Math.ceil((at - now) / 1000));
}
