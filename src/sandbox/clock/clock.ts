import { Agenda, type Task } from './agenda.ts';
import { isoOf, lastInstant, readDuration, readInstant } from './instants.ts';

/** The one source of time in the sandbox: nothing here reads the machine's clock, so that it can be turned. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

/** The clock's time as the API writes times. */
export function timestamp(clock: Clock): string {
  return isoOf(clock.now());
}

/** What a clock shows, as plain JSON. */
export interface ClockState {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly frozen: boolean;
}

/** What matters only where several tasks belong together. */
export interface TaskOptions {
  /** Of what is due at one instant, the lower ones come first; 0 where absent. Those with the same order run as they were set. */
  readonly order?: number;
  /** `clear` drops all tasks of an owner at once. */
  readonly owner?: object;
}

/** Timers cannot run longer: a larger delay would fire at once. */
const longestTimer = 2 ** 31 - 1;

/**
 * A clock that runs like the machine's, or stands still, and can be turned either way; with an agenda of what falls due.
 * While it runs, a timer wakes it for the next task; a timer of a clock that stands still would never be right.
 */
export class VirtualClock implements Clock {
  /** While it stands: the time. While it runs: what is added to the machine's time. */
  #base: number;
  /** It also stands while it is being turned; `frozen` says whether it was told to. */
  #stands: boolean;
  #frozen: boolean;
  readonly #agenda: Agenda;
  #timer: NodeJS.Timeout | undefined;
  /** The last turn that is not done: turns wait for each other. */
  #turn: Promise<void> | undefined;
  /** Counts the times at which it was shown another time: turns that began before are given up. */
  #life = 0;

  /**
   * @param start milliseconds since the epoch where the clock is to stand still; the machine's clock, running, where absent
   * @param onError is given what a task failed with
   */
  constructor(start: number | undefined, onError: (error: unknown) => void) {
    this.#base = start ?? 0;
    this.#frozen = start !== undefined;
    this.#stands = this.#frozen;
    this.#agenda = new Agenda(onError);
  }

  /** A clock that runs stops at the last instant that the API's times can say. */
  readonly now = (): number => (this.#stands ? this.#base : Math.min(Date.now() + this.#base, lastInstant));

  get frozen(): boolean {
    return this.#frozen;
  }

  /** Whether time does not pass by itself just now: it is frozen, or is being turned. */
  get stands(): boolean {
    return this.#stands;
  }

  /** Stands still from now on. */
  freeze(): void {
    this.#frozen = true;
    this.#stand(this.now());
  }

  /** Runs on from the time it shows; once it is turned, where that is under way. */
  resume(): void {
    this.#frozen = false;
    if (this.#turn === undefined) this.#run();
  }

  state(): ClockState {
    return { now: this.now(), frozen: this.#frozen };
  }

  /** Shows another time at once, without running what falls due in between. Turns that are under way or waiting are given up. */
  show({ now, frozen }: ClockState): void {
    this.#life++;
    this.#turn = undefined;
    this.#frozen = frozen;
    this.#stand(now);
    if (!frozen) this.#run();
  }

  /**
   * Does something once the clock shows an instant, or at once where it is past.
   * @param instant milliseconds since the epoch
   * @returns takes it off the agenda again
   */
  at(instant: number, run: Task['run'], { order = 0, owner }: TaskOptions = {}): () => void {
    const task: Task = { due: instant, order, owner, run };
    if (instant <= this.now()) void this.#agenda.start(task);
    else {
      this.#agenda.add(task);
      this.#arm();
    }
    return () => {
      this.#agenda.delete(task);
      this.#arm();
    };
  }

  /**
   * Turns the clock forwards and does what falls due on the way, in order and each at its own time. What is due at one instant begins
   * together; the clock goes on once all of it is done. So an instant at which deliveries are due takes as much real time as its slowest
   * receiver, at most the receiver's timeout, once for every 16 attempts begun at one endpoint; and instants come one after the other, as in order they must.
   * Not to be waited for by what falls due: it would wait for itself.
   * @param by how far: milliseconds, or a text such as `90s`, `15m`, `2h` or `1d`
   * @returns resolves once all of that is done and the clock shows the new time
   * @throws ClockError where that is no duration, or leads past the year 9999
   */
  async advance(by: number | string): Promise<void> {
    const duration = readDuration(by);
    await this.#next(() => readInstant(this.now() + duration));
  }

  /**
   * Turns the clock to an instant: forwards like `advance`, backwards without undoing anything. A minute, hour or day of the limits that it
   * comes back to counts anew where calls came in another one since.
   * @param to ISO 8601, a Date, or milliseconds since the epoch
   * @throws ClockError where that is no instant from 1970 to 9999
   */
  async set(to: number | string | Date): Promise<void> {
    const instant = readInstant(to);
    await this.#next(() => instant);
  }

  /** Resolves once nothing that has fallen due is under way any more. */
  async idle(): Promise<void> {
    await this.#agenda.idle();
  }

  /** Empties the agenda. What is under way goes on. @param owner drops the tasks of this owner only */
  clear(owner?: object): void {
    this.#agenda.clear(owner);
    this.#arm();
  }

  /** With no other turn to wait for, and nothing to do on the way, the clock shows the new time when this returns. */
  async #next(target: () => number): Promise<void> {
    const life = this.#life;
    const before = this.#turn;
    const { promise: turn, resolve: end } = Promise.withResolvers<void>();
    this.#turn = turn;
    try {
      if (before !== undefined) await before;
      await this.#turnTo(target, life);
    } finally {
      if (this.#turn === turn) {
        this.#turn = undefined;
        if (!this.#frozen) this.#run();
      }
      end();
    }
  }

  async #turnTo(target: () => number, life: number): Promise<void> {
    if (life !== this.#life) return;
    this.#stand(this.now());
    const end = target();
    if (this.#agenda.busy) await this.idle();
    if (life !== this.#life) return;
    // What fell due just now, and no timer has woken yet, comes before a turn backwards.
    const last = Math.max(end, this.now());
    for (let next = this.#agenda.next; next !== undefined && next <= last; next = this.#agenda.next) {
      this.#base = Math.max(this.#base, next);
      this.#begin();
      // What the tasks started is part of their instant.
      await this.idle();
      if (life !== this.#life) return;
    }
    this.#base = end;
  }

  #stand(time: number): void {
    this.#base = time;
    this.#stands = true;
    this.#arm();
  }

  #run(): void {
    this.#base = this.now() - Date.now();
    this.#stands = false;
    this.#arm();
  }

  /** Sets the timer for the next task. */
  #arm(): void {
    clearTimeout(this.#timer);
    const { next } = this.#agenda;
    // What is due after the last instant never is.
    if (this.#stands || next === undefined || next > lastInstant) return;
    // Whoever serves keeps the process alive; an agenda alone does not.
    this.#timer = setTimeout(() => this.#wake(), Math.max(0, Math.min(next - this.now(), longestTimer))).unref();
  }

  #wake(): void {
    this.#begin();
    this.#arm();
  }

  /** Begins all that is due by now, in order; none of it waits for another. What is left where a task shows another time is of that time. */
  #begin(): void {
    const life = this.#life;
    const next = (): Task | undefined => (life === this.#life ? this.#agenda.takeDue(this.now()) : undefined);
    for (let task = next(); task !== undefined; task = next()) void this.#agenda.start(task);
  }
}
