/** A plan as conditions of SQL, as SQLite and PostgreSQL both read it. All numbers in it are ours and whole. */
import { blocksOf, type Dirty, hoursOfDay, minutesOfHour, type Plan, type Span } from './plan.ts';

/**
 * Without what does not count of these hours or days. A store that nobody maintained has thousands of them: as conditions of their own they
 * are deeper than SQLite reads, and more than PostgreSQL plans in reasonable time.
 */
function without(column: 'hour' | 'day', dirty: readonly Dirty[]): readonly string[] {
  const byPart = Map.groupBy(dirty, ({ part }) => part);
  return [...byPart].map(([part, some]) => `NOT (part = ${part} AND ${column} IN (${some.map(({ period }) => period).join()}))`);
}

const daysWithin = ({ from, to }: Span, exceptDays: readonly Dirty[]): string =>
  [`day >= ${from}`, `day < ${to}`, ...without('day', within({ from, to }, exceptDays))].join(' AND ');

const within = ({ from, to }: Span, dirty: readonly Dirty[]): readonly Dirty[] =>
  dirty.filter(({ period }) => period >= from && period < to);

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

/** What is read of each of some spans, those of which all is read together: of a range, these are all but its edges. */
function together<T extends Span>(spans: readonly T[], isWhole: (span: T) => boolean): readonly (readonly T[])[] {
  const whole = spans.filter(isWhole);
  return [...(whole.length === 0 ? [] : [whole]), ...spans.filter((span) => !isWhole(span)).map((span) => [span])];
}

/** For the days that are read by the hour, a `WHERE` for the table `hour` each; one for all whole days. */
export const whereHours = ({ hours, exceptHours }: Plan): readonly string[] =>
  together(hours, ({ from, to }) => to - from === hoursOfDay).map((days) =>
    [
      `day IN (${days.map(({ day }) => day).join()})`,
      ...days.filter(({ from, to }) => to - from < hoursOfDay).map(({ from, to }) => `hour >= ${from} AND hour < ${to}`),
      ...without(
        'hour',
        days.flatMap((day) => within(day, exceptHours)),
      ),
    ].join(' AND '),
  );

/**
 * A condition of SQL for rows of the table `minute`. Only there are calls to v2 (see `Kind`), and only loads are made of them: hours, days and
 * blocks hold v1 calls alone, and so does all that is read by the caller.
 */
export const isV1Call = `kind NOT IN (SELECT n FROM kind WHERE outcome = 'passed')`;

/** For the hours that are read by the minute, a `WHERE` for the v1 calls in the table `minute` each; one for all whole hours. */
export const whereMinutes = ({ minutes }: Plan): readonly string[] =>
  together(minutes, ({ from, to }) => to - from === minutesOfHour).map((hours) =>
    [
      `hour IN (${hours.map(({ hour }) => hour).join()})`,
      ...hours.filter(({ from, to }) => to - from < minutesOfHour).map(({ from, to }) => `minute >= ${from} AND minute < ${to}`),
      isV1Call,
    ].join(' AND '),
  );
