/**
 * How fast workspaces stop: the hazard of the last six weeks.
 *
 * Whoever has left stopped with its last call. Of the others it is known only up to when they would be found out: a monthly job of which nothing
 * was heard for three weeks counts as there until three weeks and a half before, and as nothing since. With so many stops in so many days of
 * workspaces, the hazard has a gamma distribution (Jeffreys' prior). Nobody knows whether the pace stays: it may change by a third either way.
 */
import { weekInMs } from './activity.ts';
import { gammas, normals } from './chance.ts';
import type { Course } from './course.ts';

export const weeksOfPace = 6;
const prior = 0.5;
const change = 0.35;
/** So many cases each of the hazard and of how it changes, as probable as each other. */
const cases = 9;
const changes = normals(5).map((z) => Math.exp(change * z));

export interface Pace {
  /** How many were there at any time in these weeks, and how many of them stopped. */
  readonly workspaces: number;
  readonly stopped: number;
  /** Hazards per millisecond, as probable as each other. */
  readonly hazards: readonly number[];
  readonly mean: number;
}

/** @param courses of all that ever called, also of those that have left */
export function paceOf(courses: readonly Pick<Course, 'first' | 'last' | 'quiet' | 'rest'>[], until: number): Pace {
  const since = until - weeksOfPace * weekInMs;
  let [workspaces, stopped, exposure] = [0, 0, 0];
  for (const { first, last, quiet, rest } of courses) {
    if (last < since) continue;
    workspaces++;
    const knownUntil = until - (quiet + rest);
    const hasLeft = rest < 0;
    if (hasLeft) stopped++;
    exposure += Math.max(0, (hasLeft ? Math.min(last, knownUntil) : knownUntil) - Math.max(since, first));
  }
  const per = Math.max(exposure, weekInMs);
  const hazards = gammas(stopped + prior, cases).flatMap((gamma) => changes.map((factor) => (gamma / per) * factor));
  return { workspaces, stopped, hazards, mean: (stopped + prior) / per };
}
