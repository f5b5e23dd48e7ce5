/** Stores of usage, filled from a compact description, at a time that stands still. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { callerId } from '../../src/usage/caller-id.ts';
import { dayInMs, hourInMs, minuteInMs } from '../../src/contract/times.ts';
import type { Caller, ComparisonRow, Gap, Kind, SavingCounts, SavingRow, Source, Step, UsageRow } from '../../src/usage/model.ts';
import { openEraser, openLogWriter, openReader } from '../../src/usage/store/open.ts';
import type { UsageReader } from '../../src/usage/store/store.ts';
import { openWriterHere } from './writer-here.ts';

/** Friday, 2026-11-20T12:00:00Z: 41 days before the sunset. */
export const now = Date.UTC(2026, 10, 20, 12);

/** An instant, and how many calls then, at most within one minute. */
export type Calls = readonly [at: number, calls: number];

export interface Traffic {
  /** Undefined for calls without a key. */
  readonly key?: string;
  readonly client?: string;
  readonly name?: string;
  /** The label that the proxy gave the key. */
  readonly workspace?: string;
  /** Method and path template, or `unlisted`. */
  readonly endpoint?: string;
  readonly status?: number;
  readonly outcome?: Kind['outcome'];
  /** Of each call. */
  readonly v2Calls?: number;
  /** Of all calls, how many repeat an earlier one; a share. */
  readonly repeats?: number;
  readonly networks?: readonly string[];
  readonly calls: readonly Calls[];
  /** What savers would save in the hours of these instants. */
  readonly savings?: readonly (readonly [at: number, counts: SavingCounts])[];
}

/** What was imported from one source of access logs. */
export interface LogContent {
  readonly source: string;
  /** From how many days ago to how many its lines reach. */
  readonly reach: readonly [from: number, to: number];
  /** From how many days ago to how many it has no line, the earliest first. */
  readonly holes?: readonly (readonly [from: number, to: number])[];
  /** Single calls, each so many days ago; served by default. */
  readonly calls: readonly (Pick<Traffic, 'key' | 'client' | 'endpoint' | 'status'> & {
    readonly network?: string;
    readonly days: number;
  })[];
}

export interface StoreContent {
  readonly traffic: readonly Traffic[];
  /** When was recorded, from and to in days before now; the last 120 days where it is not said. */
  readonly recorded?: readonly (readonly [from: number, to: number])[];
  /** The names of the proxies that recorded these times; `proxy` where it is not said. */
  readonly replicas?: readonly string[];
  /** The same of a proxy that has not ended, named `silent`. */
  readonly unended?: readonly [from: number, to: number];
  /** How many days ago it was by the clock of that one when it first wrote; now where it is not said. */
  readonly clockOfUnended?: number;
  /** The same of a proxy that was so many days behind. */
  readonly wrongClock?: readonly [from: number, to: number, behind: number];
  /** Times of loss in days before now, and how many calls are missing. */
  readonly lost?: readonly (readonly [from: number, to: number, calls: number])[];
  /** Whether it is rolled up, and what is old is gone, as it would be now; it takes its time. */
  readonly rolledUp?: boolean;
  /** For how many days it is kept where it is rolled up; 400 where it is not said. */
  readonly keepDays?: number;
  /** Keys that are erased at last. */
  readonly erased?: readonly string[];
  readonly logs?: readonly LogContent[];
  /** What happened on the road to v2, and what comparing found. */
  readonly steps?: readonly Step[];
  readonly comparisons?: readonly ComparisonRow[];
}

/** What a report is made with where a test says nothing else: verdicts that cover weekly jobs. */
export const reportDefaults = { workspaces: [], ignore: [], assumptions: {}, rarestJob: 7 * dayInMs, replicas: [] } as const;

export const daysAgo = (days: number): number => now - days * dayInMs;
export const hoursAgo = (hours: number): number => now - hours * hourInMs;

/**
 * Calls at noon of each day, from so many days ago to so many, both included; noon of today is now.
 * @param calls of a day, or how many by the days since the first
 */
export const daily = (from: number, to: number, calls: number | ((day: number) => number)): readonly Calls[] =>
  Array.from({ length: from - to + 1 }, (_, day) => [daysAgo(from - day) - minuteInMs, typeof calls === 'number' ? calls : calls(day)]);

/** The hash under which a key is recorded in these stores. */
export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 16);

export function callerOf({ key, client = 'axios/1.7.0', name, workspace }: Omit<Traffic, 'calls'>): Caller {
  const fingerprint = key === undefined ? { keyHash: null, keyPrefix: null } : { keyHash: hashOf(key), keyPrefix: key.slice(0, 8) };
  const caller = { ...fingerprint, workspace: workspace ?? null, client, name: name ?? null };
  return { id: callerId(caller), ...caller };
}

const defaultEndpoint = 'GET /v1/messages/:id';
const listed = /^[A-Z]+(?= )/;

function rowsOf(traffic: Traffic): UsageRow[] {
  const { endpoint = defaultEndpoint, status = 200, outcome = 'translated', v2Calls = outcome === 'local' ? 0 : 1, repeats = 0 } = traffic;
  const caller = callerOf(traffic);
  const kind = { endpoint, method: listed.exec(endpoint)?.[0] ?? 'GET', status, outcome };
  const minutes = new Map<number, UsageRow>();
  for (const [at, calls] of traffic.calls) {
    const minute = Math.floor(at / minuteInMs);
    const before = minutes.get(minute)?.counts;
    if (calls === 0) continue;
    minutes.set(minute, {
      minute,
      caller,
      kind,
      counts: {
        calls: calls + (before?.calls ?? 0),
        v2Calls: calls * v2Calls + (before?.v2Calls ?? 0),
        repeats: Math.round(calls * repeats) + (before?.repeats ?? 0),
        duration: 10 * calls + (before?.duration ?? 0),
        longest: 10,
        first: Math.min(at, before?.first ?? Infinity),
        last: Math.max(at, before?.last ?? 0),
      },
    });
  }
  return [...minutes.values()];
}

function sourcesOf(traffic: Traffic): Source[] {
  const times = traffic.calls.map(([at]) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return (traffic.networks ?? []).map((network) => ({ caller: callerOf(traffic).id, network, first, last }));
}

const savingsOf = (traffic: Traffic): readonly SavingRow[] =>
  (traffic.savings ?? []).map(([at, counts]) => ({ hour: Math.floor(at / hourInMs), caller: callerOf(traffic).id, counts }));

/** Writes a store as proxies would have. */
export async function fillStore(
  path: string,
  {
    traffic,
    recorded = [[120, 0]],
    replicas = [],
    unended,
    clockOfUnended = 0,
    wrongClock,
    lost = [],
    rolledUp = false,
    keepDays = 400,
    erased = [],
    steps = [],
    comparisons = [],
    logs = [],
  }: StoreContent,
): Promise<void> {
  const writer = openWriterHere(path);
  const gaps = lost.map(([from, to, calls]): Omit<Gap, 'writer'> => ({ since: daysAgo(from), until: daysAgo(to), calls }));
  for (const [index, [from, to]] of recorded.entries()) {
    const isFirst = index === 0;
    await writer.write({
      writer: `writer-${index}`,
      replica: replicas[index] ?? 'proxy',
      clock: now,
      rows: isFirst ? traffic.flatMap(rowsOf) : [],
      sources: isFirst ? traffic.flatMap(sourcesOf) : [],
      session: { since: daysAgo(from), seen: daysAgo(to), ended: true },
      gaps: isFirst ? gaps : [],
      comparisons: isFirst ? comparisons : [],
      savings: isFirst ? traffic.flatMap(savingsOf) : [],
    });
  }
  for (const step of steps) await writer.note(step);
  if (unended !== undefined) {
    const [from, to] = unended;
    const session = { since: daysAgo(from), seen: daysAgo(to), ended: false };
    await writer.write({ writer: 'unended', replica: 'silent', clock: daysAgo(clockOfUnended), rows: [], sources: [], session, gaps: [] });
  }
  if (wrongClock !== undefined) {
    const [from, to, behind] = wrongClock;
    const session = { since: daysAgo(from), seen: daysAgo(to), ended: true };
    const late = { ...session, since: daysAgo(from - behind), seen: daysAgo(from - behind) };
    // Another one has said before what time it is.
    await writer.write({ writer: 'right', replica: 'right', clock: now, rows: [], sources: [], session: late, gaps: [] });
    await writer.write({ writer: 'wrong', replica: 'wrong', clock: daysAgo(from), rows: [], sources: [], session, gaps: [] });
  }
  if (rolledUp) await writer.maintain(now, { minutes: 2 * dayInMs, hours: 35 * dayInMs, days: keepDays * dayInMs });
  await writer.close();
  await fillLogs(path, logs);
  const eraser = await openEraser(path);
  for (const key of erased) await eraser.erase(hashOf(key));
  await eraser.close();
}

async function fillLogs(path: string, logs: readonly LogContent[]): Promise<void> {
  if (logs.length === 0) return;
  const writer = await openLogWriter(path);
  for (const { source, reach, holes = [], calls } of logs) {
    const edges = [reach[0], ...holes.flat(), reach[1]].map(daysAgo);
    const stretches = edges.flatMap((since, index) => (index % 2 === 0 ? [{ since, until: edges[index + 1] ?? since }] : []));
    const hours = calls.map(({ days }, index) => ({
      hour: Math.floor(daysAgo(days) / hourInMs),
      marks: Float64Array.of(index),
      times: Float64Array.of(daysAgo(days)),
      callers: Int32Array.of(index),
      kinds: Int32Array.of(index),
    }));
    const callers = calls.map((call) => {
      const { client, keyHash, keyPrefix } = callerOf(call);
      return { client, keyHash, keyPrefix, network: call.network ?? '198.51.100.0/24' };
    });
    const kinds = calls.map(({ endpoint = defaultEndpoint, status = 200 }) => ({ endpoint, method: 'GET', status }));
    const file = { id: 1, stretches, lines: 1_000, unread: 0 };
    await writer.add({ source, format: 'combined', at: now, file, callers, kinds, hours });
  }
  await writer.close();
}

/** A store of one test, and its reader; both go with the test. */
export async function storeWith(content: StoreContent): Promise<{ readonly path: string; readonly reader: UsageReader }> {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-report-'));
  const path = join(folder, 'usage.db');
  await fillStore(path, content);
  const reader = await openReader(path);
  onTestFinished(async () => {
    await reader.close();
    rmSync(folder, { recursive: true });
  });
  return { path, reader };
}
