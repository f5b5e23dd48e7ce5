import type { DatabaseSync } from 'node:sqlite';
import { hourInMs } from '../../../contract/times.ts';
import type { Range, SavingRow } from '../../model.ts';
import type { Span } from '../plan.ts';
import { hoursOfDay } from '../plan.ts';
import { mergeSavings, savingOf, sumSavings } from '../savings.ts';
import type { Saving } from '../store.ts';

/** Hour by hour, of the days that are kept. */
export function* readSavings(db: DatabaseSync, { since, until }: Range, kept: Span): Generator<readonly Saving[]> {
  const read = db.prepare(
    `SELECT hash, hour, ${sumSavings} FROM saving JOIN caller ON caller.n = saving.caller JOIN key ON key.n = caller.key
     WHERE hour = ? GROUP BY hash ORDER BY hash`,
  );
  const end = Math.min(Math.ceil(until / hourInMs), kept.to * hoursOfDay);
  for (let hour = Math.max(Math.ceil(since / hourInMs), kept.from * hoursOfDay); hour < end; hour++) {
    const page = read.all(hour).map((row) => savingOf(Object.values(row)));
    if (page.length > 0) yield page;
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
