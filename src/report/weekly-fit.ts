/** How the calls of somebody change from week to week: by a factor that is the same each week, as far as chance lets one see. */

/** Student's t that is exceeded with the probability of 0.05, for 1 to 10 degrees of freedom. */
const students = [6.314, 2.92, 2.353, 2.132, 2.015, 1.943, 1.895, 1.86, 1.833, 1.812];

/** For the slope of so many weeks. */
export const studentOf = (weeks: number): number => students[weeks - 3] ?? Infinity;

export interface Week {
  /** 0 is the latest week, -1 the one before. */
  readonly at: number;
  readonly calls: number;
  /** How much of it was recorded. */
  readonly exposure: number;
}

export interface Fit {
  /** Calls of a whole week at the centre of the data, where level and slope do not depend on each other. */
  readonly level: number;
  readonly centre: number;
  /** Logarithm of the factor from week to week, and the error of it. */
  readonly slope: number;
  readonly error: number;
  readonly dispersion: number;
}

/** All calls from the end of the latest week, which is at 0, to the end of time, where they decline by this slope: a geometric series. */
export function toComeOf({ level, centre }: Pick<Fit, 'level' | 'centre'>, slope: number): number {
  const factor = Math.exp(slope);
  return (level * Math.exp(slope * (0 - centre)) * factor) / (1 - factor);
}

/** Far from the end, Newton's own steps would overshoot. */
const damped = (step: number): number => Math.max(-1, Math.min(1, step));

/** Iteratively reweighted least squares, by Newton's method on level and slope. */
export function fitOf(weeks: readonly Week[]): Fit {
  const total = (of: (week: Week) => number): number => weeks.reduce((sum, week) => sum + of(week), 0);
  let [intercept, slope] = [Math.log(total(({ calls }) => calls) / total(({ exposure }) => exposure)), 0];
  const mean = ({ at, exposure }: Week): number => exposure * Math.exp(intercept + slope * at);
  for (let round = 0; round < 50; round++) {
    let [weight, first, second, residual, moment] = [0, 0, 0, 0, 0];
    // One loop for all sums: this is done for each of thousands of workspaces.
    for (const week of weeks) {
      const expected = mean(week);
      weight += expected;
      first += expected * week.at;
      second += expected * week.at ** 2;
      residual += week.calls - expected;
      moment += (week.calls - expected) * week.at;
    }
    const determinant = weight * second - first ** 2;
    const [up, turn] = [
      damped((second * residual - first * moment) / determinant),
      damped((weight * moment - first * residual) / determinant),
    ];
    intercept += up;
    slope += turn;
    if (Math.abs(up) + Math.abs(turn) < 1e-10) break;
  }
  const weight = total(mean);
  const centre = total((week) => mean(week) * week.at) / weight;
  const spread = total((week) => mean(week) * (week.at - centre) ** 2);
  const pearson = total((week) => (week.calls - mean(week)) ** 2 / mean(week));
  const dispersion = Math.max(1, pearson / (weeks.length - 2));
  return { level: Math.exp(intercept + slope * centre), centre, slope, error: Math.sqrt(dispersion / spread), dispersion };
}
