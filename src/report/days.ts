import { dayInMs } from '../contract/times.ts';
import type { Range } from '../usage/model.ts';
import type { Point } from '../usage/store/store.ts';
import { type Client, type Group, Sighting } from './clients.ts';
import { type Period, sizeInMs } from './period.ts';
import type { Recording } from './recording.ts';

/** Calls hour by hour, or day by day, of workspaces and of all together. */
export class Series {
  readonly since: number;
  readonly length: number;
  readonly #unit: number;
  readonly #calls: Float64Array;
  readonly #v2Calls: Float64Array;
  readonly #groups = new Map<Group, Float64Array>();

  constructor({ since, until }: Range, unit: number) {
    this.#unit = unit;
    this.since = Math.floor(since / unit) * unit;
    this.length = Math.max(0, Math.ceil((until - this.since) / unit));
    this.#calls = new Float64Array(this.length);
    this.#v2Calls = new Float64Array(this.length);
  }

  /** @param group undefined for calls of nobody's */
  add({ start, calls, v2Calls }: Point, group: Group | undefined): void {
    const index = Math.floor((start - this.since) / this.#unit);
    if (index < 0 || index >= this.length) return;
    increase(this.#calls, index, calls);
    increase(this.#v2Calls, index, v2Calls);
    if (group === undefined) return;
    let own = this.#groups.get(group);
    if (own === undefined) this.#groups.set(group, (own = new Float64Array(this.length)));
    increase(own, index, calls);
  }

  /** Calls in the hour or day that begins then, of a group or of all. */
  callsAt(start: number, group?: Group): number {
    const index = (start - this.since) / this.#unit;
    return (group === undefined ? this.#calls : this.#groups.get(group))?.[index] ?? 0;
  }

  v2CallsAt(start: number): number {
    return this.#v2Calls[(start - this.since) / this.#unit] ?? 0;
  }
}

function increase(sums: Float64Array, index: number, by: number): void {
  sums[index] = (sums[index] ?? 0) + by;
}

/** The hours or days of a period: when they begin, and how much of them was recorded. */
export function bucketsOf(
  { since, until, size }: Period,
  recording: Recording,
): readonly { readonly start: number; readonly recorded: number }[] {
  const unit = sizeInMs[size];
  return Array.from({ length: Math.ceil((until - since) / unit) }, (_, index) => {
    const start = since + index * unit;
    return { start, recorded: recording.share({ since: start, until: Math.min(start + unit, until) }) };
  });
}

/** How much of each day before a midnight was recorded, beginning with the last one. */
export const recordedDays = (midnight: number, days: number, recording: Recording): readonly number[] =>
  Array.from({ length: days }, (_, daysBack) => {
    const until = midnight - daysBack * dayInMs;
    return recording.share({ since: until - dayInMs, until });
  });

/** When several callers called, as if they were one; by the beginning of the day. */
type Days = Map<number, Sighting>;

/** Takes in the points of clients, which come by caller and then by time: their longest pauses, and when they were seen. */
export class Rhythm {
  readonly #relabelled = new Map<Client, Days>();
  readonly #versions = new Map<readonly Client[], Days>();
  #caller = -1;
  #last = 0;

  add(point: Point, client: Client): void {
    const { caller, first, last } = point;
    client.seen.add(point);
    client.key?.seen.add(point);
    client.key?.group.seen.add(point);
    if (client.versions.length > 1) addDay(this.#versions, client.versions, point);
    if (client.callers > 1) return addDay(this.#relabelled, client, point);
    if (caller === this.#caller) this.#pause(this.#last, first, client);
    this.#caller = caller;
    this.#last = last;
  }

  /** To be called after the last point: only then are the days of several callers in the order of time. */
  end(): void {
    for (const [client, days] of this.#relabelled) this.#pauses(days, [client]);
    for (const [clients, days] of this.#versions) this.#pauses(days, clients);
  }

  #pauses(days: Days, clients: readonly Client[]): void {
    let since: number | undefined;
    for (const [, { first, last }] of [...days].toSorted(([a], [b]) => a - b)) {
      if (since !== undefined) for (const client of clients) this.#pause(since, first, client);
      since = last;
    }
  }

  /** Also what was not recorded: the client may have called then, but that less was recorded must make nothing safe earlier. */
  #pause(since: number, until: number, client: Client): void {
    client.longestPause = Math.max(client.longestPause ?? 0, until - since);
  }
}

function addDay<Of>(all: Map<Of, Days>, of: Of, { start, first, last }: Point): void {
  let days = all.get(of);
  if (days === undefined) all.set(of, (days = new Map<number, Sighting>()));
  let day = days.get(start);
  if (day === undefined) days.set(start, (day = new Sighting()));
  day.add({ first, last });
}

/** The midnight before which days are over. */
export const lastMidnight = (time: number): number => Math.floor(time / dayInMs) * dayInMs;
