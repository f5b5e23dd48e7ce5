/** Pieces of SQL that several queries share. */
import type { DatabaseSync } from 'node:sqlite';
import { daysOfBlock } from '../plan.ts';

/** Prepares a query that gives numbers only; its rows come as lists, and all at once. */
export function numbersOf(db: DatabaseSync, sql: string): (...cells: number[]) => number[][] {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  // The types know of rows as objects only.
  return (...cells) => statement.all(...cells) as unknown[] as number[][];
}

/** The counts of rows, added up, in the order of the tables' columns. */
export const sumCounts = 'sum(calls), sum(v2_calls), sum(repeats), sum(duration), max(longest), min(first), max(last)';

/** Takes the newer of two states of the same counts: none of them ever goes down. */
export const mergeCounts = `calls = max(calls, excluded.calls), v2_calls = max(v2_calls, excluded.v2_calls),
  repeats = max(repeats, excluded.repeats), duration = max(duration, excluded.duration), longest = max(longest, excluded.longest),
  first = min(first, excluded.first), last = max(last, excluded.last)`;

/** Blocks with the sum of their days' versions, where all of their days are rolled up. */
export const blockVersions = `SELECT number / ${daysOfBlock} AS block, sum(version) AS version, max(number) AS last FROM period
  WHERE size = 'day' GROUP BY block HAVING sum(version) = sum(done)`;

/** Blocks whose rows hold all that their days do. */
export const summedBlocks = `SELECT number FROM period JOIN (${blockVersions}) AS days ON days.block = number WHERE size = 'block' AND done = days.version`;
