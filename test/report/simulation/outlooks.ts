/** How often forecasts of random migrations come true, seen some weeks before the sunset. */
import { seeded } from '../../../bench/codemods/random.ts';
import { dayInMs } from '../../../src/contract/times.ts';
import { callsOf } from '../../../src/report/burn-down/activity.ts';
import { crowdsOf } from '../../../src/report/burn-down/changes.ts';
import { coursesOf, outlookFor } from '../../../src/report/burn-down/courses.ts';
import { Pauses } from '../../../src/report/burn-down/pauses.ts';
import { forecastOf } from '../../../src/report/forecast.ts';
import { type MigrationKind, migrationKinds, outcomeOf, randomMigration, recordBegins, recordOf, sunsetDay } from './migrations.ts';

export const sizes = [5, 20, 60, 300] as const;
export const weeksBefore = [9, 6, 3] as const;

/** One migration seen on one day, and what two forecasts say of it: whether anything, and the days until the end. */
export interface Seen {
  readonly kind: MigrationKind;
  readonly size: number;
  readonly weeks: number;
  readonly outlook: Said | undefined;
  /** The forecast of the calls per day of all. */
  readonly byCalls: Omit<Said, 'rightCount' | 'countWidth'> | undefined;
}

interface Said {
  readonly right: boolean;
  /** Of its interval, in days; two years where it has no end. */
  readonly width: number;
  readonly rightCount: boolean;
  /** Of the number that is left at the sunset, as a share of those that are there now. */
  readonly countWidth: number;
}

const sunset = recordBegins + sunsetDay * dayInMs;
const mostDays = 730;

/** @param count of migrations of each kind and size */
export function seenMigrations(count: number, firstSeed = 1, ofSizes: readonly number[] = sizes): readonly Seen[] {
  const seen: Seen[] = [];
  let seed = firstSeed;
  for (const kind of migrationKinds)
    for (const size of ofSizes)
      for (let number = 0; number < count; number++) {
        const migration = randomMigration(kind, size, seeded(seed++).next);
        const { end, late } = outcomeOf(migration);
        // Nobody forecasts what is over.
        for (const weeks of weeksBefore) {
          const today = sunsetDay - 7 * weeks;
          if (end >= today) seen.push({ kind, size, weeks, ...forecasts(recordOf(migration, today), end - today, late) });
        }
      }
  return seen;
}

function forecasts(
  { activity, recording, until }: ReturnType<typeof recordOf>,
  end: number,
  late: number,
): Pick<Seen, 'outlook' | 'byCalls'> {
  const crowds = crowdsOf(activity);
  const courses = coursesOf(crowds, { activity, recording, until, pauses: new Pauses(activity, recording, until) });
  const { outlook } = outlookFor(courses, { recording, until, sunset, promised: new Map() });
  const all = callsOf(activity.products, activity.length);
  const last = Math.max(...courses.map((course) => course.last));
  const recorded = (daysBack: number): number =>
    recording.share({ since: until - (daysBack + 1) * dayInMs, until: until - daysBack * dayInMs });
  const byCalls = forecastOf(
    { end: until, calls: (daysBack) => all[activity.length - 1 - daysBack] ?? 0, recorded, first: recordBegins, last },
    until,
  );
  const daysTo = (instant: string | null): number => (instant === null ? mostDays : (Date.parse(instant) - until) / dayInMs);
  const said = (earliest: string | null, latest: string | null) => ({
    right: end >= Math.floor(daysTo(earliest)) && (latest === null || end <= Math.ceil(daysTo(latest))),
    width: daysTo(latest) - daysTo(earliest),
  });
  const left = outlook.state === 'forecast' ? outlook.atSunset : null;
  return {
    outlook:
      outlook.state === 'none' || left === null
        ? undefined
        : {
            ...said(outlook.earliest, outlook.latest),
            rightCount: late >= left.low && late <= left.high,
            countWidth: (left.high - left.low) / left.of,
          },
    byCalls: byCalls.state === 'none' ? undefined : said(byCalls.earliest, byCalls.latest),
  };
}

/** Shares of 1: how often anything was said, and was right, of all; and the median widths of what was said. */
export function shares(seen: readonly Seen[]) {
  const share = (of: (each: Seen) => boolean | undefined): number => seen.filter((each) => of(each) === true).length / seen.length;
  const middle = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
  const outlooks = seen.flatMap(({ outlook }) => outlook ?? []);
  return {
    byCalls: {
      said: share(({ byCalls }) => byCalls !== undefined),
      right: share(({ byCalls }) => byCalls?.right),
      width: middle(seen.flatMap(({ byCalls }) => byCalls?.width ?? [])),
    },
    outlook: {
      said: share(({ outlook }) => outlook !== undefined),
      right: share(({ outlook }) => outlook?.right),
      width: middle(outlooks.map(({ width }) => width)),
      rightCount: share(({ outlook }) => outlook?.rightCount),
      countWidth: middle(outlooks.map(({ countWidth }) => countWidth)),
    },
  };
}
