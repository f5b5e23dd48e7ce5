/** Numbers, shares and times as people read them, the same in every format. */
import { dayInMs, hourInMs, minuteInMs } from '../../contract/times.ts';
import type { Change } from '../model.ts';
import type { Instant } from '../span.ts';

export const count = (number: number): string => number.toLocaleString('en');

/** `1 call`, `2 calls`. */
export const counted = (number: number, noun: string): string => `${count(number)} ${noun}${number === 1 ? '' : 's'}`;

/** Rounded down: what is short of a bound must not look as if it met it, and what is little not like nothing. */
export function percent(share: number): string {
  const tenths = Math.floor(share * 1_000 + 1e-9);
  return tenths === 0 && share > 0 ? 'less than 0.1%' : `${(tenths / 10).toLocaleString('en')}%`;
}

/** `+12%`, `−25%`; `new` where there was nothing before; empty where that is not known. */
export function changed(change: Change | null): string {
  if (change === null) return '';
  if (change.ratio === null) return 'new';
  const points = Math.round(change.ratio * 100);
  return points === 0 ? '±0%' : `${points > 0 ? '+' : '−'}${count(Math.abs(points))}%`;
}

/** `2026-11-20` */
export const dateOf = (instant: Instant): string => instant.slice(0, 10);

/** `2026-11-20 12:00 UTC` */
export const timeOf = (instant: Instant): string => `${dateOf(instant)} ${instant.slice(11, 16)} UTC`;

const units = [
  [2 * dayInMs, dayInMs, 'day'],
  [2 * hourInMs, hourInMs, 'hour'],
  [minuteInMs, minuteInMs, 'minute'],
] as const;

/** `14 days`, `36 hours`, `5 minutes`: as whole ones, of the largest unit of which there are two. */
export function lengthOf(milliseconds: number): string {
  const [, size, noun] = units.find(([from]) => milliseconds >= from) ?? [];
  return size === undefined ? 'less than a minute' : counted(Math.floor(milliseconds / size), noun ?? '');
}

/** How long before an instant another one was: `5 minutes ago`. */
export function ago(instant: Instant, now: Instant): string {
  const passed = Date.parse(now) - Date.parse(instant);
  return passed < minuteInMs ? 'just now' : `${lengthOf(passed)} ago`;
}

/** The same in a cell of a table: `5 min`, `36 h`, `12 d`. */
export function age(instant: Instant, now: Instant): string {
  const passed = Date.parse(now) - Date.parse(instant);
  if (passed < minuteInMs) return 'now';
  if (passed >= 2 * dayInMs) return `${count(Math.floor(passed / dayInMs))} d`;
  return passed >= 2 * hourInMs ? `${Math.floor(passed / hourInMs)} h` : `${Math.floor(passed / minuteInMs)} min`;
}
