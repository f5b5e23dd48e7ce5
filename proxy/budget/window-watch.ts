/**
 * Learns how v2 counts from when it says that there will be more. Hours that begin at a certain time end at one instant, whenever one asks; an end
 * that moves on with the clock is that of the last sixty minutes, or of a bucket: what keeps to the former keeps to the latter, too.
 */
import { type Window, type WindowKind, skew } from '../../src/budget/hour.ts';
import { hourInMs } from '../../src/contract/times.ts';

/** So far apart, in milliseconds, two answers show whether the end moves; seconds are rounded. */
const apart = 30_000;
/** So often in a row it has to be seen. */
const enough = 2;

export class WindowWatch {
  readonly #configured: WindowKind;
  #at = 0;
  #end = 0;
  #moves = 0;
  /** Ends of hours that followed each other by an hour. */
  #turns = 0;

  constructor(configured: WindowKind) {
    this.#configured = configured;
  }

  /**
   * Takes note of one answer.
   * @param reset milliseconds until there is more
   * @returns how v2 counts, once that is clear
   */
  see(reset: number, now: number): Window | undefined {
    // Somebody has said how it counts.
    if (this.#configured !== 'fixed') return undefined;
    const passed = now - this.#at;
    if (passed >= 0 && passed < apart) return undefined;
    const end = now + reset;
    const moved = end - this.#end;
    const isFirst = this.#at === 0;
    this.#at = now;
    this.#end = end;
    if (isFirst) return undefined;
    // By whole hours, or not at all: it is the end of an hour of the clock, however long nobody asked.
    const off = moved - Math.round(moved / hourInMs) * hourInMs;
    const isOfTheClock = Math.abs(off) <= skew;
    if (isOfTheClock && moved > skew) this.#turns++;
    else if (!isOfTheClock) this.#turns = 0;
    const isMoving = !isOfTheClock && passed < hourInMs && moved > passed / 2 && moved < passed + 2 * skew;
    this.#moves = isMoving ? this.#moves + 1 : 0;
    if (this.#moves >= enough) return { kind: 'sliding', phase: 0 };
    return this.#turns >= enough ? { kind: 'fixed', phase: phaseOf(end) } : undefined;
  }
}

/** Rounded to seconds; on the hour where it is about that. */
function phaseOf(end: number): number {
  const phase = Math.round((end % hourInMs) / 1_000) * 1_000;
  return Math.min(phase, hourInMs - phase) <= skew ? 0 : phase;
}
