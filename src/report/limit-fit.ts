/**
 * The v2 calls of a workspace, over all of its keys, against the hourly limit of its plan, exactly and without reading every minute: the store
 * knows the peaks of each key on each day, and the peaks of several keys together are at most the sum of theirs. So only the days are read whose
 * sum is greater than what was already found, or than the limit.
 */
import { dayInMs, hourInMs, minuteInMs } from '../contract/times.ts';
import type { Range } from '../usage/model.ts';
import { minutesOfWindow } from '../usage/store/load.ts';
import type { Peak, UsageReader } from '../usage/store/store.ts';
import { LoadMeter, type Most } from './load-meter.ts';
import type { LimitFit, PeakLoad, PlanLimit, SaversFit } from './model.ts';
import { iso } from './period.ts';
import { smallestPlan } from './plan-limits.ts';

/** A day whose minutes may have to be read. */
interface Day {
  readonly day: number;
  /** At most so many v2 calls in a clock hour, and in any 60 minutes. */
  readonly hour: number;
  readonly window: number;
  /** Whether they are more than at most: the peaks of the only key that called. */
  readonly exact: boolean;
}

/** Keys that share a limit. */
export interface LoadGroup {
  readonly keyHashes: readonly string[];
  /** v2 calls an hour; undefined where that is not known. */
  readonly limit: number | undefined;
}

interface Best {
  clockHour: Most | undefined;
  sliding: Most | undefined;
}

/** What the peaks of the keys of one group say; constant memory but for days that may have to be read. */
class GroupPeaks {
  readonly best: Best = { clockHour: undefined, sliding: undefined };
  readonly days: Day[] = [];
  readonly #range: Range;
  readonly #limit: number;
  readonly #alone: boolean;
  #day = -1;
  #peaks: Peak[] = [];
  #before: Peak[] = [];

  constructor(range: Range, { keyHashes, limit = Infinity }: LoadGroup) {
    this.#range = range;
    this.#limit = limit;
    this.#alone = keyHashes.length === 1;
  }

  add(peak: Peak): void {
    if (this.#alone) this.#take(peak, peak.day, peak.hourCalls, peak.windowCalls);
    else this.#gather(peak);
  }

  #take(only: Peak | undefined, day: number, hour: number, window: number): void {
    const exact = only !== undefined && within(only, this.#range);
    if (exact) raisePeaks(this.best, only);
    if (!exact || window > this.#limit) this.days.push({ day, hour, window, exact });
  }

  #gather(peak: Peak): void {
    if (peak.day !== this.#day) this.turnTo(peak.day);
    this.#peaks.push(peak);
  }

  /** Takes in the day that is over. */
  turnTo(day: number): void {
    const [only] = this.#peaks;
    if (only !== undefined) {
      // The first windows of a day hold calls of the day before, also of keys that had none since.
      const lingering = this.#before.filter(({ keyHash }) => !this.#peaks.some((peak) => peak.keyHash === keyHash));
      const hour = this.#peaks.reduce((sum, { hourCalls }) => sum + hourCalls, 0);
      const window = [...this.#peaks, ...lingering].reduce((sum, { windowCalls }) => sum + windowCalls, 0);
      this.#take(this.#peaks.length === 1 && lingering.length === 0 ? only : undefined, this.#day, hour, window);
    }
    this.#before = day === this.#day + 1 ? this.#peaks : [];
    this.#peaks = [];
    this.#day = day;
  }
}

function raise(best: Best, { clockHour, sliding }: Readonly<Best>): void {
  if ((clockHour?.v2Calls ?? 0) > (best.clockHour?.v2Calls ?? 0)) best.clockHour = clockHour;
  if ((sliding?.v2Calls ?? 0) > (best.sliding?.v2Calls ?? 0)) best.sliding = sliding;
}

function raisePeaks(best: Best, { hour, hourCalls, window, windowCalls }: Peak): void {
  if (hourCalls > (best.clockHour?.v2Calls ?? 0)) {
    best.clockHour = { since: hour * hourInMs, until: (hour + 1) * hourInMs, v2Calls: hourCalls };
  }
  if (windowCalls > (best.sliding?.v2Calls ?? 0)) {
    best.sliding = { since: window * minuteInMs, until: (window + minutesOfWindow) * minuteInMs, v2Calls: windowCalls };
  }
}

export interface Loads extends Readonly<Best> {
  readonly refused: { readonly clockHour: number; readonly sliding: number } | undefined;
}

/**
 * Reads the peaks of all keys.
 * @param groups no key is in two of them; keys that are in none do not matter
 */
export async function readPeaks(
  reader: Pick<UsageReader, 'peaks'>,
  range: Range,
  groups: readonly LoadGroup[],
): Promise<ReadonlyMap<LoadGroup, GroupPeaks>> {
  const peaks = new Map(groups.map((group) => [group, new GroupPeaks(range, group)]));
  const byKey = new Map([...peaks].flatMap(([{ keyHashes }, own]) => keyHashes.map((hash) => [hash, own] as const)));
  for await (const some of reader.peaks(range)) for (const peak of some) byKey.get(peak.keyHash)?.add(peak);
  for (const own of peaks.values()) own.turnTo(Infinity);
  return peaks;
}

/** Whether the peaks of a day lie within a range that may begin or end in the day. */
const within = ({ hour, window }: Peak, { since, until }: Range): boolean =>
  hour * hourInMs >= since &&
  window * minuteInMs >= since &&
  hour * hourInMs < until &&
  (window + minutesOfWindow) * minuteInMs <= Math.ceil(until / hourInMs) * hourInMs;

/** The loads of one group of keys, from its peaks and, where these do not tell, from its minutes. */
export async function loadsOf(
  reader: Pick<UsageReader, 'load'>,
  range: Range,
  { keyHashes, limit }: LoadGroup,
  peaks: GroupPeaks | undefined,
): Promise<Loads> {
  const meter = new LoadMeter(limit);
  const best: Best = { clockHour: undefined, sliding: undefined, ...peaks?.best };
  const days = peaks?.days ?? [];

  // First all days beyond the limit, in order of time: what v2 refuses depends on the minutes before.
  const beyond = limit === undefined ? [] : days.filter(({ window }) => window > limit);
  for (const run of runsOf(beyond)) await measure(reader, clip(run, range), keyHashes, meter);
  raise(best, meter);
  const read = new Set(beyond);
  const rest = days.filter((day) => !day.exact && !read.has(day)).toSorted((a, b) => b.window - a.window);
  for (const day of rest) {
    if (day.window <= (best.sliding?.v2Calls ?? 0) && day.hour <= (best.clockHour?.v2Calls ?? 0)) continue;
    const alone = new LoadMeter();
    await measure(reader, clip(day, range), keyHashes, alone);
    raise(best, alone);
  }
  return { ...best, refused: limit === undefined ? undefined : { clockHour: meter.refusedByClock, sliding: meter.refusedSliding } };
}

interface Run {
  readonly day: number;
  readonly to?: number;
}

/** Days that follow each other, in one. */
function runsOf(days: readonly Day[]): readonly Run[] {
  const runs: { day: number; to: number }[] = [];
  for (const { day } of days) {
    const last = runs.at(-1);
    if (last?.to === day - 1) last.to = day;
    else runs.push({ day, to: day });
  }
  return runs;
}

/** The time of some days, and the hour before them, whose calls are in their first windows. */
const clip = ({ day, to = day }: Run, { since, until }: Range): Range => ({
  since: Math.max(day * dayInMs - hourInMs, since),
  until: Math.min((to + 1) * dayInMs, until),
});

async function measure(reader: Pick<UsageReader, 'load'>, range: Range, keyHashes: readonly string[], meter: LoadMeter): Promise<void> {
  for await (const { minute, v2Calls } of reader.load(range, keyHashes)) meter.add(minute, v2Calls);
}

/**
 * What the loads of a workspace mean.
 * @param limit of its plan, null without one
 * @param uses its v1 endpoints and how many v2 calls each cost
 * @param older the most of any 60 minutes before the time that the loads are of
 * @param savers what these change
 */
export function limitFit(
  loads: Loads,
  limit: PlanLimit | null,
  limits: readonly PlanLimit[],
  uses: readonly { readonly endpoint: string; readonly v2Calls: number }[],
  older?: Most,
  savers: SaversFit | null = null,
): LimitFit {
  const { plan, notShown } =
    loads.sliding === undefined ? { plan: null, notShown: [] } : smallestPlan(limits, loads.sliding.v2Calls, limit?.plan);
  const total = uses.reduce((sum, { v2Calls }) => sum + v2Calls, 0);
  const [first] = uses.toSorted((a, b) => b.v2Calls - a.v2Calls);
  return {
    limit,
    clockHour: written(loads.clockHour),
    sliding: written(loads.sliding),
    older: written((older?.v2Calls ?? 0) > (loads.sliding?.v2Calls ?? 0) ? older : undefined),
    fit: fitOf(loads, limit?.perHour ?? undefined),
    refused: loads.refused ?? null,
    smallestPlan: plan,
    notShown,
    tame: first === undefined || total === 0 ? null : { endpoint: first.endpoint, v2Calls: first.v2Calls, share: first.v2Calls / total },
    savers,
  };
}

function fitOf({ clockHour, sliding }: Loads, limit: number | undefined): LimitFit['fit'] {
  if (limit === undefined) return 'unknown';
  if ((sliding?.v2Calls ?? 0) <= limit) return 'fits';
  return (clockHour?.v2Calls ?? 0) <= limit ? 'depends' : 'exceeds';
}

const written = (most: Most | undefined): PeakLoad | null =>
  most === undefined ? null : { since: iso(most.since), until: iso(most.until), v2Calls: most.v2Calls };
