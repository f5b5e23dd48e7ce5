/** What a store of usage does, whichever it is: embedded SQLite for one proxy, PostgreSQL for a fleet. */
import type { LedgerStore } from '../../budget/ledger-store.ts';
import type { LogBatch, LogSource, LogUse } from '../logs/model.ts';
import type {
  ComparisonRow,
  Counts,
  Erased,
  Gap,
  Mark,
  Range,
  RecordedCaller,
  Retirement,
  SavingCounts,
  SavingRow,
  Session,
  Source,
  Step,
  UsageRow,
  V1Kind,
} from '../model.ts';

/** What a writer has learnt since it last wrote. Everything in it is absolute: a batch may be written twice, or after a newer one. */
export interface UsageBatch {
  /** One unbroken stretch of one proxy's recording: see recording-session.ts. */
  readonly writer: string;
  /** The name of that proxy. */
  readonly replica: string;
  /** What its clock says as this is written: a store knows from others when that is in the past. */
  readonly clock: number;
  readonly rows: readonly UsageRow[];
  readonly sources: readonly Source[];
  readonly session: Omit<Session, 'writer' | 'replica' | 'behind'>;
  readonly gaps: readonly Omit<Gap, 'writer'>[];
  /** What comparing found; not there where nothing is compared. */
  readonly comparisons?: readonly ComparisonRow[];
  /** What savers would save. */
  readonly savings?: readonly SavingRow[];
}

/** How long each resolution is kept, in milliseconds. Minutes become hours, and hours days, before they go. */
export interface Retention {
  readonly minutes: number;
  readonly hours: number;
  readonly days: number;
}

export interface UsageWriter {
  /** The secret of the hashes in this store; made with the store, the same for all that write to it. */
  readonly hashSecret: string;
  /**
   * Writes a batch, whole or not at all.
   * @throws StoreError
   */
  write(batch: UsageBatch): Promise<void>;
  /**
   * Rolls minutes up into hours and days, and deletes what is too old, judged by `now`. Safe at any time, and where several writers do it at once.
   * @throws StoreError
   */
  maintain(now: number, retention: Retention): Promise<void>;
  /**
   * Notes something that happened on the road, at once; what has its id already is not written again.
   * @throws StoreError
   */
  note(step: Step): Promise<void>;
  /**
   * All that happened on the road, in the order in which it was noted: clocks may differ. The newest of each kind and rule is there for good.
   * @throws StoreError
   */
  steps(): Promise<readonly Step[]>;
  /** @param losses that could not be written: an embedded store keeps them for whoever opens it next */
  close(losses?: readonly Gap[]): Promise<void>;
}

/** Writes what access logs tell; several may do so at once. */
export interface LogWriter {
  /** The secret of the hashes in this store. */
  readonly hashSecret: string;
  /**
   * Counts the lines that the store does not have of this source yet, all or none of them.
   * @returns how many
   * @throws StoreError
   */
  add(batch: LogBatch): Promise<number>;
  /**
   * Forgets a source with all that it told.
   * @returns how many calls; undefined where there is no such source
   * @throws StoreError
   */
  forget(source: string): Promise<number | undefined>;
  /**
   * Forgets a source as another takes its name and place, at once.
   * @returns as `forget`, and `nothing` where there is no other: then all stays
   * @throws StoreError
   */
  replace(source: string, by: string): Promise<number | undefined | 'nothing'>;
  close(): Promise<void>;
}

/** A store as a proxy opens it: it also holds the hours that replicas share. */
export interface ProxyStore extends UsageWriter, LedgerStore {}

/** Counts of v1 calls of one caller and kind. */
export interface Totals {
  readonly caller: number;
  readonly kind: V1Kind;
  readonly counts: Counts;
}

/** Counts of v1 calls of a caller in one hour or day, over all kinds. */
export interface Point {
  readonly caller: number;
  /** Epoch milliseconds at which the hour or day begins. */
  readonly start: number;
  readonly calls: number;
  readonly v2Calls: number;
  readonly first: number;
  readonly last: number;
}

/** The most v2 calls that one key made in a clock hour, and at most in any 60 minutes, of one day (a window belongs to the day in which it ends). */
export interface Peak {
  readonly keyHash: string;
  readonly day: number;
  readonly hour: number;
  readonly hourCalls: number;
  /** The first minute of the window, which has one more than an hour: see `minutesOfWindow`. */
  readonly window: number;
  readonly windowCalls: number;
}

/** What v2 would be asked with one key in a clock hour, and what savers would save of it. */
export interface Saving extends SavingCounts {
  readonly keyHash: string;
  /** Since the epoch. */
  readonly hour: number;
}

/**
 * Reads one consistent state of a store: what is written meanwhile is not seen. Rows are handed on as they come; where there is one for every
 * day of every caller they come in pages, as each of them costs less so.
 */
export interface UsageReader {
  /** The secret of the hashes in this store. */
  readonly hashSecret: string;
  callers(): Promise<readonly RecordedCaller[]>;
  /** What is left of callers that were erased. */
  erased(): Promise<readonly Erased[]>;
  sources(): AsyncIterable<Source>;
  /** The range that `totals` and `series` answer for: its edges go outward to what is kept of them, minutes, hours or days. */
  widen(range: Range): Promise<Range>;
  /** Totals of a range, by caller and kind. */
  totals(range: Range): AsyncIterable<Totals>;
  /** The ids of the callers that have made any call of such a kind, whenever. It looks for one of each, so that it costs less than totals. */
  callersOf(isSuch: (kind: V1Kind) => boolean): Promise<ReadonlySet<number>>;
  /** By hour or day, ordered by caller and then by time. Of days whose hours are gone there is one point, also by hour. */
  series(range: Range, size: 'hour' | 'day'): AsyncIterable<readonly Point[]>;
  /** The same of some callers, and without their calls to some endpoints: for few callers, as it reads them kind by kind. */
  seriesWithout(
    range: Range,
    size: 'hour' | 'day',
    callers: readonly number[],
    endpoints: readonly string[],
  ): AsyncIterable<readonly Point[]>;
  /** The peaks of every key on every day that the range touches, ordered by day; days without v2 calls are left out. */
  peaks(range: Range): AsyncIterable<readonly Peak[]>;
  /** v2 calls a minute of these keys together, ordered by minute; minutes without calls are left out. */
  load(range: Range, keyHashes: readonly string[]): AsyncIterable<{ readonly minute: number; readonly v2Calls: number }>;
  /** What savers would save of every key in the hours that begin within the range, ordered by hour: as long as hours are kept. */
  savings(range: Range): AsyncIterable<readonly Saving[]>;
  /** Times of recording that touch the range, and times of loss, ordered by their beginning. */
  sessions(range: Range): Promise<readonly Session[]>;
  gaps(range: Range): Promise<readonly Gap[]>;
  /** Who was said to be gone: the last time of each replica. */
  retirements(): Promise<readonly Retirement[]>;
  /** All that was noted of customers, in the order in which it was. */
  marks(): Promise<readonly Mark[]>;
  /** As for `UsageWriter`. */
  steps(): Promise<readonly Step[]>;
  /** What comparing found, added up over those writers that saw it in this range at last: each counts all that it saw until then. */
  comparisons(range: Range): Promise<readonly ComparisonRow[]>;
  /** What access logs were imported from, by name. */
  logSources(): Promise<readonly LogSource[]>;
  /** What they tell of v1 calls, by source, caller and kind. */
  logUses(range: Range): Promise<readonly LogUse[]>;
  close(): Promise<void>;
}

export interface UsageEraser {
  /**
   * Forgets everything recorded of a key, and imported from logs, but that somebody called until a certain day, and with which pauses: nothing looks quieter for it.
   * A proxy that runs records it anew when it calls, beginning with the minute that is under way, and of savings with the hour.
   * @returns callers and calls that were forgotten
   * @throws StoreError
   */
  erase(keyHash: string): Promise<{ readonly callers: number; readonly calls: number }>;
  /**
   * Notes that a replica is gone, and has served no call since: its silence ends then. It counts again once it records again.
   * @throws StoreError
   */
  retire(retirement: Retirement): Promise<void>;
  /**
   * Notes how things stand with a customer.
   * @throws StoreError
   */
  mark(mark: Mark): Promise<void>;
  /** As for `UsageWriter`. */
  note(step: Step): Promise<void>;
  close(): Promise<void>;
}
