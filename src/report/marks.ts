/** How things stand with each workspace, as people noted it. */
import { dayInMs } from '../contract/times.ts';
import type { Mark } from '../usage/model.ts';
import { hashMark } from '../usage/workspaces.ts';
import type { Group } from './clients.ts';
import type { WorkspaceMark } from './model.ts';
import { iso } from './period.ts';

/**
 * Makes the function that finds the mark of a workspace: of those of its name and of its keys the last one. What was taken back leaves what the
 * configuration says; so the command's word holds, as a file does not say when it was written.
 * @param marks of the record, in the order in which they were noted
 * @param until the end of the period: what is told of a time that is over was noted by then
 * @param now of whoever makes the report
 */
export function markFinder(marks: readonly Mark[], until: number, now: number): (group: Group) => WorkspaceMark | null {
  // A clock that is ahead must hide no mark from a report of now.
  const told = marks.map((mark, order) => ({ mark, order })).filter(({ mark }) => mark.at < until || until >= now);
  const newest = new Map(told.map((each) => [each.mark.subject, each]));
  const isPast = (day: number | null | undefined): boolean => day != null && day + dayInMs <= until;
  return ({ name, keys, workspace }) => {
    const subjects = [name, ...keys.map(({ hash }) => hashMark + hash)];
    const [last] = subjects.flatMap((subject) => newest.get(subject) ?? []).toSorted((a, b) => b.order - a.order);
    if (last !== undefined && last.mark.status !== null) {
      const { status, until: day, note, at } = last.mark;
      return { status, until: instantOf(day), past: isPast(day), note, at: iso(at), from: 'record' };
    }
    const given = workspace?.status;
    if (given === undefined) return null;
    return { status: given.status, until: instantOf(given.until), past: isPast(given.until), note: null, at: null, from: 'configuration' };
  };
}

/** Who promised a day, or is snoozed, is not asked before it is over. */
export const isLeftAlone = (mark: WorkspaceMark | null): boolean => mark !== null && mark.status !== 'contacted' && !mark.past;

const instantOf = (day: number | null | undefined): string | null => (day == null ? null : iso(day));
