/** How often reports are made anew: whoever watches must not cost the proxy its processor. */

/** Not more often than so, in milliseconds. */
const leastPause = 1_000;
/** One part in so many of the time is spent on reports. */
const share = 4;
/** Without news a report is good for so long: its times go on. */
const longestLife = 30_000;

export class Pace {
  #began = -Infinity;
  #spent = 0;
  #hasNews = true;

  /** Something was recorded. */
  news(): void {
    this.#hasNews = true;
  }

  /** From when on a new round may begin; undefined where none is needed before something is recorded. */
  get next(): number | undefined {
    return this.#hasNews ? this.#began + Math.max(leastPause, share * this.#spent) : undefined;
  }

  /** Begins a round where it may, and it is worth it. @returns from when on reports are new enough */
  notBefore(now: number): number {
    const due = this.next ?? Math.max(this.#began + longestLife, this.#began + share * this.#spent);
    if (now >= due) {
      this.#began = now;
      this.#spent = 0;
      this.#hasNews = false;
    }
    return this.#began;
  }

  /** Making a report took so long. */
  spend(took: number): void {
    this.#spent += took;
  }
}
