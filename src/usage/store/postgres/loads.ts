/** What keys cost in v2 calls, minute by minute. */
import { dayInMs, minuteInMs } from '../../../contract/times.ts';
import type { Range } from '../../model.ts';
import { minutesOfPeak, peakOf } from '../load.ts';
import { type Condition, type Dirty, hoursOfDay, minutesOfHour, type Span } from '../plan.ts';
import type { Peak } from '../store.ts';
import type { Row, Transaction } from './connection.ts';
import { mapPages } from './pages.ts';
import { addMinutes, packMinutes } from './sql.ts';

/** Days whose minutes are added up at once. */
const daysOfRead = 32;

/**
 * The minutes of keys in some hours, as rows of key, hour and packed minutes, ordered by key: from where they are rolled up, and those of
 * the dirty hours from the rows of minutes.
 * @param keys all where undefined
 */
function packedMinutes(
  transaction: Transaction,
  hours: Span,
  dirtyHours: readonly Dirty[],
  keys?: readonly string[],
): AsyncGenerator<readonly Row[]> {
  const within = dirtyHours.filter(({ period }) => period >= hours.from && period < hours.to);
  const except = within.map(({ period, part }) => ` AND NOT (hour = ${period} AND part = ${part})`).join('');
  const which = keys === undefined ? '' : ' AND key = ANY ($1::text[])';
  const rolled = `SELECT key, hour, minutes FROM load WHERE hour >= ${hours.from} AND hour < ${hours.to}${except}${which}`;
  const fresh = `SELECT key, hour, ${packMinutes} FROM (SELECT key, hour, minute, sum(v2_calls) AS calls
      FROM minute JOIN caller ON id = caller
      WHERE hour IN (${within.map(({ period }) => period).join()}) AND v2_calls > 0 AND key IS NOT NULL${which} GROUP BY key, hour, minute)
    AS minutes GROUP BY key, hour`;
  const sql = within.length === 0 ? rolled : `${rolled} UNION ALL ${fresh}`;
  return transaction.pages(`${sql} ORDER BY key`, keys === undefined ? [] : [keys]);
}

/** Minutes of some hours, key by key; the same array each time. */
export async function* loadsByKey(
  transaction: Transaction,
  hours: Span,
  dirtyHours: readonly Dirty[],
  size: number,
): AsyncGenerator<{ readonly key: string; readonly minutes: Float64Array }> {
  const minutes = new Float64Array(size);
  let current: string | undefined;
  for await (const rows of packedMinutes(transaction, hours, dirtyHours))
    for (const [key, hour, packed] of rows) {
      if (current !== undefined && key !== current) {
        yield { key: current, minutes };
        minutes.fill(0);
      }
      current = String(key);
      if (packed instanceof Uint8Array) addMinutes(packed, minutes, (Number(hour) - hours.from) * minutesOfHour);
    }
  if (current !== undefined) yield { key: current, minutes };
}

/** The days of a range that have any rows. */
const daysOf = ({ since, until }: Range, { kept }: Condition): Span => ({
  from: Math.max(Math.floor(since / dayInMs), kept.from),
  to: Math.min(Math.ceil(until / dayInMs), kept.to),
});

export async function* peaksOf(transaction: Transaction, range: Range, condition: Condition): AsyncGenerator<readonly Peak[]> {
  const days = daysOf(range, condition);
  // A window of a day may begin in the last hour of the day before.
  const dirty = new Set([
    ...condition.dirtyDays.map(({ period }) => period),
    ...condition.dirtyHours.filter(({ period }) => (period + 1) % hoursOfDay === 0).map(({ period }) => (period + 1) / hoursOfDay),
  ]);
  for (let day = days.from; day < days.to; day++) {
    if (dirty.has(day)) {
      yield await peaksOfDirty(transaction, day, condition.dirtyHours);
      continue;
    }
    const from = day;
    while (day + 1 < days.to && !dirty.has(day + 1)) day++;
    yield* peaksOfClean(transaction, { from, to: day + 1 });
  }
}

function peaksOfClean(transaction: Transaction, { from, to }: Span): AsyncGenerator<readonly Peak[]> {
  const sql = `SELECT day, key, hour, hour_calls, window_from, window_calls FROM peak WHERE day >= ${from} AND day < ${to} ORDER BY day, key`;
  return mapPages(transaction.pages(sql), ([day, key, hour, hourCalls, window, windowCalls]) => ({
    keyHash: String(key),
    day: Number(day),
    hour: Number(hour),
    hourCalls: Number(hourCalls),
    window: Number(window),
    windowCalls: Number(windowCalls),
  }));
}

async function peaksOfDirty(transaction: Transaction, day: number, dirtyHours: readonly Dirty[]): Promise<readonly Peak[]> {
  const first = day * hoursOfDay - 1;
  const peaks: Peak[] = [];
  for await (const { key, minutes } of loadsByKey(transaction, { from: first, to: first + 1 + hoursOfDay }, dirtyHours, minutesOfPeak)) {
    const peak = peakOf(day, minutes);
    if (peak !== undefined) peaks.push({ keyHash: key, day, ...peak });
  }
  return peaks;
}

export async function* loadOf(
  transaction: Transaction,
  range: Range,
  keys: readonly string[],
  condition: Condition,
): AsyncGenerator<readonly { readonly minute: number; readonly v2Calls: number }[]> {
  const days = daysOf(range, condition);
  for (let day = days.from; day < days.to; day += daysOfRead) {
    const hours = { from: day * hoursOfDay, to: Math.min(day + daysOfRead, days.to) * hoursOfDay };
    const minutes = new Float64Array((hours.to - hours.from) * minutesOfHour);
    for await (const rows of packedMinutes(transaction, hours, condition.dirtyHours, keys))
      for (const [, hour, packed] of rows)
        if (packed instanceof Uint8Array) addMinutes(packed, minutes, (Number(hour) - hours.from) * minutesOfHour);
    const page: { minute: number; v2Calls: number }[] = [];
    for (const [index, v2Calls] of minutes.entries()) {
      const minute = hours.from * minutesOfHour + index;
      if (v2Calls > 0 && minute >= range.since / minuteInMs && minute * minuteInMs < range.until) page.push({ minute, v2Calls });
    }
    yield page;
  }
}
