/** When in their hours a workspace's writes came in the day before: what is kept for them is not given out before. */
import { dayInMs, hourInMs } from '../contract/times.ts';
import { type Window, hourBegan } from './hour.ts';

/** Parts of an hour. */
const parts = 12;
const partInMs = hourInMs / parts;

/** Of each part of an hour: the most writes that came in it, and the beginning of that hour; then those of this hour. */
export interface Habit {
  readonly most: number[];
  readonly hours: number[];
  hour: number;
  readonly now: number[];
}

const noHabit = (hour: number): Habit => ({ most: zeros(), hours: zeros(), hour, now: zeros() });
const zeros = (): number[] => Array.from({ length: parts }, () => 0);
const partOf = (now: number, hour: number): number => Math.min(parts - 1, Math.max(0, Math.floor((now - hour) / partInMs)));

/** Counts writes. */
export function noteSends(habit: Habit | undefined, window: Window, now: number, sends: number): Habit {
  const hour = hourBegan(now, window);
  const known = habit ?? noHabit(hour);
  if (hour !== known.hour) {
    known.hour = hour;
    known.now.fill(0);
  }
  const part = partOf(now, hour);
  const count = (known.now[part] ?? 0) + sends;
  known.now[part] = count;
  // Somewhat more than a day: what comes at midnight is remembered at the next one.
  if (count >= (known.most[part] ?? 0) || hour - (known.hours[part] ?? 0) > dayInMs + hourInMs) {
    known.most[part] = count;
    known.hours[part] = hour;
  }
  return known;
}

/** The writes that may still come before the end of the hour, by what came in the hours of the day before. */
export function expectedSends(habit: Habit | undefined, window: Window, now: number): number {
  if (habit === undefined) return 0;
  const hour = hourBegan(now, window);
  const current = partOf(now, hour);
  let expected = 0;
  for (let part = current; part < parts; part++) {
    if (hour - (habit.hours[part] ?? 0) > dayInMs + hourInMs) continue;
    const came = habit.hour === hour ? (habit.now[part] ?? 0) : 0;
    expected += Math.max(0, (habit.most[part] ?? 0) - came);
  }
  return expected;
}
