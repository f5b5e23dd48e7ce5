/** Who will probably still call v1 at the sunset, and why one thinks so. */
import { dayInMs } from '../../contract/times.ts';
import type { WorkspaceMark } from '../model.ts';
import type { Miss } from './model.ts';
import type { Prospect } from './outlook.ts';

type Marks = ReadonlyMap<string, WorkspaceMark | null>;

/** More probable than not. */
const probably = 0.5;

/** When a promise is due: at the end of its day. Undefined without one that has a date. */
function promiseOf(mark: WorkspaceMark | null | undefined): number | undefined {
  return mark?.status === 'promised' && mark.until !== null ? Date.parse(mark.until) + dayInMs : undefined;
}

/** Promises that are still to come, by workspace. */
export const promisesOf = (marks: Marks, until: number): ReadonlyMap<string, number> =>
  new Map(
    [...marks].flatMap(([name, mark]) => {
      const promise = promiseOf(mark);
      return promise === undefined || promise <= until ? [] : [[name, promise] as const];
    }),
  );

export function missesOf(prospects: readonly Prospect[], marks: Marks, sunset: number, until: number): readonly Miss[] {
  if (until >= sunset) return [];
  const misses = prospects.flatMap((prospect) => missOf(prospect, marks.get(prospect.course.name), sunset, until));
  // What somebody said himself is surer than what his calls let one expect.
  return misses.toSorted(
    (a, b) =>
      Number(b.promised !== null) - Number(a.promised !== null) ||
      (b.probability ?? 1) - (a.probability ?? 1) ||
      a.workspace.localeCompare(b.workspace),
  );
}

function missOf(
  { course, own, atSunset }: Prospect,
  mark: WorkspaceMark | null | undefined,
  sunset: number,
  until: number,
): readonly Miss[] {
  const workspace = course.name;
  const promise = promiseOf(mark);
  if (promise !== undefined && mark != null) {
    const promised = mark.until;
    if (promise <= until) return [{ workspace, reason: 'promise_overdue', probability: atSunset, promised }];
    return promise <= sunset ? [] : [{ workspace, reason: 'promised_late', probability: null, promised }];
  }
  if (atSunset === null || atSunset < probably) return [];
  const reason = own.grows ? 'growing' : own.declines ? 'slow' : 'no_decline';
  return [{ workspace, reason, probability: atSunset, promised: null }];
}
