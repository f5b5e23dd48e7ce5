/**
 * When a workspace's writes come, by what is known of them: the hours just before, the same minutes of the day before, and this hour so far. What is
 * kept for them is not given out before they have come.
 */
import { dayInMs, hourInMs } from '../contract/times.ts';
import { type Window, hourBegan } from './hour.ts';

/** Parts of an hour. */
const parts = 12;
const partInMs = hourInMs / parts;

/** Of each part of an hour: the most writes that came in it, and in which hour; then those of this hour, and all of the hours before. Hours are counted from the epoch: small numbers take no memory of their own. */
export interface Habit {
  readonly most: number[];
  readonly hours: number[];
  hour: number;
  readonly now: number[];
  /** From the last one back. */
  readonly before: number[];
}

/** So many hours before this one show how many writes may come in it, whenever they came in theirs. */
const hoursBefore = 3;

const noHabit = (hour: number): Habit => ({ most: zeros(), hours: zeros(), hour, now: zeros(), before: [] });
const zeros = (): number[] => Array.from({ length: parts }, () => 0);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
const partOf = (now: number, hour: number): number => Math.min(parts - 1, Math.max(0, Math.floor((now - hour) / partInMs)));

/** Of an hour that began then. */
const numberOf = (hour: number): number => Math.round(hour / hourInMs);
const isForgotten = (number = 0, hour: number): boolean => numberOf(hour) - number > dayInMs / hourInMs + 1;

/** Counts writes that came, whether or not there was a place for them: where they are refused for want of one, they are most in need of it. */
export function noteSends(habit: Habit | undefined, window: Window, now: number, sends: number): Habit {
  const hour = hourBegan(now, window);
  const known = habit ?? noHabit(hour);
  if (hour !== known.hour) {
    known.before.splice(0, Infinity, ...beforeHour(known, hour));
    known.hour = hour;
    known.now.fill(0);
  }
  const part = partOf(now, hour);
  const count = (known.now[part] ?? 0) + sends;
  known.now[part] = count;
  // Somewhat more than a day: what comes at midnight is remembered at the next one.
  if (count >= (known.most[part] ?? 0) || isForgotten(known.hours[part], hour)) {
    known.most[part] = count;
    known.hours[part] = numberOf(hour);
  }
  return known;
}

/** The writes of each of the hours before one; fewer where less is known. */
function beforeHour({ hour, now, before }: Habit, current: number): number[] {
  const passed = Math.round((current - hour) / hourInMs);
  if (passed === 0) return before;
  // The clock was turned back, or they are too long ago.
  if (passed < 0 || passed > hoursBefore) return [];
  const without = Array.from({ length: passed - 1 }, () => 0);
  return [...without, sum(now), ...before].slice(0, hoursBefore);
}

/** The writes that may still come before the end of the hour. */
export function expectedSends(habit: Habit | undefined, window: Window, now: number): number {
  if (habit === undefined) return 0;
  const hour = hourBegan(now, window);
  const came = habit.hour === hour ? sum(habit.now) : 0;
  // At the pace of this hour so far.
  const passed = Math.max(1, now - hour);
  const atThisPace = came === 0 ? 0 : Math.ceil(((came + 1) * Math.max(0, hourInMs - passed)) / passed);
  return Math.max(atThisPace, expectedByParts(habit, hour, now), ...beforeHour(habit, hour).map((before) => before - came));
}

function expectedByParts(habit: Habit, hour: number, now: number): number {
  let expected = 0;
  for (let part = partOf(now, hour); part < parts; part++) {
    if (isForgotten(habit.hours[part], hour)) continue;
    const came = habit.hour === hour ? (habit.now[part] ?? 0) : 0;
    expected += Math.max(0, (habit.most[part] ?? 0) - came);
  }
  return expected;
}
