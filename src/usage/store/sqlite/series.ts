import type { DatabaseSync } from 'node:sqlite';
import { dayInMs, hourInMs } from '../../../contract/times.ts';
import { whereDay, whereHours, whereMinutes } from '../conditions.ts';
import { daysOfBlock, hoursOfDay, type Plan, type Span } from '../plan.ts';
import type { Point } from '../store.ts';
import { bySlices, ofSlice } from './slices.ts';

const sums = 'sum(calls), sum(v2_calls), min(first), max(last)';

/** Whose points, with the numbers that this database has for callers and kinds. */
export interface Whose {
  /** The ids of callers by their numbers, in the order of these. */
  readonly callers: ReadonlyMap<number, number>;
  /** Kinds of calls that do not count; undefined for the calls of all callers that there are. */
  readonly without?: readonly number[];
}

/** The points of a plan, those of some callers after the others'. */
export function* pointsOf(db: DatabaseSync, plan: Plan, size: 'hour' | 'day', { callers, without }: Whose): Generator<readonly Point[]> {
  const numbers = [...callers.keys()];
  // The plus: it is the slice that is looked up, and not, in every slice, each caller of the list.
  const which = without === undefined ? '' : ` AND +caller IN (${numbers.join()}) AND kind NOT IN (${without.join()})`;
  for (const rows of bySlices(db, numbers, queries(plan, size, which), add))
    yield rows.map(([caller = 0, start = 0, calls = 0, v2Calls = 0, first = 0, last = 0]) => ({
      caller: callers.get(caller) ?? 0,
      start,
      calls,
      v2Calls,
      first,
      last,
    }));
}

function queries(plan: Plan, size: 'hour' | 'day', which: string): readonly string[] {
  const slice = `${ofSlice}${which}`;
  const day =
    which === ''
      ? `SELECT caller, day * ${dayInMs}, calls, v2_calls, first, last FROM caller_day WHERE ${whereDay(plan)} AND ${slice} ORDER BY caller, day`
      : `SELECT caller, day * ${dayInMs}, ${sums} FROM day WHERE block IN (${blocksWith(plan.days).join()}) AND ${whereDay(plan)} AND ${slice}
         GROUP BY caller, day ORDER BY caller, day`;
  const by = size === 'day' ? 'day' : 'hour';
  const start = size === 'day' ? `day * ${dayInMs}` : `hour * ${hourInMs}`;
  const hours = whereHours(plan).map(
    (where) => `SELECT caller, ${start}, ${sums} FROM hour WHERE ${where} AND ${slice} GROUP BY caller, ${by} ORDER BY caller, ${by}`,
  );
  // Those of a day come one after the other, and are added up as what comes from several queries.
  const startOfMinutes = size === 'day' ? `hour / ${hoursOfDay} * ${dayInMs}` : start;
  const minutes = whereMinutes(plan).map(
    (where) =>
      `SELECT caller, ${startOfMinutes}, ${sums} FROM minute WHERE ${where} AND ${slice} GROUP BY caller, hour ORDER BY caller, hour`,
  );
  return [...(plan.days.from < plan.days.to ? [day] : []), ...hours, ...minutes];
}

/** Without them, every slice would look at every row of the table. */
function blocksWith({ from, to }: Span): readonly number[] {
  const first = Math.floor(from / daysOfBlock);
  return Array.from({ length: Math.ceil(to / daysOfBlock) - first }, (_, index) => first + index);
}

/** In the order of the queries' columns. */
function add(sum: number[], [, , calls = 0, v2Calls = 0, first = 0, last = 0]: readonly number[]): void {
  sum[2] = (sum[2] ?? 0) + calls;
  sum[3] = (sum[3] ?? 0) + v2Calls;
  sum[4] = Math.min(sum[4] ?? first, first);
  sum[5] = Math.max(sum[5] ?? last, last);
}
