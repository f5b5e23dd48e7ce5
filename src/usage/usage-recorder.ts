/** Takes every v1 call into the record and brings it to the store, without ever keeping a call waiting. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Comparison, Skipped } from './comparisons.ts';
import type { Step } from './model.ts';
import { RecordingSession } from './recording-session.ts';
import { dayInMs } from '../contract/times.ts';
import { type Bounds, Rollup } from './rollup.ts';
import { StoreError, type StoreErrorCode } from './store/error.ts';
import type { Retention, UsageWriter } from './store/store.ts';
import type { Use } from './use.ts';

/** How the record stands with its store. */
export interface RecordState {
  /** Rows that wait for the store. */
  readonly backlog: number;
  /** Calls of this process that are missing in the record for good. */
  readonly lost: number;
  /** Since when, and why, nothing can be written; undefined where all is well. */
  readonly failing: { readonly since: number; readonly code: StoreErrorCode; readonly message: string } | undefined;
  /** When the store last took something. */
  readonly written: number | undefined;
  /** Writes that the store did not take, by code. */
  readonly failures: Readonly<Partial<Record<StoreErrorCode, number>>>;
  /** Share of the time since the start in which no call was lost. */
  readonly coverage: number;
}

export interface RecorderOptions {
  readonly writer: UsageWriter;
  /** The name of this proxy in the record, the same after each of its starts. */
  readonly replica: string;
  /** How long days are kept, in milliseconds; minutes and hours have their own, shorter times. */
  readonly keepDays: number;
  readonly now?: () => number;
  readonly bounds?: Partial<Bounds>;
  /** Is called when writing begins to fail, when the first call is lost, and when writing works again. */
  readonly onState?: (state: RecordState) => void;
}

const defaults: Bounds = { callers: 10_000, rows: 50_000 };
/** Counts that are older than this are in the store, as long as it takes them. */
const flushEvery = 100;
/** One write: small enough to stop neither the calls while it is put together, nor other writers while it is done. */
const rowsOfWrite = 5_000;
const beatEvery = 5_000;
/** Without a sign of life for longer, the machine was suspended: calls may have been answered elsewhere. */
const longestSilence = 30_000;
/** A clock that is set back by more begins a new session; for less, calls are counted in the newest minute. */
const clockSlack = 60_000;
const maintainEvery = 60_000;
const slowestRetry = 10_000;

export class UsageRecorder {
  readonly #writer: UsageWriter;
  readonly #replica: string;
  readonly #retention: Retention;
  readonly #now: () => number;
  readonly #onState: ((state: RecordState) => void) | undefined;
  readonly #rollup: Rollup;
  readonly #timers: NodeJS.Timeout[];
  /** Sessions that are over and have news for the store, oldest first. */
  #earlier: RecordingSession[] = [];
  #current: RecordingSession;
  #flushTimer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #maintaining = false;
  #retryAfter = flushEvery;
  #lost = 0;
  /** Since when calls are being lost. */
  #losing: number | undefined;
  /** Milliseconds in which calls were lost before that. */
  #lostFor = 0;
  readonly #started: number;
  readonly #failures: Partial<Record<StoreErrorCode, number>> = {};
  readonly #listeners = new Set<() => void>();
  #failing: RecordState['failing'];
  #written: number | undefined;
  #closed = false;

  constructor({ writer, replica, keepDays, now = Date.now, bounds, onState }: RecorderOptions) {
    this.#writer = writer;
    this.#replica = replica;
    this.#retention = { minutes: 2 * dayInMs, hours: 35 * dayInMs, days: keepDays };
    this.#now = now;
    this.#onState = onState;
    this.#started = now();
    this.#current = new RecordingSession(this.#started);
    this.#rollup = new Rollup(this.#current, { ...defaults, ...bounds });
    this.#timers = [setInterval(() => this.#beat(), beatEvery).unref(), setInterval(() => this.#maintain(), maintainEvery).unref()];
    this.#arm(0);
    this.#maintain();
  }

  /** Counts one call, unless the record is closed; never throws, and never waits. */
  add(use: Use): void {
    if (this.#closed) return;
    if (!this.#rollup.add(use)) this.#loseOne();
    this.#soon();
  }

  /** Notes that so many calls are missing in the record for good. */
  miss(calls: number): void {
    for (let missing = 0; missing < calls; missing++) {
      this.#current.lose(this.#now());
      this.#loseOne();
    }
    this.#soon();
  }

  /** Counts what comparing one call showed, unless the record is closed; never throws, and never waits. */
  addComparison(comparison: Comparison): void {
    if (this.#closed) return;
    this.#current.comparisons.add(comparison);
    this.#soon();
  }

  /** Counts a call that was to be compared and was not; the same. */
  addSkipped(skipped: Skipped): void {
    if (this.#closed) return;
    this.#current.comparisons.skip(skipped);
    this.#soon();
  }

  /**
   * Notes what happened on the road; what is there already is not written again.
   * @throws StoreError
   */
  note(step: Step): Promise<void> {
    return this.#writer.note(step);
  }

  /**
   * All that happened on the road, as any replica or person noted it, in the order in which the store took it.
   * @throws StoreError
   */
  steps(): Promise<readonly Step[]> {
    return this.#writer.steps();
  }

  get state(): RecordState {
    const now = this.#now();
    const lostFor = this.#lostFor + (this.#losing === undefined ? 0 : now - this.#losing);
    return {
      backlog: this.#heldBefore + this.#current.held,
      lost: this.#lost,
      failing: this.#failing,
      written: this.#written,
      failures: this.#failures,
      coverage: now > this.#started ? 1 - lostFor / (now - this.#started) : 1,
    };
  }

  /**
   * Tells of each write that the store has taken: whoever reads it may find something new.
   * @returns what ends that
   */
  onWritten(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * To be called when no further calls are taken: should the process be killed before it can close, it did not fall silent, as a proxy does
   * that serves on and cannot reach the store.
   */
  end(): void {
    this.#pass();
    this.#current.end();
    if (this.#flushTimer === undefined && this.#writing === undefined) this.#arm(0);
  }

  /**
   * Writes what is left, and closes the store.
   * @param within milliseconds after which what could not be written is given up
   * @returns how many calls are missing for that
   */
  async close(within = 5_000): Promise<number> {
    if (this.#closed) return 0;
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#flushTimer);
    const deadline = AbortSignal.timeout(within);
    const gaveUp = new Promise<void>((resolve) => deadline.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([this.#drain(deadline), gaveUp]);
    const losses = [...this.#earlier, this.#current].flatMap(({ unwritten }) => unwritten ?? []);
    await this.#writer.close(losses);
    return losses.reduce((sum, { calls }) => sum + calls, 0);
  }

  async #drain(deadline: AbortSignal): Promise<void> {
    await this.#writing;
    this.end();
    while (!deadline.aborted && !(this.#earlier.length === 0 && this.#current.settled)) {
      await this.#write();
      if (this.#failing !== undefined) await sleep(flushEvery, undefined, { signal: deadline }).catch(() => undefined);
    }
  }

  #loseOne(): void {
    this.#lost++;
    if (this.#losing !== undefined) return;
    this.#losing = this.#now();
    this.#onState?.(this.state);
  }

  /** Sees to it that what was added is written. */
  #soon(): void {
    if (this.#flushTimer === undefined && this.#writing === undefined) this.#arm(flushEvery);
  }

  #arm(delay: number): void {
    if (this.#closed) return;
    this.#flushTimer = setTimeout(() => {
      this.#flushTimer = undefined;
      void this.#flush();
    }, delay).unref();
  }

  #beat(): void {
    this.#pass();
    if (this.#flushTimer === undefined && this.#writing === undefined) void this.#flush();
  }

  /** Takes note of the time; begins a new session where it did not just go on. */
  #pass(): void {
    const now = this.#now();
    const current = this.#current;
    if (now - current.seen <= longestSilence && current.seen - now <= clockSlack) {
      current.seen = Math.max(current.seen, now);
      return;
    }
    current.end();
    this.#current = new RecordingSession(now);
    this.#rollup.begin(this.#current);
    this.#earlier.push(current);
    this.#rollup.heldBefore = this.#heldBefore;
  }

  get #heldBefore(): number {
    return this.#earlier.reduce((sum, session) => sum + session.held, 0);
  }

  async #flush(): Promise<void> {
    this.#pass();
    this.#writing = this.#write();
    await this.#writing;
    this.#writing = undefined;
    if (this.#failing !== undefined) {
      this.#arm(this.#retryAfter);
      this.#retryAfter = Math.min(this.#retryAfter * 2, slowestRetry);
    } else if (this.#earlier.length > 0 || this.#current.hasNews) this.#arm(flushEvery);
  }

  /** One write, of the oldest session. */
  async #write(): Promise<void> {
    const session = this.#earlier[0] ?? this.#current;
    const taken = session.take(rowsOfWrite);
    // A source is written after the first row of its caller.
    const last = session === this.#current && session.pending.length === 0;
    const batch = { ...taken, replica: this.#replica, clock: this.#now(), sources: last ? this.#rollup.takeSources() : [] };
    try {
      await this.#writer.write(batch);
      session.written(batch);
      this.#worked();
    } catch (error) {
      session.failed();
      this.#rollup.giveBackSources(batch.sources);
      this.#failed(error);
    }
    if (session !== this.#current && session.settled) this.#earlier.shift();
    this.#rollup.heldBefore = this.#heldBefore;
  }

  #worked(): void {
    this.#written = this.#now();
    this.#retryAfter = flushEvery;
    for (const listener of this.#listeners) listener();
    if (this.#failing === undefined && this.#losing === undefined) return;
    if (this.#losing !== undefined) this.#lostFor += this.#written - this.#losing;
    this.#failing = undefined;
    this.#losing = undefined;
    this.#onState?.(this.state);
  }

  #failed(error: unknown): void {
    const { code, message } = error instanceof StoreError ? error : { code: 'STORE_UNAVAILABLE' as const, message: String(error) };
    this.#failures[code] = (this.#failures[code] ?? 0) + 1;
    if (this.#failing !== undefined) return;
    this.#failing = { since: this.#now(), code, message };
    this.#onState?.(this.state);
  }

  /** Failing to roll up loses nothing, and what is wrong with the store shows in the writes: it is tried again later. */
  #maintain(): void {
    if (this.#maintaining) return;
    this.#maintaining = true;
    this.#writer
      .maintain(this.#now(), this.#retention)
      .catch(() => undefined)
      .finally(() => (this.#maintaining = false));
  }
}
