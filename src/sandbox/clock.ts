/** The one source of time in the sandbox: nothing here reads the machine's clock, so that it can be turned. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

/** The clock's time as the API writes times: ISO 8601 UTC with milliseconds (api.md §2). */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** What a clock shows, as plain JSON. */
export interface ClockState {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly frozen: boolean;
}

/** What is to be done at an instant. */
interface Task {
  /** Milliseconds since the epoch. */
  readonly due: number;
  readonly run: () => void | Promise<void>;
}

/** Timers cannot run longer: a larger delay would fire at once. */
const longestTimer = 2 ** 31 - 1;

/**
 * A clock that runs like the machine's, or stands still, and can be turned either way; with an agenda of what falls due.
 * While it runs, a timer wakes it for the next task; a timer of a clock that stands still would never be right.
 */
export class VirtualClock implements Clock {
  readonly #onError: (error: unknown) => void;
  /** While frozen: the time. While running: what is added to the machine's time. */
  #base: number;
  #frozen: boolean;
  /** By the instant they are due, and then in the order in which they were set. */
  readonly #agenda: Task[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  /** The last turn: turns wait for each other. */
  #turn: Promise<void> | undefined;

  /**
   * @param start milliseconds since the epoch where the clock is to stand still; the machine's clock, running, where absent
   * @param onError is given what a task failed with
   */
  constructor(start: number | undefined, onError: (error: unknown) => void) {
    this.#base = start ?? 0;
    this.#frozen = start !== undefined;
    this.#onError = onError;
  }

  readonly now = (): number => (this.#frozen ? this.#base : Date.now() + this.#base);

  get frozen(): boolean {
    return this.#frozen;
  }

  /** Stands still from now on. */
  freeze(): void {
    this.#stand(this.now());
    this.#arm();
  }

  /** Runs on from the time it shows. */
  resume(): void {
    this.#run();
    this.#arm();
  }

  /** Shows another time without running what falls due in between. */
  show({ now, frozen }: ClockState): void {
    this.#stand(now);
    if (!frozen) this.#run();
    this.#arm();
  }

  state(): ClockState {
    return { now: this.now(), frozen: this.#frozen };
  }

  /**
   * Does something once the clock shows an instant, or at once where it is past.
   * @param instant milliseconds since the epoch
   * @returns takes it off the agenda again
   */
  at(instant: number, run: Task['run']): () => void {
    const task: Task = { due: instant, run };
    if (instant <= this.now()) void this.#start(task);
    else {
      const later = this.#agenda.findIndex(({ due }) => due > instant);
      this.#agenda.splice(later === -1 ? this.#agenda.length : later, 0, task);
      this.#arm();
    }
    return () => {
      const index = this.#agenda.indexOf(task);
      if (index !== -1) this.#agenda.splice(index, 1);
      this.#arm();
    };
  }

  /**
   * Turns the clock forwards and does what falls due on the way, in order and each at its own time.
   * @param milliseconds how far
   * @returns resolves once all of that is done and the clock shows the new time
   */
  advance(milliseconds: number): Promise<void> {
    return this.#next(() => this.now() + milliseconds);
  }

  /** Turns the clock to an instant: forwards like `advance`, backwards without undoing anything. Milliseconds since the epoch. */
  set(instant: number): Promise<void> {
    return this.#next(() => instant);
  }

  /** Resolves once nothing that has fallen due is under way any more. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Empties the agenda. What is under way goes on. */
  clear(): void {
    this.#agenda.length = 0;
    this.#arm();
  }

  #next(target: () => number): Promise<void> {
    const isFree = this.#turn === undefined && this.#underWay.size === 0;
    // With nothing to wait for, the clock shows the new time when this returns.
    const turn = isFree ? this.#turnTo(target()) : (this.#turn ?? this.idle()).then(() => this.#turnTo(target()));
    this.#turn = turn;
    const forget = (): void => {
      if (this.#turn === turn) this.#turn = undefined;
    };
    return turn.then(forget);
  }

  async #turnTo(target: number): Promise<void> {
    const ran = !this.#frozen;
    this.#stand(this.now());
    if (this.#underWay.size > 0) await this.idle();
    for (let task = this.#takeDue(target); task !== undefined; task = this.#takeDue(target)) {
      this.#base = Math.max(this.#base, task.due);
      await this.#start(task);
      // What a task started is part of its instant.
      await this.idle();
    }
    this.#base = target;
    if (ran) this.#run();
    this.#arm();
  }

  #takeDue(until: number): Task | undefined {
    const [first] = this.#agenda;
    return first !== undefined && first.due <= until ? this.#agenda.shift() : undefined;
  }

  #start(task: Task): Promise<void> {
    const run = async (): Promise<void> => task.run();
    const done = run().catch(this.#onError);
    const underWay: Promise<void> = done.finally(() => this.#underWay.delete(underWay));
    this.#underWay.add(underWay);
    return underWay;
  }

  #stand(time: number): void {
    this.#base = time;
    this.#frozen = true;
  }

  #run(): void {
    this.#base = this.now() - Date.now();
    this.#frozen = false;
  }

  /** Sets the timer for the next task. */
  #arm(): void {
    clearTimeout(this.#timer);
    const [first] = this.#agenda;
    if (this.#frozen || first === undefined) return;
    // Whoever serves keeps the process alive; an agenda alone does not.
    this.#timer = setTimeout(() => this.#wake(), Math.min(first.due - this.now(), longestTimer)).unref();
  }

  #wake(): void {
    for (let task = this.#takeDue(this.now()); task !== undefined; task = this.#takeDue(this.now())) void this.#start(task);
    this.#arm();
  }
}
