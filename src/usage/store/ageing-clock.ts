import { dayInMs } from '../../contract/times.ts';

/** A proxy that was off for longer than this ages its record only after its next start. */
const mostAhead = 32 * dayInMs;

/**
 * Makes the clock by which a record ages: one that is far ahead must not delete the record of a year at its first minute.
 * @param lastSeen the last sign of life in the store when it was opened; undefined in a new one
 * @returns takes what the clock of the machine shows, and gives no more than the record's last sign of life and the time since make likely
 */
export function ageingClock(lastSeen: number | undefined): (now: number) => number {
  if (lastSeen === undefined) return (now) => now;
  const opened = performance.now();
  return (now) => Math.min(now, lastSeen + mostAhead + performance.now() - opened);
}
