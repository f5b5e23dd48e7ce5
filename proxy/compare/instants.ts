/** Instants however they are written: ISO 8601 in any zone and precision, seconds or milliseconds since 1970. */
import { decimalOf, isNumber, writtenAs } from './numbers.ts';

const iso = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,18}))?)?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)$/;
/** Seconds of so many digits would be beyond the year 5000: these are milliseconds. */
const digitsOfMilliseconds = 12;

/** The same text for the same instant; undefined where a value is none. A time without its zone is none: nobody says where it is. */
export function instantOf(value: unknown): string | undefined {
  if (isNumber(value)) return sinceEpoch(writtenAs(value));
  if (typeof value !== 'string' || value.length > 60) return undefined;
  return fromIso(value) ?? (/^\d{10}/.test(value) ? sinceEpoch(value) : undefined);
}

function fromIso(text: string): string | undefined {
  const match = iso.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hours, minutes, seconds = '0', fraction = '', sign, zoneHours = '0', zoneMinutes = '0'] = match;
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hours), Number(minutes), Number(seconds));
  if (!isOfCalendar(at, year, month, day) || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60 * (sign === '-' ? -1 : 1);
  return instant(String(at / 1000 - zone), fraction);
}

/** What no calendar has, such as 30 February, is another day then. */
function isOfCalendar(at: number, year: string | undefined, month: string | undefined, day: string | undefined): boolean {
  const date = new Date(at);
  return date.getUTCFullYear() === Number(year) && date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

function sinceEpoch(text: string): string | undefined {
  const decimal = decimalOf(text);
  if (decimal === undefined || decimal.negative || decimal.exponent < -18 || decimal.exponent > 20) return undefined;
  const digits = decimal.digits + '0'.repeat(Math.max(decimal.exponent, 0));
  const point = digits.length + Math.min(decimal.exponent, 0);
  return splitAt(digits, point >= digitsOfMilliseconds ? point - 3 : point);
}

function splitAt(digits: string, point: number): string {
  if (point <= 0) return instant('0', '0'.repeat(-point) + digits);
  return instant(digits.slice(0, point), digits.slice(point));
}

const instant = (seconds: string, fraction: string): string => `${seconds}.${fraction.replace(/0{1,40}$/, '')}`;
