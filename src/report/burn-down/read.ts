/** The burn-down of a record: what the first reading of its days has gathered, the edges of two weeks, and what is made of both. */
import { dayInMs } from '../../contract/times.ts';
import type { Range } from '../../usage/model.ts';
import type { UsageReader } from '../../usage/store/store.ts';
import type { Group } from '../clients.ts';
import type { CountedCalls } from '../counted.ts';
import { iso } from '../period.ts';
import type { Recording } from '../recording.ts';
import type { WorkspaceMark, WorkspaceNow } from '../model.ts';
import { type Activity, callsOf, daysOfWeek, type Product } from './activity.ts';
import { changesOf, type Crowd, crowdsOf } from './changes.ts';
import { coursesOf, outlookFor } from './courses.ts';
import { missesOf, promisesOf } from './misses.ts';
import type { ActiveDay, ActiveWeek, BurnDown } from './model.ts';
import { Pauses } from './pauses.ts';

/** A week may begin within a day: what of that day belongs to it is read once more, as exactly as it is kept. */
export async function readEdges(reader: UsageReader, counted: CountedCalls, activity: Activity): Promise<void> {
  const weeks = [
    ['now', activity.weekAgo],
    ['before', activity.twoWeeksAgo],
  ] as const;
  for (const [week, since] of weeks) {
    const until = Math.ceil(since / dayInMs) * dayInMs;
    if (until === since) continue;
    const range: Range = { since: (await reader.widen({ since, until })).since, until };
    await counted.read(range, 'day', (point, client) => activity.addEdge(point, client, week));
  }
}

export interface Burning {
  readonly activity: Activity;
  readonly recording: Recording;
  readonly until: number;
  readonly rarestJob: (group: Group) => number;
  readonly sunset: number;
  /** By the names of workspaces: the unknown keys that each probably calls under now, and how things stand with it. */
  readonly probably: ReadonlyMap<string, readonly string[]>;
  readonly marks: ReadonlyMap<string, WorkspaceMark | null>;
}

export function burnDownOf(burning: Burning): BurnDown {
  const { activity, recording, until, sunset, marks } = burning;
  const crowds = crowdsOf(activity);
  const pauses = new Pauses(activity, recording, until);
  const courses = coursesOf(crowds, { ...burning, pauses });
  const { outlook, prospects } = outlookFor(courses, { recording, until, sunset, promised: promisesOf(marks, until) });
  const { weekAgo, twoWeeksAgo } = activity;
  const now = weekOf(activity, crowds, { since: weekAgo, until }, recording, 'now');
  return {
    days: daysOf(burning, crowds, now),
    now,
    before: weekOf(activity, crowds, { since: twoWeeksAgo, until: weekAgo }, recording, 'before'),
    ...changesOf(crowds, { ...burning, pauses }),
    outlook,
    misses: missesOf(prospects, marks, sunset, until),
  };
}

/** Calls and clients of a workspace in the last seven days. */
export function workspacesNow({ products }: Activity): (group: Group) => WorkspaceNow {
  const own = Map.groupBy(
    products.filter(({ now }) => now > 0),
    ({ group }) => group,
  );
  return (group) => {
    const active = own.get(group) ?? [];
    return { calls: active.reduce((sum, { now }) => sum + now, 0), clients: active.length };
  };
}

function weekOf({ products }: Activity, crowds: readonly Crowd[], range: Range, recording: Recording, week: 'now' | 'before'): ActiveWeek {
  const hasCalled = (product: Product): boolean => product[week] > 0;
  const workspaces = crowds.filter((crowd) => crowd.products.some(hasCalled));
  return {
    since: iso(range.since),
    until: iso(range.until),
    workspaces: workspaces.length,
    clients: products.filter(hasCalled).length,
    unknownKeys: workspaces.filter(({ group }) => group.origin === 'unknown').length,
    calls: products.reduce((sum, product) => sum + product[week], 0),
    recorded: recording.share(range),
  };
}

/** From the first day on of which anything is known; the last day is not over, and tells what the last seven days do. */
function daysOf({ activity, recording, until }: Burning, crowds: readonly Crowd[], now: ActiveWeek): readonly ActiveDay[] {
  const { products } = activity;
  const called = callsOf(products, activity.length);
  const firsts = [
    ...(recording.since === undefined ? [] : [activity.indexOf(recording.since)]),
    ...(called.some((calls) => calls > 0) ? [called.findIndex((calls) => calls > 0)] : []),
  ];
  const begun = Math.max(daysOfWeek, Math.min(activity.length, ...firsts));
  const clients = countActive(
    products.map(({ calls }) => calls),
    activity.length,
  );
  const workspaces = countActive(
    crowds.map((crowd) => callsOf(crowd.products, activity.length)),
    activity.length,
  );
  return Array.from({ length: Math.max(0, activity.length - begun) }, (_, index): ActiveDay => {
    const day = begun + index;
    const start = activity.startOf(day);
    const end = Math.min(start + dayInMs, until);
    const isNow = day === activity.length - 1;
    const known = (called[day] ?? 0) > 0 || recording.within({ since: start, until: end }) > 0;
    return {
      start: iso(start),
      workspaces: known ? (isNow ? now.workspaces : (workspaces[day] ?? 0)) : null,
      clients: known ? (isNow ? now.clients : (clients[day] ?? 0)) : null,
      recorded: recording.share({ since: end - daysOfWeek * dayInMs, until: end }),
    };
  });
}

/** How many of them called in the seven days that end with each day. */
function countActive(all: readonly Uint32Array[], length: number): Uint32Array {
  const counts = new Uint32Array(length);
  for (const calls of all) {
    let last = -Infinity;
    for (let day = 0; day < length; day++) {
      if (calls[day] !== 0) last = day;
      if (day - last < daysOfWeek) counts[day] = (counts[day] ?? 0) + 1;
    }
  }
  return counts;
}
