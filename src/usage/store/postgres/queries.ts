/** Totals and points of a plan, as one query each: the database adds up what comes from several tables. */
import { dayInMs, hourInMs } from '../../../contract/times.ts';
import { tablesOf, whereDay, whereHours, whereMinutes } from '../conditions.ts';
import { daysOfBlock, hoursOfDay, type Plan, type Span } from '../plan.ts';
import { countColumns, sumCounts } from './sql.ts';

/** Some callers, and kinds of calls that do not count. */
interface Only {
  readonly callers: readonly number[];
  readonly without: readonly number[];
}

/** @returns a query for caller, kind and counts */
export function totalsQuery(plan: Plan, kept: Span, summedBlocks: ReadonlySet<number>): string {
  const tables = [
    ...tablesOf(plan, kept, summedBlocks).map(({ name, where }) => `${name} WHERE ${where}`),
    // There may be nothing to be read.
    'block WHERE false',
  ];
  const rows = tables.map((table) => `SELECT caller, kind, ${countColumns} FROM ${table}`);
  return `SELECT caller, kind, ${sumCounts} FROM (${rows.join(' UNION ALL ')}) AS rows GROUP BY caller, kind ORDER BY caller, kind`;
}

/** @returns a query for caller, start, calls, v2 calls, first and last */
export function pointsQuery(plan: Plan, size: 'hour' | 'day', only?: Only): string {
  const which = only === undefined ? '' : ` AND caller = ANY ('{${only.callers.join()}}') AND kind <> ALL ('{${only.without.join()}}')`;
  const columns = 'calls, v2_calls, first, last';
  const dayStart = `day * ${dayInMs}::bigint`;
  const hourStart = size === 'day' ? `hour / ${hoursOfDay} * ${dayInMs}::bigint` : `hour * ${hourInMs}::bigint`;
  const blocks = `block >= ${Math.floor(plan.days.from / daysOfBlock)} AND block <= ${Math.floor(plan.days.to / daysOfBlock)}`;
  const days = only === undefined ? `caller_day WHERE ${whereDay(plan)}` : `day WHERE ${blocks} AND ${whereDay(plan)}${which}`;
  const rows = [
    ...(plan.days.from < plan.days.to ? [`SELECT caller, ${dayStart} AS start, ${columns} FROM ${days}`] : []),
    ...whereHours(plan).map((where) => `SELECT caller, ${hourStart} AS start, ${columns} FROM hour WHERE ${where}${which}`),
    ...whereMinutes(plan).map((where) => `SELECT caller, ${hourStart} AS start, ${columns} FROM minute WHERE ${where}${which}`),
    // There may be nothing to be read.
    `SELECT caller, ${dayStart} AS start, ${columns} FROM caller_day WHERE false`,
  ];
  return `SELECT caller, start, sum(calls), sum(v2_calls), min(first), max(last) FROM (${rows.join(' UNION ALL ')}) AS rows
    GROUP BY caller, start ORDER BY caller, start`;
}
