import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { hourInMs } from '../../src/contract/times.ts';

/** No more often does anything here look at the clock. */
const step = 5_000;
/** So much time passes before what has happened is written. */
const stride = 12 * hourInMs;

/**
 * A clock that stands still until it is turned, and turns the intervals of this process with it: what looks at the time every few seconds does
 * so as often as it would have, and a recorder records a fortnight as it would have. Shorter intervals look after connections, by the time of
 * the machine: they go on with that, as a fortnight has a million of them.
 */
export class TourClock {
  #now: number;

  /** @param now epoch milliseconds */
  constructor(now: number) {
    this.#now = now;
    const { setInterval: begin, clearInterval: end } = globalThis;
    mock.timers.enable({ apis: ['setInterval'] });
    const { setInterval: beginTurned, clearInterval: endTurned } = globalThis;
    globalThis.setInterval = Object.assign(
      (...args: Parameters<typeof begin>) => (Number(args[1]) < step ? begin : beginTurned)(...args),
      begin,
    );
    globalThis.clearInterval = (timer) => [end, endTurned].forEach((each) => each(timer));
  }

  readonly now = (): number => this.#now;

  /**
   * @param at epoch milliseconds; nothing happens where it is less than a step ahead
   * @param settled waits for what the intervals begin, which every step does once: for that of each stride, and of the end
   */
  async turnTo(at: number, settled: () => Promise<unknown>): Promise<void> {
    while (at - this.#now >= step) {
      const left = at - this.#now;
      const done = settled();
      // Never less than a step, in which nothing would be begun, and waited for in vain; and no more for the last.
      this.#pass(left < 2 * step ? left : Math.min(stride, left - step));
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
