import type { DatabaseSync } from 'node:sqlite';
import { numbersOf } from './sql.ts';

/** Callers that are read at once: their rows come in one list, which costs half of what they cost one by one. */
const callersOfSlice = 32;

/** What the queries of `bySlices` hold as a condition. */
export const ofSlice = 'caller BETWEEN ? AND ?';

/**
 * Reads queries by slices of callers, and adds up what belongs together.
 * @param callers in order
 * @param queries whose rows begin with the caller, and what tells the rows of a caller apart
 * @param add adds the second row to the first
 * @returns the rows of some callers after the others', ordered by these two
 */
export function* bySlices(
  db: DatabaseSync,
  callers: readonly number[],
  queries: readonly string[],
  add: (sum: number[], row: readonly number[]) => void,
): Generator<readonly (readonly number[])[]> {
  const reads = queries.map((sql) => numbersOf(db, sql));
  for (let at = 0; at < callers.length; at += callersOfSlice) {
    const slice = callers.slice(at, at + callersOfSlice);
    const rows = reads.flatMap((read) => read(slice[0] ?? 0, slice.at(-1) ?? 0));
    yield combined(reads.length > 1 ? rows.toSorted(byCaller) : rows, add);
  }
}

const byCaller = ([caller = 0, what = 0]: readonly number[], [otherCaller = 0, other = 0]: readonly number[]): number =>
  caller - otherCaller || what - other;

function combined(rows: readonly number[][], add: (sum: number[], row: readonly number[]) => void): readonly number[][] {
  const sums: number[][] = [];
  let sum: number[] | undefined;
  for (const row of rows) {
    if (sum !== undefined && byCaller(sum, row) === 0) add(sum, row);
    else sums.push((sum = row));
  }
  return sums;
}
