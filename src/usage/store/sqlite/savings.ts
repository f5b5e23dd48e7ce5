import type { DatabaseSync } from 'node:sqlite';
import { hourInMs } from '../../../contract/times.ts';
import type { Range, RecordedCaller, SavingRow } from '../../model.ts';
import { hoursOfDay, type Span } from '../plan.ts';
import { mergeSavings, savingColumns } from '../savings.ts';
import type { Saving } from '../store.ts';
import { numbersOf } from './sql.ts';

/**
 * Hour by hour, of the days that are kept. The rows of callers are added up here: joined and grouped by SQLite, they cost three times as much.
 * @param callers by the numbers that this database has for them
 */
export function* readSavings(
  db: DatabaseSync,
  { since, until }: Range,
  kept: Span,
  callers: ReadonlyMap<number, Pick<RecordedCaller, 'keyHash'>>,
): Generator<readonly Saving[]> {
  const read = numbersOf(db, `SELECT caller, ${savingColumns} FROM saving WHERE hour = ?`);
  const end = Math.min(Math.ceil(until / hourInMs), kept.to * hoursOfDay);
  for (let hour = Math.max(Math.ceil(since / hourInMs), kept.from * hoursOfDay); hour < end; hour++) {
    const byKey = new Map<string, number[]>();
    for (const row of read(hour)) {
      const hash = callers.get(row[0] ?? 0)?.keyHash ?? undefined;
      if (hash === undefined) continue;
      const sums = byKey.get(hash);
      if (sums === undefined) byKey.set(hash, row);
      else for (let index = 1; index < row.length; index++) sums[index] = (sums[index] ?? 0) + (row[index] ?? 0);
    }
    if (byKey.size > 0)
      yield [...byKey].map(([keyHash, [, asked = 0, untranslated = 0, ...saved]]) => ({ keyHash, hour, asked, untranslated, saved }));
  }
}

/** Writes what savers would save in a session, which is known by its number; of callers that were erased meanwhile nothing. */
export function savingWriter(db: DatabaseSync): (session: number, rows: readonly SavingRow[]) => void {
  const write = db.prepare(
    `INSERT INTO saving SELECT ?, n, ?, ?, ?, ?, ?, ?, ?, ? FROM caller WHERE id = ? ON CONFLICT DO UPDATE SET ${mergeSavings('max')}`,
  );
  return (session, rows) => {
    for (const { hour, caller, counts } of rows) write.run(hour, session, counts.asked, counts.untranslated, ...counts.saved, caller);
  };
}
