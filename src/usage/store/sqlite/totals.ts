import type { DatabaseSync } from 'node:sqlite';
import type { Counts } from '../../model.ts';
import { type PlannedTable, tablesOf } from '../conditions.ts';
import type { Plan, Span } from '../plan.ts';
import { bySlices, ofSlice } from './slices.ts';
import { sumCounts } from './sql.ts';

interface Row {
  readonly caller: number;
  readonly kind: number;
  readonly counts: Counts;
}

/**
 * The totals of a plan, with the numbers that this database has for callers and kinds: every table is read in its own order.
 * @param callers all, in order
 */
export function* totalsOf(
  db: DatabaseSync,
  plan: Plan,
  kept: Span,
  summedBlocks: ReadonlySet<number>,
  callers: readonly number[],
): Generator<Row> {
  const queries = tablesOf(plan, kept, summedBlocks).map(query);
  for (const rows of bySlices(db, callers, queries, add))
    for (const [caller = 0, kind = 0, calls = 0, v2Calls = 0, repeats = 0, duration = 0, longest = 0, first = 0, last = 0] of rows)
      yield { caller, kind, counts: { calls, v2Calls, repeats, duration, longest, first, last } };
}

const query = ({ name, where }: PlannedTable): string =>
  `SELECT caller, kind, ${sumCounts} FROM ${name} WHERE ${where} AND ${ofSlice} GROUP BY caller, kind ORDER BY caller, kind`;

/** In the order of `sumCounts`. */
function add(sum: number[], row: readonly number[]): void {
  for (const index of [2, 3, 4, 5]) sum[index] = (sum[index] ?? 0) + (row[index] ?? 0);
  for (const index of [6, 8]) sum[index] = Math.max(sum[index] ?? 0, row[index] ?? 0);
  sum[7] = Math.min(sum[7] ?? Infinity, row[7] ?? Infinity);
}
