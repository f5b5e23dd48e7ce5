import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { hourInMs } from '../../src/usage/model.ts';

/** No more often does anything here look at the clock. */
const step = 5_000;

/**
 * A clock that stands still until it is turned, and turns the intervals of this process with it: what looks at the time every few seconds does
 * so as often as it would have, and a recorder records a fortnight as it would have.
 */
export class TourClock {
  #now: number;

  /** @param now epoch milliseconds */
  constructor(now: number) {
    this.#now = now;
    mock.timers.enable({ apis: ['setInterval'] });
  }

  readonly now = (): number => this.#now;

  /**
   * @param settled waits for what the intervals have begun: once an hour, and a last time for what began with the last step
   */
  async turnTo(at: number, settled: () => Promise<unknown>): Promise<void> {
    while (this.#now < at) {
      const left = at - this.#now;
      const done = settled();
      this.#pass(left > step ? Math.min(hourInMs, left - step) : left);
      await done;
      await setImmediate();
    }
  }

  #pass(time: number): void {
    for (let left = time; left > 0; left -= step) {
      const passed = Math.min(step, left);
      this.#now += passed;
      mock.timers.tick(passed);
    }
  }
}
