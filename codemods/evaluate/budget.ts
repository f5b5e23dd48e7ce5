/** How much is put into finding out what expressions can be: code that multiplies itself must come to an end, too. */

/** Steps for one question that is asked from outside; real code takes some dozens. */
const mostSteps = 20_000;
/** Steps for all questions of an island, and for each of its files; real code takes some hundreds per file. */
const mostInAll = 1_000_000;
const mostPerFile = 10_000;
/** Steps for a question when all of these are used up. */
const mostWhenSpent = 500;

/** Counts steps, not time, so that the same code gets the same answers on any machine. */
export class Effort {
  #steps = 0;
  #spent = 0;
  readonly #most: number;

  /** @param files how many files the island has */
  constructor(files: number) {
    this.#most = mostInAll + files * mostPerFile;
  }

  /** All steps so far. */
  get spent(): number {
    return this.#spent;
  }

  /** Whether only what is simple is still asked for. */
  get isSpent(): boolean {
    return this.#spent > this.#most;
  }

  /** Begins with a question from outside. */
  begin(): void {
    this.#steps = 0;
  }

  /** @returns whether the question may go on */
  step(): boolean {
    this.#spent++;
    return ++this.#steps <= (this.isSpent ? mostWhenSpent : mostSteps);
  }
}
