/** Instants and durations as people write them to turn the clock. */
import { dayInMs, hourInMs, minuteInMs } from '../../contract/times.ts';
import { instant, show } from '../../config/types.ts';

/** A time that the clock cannot show; the message says what to write. */
export class ClockError extends Error {
  readonly code = 'CLOCK_INVALID';

  constructor(given: unknown, expected: string) {
    super(`${show(given)} is not ${expected}`);
    this.name = 'ClockError';
  }
}

/** Years of four digits, from the epoch on: what the API's times can say. In milliseconds since the epoch. */
export const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

/** An instant as the API writes times: ISO 8601 UTC with milliseconds (api.md §2). What is past the last one that it can say is said as that. */
export function isoOf(instant: number): string {
  return new Date(Math.min(instant, lastInstant)).toISOString();
}

/**
 * Reads an instant.
 * @param given ISO 8601 with a zone, a Date, or milliseconds since the epoch
 * @returns milliseconds since the epoch
 * @throws ClockError for anything else, and outside of the years 1970 to 9999
 */
export function readInstant(given: string | number | Date): number {
  const time = typeof given === 'string' ? timeOf(given) : given instanceof Date ? given.getTime() : given;
  if (Number.isInteger(time) && time >= 0 && time <= lastInstant) return time;
  throw new ClockError(given, 'an instant: write 2026-12-31T00:00:00Z or milliseconds since 1970, up to the year 9999');
}

const timeOf = (text: string): number => Date.parse(instant.safeParse(text).data ?? '');

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: minuteInMs, h: hourInMs, d: dayInMs };

/**
 * Reads a duration.
 * @param given a number with one of the units ms, s, m, h and d, or milliseconds
 * @returns milliseconds
 * @throws ClockError for anything else
 */
export function readDuration(given: string | number | Date): number {
  const [, number, unit = ''] = (typeof given === 'string' && /^(\d+(?:\.\d+)?) ?([a-z]+)$/.exec(given)) || [];
  const duration = typeof given === 'number' ? given : Math.round(Number(number) * (units[unit] ?? NaN));
  if (Number.isSafeInteger(duration) && duration >= 0) return duration;
  throw new ClockError(given, 'a duration: write 90s, 15m, 2h, 1d or milliseconds, at least 0; set turns the clock back');
}
