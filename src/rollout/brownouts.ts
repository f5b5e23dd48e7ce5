/** The times of brownouts: when each begins and ends, and that no two are at once. */
import type { Brownout } from './rules.ts';

/** One time of a brownout, in epoch milliseconds: from `from` up to, and without, `to`. */
export interface BrownoutWindow {
  readonly brownout: Brownout;
  readonly from: number;
  readonly to: number;
}

/** A brownout that comes more often than this before the sunset was not meant. */
const mostWindows = 1_000;

/**
 * The times of a brownout. It has an end: at the latest, none begins after the sunset.
 * @param sunset in epoch milliseconds
 */
export function windowsOf(brownout: Brownout, sunset: number): readonly BrownoutWindow[] {
  const { at, every, until = Infinity, ramp } = brownout;
  const windows: BrownoutWindow[] = [];
  for (let index = 0; windows.length < mostWindows; index++) {
    const from = at + index * (every ?? 0);
    if (from >= Math.min(until, sunset)) break;
    windows.push({ brownout, from, to: from + brownout.for + index * ramp });
    if (every === undefined) break;
  }
  return windows;
}

/** All times of all brownouts, in their order. */
export function scheduleOf(brownouts: readonly Brownout[], sunset: number): readonly BrownoutWindow[] {
  return brownouts.flatMap((brownout) => windowsOf(brownout, sunset)).toSorted((a, b) => a.from - b.from);
}

/** What is wrong with the times of brownouts; undefined where nothing is. */
export function faultOfBrownouts(brownouts: readonly Brownout[], sunset: number): string | undefined {
  const endless = brownouts.find((brownout) => windowsOf(brownout, sunset).length >= mostWindows);
  if (endless !== undefined) return `the brownout ${JSON.stringify(endless.name)} comes too often: write a longer every, or until`;
  const [one, other] = collisionIn(scheduleOf(brownouts, sunset)) ?? [];
  if (one === undefined || other === undefined) return undefined;
  const times = [one, other].map(({ brownout, from }) => `${JSON.stringify(brownout.name)} of ${new Date(from).toISOString()}`);
  return `two brownouts would be on at once: ${times.join(' and ')}`;
}

/** The first two times of which one begins before the other has ended; undefined where there are none. */
function collisionIn(schedule: readonly BrownoutWindow[]): readonly [BrownoutWindow, BrownoutWindow] | undefined {
  for (const [index, next] of schedule.entries()) {
    const before = schedule[index - 1];
    if (before !== undefined && next.from < before.to) return [before, next];
  }
  return undefined;
}

/**
 * Makes the function that gives the time that is on; it remembers where it was, as clocks mostly go forward.
 * @param schedule without collisions
 */
export function windowAt(schedule: readonly BrownoutWindow[]): (now: number) => BrownoutWindow | undefined {
  let index = 0;
  return (now) => {
    while (index > 0 && now < (schedule[index - 1]?.to ?? 0)) index--;
    while (index < schedule.length && now >= (schedule[index]?.to ?? 0)) index++;
    const window = schedule[index];
    return window !== undefined && now >= window.from ? window : undefined;
  };
}
