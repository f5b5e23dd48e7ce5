import { randomUUID } from 'node:crypto';
import { Comparisons } from './comparisons.ts';
import type { Counter } from './counter.ts';
import type { Gap, SavingRow } from './model.ts';
import { SavingsOfSession } from './savings.ts';
import type { UsageBatch } from './store/store.ts';

interface Loss {
  readonly since: number;
  until: number;
  calls: number;
}

/** What a session has to tell its store. */
export type SessionNews = Pick<UsageBatch, 'writer' | 'rows' | 'session' | 'gaps' | 'comparisons' | 'savings'>;

/** Rows of comparisons in one write. */
const comparisonsOfWrite = 1_000;
/** Rows of savings in one write, and how long they may wait, in milliseconds: they grow with every call, and nobody asks for them by the second. */
const savingsOfWrite = 5_000;
const savingsEvery = 5_000;

/**
 * One unbroken stretch of a proxy's recording, with a writer id of its own: counts of a minute are absolute for one writer, so a stretch that
 * begins anew – after a suspended machine, or a clock that was put back – must not share its rows with the one before.
 */
export class RecordingSession {
  readonly writer = randomUUID();
  readonly since: number;
  /** Until when it is known to have run. */
  seen: number;
  /** Until when the store knows that nothing is missing. */
  #stored: number;
  #ended = false;
  /** Whether the store knows that it ended. */
  #endStored = false;
  /** Counters with news for the store, oldest first. */
  pending: Counter[] = [];
  #underWay: Counter[] = [];
  #loss: Loss | undefined;
  readonly comparisons = new Comparisons();
  readonly savings = new SavingsOfSession();
  /** When savings were last given to the store. */
  #savingsTaken: number;

  constructor(now: number) {
    this.since = now;
    this.seen = now;
    this.#stored = now;
    this.#savingsTaken = now;
  }

  /** Rows that wait or are under way. */
  get held(): number {
    return this.pending.length + this.#underWay.length;
  }

  /** Whether all that it knows is in the store, but for the time that has passed since. */
  get settled(): boolean {
    return !this.hasNews && this.#loss === undefined && this.#stored >= this.seen;
  }

  /** Whether the store does not know all of its rows and comparisons, or not that it ended; savings wait for other news until then. */
  get hasNews(): boolean {
    return this.held > 0 || this.comparisons.hasNews || this.#endStored !== this.#ended || (this.#ended && this.savings.hasNews);
  }

  /** It is over, or will be as soon as what is under way has been served: silence that follows hides nothing. */
  end(): void {
    this.#ended = true;
  }

  /** Counts a call that there was no room for. */
  lose(at: number): void {
    if (this.#loss === undefined) this.#loss = { since: at, until: at, calls: 1 };
    else {
      this.#loss.calls++;
      this.#loss.until = Math.max(this.#loss.until, at);
    }
  }

  /** What the store has to be told, at most so many rows of it. `written` or `failed` must follow. */
  take(most: number): SessionNews {
    const rest = this.pending.slice(most);
    this.#underWay = this.pending.slice(0, most);
    this.pending = rest;
    for (const counter of this.#underWay) counter.dirty = false;
    return {
      writer: this.writer,
      rows: this.#underWay.map(({ minute, caller, kind, counts }) => ({ minute, caller, kind, counts: { ...counts } })),
      session: {
        since: this.since,
        seen: rest.length === 0 ? this.seen : this.#stored,
        ended: this.#ended && rest.length === 0,
      },
      // Until there is room again, every moment may have lost a call.
      gaps: this.#loss === undefined ? [] : [{ ...this.#loss, until: Math.max(this.#loss.until, this.seen) }],
      comparisons: this.comparisons.take(comparisonsOfWrite),
      // A row of them is written after the first row of its caller.
      savings: rest.length === 0 ? this.#takeSavings() : [],
    };
  }

  #takeSavings(): readonly SavingRow[] {
    if (!this.#ended && Math.abs(this.seen - this.#savingsTaken) < savingsEvery) return [];
    this.#savingsTaken = this.seen;
    return this.savings.take(savingsOfWrite);
  }

  written({ rows, session, gaps }: SessionNews): void {
    for (const [index, counter] of this.#underWay.entries()) counter.stored = rows[index]?.counts.calls ?? 0;
    this.#underWay = [];
    this.comparisons.written();
    this.savings.written();
    this.#stored = session.seen;
    this.#endStored = session.ended;
    if (this.#loss?.calls === gaps[0]?.calls) this.#loss = undefined;
  }

  /** What is missing for good if nothing more is written; undefined where no v1 call is. */
  get unwritten(): Gap | undefined {
    // A counter that grew while it was under way is in both.
    const counters = new Set([...this.pending, ...this.#underWay]);
    const waiting = [...counters].reduce(
      (sum, { kind, counts, stored }) => (kind.outcome === 'passed' ? sum : sum + counts.calls - stored),
      0,
    );
    const calls = waiting + (this.#loss?.calls ?? 0);
    return calls === 0 ? undefined : { writer: this.writer, since: this.#stored, until: this.seen, calls };
  }

  failed(): void {
    const again = this.#underWay.filter((counter) => !counter.dirty);
    for (const counter of again) counter.dirty = true;
    this.#underWay = [];
    this.pending = [...again, ...this.pending];
    this.comparisons.failed();
    this.savings.failed();
  }
}
