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
  const [, years, months, days, hours, minutes, seconds = '00', fraction = '', sign, zoneHours = '0', zoneMinutes = '0'] = match;
  const local = `${years}-${months}-${days}T${hours}:${minutes}:${seconds}`;
  const at = Date.parse(`${local}.000Z`);
  // What no calendar has, such as 30 February, comes back as another day.
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(local)) return undefined;
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60 * (sign === '-' ? -1 : 1);
  return instant(String(at / 1000 - zone), fraction);
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
