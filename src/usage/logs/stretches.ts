/** The times that logs reach over. Between two of them, lines are missing that there must have been. */
import { dayInMs } from '../../contract/times.ts';
import type { Range } from '../model.ts';

/** Nights and Sundays may be quiet. Of logs that are turned over once a day, one that was not read leaves a longer pause. */
const longestPause = dayInMs;

/** Stretches in order of time, those as one between which no line needs to be missing. */
export function joined(stretches: readonly Range[]): readonly Range[] {
  const all: Range[] = [];
  for (const { since, until } of stretches.toSorted((a, b) => a.since - b.since)) {
    const last = all.at(-1);
    if (last === undefined || since - last.until > longestPause) all.push({ since, until });
    else all[all.length - 1] = { since: last.since, until: Math.max(last.until, until) };
  }
  return all;
}

/** What lies between stretches that are in order and joined. */
export const holesOf = (stretches: readonly Range[]): readonly Range[] =>
  stretches.slice(1).map(({ since }, index) => ({ since: stretches[index]?.until ?? since, until: since }));

/** Whether there may be a hole between two lines; of what has no time nobody knows. */
export const areFar = (a: number, b: number): boolean => !(Math.abs(b - a) <= longestPause);

/** Takes the times of lines, in any order. */
export class Times {
  /** The first and the last of each day: so many that their number is bounded. */
  readonly #days = new Map<number, { since: number; until: number }>();
  #latest = { since: Infinity, until: -Infinity };

  add(time: number): void {
    const { since, until } = this.#latest;
    if (time >= since && time <= until) return;
    const number = Math.floor(time / dayInMs);
    const day = this.#days.get(number) ?? { since: time, until: time };
    if (time < day.since) day.since = time;
    if (time > day.until) day.until = time;
    this.#days.set(number, day);
    this.#latest = day;
  }

  get stretches(): readonly Range[] {
    return joined([...this.#days.values()]);
  }
}
