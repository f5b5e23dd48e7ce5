import { hourInMs } from '../../../contract/times.ts';
import { type Range, reuseTimes, type SavingRow } from '../../model.ts';
import { mergeSavings, savingColumns, savingOf, sumSavings } from '../savings.ts';
import type { Saving } from '../store.ts';
import type { Transaction } from './connection.ts';
import { mapPages } from './pages.ts';
import { list } from './sql.ts';

export function readSavings(transaction: Transaction, { since, until }: Range): AsyncGenerator<readonly Saving[]> {
  const sql = `SELECT key, hour, ${sumSavings} FROM saving JOIN caller ON id = caller
    WHERE hour >= ${Math.ceil(since / hourInMs)} AND hour < ${Math.ceil(until / hourInMs)} AND key IS NOT NULL GROUP BY hour, key ORDER BY hour, key`;
  return mapPages(transaction.pages(sql), savingOf);
}

/** Writes what savers would save in a session, which is known by its number; of callers that were erased meanwhile nothing. */
export async function addSavings(transaction: Transaction, rows: readonly SavingRow[], session: number): Promise<void> {
  const columns = [
    ({ counts }: SavingRow) => counts.asked,
    ({ counts }: SavingRow) => counts.untranslated,
    ...reuseTimes.map(
      (_, index) =>
        ({ counts }: SavingRow) =>
          counts.saved[index] ?? 0,
    ),
  ];
  const greatest = savingColumns.replaceAll(/\w+/g, 'max($&)');
  await transaction.rows(
    `INSERT INTO saving (hour, caller, session, ${savingColumns}) SELECT hour, caller, $1::int, ${greatest}
     FROM unnest($2::int[], $3::bigint[], ${columns.map((_, index) => `$${index + 4}::bigint[]`).join(', ')}) AS given (hour, caller, ${savingColumns})
     JOIN caller ON id = caller GROUP BY hour, caller ORDER BY hour, caller
     ON CONFLICT (hour, caller, session) DO UPDATE SET ${mergeSavings('greatest')}`,
    [
      session,
      list(rows.map(({ hour }) => hour)),
      list(rows.map(({ caller }) => caller)),
      ...columns.map((of) => list(rows.map((row) => of(row)))),
    ],
  );
}
