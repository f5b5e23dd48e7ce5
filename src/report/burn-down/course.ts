/**
 * How likely each workspace still calls at an instant by its own course: by its calls of the last weeks, and where these are too few to tell, by
 * what the others do.
 *
 * The calls of the last five weeks are fitted as those of a forecast are (weekly-fit.ts). Whose calls decline beyond chance, *fades*; the others
 * may fade unseen. Slopes of those that fade are alike in one migration: each is drawn towards their median, by how well it is known itself. A
 * workspace is then a mixture of one that fades with that slope and one that goes on as ever, weighted by how well each explains its own slope,
 * and by how many of all fade. One that calls seldom, whose slope nobody can see, takes the share of the others, and their mean course.
 */
import { dayInMs } from '../../contract/times.ts';
import { type Fit, fitOf, studentOf, toComeOf, type Week } from '../weekly-fit.ts';
import { weekInMs } from './activity.ts';
import { normals } from './chance.ts';

/** What is known of a workspace that has not left. Times are epoch milliseconds. */
export interface Course {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** For how long it has been quiet, and may be so still without having left; negative for one that has. */
  readonly quiet: number;
  readonly rest: number;
  /** The longest pause between two of its calls. */
  readonly longestPause: number;
  /** Calls of a day, and how much of it was recorded, from the last whole day backwards. */
  readonly calls: (daysBack: number) => number;
  readonly recorded: (daysBack: number) => number;
}

/** The probability that it calls at so many milliseconds from now, if nothing but its own course ends it. */
type Survival = (time: number) => number;

export interface OwnCourse {
  readonly survival: Survival;
  /** How probable it is that it fades. */
  readonly fades: number;
  /** Whether its own calls say so beyond chance; those of one that calls seldom say nothing. */
  readonly declines: boolean;
  readonly grows: boolean;
}

const fittedWeeks = 5;
const fewestWeeks = 3;
const daysOfWeek = 7;
/** Of a week, so many days must be recorded; and so many calls there must be in all. */
const fewestDays = 5;
const fewestCalls = 8;
/** Who calls less often than that has too few runs in five weeks. */
const rare = 14 * dayInMs;
/** A decline of less than a tenth in a week is none that ends anything soon. */
const leastSlope = 0.1;
/** How much slopes differ at least: of those that fade, and of those that do not. */
const leastSpread = 0.05;
/** With fewer that fade, nothing is known of how much their slopes differ. */
const fewestFading = 4;
/** Whoever has been quiet for longer than ever is probably gone already. */
const overdue = 0.15;
const dayOfGrace = 1.5 * dayInMs;

const slopes = normals(5);

/** @param hazard of stopping from one day to the next, per millisecond */
export function ownCourses(courses: readonly Course[], hazard: number): readonly OwnCourse[] {
  const fits = courses.map((course) => (course.longestPause > rare ? undefined : fitLately(course)));
  const known = fits.filter((fit) => fit !== undefined);
  const fading = known.filter(fadesBeyondChance);
  const alive = courses.map((course) => aliveNow(course, hazard));
  if (fading.length === 0)
    return courses.map((_, index) => ({ survival: () => alive[index] ?? 1, fades: 0, declines: false, grows: grows(fits[index]) }));

  const middle = median(fading.map(({ slope }) => slope));
  const spread = spreadOf(fading, middle);
  const share = shareOf(known, fading.length, middle, spread);
  const drawn = fading.length < fewestFading ? (fit: Fit) => fit : (fit: Fit) => drawnTo(fit, middle, spread);
  const mean = meanOf(fading.map((fit) => fadingSurvival(drawn(fit))));
  return fits.map((fit, index) => {
    const stays = alive[index] ?? 1;
    if (fit === undefined)
      return { survival: mixed(share, (time) => stays * mean(time), stays), fades: share, declines: false, grows: false };
    const declines = fadesBeyondChance(fit);
    const fades = Math.max(declines ? 0.95 : 0, weightOf(fit, share, middle, spread));
    return { survival: mixed(fades, fadingSurvival(drawn(fit)), stays), fades, declines, grows: grows(fit) };
  });
}

const mixed =
  (weight: number, fades: Survival, stays: number): Survival =>
  (time) =>
    weight * fades(time) + (1 - weight) * stays;

function fitLately({ calls, recorded }: Course): Fit | undefined {
  const weeks = Array.from({ length: fittedWeeks }, (_, week): Week => {
    let [sum, exposure] = [0, 0];
    for (let day = 0; day < daysOfWeek; day++) {
      sum += calls(week * daysOfWeek + day);
      exposure += recorded(week * daysOfWeek + day);
    }
    return { at: -week, calls: sum, exposure: exposure / daysOfWeek };
  }).filter(({ exposure }) => exposure * daysOfWeek >= fewestDays);
  if (weeks.length < fewestWeeks || weeks.reduce((sum, week) => sum + week.calls, 0) < fewestCalls) return undefined;
  const fit = fitOf(weeks);
  return Number.isFinite(fit.error) && fit.error > 0 ? fit : undefined;
}

const reachOf = ({ error }: Fit): number => studentOf(fittedWeeks) * error;
const grows = (fit: Fit | undefined): boolean => fit !== undefined && fit.slope > leastSlope && fit.slope - reachOf(fit) > 0;
const fadesBeyondChance = (fit: Fit): boolean => fit.slope < -leastSlope && fit.slope + reachOf(fit) < 0;

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** The median of the differences from a median, as a standard deviation. */
function spreadOf(fading: readonly Fit[], middle: number): number {
  if (fading.length < fewestFading) return 0.3 * Math.abs(middle) + leastSpread;
  return 1.4826 * median(fading.map(({ slope }) => Math.abs(slope - middle))) + leastSpread;
}

const density = (x: number, deviation: number): number => Math.exp(-0.5 * (x / deviation) ** 2) / deviation;

/** How probable it is that somebody fades, by its slope and by how many do. */
function weightOf({ slope, error }: Fit, share: number, middle: number, spread: number): number {
  const fades = share * density(slope - middle, Math.hypot(error, spread));
  const stays = (1 - share) * density(slope, Math.hypot(error, leastSpread));
  return fades / (fades + stays || 1);
}

/** How many fade, also unseen: by expectation and maximization, with half a workspace that does among one. */
function shareOf(known: readonly Fit[], fading: number, middle: number, spread: number): number {
  let share = fading / known.length;
  for (let round = 0; round < 5; round++)
    share = (known.reduce((sum, fit) => sum + weightOf(fit, Math.min(share, 0.98), middle, spread), 0) + 0.25) / (known.length + 0.5);
  return share;
}

/** The mean of two normal distributions, weighted by how well each is known. */
function drawnTo(fit: Fit, middle: number, spread: number): Fit {
  const [own, common] = [fit.error ** -2, spread ** -2];
  return { ...fit, slope: (fit.slope * own + middle * common) / (own + common), error: Math.sqrt(1 / (own + common)) };
}

/** Calls come one by one, or in bursts as large as the dispersion: midway between, as in forecast.ts. */
function fadingSurvival(fit: Fit): Survival {
  const cases = slopes.map((z) => {
    const slope = Math.min(-0.02, fit.slope + z * fit.error);
    return { slope, toCome: toComeOf(fit, slope) / Math.sqrt(fit.dispersion) };
  });
  return (time) => {
    let sum = 0;
    for (const { slope, toCome } of cases) sum += 1 - Math.exp(-toCome * Math.exp((slope * time) / weekInMs));
    return sum / cases.length;
  };
}

/** It is asked of the same few times for many workspaces. */
function meanOf(survivals: readonly Survival[]): Survival {
  const known = new Map<number, number>();
  return (time) => {
    let mean = known.get(time);
    if (mean === undefined) known.set(time, (mean = survivals.reduce((sum, survival) => sum + survival(time), 0) / survivals.length));
    return mean;
  };
}

/** Whether it has not stopped already, unseen, in the time that it has been quiet. */
function aliveNow({ quiet, longestPause }: Course, hazard: number): number {
  const gone = 1 - Math.exp(-hazard * quiet);
  const explained = quiet <= Math.max(2 * dayInMs, longestPause) + dayOfGrace ? 1 : overdue;
  const alive = (1 - gone) * explained;
  return alive / (alive + gone);
}
