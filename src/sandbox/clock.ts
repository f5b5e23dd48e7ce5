/** The one source of time in the sandbox: nothing here reads the machine's clock, so that a test can turn it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

export const systemClock: Clock = { now: Date.now };

/** The clock's time as the API writes times: ISO 8601 UTC with milliseconds (api.md §2). */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
