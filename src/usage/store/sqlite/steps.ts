import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { hoursOfDay } from '../plan.ts';
import { transaction } from './connection.ts';

/** Rows that one step reads: some ten milliseconds. */
const rowsOfStep = 5_000;

export type Row = Record<string, SQLOutputValue>;
/** One piece of upkeep, which holds the database for a short time. */
export type Step = () => void;

/** What the steps of upkeep are made with. */
export class Steps {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  transaction(action: () => void): void {
    transaction(this.#db, action);
  }

  run(sql: string, cells: SQLInputValue[]): void {
    this.#db.prepare(sql).run(...cells);
  }

  all(sql: string, cells: SQLInputValue[]): Row[] {
    return this.#db.prepare(sql).all(...cells);
  }

  /** Whether the hours of a day hold all of their minutes. */
  hoursDone(day: number): boolean {
    const from = day * hoursOfDay;
    return (
      this.all(`SELECT 1 FROM period WHERE size = 'hour' AND number >= ? AND number < ? AND version > done LIMIT 1`, [
        from,
        from + hoursOfDay,
      ]).length === 0
    );
  }

  /** The periods before one that finer rows stand under: from one to the next, without reading the rows. */
  *periodsBefore(table: 'minute' | 'hour' | 'day' | 'saving', column: 'hour' | 'day' | 'block', end: number): Generator<number> {
    for (let from = -Infinity; ;) {
      const next = this.all(`SELECT min(${column}) AS next FROM ${table} WHERE ${column} > ? AND ${column} < ?`, [from, end])[0]?.['next'];
      if (typeof next !== 'number') return;
      yield next;
      from = next;
    }
  }

  /** Ranges of callers with some thousand rows of a period each. */
  *slices(table: 'minute' | 'hour' | 'day', column: 'hour' | 'day' | 'block', number: number): Generator<readonly [number, number]> {
    for (let from = 0; ;) {
      const [next] = this.all(`SELECT caller FROM ${table} WHERE ${column} = ? AND caller >= ? ORDER BY caller LIMIT 1 OFFSET ?`, [
        number,
        from,
        rowsOfStep,
      ]);
      if (next === undefined) return yield [from, Number.MAX_SAFE_INTEGER];
      // A caller with more rows than a step makes a longer one.
      const to = Math.max(Number(next['caller']), from + 1);
      yield [from, to];
      from = to;
    }
  }
}
