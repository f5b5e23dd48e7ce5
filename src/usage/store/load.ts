/** How many v2 calls a key cost, minute by minute: how an hour of it is kept, and what its worst hours are. */
import { hoursOfDay, minutesOfHour } from './plan.ts';

/**
 * An hour as bytes: for each minute with calls its number and the count, as LEB128.
 * @param minutes v2 calls of each of the 60 minutes
 */
export function encodeLoad(minutes: ArrayLike<number>): Uint8Array {
  const bytes: number[] = [];
  for (let minute = 0; minute < minutesOfHour; minute++) {
    let rest = minutes[minute] ?? 0;
    if (rest === 0) continue;
    bytes.push(minute);
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

/** Adds an hour to minutes, from index `offset` on. */
export function addLoad(bytes: Uint8Array, minutes: Float64Array, offset: number): void {
  for (let at = 0; at < bytes.length;) {
    const index = offset + (bytes[at++] ?? 0);
    let count = 0;
    let unit = 1;
    for (let byte = 0x80; byte >= 0x80; unit *= 0x80) {
      byte = bytes[at++] ?? 0;
      count += (byte & 0x7f) * unit;
    }
    minutes[index] = (minutes[index] ?? 0) + count;
  }
}

/**
 * Minutes by the clock that any 60 minutes lie within, wherever in a minute they begin: 12:00:59 and 13:00:30 are less than an hour apart.
 * Calls are counted by the minute, so theirs are an upper bound of what any hour has.
 */
export const minutesOfWindow = minutesOfHour + 1;

/** Minutes that the peaks of a day are found from: the hour before it, since a window may begin there, and the day. */
export const minutesOfPeak = (1 + hoursOfDay) * minutesOfHour;

export interface DayPeak {
  readonly hour: number;
  readonly hourCalls: number;
  readonly window: number;
  readonly windowCalls: number;
}

/**
 * The worst clock hour and the worst window (see `minutesOfWindow`) that ends in a day; the earliest of equal ones.
 * @param minutes v2 calls of the last hour before the day, and of the day
 * @returns hour and first minute since the epoch; undefined where the day has no calls: its windows are no worse than those of the day before
 */
export function peakOf(day: number, minutes: Float64Array): DayPeak | undefined {
  const firstMinute = (day * hoursOfDay - 1) * minutesOfHour;
  let hour = 0;
  let hourCalls = 0;
  let window = 0;
  let windowCalls = 0;
  let inWindow = 0;
  let inHour = 0;
  for (let index = 0; index < minutesOfPeak; index++) {
    inWindow += (minutes[index] ?? 0) - (index >= minutesOfWindow ? (minutes[index - minutesOfWindow] ?? 0) : 0);
    if (index < minutesOfHour) continue;
    inHour = (index % minutesOfHour === 0 ? 0 : inHour) + (minutes[index] ?? 0);
    if (inHour > hourCalls) [hour, hourCalls] = [day * hoursOfDay + Math.floor(index / minutesOfHour) - 1, inHour];
    if (inWindow > windowCalls) [window, windowCalls] = [firstMinute + index - minutesOfWindow + 1, inWindow];
  }
  return hourCalls === 0 ? undefined : { hour, hourCalls, window, windowCalls };
}
