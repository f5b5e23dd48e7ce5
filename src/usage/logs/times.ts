/** How logs write time. */
import { dayInMs } from '../../contract/times.ts';

const months: ReadonlyMap<string, number> = new Map(
  ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map((name, index) => [name, index]),
);

/** Whatever is earlier is no time of a log, but a clock that was not set. */
const earliest = Date.UTC(2000, 0);
/** A clock may be ahead. */
const ahead = dayInMs;

/**
 * Makes the function that reads `22/Nov/2026:13:55:36 -0700`, ISO 8601 – in UTC where it has no zone – and seconds, milliseconds or
 * microseconds since 1970.
 * @param now a time after tomorrow is none
 * @returns epoch milliseconds; NaN for what is no time
 */
export function timeReader(now: number): (text: string) => number {
  // Lines of one second stand together.
  let [known, time] = ['', NaN];
  return (text) => {
    if (text === known) return time;
    const read = text.length > 40 ? NaN : readTime(text);
    [known, time] = [text, read >= earliest && read <= now + ahead ? read : NaN];
    return time;
  };
}

function readTime(text: string): number {
  if (text[2] === '/') return readCommon(text);
  if (/^\d{9,16}(?:\.\d+)?$/.test(text)) return sinceEpoch(text);
  const [, date, clock, zone = 'Z'] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:[.,]\d+)?) ?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? [];
  return date === undefined || clock === undefined ? NaN : Date.parse(`${date}T${clock.replace(',', '.')}${zone}`);
}

function readCommon(text: string): number {
  const at = (from: number, length = 2): number => Number(text.slice(from, from + length));
  const month = months.get(text.slice(3, 6)) ?? NaN;
  const sign = text[21] === '-' ? -1 : 1;
  const zone = text.length < 26 ? 0 : sign * (at(22) * 60 + at(24));
  return Date.UTC(at(7, 4), month, at(0), at(12), at(15), at(18)) - zone * 60_000;
}

function sinceEpoch(text: string): number {
  const number = Number(text);
  return Math.floor(number < 1e11 ? number * 1_000 : number < 1e14 ? number : number / 1_000);
}
