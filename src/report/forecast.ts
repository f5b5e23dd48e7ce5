/**
 * When is the last v1 call to be expected?
 *
 * The calls of whole weeks (no rhythm of weekdays in them), twelve at most, are taken as counts whose mean changes by the same factor from week to
 * week: a log-linear quasi-Poisson regression, each week weighted by how much of it was recorded. Counts scatter more than Poisson's do; the
 * dispersion, from Pearson's statistic, widens the error of the slope, and Student's t replaces the normal as the weeks are few. Only a decline
 * that chance makes in less than one case of twenty carries a forecast.
 *
 * If calls come one by one at a rate that decays exponentially, and M of them are still to come, none comes after a time t with the probability
 * exp(-M·e^(-bt)): the last call has a Gumbel distribution. If they come in bursts, each as large as the dispersion, M/dispersion bursts are to come.
 * The truth is between the two: the date is midway between their medians, and the interval reaches from the earliest end of the one, with the
 * steepest plausible slope, to the latest of the other with the flattest. That makes it wider than it had to be, never narrower.
 */
import { dayInMs } from '../contract/times.ts';
import { type Fit, fitOf, studentOf, toComeOf, type Week } from './weekly-fit.ts';
import type { Forecast, NoForecast } from './model.ts';
import { iso } from './period.ts';

const weekInDays = 7;
const weekInMs = weekInDays * dayInMs;
const mostWeeks = 12;
/** No forecast looks farther back. */
export const daysOfForecast = mostWeeks * weekInDays;
const fewestWeeks = 4;
/** Days of a week that must be recorded for it to count; and the share of the weeks that must count. */
const fewestDays = 5;
const fewestOfWeeks = 0.75;
const fewestCalls = 20;
const quietAfter = 2 * weekInMs;
const farthest = 2 * 365 * dayInMs;

const confidence = 0.9;
const tail = (1 - confidence) / 2;
/** The calls of consecutive days, the last of which is over. */
export interface DailyCalls {
  /** Epoch milliseconds at which the last day ends. */
  readonly end: number;
  /** From the last day backwards: calls, and the share of the day that was recorded. */
  readonly calls: (daysBack: number) => number;
  readonly recorded: (daysBack: number) => number;
  /** The first and the last call that were ever seen, in epoch milliseconds. */
  readonly first: number | undefined;
  readonly last: number | undefined;
}

/**
 * The forecast, or why there is none.
 * @param until the instant at which it is made, in epoch milliseconds
 */
export function forecastOf(days: DailyCalls, until: number): Forecast {
  if (days.first === undefined || days.last === undefined) return none('no_calls');
  if (until - days.last > quietAfter) return none('quiet');
  const possible = Math.min(Math.floor((days.end - Math.floor(days.first / dayInMs) * dayInMs) / weekInMs), mostWeeks);
  if (possible < fewestWeeks) return none('too_short');
  const weeks = Array.from({ length: possible }, (_, back) => weekOf(days, back)).filter(
    ({ exposure }) => exposure * weekInDays >= fewestDays,
  );
  if (weeks.length < fewestWeeks || weeks.length < possible * fewestOfWeeks) return none('too_patchy');
  const calls = weeks.reduce((sum, week) => sum + week.calls, 0);
  if (calls < fewestCalls) return none('too_few');

  const fit = fitOf(weeks);
  const reach = studentOf(weeks.length) * fit.error;
  if (!(fit.slope + reach < 0)) return none(fit.slope - reach > 0 ? 'growing' : 'flat');
  const when = (slope: number, probability: number, burst: number): number =>
    Math.max(days.end + endOf(fit, slope, probability, burst) * weekInMs, days.last ?? 0);
  const latest = when(fit.slope + reach, 1 - tail, 1);
  if (latest - until > farthest) return none('too_far');
  return {
    state: 'forecast',
    date: iso(when(fit.slope, 0.5, Math.sqrt(fit.dispersion))),
    earliest: iso(when(fit.slope - reach, tail, fit.dispersion)),
    latest: iso(latest),
    confidence,
    halfLife: Math.round((Math.LN2 / -fit.slope) * weekInMs),
    basis: { since: iso(days.end - possible * weekInMs), until: iso(days.end), weeks: weeks.length, calls },
  };
}

const none = (reason: NoForecast): Forecast => ({ state: 'none', reason });

function weekOf({ calls, recorded }: DailyCalls, back: number): Week {
  let [sum, exposure] = [0, 0];
  for (let day = back * weekInDays; day < (back + 1) * weekInDays; day++) {
    sum += calls(day);
    exposure += recorded(day);
  }
  return { at: -back, calls: sum, exposure: exposure / weekInDays };
}

/** Weeks after the last one at which the last call lies with this probability; the mean halves, and so on, by the slope. */
function endOf(fit: Fit, slope: number, probability: number, burst: number): number {
  return Math.log(toComeOf(fit, slope) / (burst * -Math.log(probability))) / -slope;
}
