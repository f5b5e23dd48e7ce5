import { hourInMs, minuteInMs } from '../contract/times.ts';
import type { Range } from '../usage/model.ts';
import { minutesOfWindow } from '../usage/store/load.ts';
import { minutesOfHour } from '../usage/store/plan.ts';

/** The most v2 calls in some time. */
export interface Most extends Range {
  readonly v2Calls: number;
}

/**
 * Measures v2 calls that come minute by minute: the fullest clock hour, the most that any 60 minutes can have had, and what a limit would
 * refuse at most. Nobody knows when within a minute they came: see `minutesOfWindow`.
 */
export class LoadMeter {
  readonly #limit: number;
  clockHour: Most | undefined;
  sliding: Most | undefined;
  /** Beyond the limit of each clock hour. */
  refusedByClock = 0;
  /** Beyond the limit of any 60 minutes, at most: refused calls do not count towards it. */
  refusedSliding = 0;

  #hour = -1;
  #hourCalls = 0;
  readonly #calls = new Float64Array(minutesOfWindow);
  readonly #accepted = new Float64Array(minutesOfWindow);
  #minute = -Infinity;
  #windowCalls = 0;
  #windowAccepted = 0;

  /** @param limit v2 calls in an hour; Infinity where there is none */
  constructor(limit = Infinity) {
    this.#limit = limit;
  }

  /** @param minute since the epoch; later than that of every call before */
  add(minute: number, v2Calls: number): void {
    this.#addToHour(Math.floor(minute / minutesOfHour), v2Calls);
    this.#slideTo(minute);
    const slot = minute % minutesOfWindow;
    const accepted = Math.max(0, Math.min(v2Calls, this.#limit - this.#windowAccepted));
    this.#calls[slot] = v2Calls;
    this.#accepted[slot] = accepted;
    this.#windowCalls += v2Calls;
    this.#windowAccepted += accepted;
    this.refusedSliding += v2Calls - accepted;
    if (this.#windowCalls > (this.sliding?.v2Calls ?? 0)) {
      const until = (minute + 1) * minuteInMs;
      this.sliding = { since: until - minutesOfWindow * minuteInMs, until, v2Calls: this.#windowCalls };
    }
  }

  #addToHour(hour: number, v2Calls: number): void {
    if (hour !== this.#hour) [this.#hour, this.#hourCalls] = [hour, 0];
    const before = Math.max(0, this.#hourCalls - this.#limit);
    this.#hourCalls += v2Calls;
    this.refusedByClock += Math.max(0, this.#hourCalls - this.#limit) - before;
    if (this.#hourCalls > (this.clockHour?.v2Calls ?? 0)) {
      this.clockHour = { since: hour * hourInMs, until: (hour + 1) * hourInMs, v2Calls: this.#hourCalls };
    }
  }

  /** Takes out of the window what is surely older than 60 minutes. */
  #slideTo(minute: number): void {
    const gone = Math.min(minute - this.#minute, minutesOfWindow);
    for (let step = 0; step < gone; step++) {
      const slot = (minute - step) % minutesOfWindow;
      this.#windowCalls -= this.#calls[slot] ?? 0;
      this.#windowAccepted -= this.#accepted[slot] ?? 0;
      this.#calls[slot] = 0;
      this.#accepted[slot] = 0;
    }
    this.#minute = minute;
  }
}
