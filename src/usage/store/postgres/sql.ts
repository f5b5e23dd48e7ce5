/** Pieces of SQL that several queries share. */
import { hoursOfDay, minutesOfHour } from '../plan.ts';

/** The columns of counts, in the order of `countNames`. */
export const countColumns = 'calls, v2_calls, repeats, duration, longest, first, last';

/** The counts of rows, added up. */
export const sumCounts = 'sum(calls), sum(v2_calls), sum(repeats), sum(duration), max(longest), min(first), max(last)';

/** Takes the counts of rows that were made anew. */
export const takeCounts = `calls = excluded.calls, v2_calls = excluded.v2_calls, repeats = excluded.repeats, duration = excluded.duration,
  longest = excluded.longest, first = excluded.first, last = excluded.last`;

/** Hours for which more came than was rolled up: number, newest part, and how often something came. */
export const dirtyHours = `SELECT hour, coalesce(part, 0) AS part, version
  FROM (SELECT hour, sum(version) AS version FROM touch GROUP BY hour) AS touched LEFT JOIN rolled_hour USING (hour)
  WHERE version > coalesce(done, 0)`;

/** Days whose rows do not hold all: number and newest part. */
export const dirtyDays = `SELECT day, coalesce(part, 0) AS part
  FROM (SELECT hour / ${hoursOfDay} AS day FROM (${dirtyHours}) AS hours UNION SELECT day FROM rolled_day WHERE stale) AS days
  LEFT JOIN rolled_day USING (day)`;

/** The minutes of a key in an hour as bytes, out of rows of minute and calls: two bytes for the minute in its hour, four for the calls. */
export const packMinutes = `string_agg(int2send((minute % ${minutesOfHour})::int2) || int4send(calls::int4), '' ORDER BY minute)`;

/** Adds an hour's minutes to others, from index `offset` on. */
export function addMinutes(packed: Uint8Array, minutes: Float64Array, offset: number): void {
  const bytes = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let at = 0; at < bytes.byteLength; at += 6) {
    const index = offset + bytes.getUint16(at);
    minutes[index] = (minutes[index] ?? 0) + bytes.getUint32(at + 2);
  }
}

/** Numbers as one value of SQL: made at once, where an array would be quoted number by number. */
export const list = (numbers: readonly number[]): string => `{${numbers.join()}}`;

/** PostgreSQL's texts cannot hold this one character; a batch with it would never be taken. */
export const text = (value: string): string => value.replaceAll('\0', '\u{fffd}');
