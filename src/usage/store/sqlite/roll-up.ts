/** Rolls minutes up into hours, hours into days and days into blocks. */
import { hourInMs } from '../../../contract/times.ts';
import { isV1Call } from '../conditions.ts';
import { addLoad, encodeLoad, minutesOfPeak, peakOf } from '../load.ts';
import { daysOfBlock, hoursOfDay, minutesOfHour } from '../plan.ts';
import { blockVersions, mergeCounts, sumCounts, summedBlocks } from './sql.ts';
import type { Row, Step, Steps } from './steps.ts';

const keysOfStep = 100;

interface Period {
  readonly number: number;
  readonly part: number;
  readonly version: number;
}

export class RollUp {
  readonly #steps: Steps;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  /** @param settled until when nothing is on its way any more, in epoch milliseconds */
  *steps(settled: number): Generator<Step> {
    const hours = settled / hourInMs;
    for (const hour of this.#dirty('hour', hours)) yield* this.#rollHour(hour);
    for (const day of this.#dirty('day', hours / hoursOfDay)) if (this.#steps.hoursDone(day.number)) yield* this.#rollDay(day);
    yield* this.#sumBlocks(hours / hoursOfDay);
  }

  /** Periods that have ended and whose rows do not hold all. */
  #dirty(size: 'hour' | 'day', end: number): Period[] {
    return this.#steps
      .all('SELECT number, part, version FROM period WHERE size = ? AND version > done AND number < ? ORDER BY number', [
        size,
        Math.floor(end),
      ])
      .map(periodOf);
  }

  *#rollHour(period: Period): Generator<Step> {
    const { number: hour, part, version } = period;
    const loads = new Map<number, Float64Array>();
    const day = Math.floor(hour / hoursOfDay);
    for (const [from, to] of this.#steps.slices('minute', 'hour', hour)) {
      yield () =>
        this.#inPart('hour', period, () => {
          this.#steps.run(
            `INSERT INTO hour SELECT ?, caller, kind, ?, ?, ${sumCounts} FROM minute
             WHERE hour = ? AND caller >= ? AND caller < ? AND ${isV1Call}
             GROUP BY caller, kind ON CONFLICT DO UPDATE SET ${mergeCounts}`,
            [day, hour, part, hour, from, to],
          );
          this.#addLoads(loads, hour, from, to);
        });
    }
    const entries = [...loads];
    for (let at = 0; at < entries.length; at += keysOfStep) {
      const slice = entries.slice(at, at + keysOfStep);
      yield () => this.#inPart('hour', period, () => this.#storeLoads(hour, part, slice));
    }
    yield () =>
      this.#steps.transaction(() => {
        this.#done('hour', hour, version);
        // A window of the day after may begin in the last hour of this one.
        if ((hour + 1) % hoursOfDay === 0)
          this.#steps.run(`UPDATE period SET version = version + 1 WHERE size = 'day' AND number = ?`, [day + 1]);
      });
  }

  #addLoads(loads: Map<number, Float64Array>, hour: number, from: number, to: number): void {
    const rows = this.#steps.all(
      `SELECT key, minute, sum(v2_calls) AS calls FROM minute JOIN caller ON caller.n = minute.caller
       WHERE hour = ? AND caller >= ? AND caller < ? AND v2_calls > 0 AND key IS NOT NULL GROUP BY key, minute`,
      [hour, from, to],
    );
    for (const { key, minute, calls } of rows) {
      const minutes = loads.get(Number(key)) ?? new Float64Array(minutesOfHour);
      const index = Number(minute) - hour * minutesOfHour;
      minutes[index] = (minutes[index] ?? 0) + Number(calls);
      loads.set(Number(key), minutes);
    }
  }

  #storeLoads(hour: number, part: number, loads: readonly (readonly [number, Float64Array])[]): void {
    for (const [key, minutes] of loads) {
      const total = minutes.reduce((sum, calls) => sum + calls, 0);
      // A key that was erased meanwhile must not come back; and of two that roll up at once, the one that saw more is right.
      this.#steps.run(
        `INSERT INTO load SELECT n, ?, ?, ?, ? FROM key WHERE n = ?
         ON CONFLICT DO UPDATE SET total = excluded.total, minutes = excluded.minutes WHERE excluded.total >= total`,
        [hour, part, total, encodeLoad(minutes), key],
      );
    }
  }

  *#rollDay(period: Period): Generator<Step> {
    const { number: day, part, version } = period;
    for (const [from, to] of this.#steps.slices('hour', 'day', day)) {
      yield () =>
        this.#inPart('day', period, () => {
          const where = 'FROM hour WHERE day = ? AND caller >= ? AND caller < ?';
          const cells = [day, part, day, from, to];
          this.#steps.run(
            `INSERT INTO day SELECT ${Math.floor(day / daysOfBlock)}, caller, kind, ?, ?, ${sumCounts} ${where} GROUP BY caller, kind ON CONFLICT DO UPDATE SET ${mergeCounts}`,
            cells,
          );
          this.#steps.run(
            `INSERT INTO caller_day SELECT caller, ?, ?, sum(calls), sum(v2_calls), min(first), max(last) ${where} GROUP BY caller
             ON CONFLICT DO UPDATE SET calls = max(calls, excluded.calls), v2_calls = max(v2_calls, excluded.v2_calls),
             first = min(first, excluded.first), last = max(last, excluded.last)`,
            cells,
          );
          this.#steps.run(
            `UPDATE caller SET seen = max(seen, (SELECT max(last) FROM caller_day WHERE caller = n AND day = ?))
             WHERE n >= ? AND n < ? AND EXISTS (SELECT 1 FROM caller_day WHERE caller = n AND day = ?)`,
            [day, from, to, day],
          );
        });
    }
    const keys = this.#steps.all('SELECT n FROM key', []).map(({ n }) => Number(n));
    for (let at = 0; at < keys.length; at += keysOfStep) {
      yield () => this.#steps.transaction(() => this.#storePeaks(day, keys.slice(at, at + keysOfStep)));
    }
    yield () => this.#steps.transaction(() => this.#done('day', day, version));
  }

  #storePeaks(day: number, keys: readonly number[]): void {
    const first = day * hoursOfDay - 1;
    for (const key of keys) {
      const minutes = new Float64Array(minutesOfPeak);
      const hours = this.#steps.all('SELECT hour, minutes FROM load WHERE key = ? AND hour >= ? AND hour <= ?', [
        key,
        first,
        first + hoursOfDay,
      ]);
      for (const { hour, minutes: bytes } of hours)
        if (bytes instanceof Uint8Array) addLoad(bytes, minutes, (Number(hour) - first) * minutesOfHour);
      const peak = peakOf(day, minutes);
      if (peak === undefined) continue;
      this.#steps.run(
        `INSERT INTO peak VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
         SET hour = excluded.hour, hour_calls = excluded.hour_calls, window = excluded.window, window_calls = excluded.window_calls
         WHERE excluded.hour_calls >= hour_calls AND excluded.window_calls >= window_calls`,
        [day, key, peak.hour, peak.hourCalls, peak.window, peak.windowCalls],
      );
    }
  }

  /** Sums up blocks that are over and whose days have changed. */
  *#sumBlocks(end: number): Generator<Step> {
    const summed = new Set(this.#steps.all(summedBlocks, []).map(({ number }) => Number(number)));
    for (const row of this.#steps.all(blockVersions, [])) {
      const block = Number(row['block']);
      if (summed.has(block) || (block + 1) * daysOfBlock > end) continue;
      for (const [from, to] of this.#steps.slices('day', 'block', block))
        yield () =>
          this.#steps.transaction(() =>
            this.#steps.run(
              `INSERT INTO block SELECT caller, kind, block, ${sumCounts} FROM day WHERE block = ? AND caller >= ? AND caller < ?
               GROUP BY caller, kind ON CONFLICT DO UPDATE SET ${mergeCounts}`,
              [block, from, to],
            ),
          );
      yield () =>
        this.#steps.transaction(() =>
          this.#steps.run(`INSERT INTO period VALUES ('block', ?, 0, 0, ?) ON CONFLICT DO UPDATE SET done = max(done, excluded.done)`, [
            block,
            Number(row['version']),
          ]),
        );
    }
  }

  /** Does nothing where another process has deleted the finer rows since, and begun the next part: what came for that one is not of this. */
  #inPart(size: 'hour' | 'day', { number, part }: Period, action: () => void): void {
    this.#steps.transaction(() => {
      const [same] = this.#steps.all('SELECT 1 FROM period WHERE size = ? AND number = ? AND part = ?', [size, number, part]);
      if (same !== undefined) action();
    });
  }

  #done(size: 'hour' | 'day', number: number, version: number): void {
    this.#steps.run('UPDATE period SET done = max(done, ?) WHERE size = ? AND number = ?', [version, size, number]);
  }
}

const periodOf = ({ number, part, version }: Row): Period => ({ number: Number(number), part: Number(part), version: Number(version) });
