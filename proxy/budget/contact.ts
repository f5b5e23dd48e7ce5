/** What a replica knows of its store: what time it is there, and whether it is there. */
import type { Span } from './holding.ts';

/** The store is away once it has not answered for so long, in milliseconds: the fleet takes note of less (`src/budget/fleet.ts`). */
const awayAfter = 2_000;
/** And where it has not answered this replica yet. */
const unknownAfter = 5_000;

export interface Clocks {
  readonly now: () => number;
  /** A clock that is never set, in milliseconds. */
  readonly clock: () => number;
}

export class Contact {
  readonly #clocks: Clocks;
  /** What the store's clock said, and between which two times of ours. */
  #store: number;
  #sent: number;
  #got: number;
  /** When the first message went that has not been answered since. */
  #unanswered: number | undefined;
  /** Whether the store was there since this replica began. */
  hasMet = false;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#store = clocks.now();
    this.#sent = clocks.clock();
    this.#got = this.#sent;
  }

  /** The time of the store: between these two. */
  timeAt(clock: number): Span {
    return { low: this.#store + (clock - this.#got), high: this.#store + (clock - this.#sent) };
  }

  /** A time of the store's clock by ours. */
  ours(time: number): number {
    return this.#clocks.now() + (time - this.timeAt(this.#clocks.clock()).high);
  }

  get isWaiting(): boolean {
    return this.#unanswered !== undefined;
  }

  isAwayAt(clock: number): boolean {
    return this.#unanswered !== undefined && clock - this.#unanswered >= (this.hasMet ? awayAfter : unknownAfter);
  }

  asks(clock: number): void {
    this.#unanswered ??= clock;
  }

  answered(store: number, sent: number, got: number): void {
    this.#store = store;
    this.#sent = sent;
    this.#got = got;
    this.#unanswered = undefined;
    this.hasMet = true;
  }

  /** There is nothing to be asked for any more. */
  rests(): void {
    this.#unanswered = undefined;
  }
}
