/**
 * Which rows a question is answered from, so that each call is counted exactly once: days where they are rolled up, hours for what is left of
 * the range, minutes for the rest. SQL-free: both stores follow it.
 *
 * Minutes are what proxies write. An hour is *dirty* while minutes have come that its rows do not hold yet, and so is a day. A dirty hour is
 * read from its minutes. Rows of hours and days have a *part*: as long as the finer rows are kept, those of the newest part are made anew
 * from all of them; once these are deleted, the part stands, and whatever still comes late makes the next one.
 */
import type { Range } from '../model.ts';
import { dayInMs, hourInMs, minuteInMs } from '../../contract/times.ts';

export const minutesOfHour = 60;
export const hoursOfDay = 24;
/** Days are summed up once more, in blocks, so that the totals of a long time are read from few rows. */
export const daysOfBlock = 16;

/** An hour or day whose rows of the part `part` do not count. */
export interface Dirty {
  readonly period: number;
  readonly part: number;
}

export interface Condition {
  readonly dirtyHours: readonly Dirty[];
  readonly dirtyDays: readonly Dirty[];
  /** The first hour whose minutes are all kept, and the first day whose hours are. */
  readonly minutesFrom: number;
  readonly hoursFrom: number;
  /** The days that have any rows. */
  readonly kept: Span;
}

/** Numbers from `from` up to, and without, `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Plan {
  /** Days whose rows count, but for the newest part of those in `exceptDays`. */
  readonly days: Span;
  readonly exceptDays: readonly Dirty[];
  /** Hours whose rows count, day by day, but for the newest part of those in `exceptHours`. */
  readonly hours: readonly (Span & { readonly day: number })[];
  readonly exceptHours: readonly Dirty[];
  /** Minutes since the epoch whose rows count, hour by hour. */
  readonly minutes: readonly (Span & { readonly hour: number })[];
}

export interface Blocks {
  /** Those whose sums count. */
  readonly sums: readonly number[];
  /** Days whose rows count, block by block. */
  readonly days: readonly (Span & { readonly block: number })[];
}

const down = (time: number, unit: number): number => Math.floor(time / unit) * unit;
const up = (time: number, unit: number): number => Math.ceil(time / unit) * unit;

/** All that a store holds. */
export const everything: Range = { since: 0, until: Number.MAX_SAFE_INTEGER };

/** The range that can be answered: widened to what is kept of its edges. */
export function widen({ since, until }: Range, { minutesFrom, hoursFrom }: Condition): Range {
  const unit = (time: number): number => {
    if (time < hoursFrom * dayInMs) return dayInMs;
    return time < minutesFrom * hourInMs ? hourInMs : minuteInMs;
  };
  return { since: down(since, unit(since)), until: up(until, unit(until - 1)) };
}

/**
 * @param range as `widen` gives it
 * @param size `hour`: days whose hours are kept are read from these, also where they are rolled up
 */
export function planOf(range: Range, condition: Condition, size: 'hour' | 'day' = 'day'): Plan {
  const since = Math.max(range.since, condition.kept.from * dayInMs);
  const until = Math.min(range.until, condition.kept.to * dayInMs);
  const whole = { from: Math.ceil(since / dayInMs), to: Math.floor(until / dayInMs) };
  const days = size === 'day' ? whole : { from: whole.from, to: Math.min(whole.to, condition.hoursFrom) };
  const exceptDays = condition.dirtyDays.filter(({ period }) => period >= days.from && period < days.to);
  const exceptions = new Set(exceptDays.map(({ period }) => period));
  const dirtyHours = new Map(condition.dirtyHours.map((dirty) => [dirty.period, dirty]));
  const hours: Plan['hours'][number][] = [];
  const exceptHours: Dirty[] = [];
  const minutes: Plan['minutes'][number][] = [];
  for (let day = Math.floor(since / dayInMs); day * dayInMs < until; day++) {
    if (day >= days.from && day < days.to && !exceptions.has(day)) continue;
    const from = Math.max(day * hoursOfDay, Math.ceil(since / hourInMs));
    const to = Math.min((day + 1) * hoursOfDay, Math.floor(until / hourInMs));
    if (from < to) hours.push({ day, from, to });
    for (let hour = day * hoursOfDay; hour < (day + 1) * hoursOfDay; hour++) {
      const dirty = dirtyHours.get(hour);
      const cut = hour < from || hour >= to;
      if (!cut && dirty === undefined) continue;
      if (!cut && dirty !== undefined) exceptHours.push(dirty);
      const first = Math.max(hour * minutesOfHour, since / minuteInMs);
      const end = Math.min((hour + 1) * minutesOfHour, until / minuteInMs);
      if (first < end) minutes.push({ hour, from: first, to: end });
    }
  }
  return { days, exceptDays, hours, exceptHours, minutes };
}

/** How the days of a plan are added up: from blocks that are summed up, where it takes all that is kept of them, and otherwise day by day. */
export function blocksOf({ days }: Plan, kept: Span, summed: ReadonlySet<number>): Blocks {
  const sums: number[] = [];
  const single: Blocks['days'][number][] = [];
  for (let block = Math.floor(days.from / daysOfBlock); block * daysOfBlock < days.to; block++) {
    const from = Math.max(kept.from, block * daysOfBlock);
    const to = Math.min(kept.to, (block + 1) * daysOfBlock);
    if (from >= days.from && to <= days.to && summed.has(block)) sums.push(block);
    else single.push({ block, from: Math.max(from, days.from), to: Math.min(to, days.to) });
  }
  return { sums, days: single };
}
