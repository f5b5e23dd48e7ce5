/** A store in memory, for reports on thousands of records: it answers by the day, as a store does of what is long ago. */
import { callerId } from '../../../src/usage/caller-id.ts';
import { dayInMs } from '../../../src/contract/times.ts';
import type { Counts, Gap, Range, Session, V1Kind } from '../../../src/usage/model.ts';
import type { Point, Totals, UsageReader } from '../../../src/usage/store/store.ts';

export interface RecordedCall {
  /** A number of its own for each caller. */
  readonly caller: number;
  /** By the clock of the proxy. */
  readonly at: number;
}

export interface MemoryRecord {
  readonly calls: readonly RecordedCall[];
  readonly sessions: readonly Session[];
  readonly gaps: readonly Gap[];
}

const kind: V1Kind = { endpoint: 'GET /v1/contacts', method: 'GET', status: 200, outcome: 'translated' };
const countsOf = ({ calls, first, last }: Point): Counts => ({ calls, v2Calls: calls, repeats: 0, duration: 0, longest: 0, first, last });

async function* streamOf<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}

const callerOf = (number: number) => {
  const caller = {
    keyHash: String(number).padStart(16, '0'),
    keyPrefix: `key_${number}`,
    workspace: `W${number}`,
    client: 'app',
    name: null,
  };
  return { id: callerId(caller), ...caller, longestPause: null };
};

function pointsOf(calls: readonly RecordedCall[]): readonly Point[] {
  const days = Map.groupBy(calls, ({ caller, at }) => `${caller} ${Math.floor(at / dayInMs)}`);
  const points = [...days.values()].map((same): Point => {
    const times = same.map(({ at }) => at);
    const [first, last] = [Math.min(...times), Math.max(...times)];
    const caller = callerOf(same[0]?.caller ?? 0).id;
    return { caller, start: Math.floor(first / dayInMs) * dayInMs, calls: same.length, v2Calls: same.length, first, last };
  });
  return points.toSorted((a, b) => a.caller - b.caller || a.start - b.start);
}

/** Reads a record. */
export function memoryReader({ calls, sessions, gaps }: MemoryRecord): UsageReader {
  const points = pointsOf(calls);
  const dayOf = (time: number): number => Math.floor(time / dayInMs) * dayInMs;
  // Days whole, as a store answers of what it has rolled up; the day of the end is told up to it.
  const within = ({ since, until }: Range): readonly Point[] =>
    pointsOf(calls.filter(({ at }) => at >= dayOf(since) && at < until && points.length > 0));
  return {
    hashSecret: '',
    callers: async () => [...new Set(calls.map(({ caller }) => caller))].map(callerOf),
    callersOf: async (isSuch) => new Set(isSuch(kind) ? points.map(({ caller }) => caller) : []),
    erased: async () => [],
    sources: () => streamOf([]),
    widen: async (range) => range,
    totals: (range) => streamOf(within(range).map((point): Totals => ({ caller: point.caller, kind, counts: countsOf(point) }))),
    series: (range) => streamOf([within(range)]),
    seriesWithout: () => streamOf([]),
    peaks: () => streamOf([]),
    load: () => streamOf([]),
    savings: () => streamOf([]),
    sessions: async () => sessions,
    gaps: async () => gaps,
    retirements: async () => [],
    marks: async () => [],
    steps: async () => [],
    comparisons: async () => [],
    logSources: async () => [],
    logUses: async () => [],
    close: async () => undefined,
  };
}
