/** A plan as conditions of SQL, as SQLite and PostgreSQL both read it. All numbers in it are ours and whole. */
import { blocksOf, type Dirty, type Plan, type Span } from './plan.ts';

const daysWithin = ({ from, to }: Span, exceptDays: readonly Dirty[]): string =>
  [
    `day >= ${from}`,
    `day < ${to}`,
    ...exceptDays
      .filter(({ period }) => period >= from && period < to)
      .map(({ period, part }) => `NOT (day = ${period} AND part = ${part})`),
  ].join(' AND ');

/** A `WHERE` for the table `caller_day`. */
export const whereDay = ({ days, exceptDays }: Plan): string => daysWithin(days, exceptDays);

/** For each block that is not summed up, a `WHERE` for the table `day`; and one for the table `block`, where there are others. */
function whereBlocks(
  plan: Plan,
  kept: Span,
  summed: ReadonlySet<number>,
): { readonly days: readonly string[]; readonly block: string | undefined } {
  const { sums, days } = blocksOf(plan, kept, summed);
  return {
    days: days.map((span) => `block = ${span.block} AND ${daysWithin(span, plan.exceptDays)}`),
    block: sums.length === 0 ? undefined : `block IN (${sums.join(', ')})`,
  };
}

/** Which rows of which tables add up to the totals of a plan. */
export function tablesOf(plan: Plan, kept: Span, summed: ReadonlySet<number>): readonly PlannedTable[] {
  const { days, block } = whereBlocks(plan, kept, summed);
  return [
    ...(block === undefined ? [] : [{ name: 'block', where: block } as const]),
    ...days.map((where) => ({ name: 'day', where }) as const),
    ...whereHours(plan).map((where) => ({ name: 'hour', where }) as const),
    ...whereMinutes(plan).map((where) => ({ name: 'minute', where }) as const),
  ];
}

export interface PlannedTable {
  readonly name: 'block' | 'day' | 'hour' | 'minute';
  readonly where: string;
}

/**
 * A query for the callers that have any row of these kinds, one of each.
 * @param id the column by which the rows of all tables name a caller
 * @param kinds at least one
 */
export function callersQuery(tables: readonly PlannedTable[], id: 'n' | 'id', kinds: readonly number[]): string {
  // The plus: of each caller it is the first row that fits which is looked for, and not, in every table, each kind of the list.
  const which = `caller = who.${id} AND +kind IN (${kinds.join()})`;
  const exists = tables.map(({ name, where }) => `EXISTS (SELECT 1 FROM ${name} WHERE ${where} AND ${which})`);
  return `SELECT id FROM caller AS who WHERE ${exists.join(' OR ') || 'false'}`;
}

/** For each day that is read by the hour, a `WHERE` for the table `hour`. */
export const whereHours = ({ hours, exceptHours }: Plan): readonly string[] =>
  hours.map(({ day, from, to }) =>
    [
      `day = ${day}`,
      `hour >= ${from}`,
      `hour < ${to}`,
      ...exceptHours
        .filter(({ period }) => period >= from && period < to)
        .map(({ period, part }) => `NOT (hour = ${period} AND part = ${part})`),
    ].join(' AND '),
  );

/**
 * A condition of SQL for rows of the table `minute`. Only there are calls to v2 (see `Kind`), and only loads are made of them: hours, days and
 * blocks hold v1 calls alone, and so does all that is read by the caller.
 */
export const isV1Call = `kind NOT IN (SELECT n FROM kind WHERE outcome = 'passed')`;

/** For each hour that is read by the minute, a `WHERE` for the v1 calls in the table `minute`. */
export const whereMinutes = ({ minutes }: Plan): readonly string[] =>
  minutes.map(({ hour, from, to }) => `hour = ${hour} AND minute >= ${from} AND minute < ${to} AND ${isV1Call}`);
