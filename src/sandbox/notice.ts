/** Milliseconds of real time: whoever reads a log knows no other. */
const interval = 60_000;

/** Adds up what is said often, to say it less often: the first time at once, then at the end of each minute in which there was more. */
export class Notice {
  readonly #say: (count: number) => void;
  #sum = 0;
  /** Runs for a minute after something was said. */
  #timer: NodeJS.Timeout | undefined;

  /** @param say is given the sum since it was called last */
  constructor(say: (count: number) => void) {
    this.#say = say;
  }

  readonly add = (count: number): void => {
    this.#sum += count;
    if (this.#timer === undefined) this.#tell();
  };

  /** Says what has not been said yet, for nothing more will come. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#sum > 0) this.#say(this.#sum);
    this.#sum = 0;
  }

  #tell(): void {
    this.end();
    // A process that has nothing else to do need not wait for it.
    this.#timer = setTimeout(() => this.#next(), interval).unref();
  }

  #next(): void {
    this.#timer = undefined;
    if (this.#sum > 0) this.#tell();
  }
}
