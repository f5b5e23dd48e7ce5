import { minuteInMs } from '../contract/times.ts';
import type { Gap, Range, Retirement, Session } from '../usage/model.ts';

/** A recording proxy gives a sign of life every few seconds: one that gave it just now is taken to be alive. */
const signOfLife = 30_000;
/** Clocks that agree to this are taken for right. */
export const clockSlack = minuteInMs;
/** While no proxy runs, calls are refused, and clients try again: for so long, nobody is missed by it. */
const briefAbsence = minuteInMs;

/** What a store knows of its own record. */
export interface RecordKept {
  readonly sessions: readonly Session[];
  readonly gaps: readonly Gap[];
  readonly retirements?: readonly Retirement[];
}

/** One proxy of those that record to the store, by its name. */
export interface Replica {
  readonly name: string;
  readonly since: number;
  /** The last instant at which it recorded. */
  readonly until: number;
  /** `silent`: it gives no sign of life, and nobody knows whether it still serves calls. */
  readonly state: 'recording' | 'ended' | 'silent' | 'retired';
}

/** Whether a proxy that has ended is back soon enough to be expected: it may be beginning again just now. */
export const isJustEnded = ({ until: seen }: Replica, until: number): boolean => seen + briefAbsence >= until;

/**
 * When the record was kept: in the sessions of all proxies together, but not while one of them served calls that it could not record, and not
 * after one fell silent without having ended. Such a one may have been killed, or serve on and not reach the store: its silence lasts until
 * the same replica records again, or somebody says that it is gone. What a proxy recorded by a wrong clock may have been at any time from
 * when it says to when it was.
 */
export class Recording {
  /** In order of time, apart from each other. */
  readonly spans: readonly Range[];
  /** When one was silent, and when one recorded by a wrong clock; in order of time, apart from each other. */
  readonly silences: readonly Range[];
  readonly wrongTimes: readonly Range[];
  /** In order of their names. */
  readonly replicas: readonly Replica[];
  /** The last instant that any proxy recorded; undefined without one. */
  readonly until: number | undefined;
  readonly #losses: readonly Gap[];
  /** Recorded milliseconds before each of the spans. */
  readonly #before: readonly number[];
  /** Times in which a call may have been missed, from the beginning of the record on. */
  readonly #blind: readonly Range[];

  /** @param until what comes after it is not looked at */
  constructor({ sessions, gaps, retirements = [] }: RecordKept, until: number) {
    const begun = sessions.filter(({ since }) => since < until);
    const [trusted, wrong] = [begun.filter(hasRightTime), begun.filter((session) => !hasRightTime(session))];
    const histories = [...Map.groupBy(begun, ({ replica }) => replica).values()].map((own) => historyOf(own, retirements, until));
    this.replicas = histories.map(({ replica }) => replica).toSorted((a, b) => a.name.localeCompare(b.name));
    this.silences = union(histories.flatMap(({ silences }) => silences));
    this.wrongTimes = union(wrong.map((session) => wrongTimeOf(session, until)));
    const kept = union(trusted.map(({ since, seen }) => ({ since, until: seen + signOfLife > until ? until : seen })));
    const known = (spans: readonly Range[]): readonly Range[] =>
      [union(gaps), this.silences, this.wrongTimes].reduce((left, missing) => without(left, missing), spans);
    this.spans = known(kept);
    this.until = without(kept, union(gaps)).at(-1)?.until;
    this.#losses = gaps.filter(({ calls }) => calls > 0);
    let sum = 0;
    this.#before = this.spans.map((span) => (sum += span.until - span.since) - (span.until - span.since));
    const blind = this.since === undefined ? [] : without([{ since: this.since, until }], known(bridged(kept)));
    this.#blind = blind.map((range) => ({ since: range.since - clockSlack, until: Math.min(range.until + clockSlack, until) }));
  }

  /** The first instant of the record. */
  get since(): number | undefined {
    return this.spans[0]?.since;
  }

  /** How many milliseconds of a time were recorded. */
  within({ since, until }: Range): number {
    return until <= since ? 0 : this.#upTo(until) - this.#upTo(since);
  }

  /** The share of a time that was recorded. */
  share(range: Range): number {
    return range.until <= range.since ? 0 : this.within(range) / (range.until - range.since);
  }

  /** The parts of a time that were not recorded. */
  holes(range: Range): readonly Range[] {
    return without([range], this.spans);
  }

  /**
   * The latest instant at which somebody may have called who calls at least so often: all calls after the one that was seen must have met a
   * time in which nothing was recorded.
   * @param seen the last call that was recorded, or the beginning of the record for somebody who never was
   */
  hiddenUntil(seen: number, interval: number): number {
    let latest = seen;
    for (const { since, until } of this.#blind) {
      if (since > latest + interval) break;
      latest = Math.max(latest, until);
    }
    return latest;
  }

  /** Calls that are known to be missing within a time, and when the last of them may have been; undefined where there are none. */
  lost({ since, until }: Range): { readonly calls: number; readonly last: number } | undefined {
    const within = this.#losses.filter((gap) => gap.since < until && gap.until > since);
    if (within.length === 0) return undefined;
    return within.reduce((sum, gap) => ({ calls: sum.calls + gap.calls, last: Math.max(sum.last, Math.min(gap.until, until)) }), {
      calls: 0,
      last: 0,
    });
  }

  #upTo(time: number): number {
    let [low, high] = [0, this.spans.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.spans[middle]?.since ?? Infinity) < time) low = middle + 1;
      else high = middle;
    }
    const span = this.spans[low - 1];
    return span === undefined ? 0 : (this.#before[low - 1] ?? 0) + Math.min(time, span.until) - span.since;
  }
}

/**
 * A sign of life that is still to come tells of a clock that was ahead. One that came just now tells of a right one: a session has one clock
 * all along, and it was the others that were wrong, as a machine is that begins two hours ahead and then sets its clock.
 */
export const clocksChecked = (sessions: readonly Session[], now: number): readonly Session[] =>
  sessions.map((session) => {
    if (session.seen > now + clockSlack) return { ...session, behind: now - session.seen };
    return !session.ended && session.seen + signOfLife > now ? { ...session, behind: 0 } : session;
  });

const hasRightTime = ({ behind }: Session): boolean => Math.abs(behind) <= clockSlack;

const wrongTimeOf = ({ since, seen, behind }: Session, until: number): Range => ({
  since: Math.min(since, since + behind),
  until: Math.min(Math.max(seen, seen + behind), until),
});

/** What one replica did, and when it was silent: from the last sign of life of each session that has not ended to its next session. */
function historyOf(sessions: readonly Session[], retirements: readonly Retirement[], until: number) {
  const own = sessions.toSorted((a, b) => a.since - b.since);
  const name = own[0]?.replica ?? '';
  const silences: Range[] = [];
  const seen = own.reduce((latest, session) => Math.max(latest, session.seen), 0);
  const retired = retirements.find((retirement) => retirement.replica === name && retirement.at >= seen)?.at;
  let state: Replica['state'] = retired === undefined ? 'ended' : 'retired';
  for (const [index, session] of own.entries()) {
    if (session.ended) continue;
    if (session.seen + signOfLife > until) state = 'recording';
    else {
      // The clock of the next one may be a little behind. One that began long before is another proxy under the same name.
      const next = own.slice(index + 1).find(({ since }) => since >= session.seen - clockSlack)?.since;
      silences.push({ since: session.seen, until: Math.min(next ?? retired ?? until, until) });
      if (next === undefined && state !== 'recording') state = retired === undefined ? 'silent' : 'retired';
    }
  }
  return { silences, replica: { name, since: own[0]?.since ?? 0, until: Math.min(seen, until), state } };
}

/** The same spans, with brief absences between them taken as recorded. */
function bridged(spans: readonly Range[]): readonly Range[] {
  return union(
    spans.map(({ since, until }, index) => {
      const next = spans[index + 1]?.since ?? Infinity;
      return { since, until: next - until <= briefAbsence ? next : until };
    }),
  );
}

/** The same time as spans apart from each other, in order. */
function union(ranges: readonly Range[]): readonly Range[] {
  const spans: { since: number; until: number }[] = [];
  for (const { since, until } of ranges.filter((range) => range.until > range.since).toSorted((a, b) => a.since - b.since)) {
    const last = spans.at(-1);
    if (last !== undefined && since <= last.until) last.until = Math.max(last.until, until);
    else spans.push({ since, until });
  }
  return spans;
}

/** The first without the second; both as `union` gives them. */
function without(spans: readonly Range[], others: readonly Range[]): readonly Range[] {
  const left: Range[] = [];
  let next = 0;
  for (const span of spans) {
    let { since } = span;
    while ((others[next]?.until ?? Infinity) <= since) next++;
    for (let index = next; since < span.until; index++) {
      const other = others[index];
      const end = Math.min(other?.since ?? Infinity, span.until);
      if (end > since) left.push({ since, until: end });
      since = Math.max(since, other?.until ?? Infinity);
    }
  }
  return left;
}
