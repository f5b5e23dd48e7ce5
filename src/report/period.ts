import { ConfigError } from '../config/errors.ts';
import type { Moment } from '../config/types-report.ts';
import { dayInMs, hourInMs } from '../contract/times.ts';
import type { Range } from '../usage/model.ts';

/** Up to here the report goes hour by hour, and beyond day by day. */
const longestByHour = 3 * dayInMs;
/** Nothing was recorded earlier: each day before takes its time and memory all the same, and years end where dates do. */
const earliest = 3_654 * dayInMs;

export interface Period extends Range {
  readonly size: 'hour' | 'day';
}

export const sizeInMs = { hour: hourInMs, day: dayInMs } as const;

/**
 * The period of a report in whole hours or days of UTC, widened where it has to be; it ends now at the latest.
 * @param now epoch milliseconds
 * @throws ConfigError for one that ends before it begins, has not begun yet, or goes back for more than ten years
 */
export function resolvePeriod({ since, until }: { readonly since: Moment; readonly until?: Moment | undefined }, now: number): Period {
  const from = at(since, now);
  const to = until === undefined ? now : at(until, now);
  for (const [key, time] of [['--since', from] as const, ['--until', to] as const]) {
    if (time < now - earliest) throw fail('lies more than ten years back; give a later one, 3650d at most', key);
  }
  if (from >= to) {
    throw fail(`${iso(from)} is not before ${until === undefined ? 'now' : `--until, which is ${iso(to)}`}; give an earlier one`);
  }
  if (from >= now) throw fail(`${iso(from)} lies in the future, of which there is no record; give an earlier one`);

  const size = Math.min(to, now) - from <= longestByHour ? 'hour' : 'day';
  const unit = sizeInMs[size];
  return { size, since: Math.floor(from / unit) * unit, until: Math.min(Math.ceil(to / unit) * unit, now) };
}

/** The time of the same length before, at the same hours. */
export function periodBefore({ since, until, size }: Period): Range {
  const unit = sizeInMs[size];
  const back = Math.ceil((until - since) / unit) * unit;
  return { since: since - back, until: until - back };
}

const fail = (problem: string, key = '--since'): ConfigError => new ConfigError({ code: 'CONFIG_CONFLICT', key, problem });

const at = (moment: Moment, now: number): number => ('at' in moment ? moment.at : now - moment.ago);

/** A report has tens of thousands of instants, of few days: the date is most of what writing one costs. */
const dates = new Map<number, string>();
const mostDates = 4_096;
const two = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

function dateOf(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = new Date(day * dayInMs).toISOString().slice(0, -'00:00:00.000Z'.length);
  if (dates.size >= mostDates) dates.clear();
  dates.set(day, date);
  return date;
}

/** ISO 8601, as `Date.toISOString` writes it. */
export function iso(time: number): string {
  const whole = Math.trunc(time);
  const day = Math.floor(whole / dayInMs);
  const within = whole - day * dayInMs;
  const minutes = Math.floor(within / 60_000);
  const seconds = Math.floor(within / 1_000) - minutes * 60;
  const clock = `${two[Math.floor(minutes / 60)]}:${two[minutes % 60]}:${two[seconds]}`;
  return `${dateOf(day)}${clock}.${String(within % 1_000).padStart(3, '0')}Z`;
}
