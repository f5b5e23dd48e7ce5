/** How things stand with a customer, as configuration and command line say it. */
import { dayInMs } from '../contract/times.ts';
import { type MarkStatus, markStatuses } from '../usage/model.ts';
import { or } from '../text/list.ts';
import { z } from 'zod';
import { isNot } from './tables.ts';
import { written } from './types.ts';

/** The first instant of a day, in UTC. */
function readDay(text: string): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  // Date.parse takes 2026-02-30 for a day of March.
  return at >= dayInMs && new Date(at).toISOString().startsWith(text) ? at : undefined;
}

const longestNote = 500;
const controls = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** A remark on one line. */
export const remark = z
  .string(isNot('a text'))
  .transform((text) => text.replace(controls, ' ').trim())
  .pipe(z.string().min(1, 'must not be empty').max(longestNote, `must have at most ${longestNote} characters`));

export interface Standing {
  readonly status: MarkStatus;
  /** The first instant of the day. */
  readonly until: number | undefined;
}

/** Which of them have a day: without one, a promise is none. */
const daysOfStatus = { contacted: 'none', promised: 'needed', snoozed: 'possible' } as const satisfies Record<
  MarkStatus,
  'none' | 'needed' | 'possible'
>;

/** `contacted`, `promised 2026-12-10`, `snoozed` or `snoozed 2026-12-10`. */
export const standing = written(
  `${or(markStatuses)}: write contacted, promised 2026-12-10, snoozed or snoozed 2026-12-10`,
  (text): Standing | undefined => {
    const [word, date, ...more] = text.split(/\s+/);
    const status = markStatuses.find((each) => each === word);
    if (status === undefined || more.length > 0) return undefined;
    const until = date === undefined ? undefined : readDay(date);
    const isWhole = date === undefined ? daysOfStatus[status] !== 'needed' : until !== undefined && daysOfStatus[status] !== 'none';
    return isWhole ? { status, until } : undefined;
  },
);
