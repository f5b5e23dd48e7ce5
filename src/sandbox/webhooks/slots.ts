/** So much work at once and no more. */
export class Slots {
  #free: number;
  /** What waits for a slot, in the order in which it came. */
  readonly #waiting: (() => void)[] = [];

  /** @param count how much work may be under way at once */
  constructor(count: number) {
    this.#free = count;
  }

  /** Does a piece of work: at once where a slot is free, otherwise after what came before. @returns what it returns */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Handed on rather than freed: nobody who comes now can be before those who wait.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
