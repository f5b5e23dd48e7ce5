/**
 * When does the last workspace stop, and how many will not have by the sunset?
 *
 * Workspaces stop for one of two reasons, whichever comes first: their own calls fade (course.ts), or they are moved from one day to the next, at
 * the pace of the last weeks (pace.ts). Who promised a date stops then at the latest; for one after the sunset, nothing ends it earlier. All of
 * them are independent but for the pace, which nobody knows exactly and which is the same for all: each figure is the mean over the hazards that
 * it may be. What nobody can know is whether there comes a rush at the deadline: all of this is said at the pace of the last weeks.
 */
import { dayInMs } from '../../contract/times.ts';
import { lastMidnight } from '../days.ts';
import { iso } from '../period.ts';
import { numberOf, solve } from './chance.ts';
import { type Course, type OwnCourse, ownCourses } from './course.ts';
import type { NoOutlook, Outlook } from './model.ts';
import { type Pace, paceOf, weeksOfPace } from './pace.ts';
import { weekInMs } from './activity.ts';

const confidence = 0.9;
const tail = (1 - confidence) / 2;
const farthest = 2 * 365 * dayInMs;
/** Less of a record says nothing of a pace. */
const fewestWeeks = 4;
const fewestRecorded = 0.75;
/** Whoever fades more probably than not. */
const probably = 0.5;

export interface Circumstances {
  readonly until: number;
  readonly sunset: number;
  /** How many milliseconds of the time before `until` are in the record, and how much of the last six weeks of it. */
  readonly recorded: number;
  readonly share: number;
  /** Until when workspaces said that they will have moved, where that is to come, by their names. */
  readonly promised: ReadonlyMap<string, number>;
}

/** One of those that have not left, and how probable it is that it calls at the sunset. */
export interface Prospect {
  readonly course: Course;
  readonly own: OwnCourse;
  /** Null where nobody can say, and after the sunset. */
  readonly atSunset: number | null;
}

export interface Prospects {
  readonly outlook: Outlook;
  readonly prospects: readonly Prospect[];
}

/** @param all workspaces that ever called, also those that have left */
export function outlookOf(all: readonly Course[], circumstances: Circumstances): Prospects {
  const { until, sunset, recorded, share } = circumstances;
  const there = all.filter(({ rest }) => rest >= 0);
  const pace = paceOf(all, until);
  const courses = ownCourses(there, pace.mean);
  const left = until < sunset ? sunset - until : undefined;
  const fleet = fleetOf(there, courses, circumstances);
  const prospects = (isKnown: boolean): readonly Prospect[] =>
    there.flatMap((course, index) => {
      const own = courses[index];
      if (own === undefined) return [];
      const atSunset = !isKnown || left === undefined ? null : mean(pace.hazards, (hazard) => fleet.chance(index, left, hazard));
      return [{ course, own, atSunset }];
    });
  const none = (reason: NoOutlook, isKnown = false): Prospects => ({ outlook: { state: 'none', reason }, prospects: prospects(isKnown) });
  if (all.length === 0) return none('no_calls');
  if (there.length === 0) return none('over');
  if (recorded < fewestWeeks * weekInMs) return none('too_short');
  if (share < fewestRecorded) return none('too_patchy');
  if (pace.stopped === 0 && fleet.promised === 0 && !courses.some(({ fades }) => fades > probably)) return none('nobody_stopped', true);

  const stopped = (time: number): number => fleet.allStopped(time, pace);
  const when = (probability: number): string | null =>
    stopped(farthest) < probability ? null : iso(lastMidnight(until + solve(stopped, probability, 0, farthest, 12)));
  return {
    outlook: {
      state: 'forecast',
      date: when(0.5),
      earliest: when(tail),
      latest: when(1 - tail),
      confidence,
      inTime: left === undefined ? null : stopped(left),
      atSunset: left === undefined ? null : { of: there.length, ...rangeOf(fleet.distribution(left, pace)) },
      basis: {
        since: iso(until - weeksOfPace * weekInMs),
        until: iso(until),
        weeks: weeksOfPace,
        workspaces: pace.workspaces,
        stopped: pace.stopped,
      },
    },
    prospects: prospects(true),
  };
}

const mean = <Of>(items: readonly Of[], of: (item: Of) => number): number => items.reduce((sum, item) => sum + of(item), 0) / items.length;

function fleetOf(there: readonly Course[], courses: readonly OwnCourse[], { until, sunset, promised }: Circumstances) {
  const promises = there.map(({ name }) => promised.get(name));
  const isSure = (index: number): boolean => (promises[index] ?? 0) > sunset;
  /** By its own course and what it promised; the pace of all comes on top, but for one that is sure to stay. */
  const own = (index: number, time: number): number => {
    const promise = promises[index];
    if (promise !== undefined && until + time >= promise) return 0;
    return isSure(index) ? 1 : (courses[index]?.survival(time) ?? 0);
  };
  const chance = (index: number, time: number, hazard: number): number => own(index, time) * (isSure(index) ? 1 : Math.exp(-hazard * time));
  return {
    promised: promises.filter((promise) => promise !== undefined).length,
    chance,
    /** The probability that nobody calls any more so many milliseconds from now. */
    allStopped: (time: number, { hazards }: Pace): number => {
      const chances = there.map((_, index) => own(index, time));
      if (chances.some((each, index) => isSure(index) && each > 0)) return 0;
      return mean(hazards, (hazard) => {
        const factor = Math.exp(-hazard * time);
        let sum = 0;
        for (const each of chances) sum += Math.log1p(-Math.min(each * factor, 1 - 1e-12));
        return Math.exp(sum);
      });
    },
    /** The probability that so many still call, from none to all. */
    distribution: (time: number, { hazards }: Pace): Float64Array => {
      const sums = new Float64Array(there.length + 1);
      for (const hazard of hazards)
        for (const [number, probability] of numberOf(there.map((_, index) => chance(index, time, hazard))).entries())
          sums[number] = (sums[number] ?? 0) + probability / hazards.length;
      return sums;
    },
  };
}

function rangeOf(distribution: Float64Array): { readonly expected: number; readonly low: number; readonly high: number } {
  const upTo = (share: number): number => {
    let sum = 0;
    const found = distribution.findIndex((probability) => (sum += probability) >= share);
    return found < 0 ? distribution.length - 1 : found;
  };
  const expected = distribution.reduce((sum, probability, number) => sum + probability * number, 0);
  return { expected, low: upTo(tail), high: upTo(1 - tail) };
}
