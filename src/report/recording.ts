import type { Gap, Range, Session } from '../usage/model.ts';

/** A recording proxy gives a sign of life every few seconds: one that gave it just now is taken to be alive. */
const signOfLife = 30_000;

/**
 * When the record was kept: in the sessions of all proxies together, but not while one of them served calls that it could not record, and not
 * after one fell silent without having ended. Such a one may have been killed, or serve on and not reach the store; the next session that
 * begins is taken for its successor.
 */
export class Recording {
  /** In order of time, apart from each other. */
  readonly spans: readonly Range[];
  /** When others recorded, and one was silent. */
  readonly silences: readonly Range[];
  /** The last instant that any proxy recorded; undefined without one. */
  readonly until: number | undefined;
  readonly #losses: readonly Gap[];
  /** Recorded milliseconds before each of the spans. */
  readonly #before: readonly number[];

  /** @param until what comes after it is not looked at */
  constructor(sessions: readonly Session[], gaps: readonly Gap[], until: number) {
    const kept = union(sessions.map(({ since, seen }) => ({ since, until: seen + signOfLife > until ? until : seen })));
    const recorded = without(kept, union(gaps));
    this.spans = without(recorded, union(silencesOf(sessions, until)));
    this.silences = without(recorded, this.spans);
    this.until = recorded.at(-1)?.until;
    this.#losses = gaps.filter(({ calls }) => calls > 0);
    let sum = 0;
    this.#before = this.spans.map(({ since, until }) => (sum += until - since) - (until - since));
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

/** From the last sign of life of each session that has not ended to the beginning of the next one. */
function silencesOf(sessions: readonly Session[], until: number): readonly Range[] {
  const starts = sessions.map(({ since }) => since).toSorted((a, b) => a - b);
  const silent = sessions.filter(({ ended, seen }) => !ended && seen + signOfLife <= until);
  return silent.map(({ seen }) => ({ since: seen, until: starts.find((start) => start > seen) ?? until }));
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
