/** The courses of workspaces as the record has them, and the outlook that is made of them. */
import { dayInMs } from '../../contract/times.ts';
import type { Recording } from '../recording.ts';
import { type Activity, callsOf, weekInMs } from './activity.ts';
import { type Crowd, lastCall, restOf } from './changes.ts';
import type { Course } from './course.ts';
import { outlookOf, type Prospects } from './outlook.ts';
import { weeksOfPace } from './pace.ts';
import { firstOf, type Pauses } from './pauses.ts';
import { lastMidnight } from '../days.ts';

interface Known {
  readonly activity: Activity;
  readonly recording: Recording;
  readonly until: number;
  readonly pauses: Pauses;
}

export function coursesOf(crowds: readonly Crowd[], { activity, recording, until, pauses }: Known): readonly Course[] {
  // The day of the end may not be over.
  const midnight = lastMidnight(until);
  const lastDay = activity.indexOf(midnight - 1);
  const shares = Array.from({ length: activity.length }, (_, daysBack) =>
    recording.share({ since: midnight - (daysBack + 1) * dayInMs, until: midnight - daysBack * dayInMs }),
  );
  return crowds.map((crowd): Course => {
    const calls = callsOf(crowd.products, activity.length);
    const last = lastCall(crowd);
    return {
      name: crowd.group.name,
      first: Math.min(...crowd.products.map(firstOf)),
      last,
      quiet: recording.within({ since: last, until }),
      rest: restOf(crowd, pauses),
      longestPause: Math.max(...crowd.products.map((product) => pauses.longest(product) ?? 0)),
      calls: (daysBack) => calls[lastDay - daysBack] ?? 0,
      recorded: (daysBack) => shares[daysBack] ?? 0,
    };
  });
}

export function outlookFor(
  courses: readonly Course[],
  { recording, until, sunset, promised }: { recording: Recording; until: number; sunset: number; promised: ReadonlyMap<string, number> },
): Prospects {
  const recorded = recording.within({ since: 0, until });
  const share = recording.share({ since: Math.max(recording.since ?? 0, until - weeksOfPace * weekInMs), until });
  return outlookOf(courses, { until, sunset, recorded, share, promised });
}
