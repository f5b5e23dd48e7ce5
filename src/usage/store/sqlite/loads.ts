import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { dayInMs, minuteInMs } from '../../../contract/times.ts';
import type { Range } from '../../model.ts';
import { addLoad, minutesOfPeak, peakOf } from '../load.ts';
import { type Condition, hoursOfDay, minutesOfHour } from '../plan.ts';
import type { Peak } from '../store.ts';
import { numbersOf } from './sql.ts';

/** Days whose minutes are read at once: the rows of a key lie beside each other. */
const daysOfRead = 32;

interface KeyRow {
  readonly n: number;
  readonly hash: string;
}

const keyRow = ({ n, hash }: Record<string, SQLOutputValue>): KeyRow => ({ n: Number(n), hash: String(hash) });

/** What keys cost in v2 calls, minute by minute. */
export class Loads {
  readonly #db: DatabaseSync;
  readonly #dirtyHours: ReadonlyMap<number, number>;
  readonly #dirtyDays: ReadonlySet<number>;
  readonly #hours: StatementSync;
  readonly #days: { readonly from: number; readonly to: number };

  constructor(db: DatabaseSync, { dirtyHours, dirtyDays, kept }: Condition) {
    this.#db = db;
    this.#dirtyHours = new Map(dirtyHours.map(({ period, part }) => [period, part]));
    this.#dirtyDays = new Set(dirtyDays.map(({ period }) => period));
    this.#days = kept;
    this.#hours = db.prepare('SELECT hour, part, minutes FROM load WHERE key = ? AND hour >= ? AND hour < ?');
  }

  /** Day by day. */
  *peaks({ since, until }: Range): Generator<readonly Peak[]> {
    const hashes = new Map(this.#keys().map(({ n, hash }) => [n, hash]));
    const read = numbersOf(this.#db, 'SELECT key, hour, hour_calls, window, window_calls FROM peak WHERE day = ? ORDER BY key');
    for (const day of this.#daysOf(since / dayInMs, until / dayInMs)) {
      // A window of it may begin in the last hour of the day before.
      if (this.#dirtyDays.has(day) || this.#dirtyHours.has(day * hoursOfDay - 1)) yield [...this.#peaksOfDirty(day)];
      else
        yield read(day).map(([key = 0, hour = 0, hourCalls = 0, window = 0, windowCalls = 0]) => ({
          keyHash: hashes.get(key) ?? '',
          day,
          hour,
          hourCalls,
          window,
          windowCalls,
        }));
    }
  }

  *load({ since, until }: Range, keyHashes: readonly string[]): Generator<{ readonly minute: number; readonly v2Calls: number }> {
    const find = this.#db.prepare('SELECT n, hash FROM key WHERE hash = ?');
    const keys = keyHashes.flatMap((hash) => find.all(hash)).map(keyRow);
    const days = this.#daysOf(since / dayInMs, until / dayInMs);
    for (let at = 0; at < days.length; at += daysOfRead) {
      const some = days.slice(at, at + daysOfRead);
      const [firstHour, hours] = [(some[0] ?? 0) * hoursOfDay, some.length * hoursOfDay];
      const minutes = new Float64Array(hours * minutesOfHour);
      const dirty = this.#dirtyMinutes(firstHour, hours, keys);
      for (const { n } of keys) this.#add(n, firstHour, hours, minutes, dirty);
      const firstMinute = firstHour * minutesOfHour;
      const end = Math.min(minutes.length, Math.ceil(until / minuteInMs) - firstMinute);
      for (let index = Math.max(0, Math.ceil(since / minuteInMs) - firstMinute); index < end; index++) {
        const v2Calls = minutes[index] ?? 0;
        if (v2Calls > 0) yield { minute: firstMinute + index, v2Calls };
      }
    }
  }

  #daysOf(since: number, until: number): number[] {
    const from = Math.max(Math.floor(since), this.#days.from);
    const to = Math.min(Math.ceil(until), this.#days.to);
    return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  }

  #keys(): KeyRow[] {
    return this.#db.prepare('SELECT n, hash FROM key ORDER BY n').all().map(keyRow);
  }

  *#peaksOfDirty(day: number): Generator<Peak> {
    const first = day * hoursOfDay - 1;
    const dirty = this.#dirtyMinutes(first, hoursOfDay + 1, this.#keys());
    const minutes = new Float64Array(minutesOfPeak);
    for (const { n, hash } of this.#keys()) {
      minutes.fill(0);
      this.#add(n, first, hoursOfDay + 1, minutes, dirty);
      const peak = peakOf(day, minutes);
      if (peak !== undefined) yield { keyHash: hash, day, ...peak };
    }
  }

  /** The minutes of those of these hours that are not rolled up, by key of these, counted from the first hour. */
  #dirtyMinutes(firstHour: number, hours: number, keys: readonly KeyRow[]): Map<number, Map<number, number>> {
    const byKey = new Map<number, Map<number, number>>();
    const statement = this.#db.prepare(
      `SELECT key, minute, sum(v2_calls) AS calls FROM minute JOIN caller ON caller.n = minute.caller
       WHERE hour = ? AND v2_calls > 0 AND key IN (${keys.map(({ n }) => n).join()}) GROUP BY key, minute`,
    );
    for (let hour = firstHour; hour < firstHour + hours; hour++) {
      if (!this.#dirtyHours.has(hour)) continue;
      for (const { key, minute, calls } of statement.iterate(hour)) {
        const minutes = byKey.get(Number(key)) ?? new Map<number, number>();
        minutes.set(Number(minute) - firstHour * minutesOfHour, Number(calls));
        byKey.set(Number(key), minutes);
      }
    }
    return byKey;
  }

  /** Adds what one key cost in these hours. */
  #add(
    key: number,
    firstHour: number,
    hours: number,
    minutes: Float64Array,
    dirty: ReadonlyMap<number, ReadonlyMap<number, number>>,
  ): void {
    for (const { hour, part, minutes: bytes } of this.#hours.iterate(key, firstHour, firstHour + hours)) {
      const replaced = this.#dirtyHours.get(Number(hour)) === Number(part);
      if (!replaced && bytes instanceof Uint8Array) addLoad(bytes, minutes, (Number(hour) - firstHour) * minutesOfHour);
    }
    for (const [index, calls] of dirty.get(key) ?? []) minutes[index] = (minutes[index] ?? 0) + calls;
  }
}
