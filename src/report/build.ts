/**
 * From the record to the report. Rows of the store are read as streams and added up at once: memory grows with the clients, their endpoints and
 * the days of the trend, not with the calls or the rows.
 */
import type { Moment } from '../config/types-report.ts';
import { assume, type Assumptions } from '../contract/assumptions.ts';
import { daysUntil } from '../usage/deprecated-use.ts';
import type { IgnoreRule } from '../usage/ignored.ts';
import { dayInMs, hourInMs } from '../contract/times.ts';
import type { Rollout } from '../rollout/rules.ts';
import type { Gap, Range } from '../usage/model.ts';
import type { UsageReader } from '../usage/store/store.ts';
import type { Workspace } from '../usage/workspaces.ts';
import { Activity, weekInMs } from './burn-down/activity.ts';
import { burnDownOf, readEdges, workspacesNow } from './burn-down/read.ts';
import { joinCode } from './code/join.ts';
import type { CodeFindings } from './code/model.ts';
import { type Client, type Directory, type Group, readDirectory } from './clients.ts';
import { CountedCalls } from './counted.ts';
import { comparedShare, coverageOf } from './coverage.ts';
import { bucketsOf, lastMidnight, recordedDays, Rhythm, Series } from './days.ts';
import { daysOfForecast } from './forecast.ts';
import { foundBase } from './found/base.ts';
import { type Find, findsAll } from './found/search.ts';
import { type Loads, loadsOf, readPeaks } from './limit-fit.ts';
import { markFinder } from './marks.ts';
import { readLogs } from './logs/read.ts';
import { type Coverage, type PlanLimit, type Report, reportVersion, type Sunset } from './model.ts';
import { type OwnBase, ownBase, type OwnCalls, readOutsiders } from './own/base.ts';
import { readRecentCalls, type RecentCalls } from './own/recent.ts';
import { SharedReading } from './own/reading.ts';
import { numbered } from './own/road.ts';
import { iso, type Period, periodBefore, resolvePeriod, sizeInMs } from './period.ts';
import { planLimits } from './plan-limits.ts';
import { clocksChecked, Recording } from './recording.ts';
import { readRoad } from './rollout/read.ts';
import { RoadTotals } from './rollout/tally.ts';
import { type Facts, rarestJobOf, rowsOf } from './rows.ts';
import type { Comparison } from './tally.ts';
import { readSavers } from './savers.ts';
import { Totals } from './totals.ts';
import { groupsOf, isEverybody, type Whose } from './whose.ts';

/** What the configuration says of those who call, and of what a verdict has to cover. */
export interface ReportSettings {
  readonly workspaces: readonly Workspace[];
  readonly ignore: readonly IgnoreRule[];
  /** What the user gave in place of assumed values. */
  readonly assumptions: Partial<Assumptions>;
  /** The longest time between two runs of any job, in milliseconds. */
  readonly rarestJob: number;
  /** Names of the proxies that have to record. */
  readonly replicas: readonly string[];
  /** As the proxies have it: the brownouts to come, and whom a rule is about, are in no record. */
  readonly rollout?: Rollout | undefined;
  /** Of the hashes in the record, where the proxies were given one; the store's own otherwise. */
  readonly hashSecret?: string | undefined;
}

export interface ReportOptions extends ReportSettings {
  readonly since: Moment;
  /** Now, where it is not given. */
  readonly until?: Moment | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  /** What the codemods found, a run for each repository. */
  readonly findings?: readonly CodeFindings[] | undefined;
  /** Those whom it is of, and nobody else; all where nothing is given. */
  readonly of?: Whose | undefined;
  /** To be compared with a later one: its verdicts then know nothing of calls after `until`, which otherwise keep it from being SAFE. */
  readonly asOfThen?: boolean;
  /** Where the last week begins: exactly seven days before the end, or, for what is made week by week, at the midnight before that. */
  readonly weekFromMidnight?: boolean;
  /** What somebody searches for: it is of what is found alone. */
  readonly find?: Find | undefined;
}

/**
 * Makes the report of a store.
 * @param reader one consistent state of it; it is not closed
 * @throws ConfigError for a period that cannot be reported, see resolvePeriod, and for names that mean nobody
 * @throws StoreError
 */
export async function buildReport(reader: UsageReader, options: ReportOptions): Promise<Report> {
  const { of, find } = options;
  if (find !== undefined && !findsAll(find)) {
    const base = await readBase(reader, options);
    return reportOf({ ...base, ...(await foundBase(reader, base.directory, base.history, { find, now: options.now })) }, options);
  }
  if (of === undefined || isEverybody(of)) return reportOf(await readBase(reader, options), options);
  const own = await ownReports(reader, options);
  return own.reportOf(groupsOf(own.groups, of));
}

export interface OwnReports {
  /** All that there are. */
  readonly groups: readonly Group[];
  /** Makes the report of some of them, and of nobody else; each of them once. */
  reportOf(groups: ReadonlySet<Group>, calls?: OwnCalls): Promise<Report>;
  /** What they called in the last seven days of the period, but for clients that v2 never accepted. */
  recentCallsOf(groups: ReadonlySet<Group>): Promise<RecentCalls>;
}

/** Reads a store once, for reports of some of those who call: nothing of anybody else is in any of them. */
export async function ownReports(reader: UsageReader, options: ReportOptions): Promise<OwnReports> {
  const base = await readBase(reader, options, numbered('proxy'));
  const shared = new SharedReading(reader);
  await readOutsiders(shared, base.directory, base.history);
  const names = { rule: numbered('rule'), replica: base.replicaName, log: numbered('log') };
  const replicas = options.replicas.map(names.replica);
  const week = await reader.widen({ since: base.period.until - 7 * dayInMs, until: base.period.until });
  return {
    groups: base.directory.groups,
    recentCallsOf: async (groups) =>
      readRecentCalls(ownBase(shared, base.directory, groups, { rollout: undefined, names, calls: 'accepted' }), week, options.ignore),
    reportOf: (groups, calls = 'all') => {
      const { rollout } = options;
      const own = ownBase(shared, base.directory, groups, { rollout, names, calls });
      return reportOf(
        {
          ...base,
          reader: own.reader,
          directory: own.directory,
          nobodysLogs: own.nobodysLogs,
          of: own.directory.groups.map(({ name }) => name),
        },
        { ...options, workspaces: own.workspaces, rollout: own.rollout, replicas, findings: undefined },
      );
    },
  };
}

/** What a report is made of, whomever it is of. */
interface Base {
  readonly reader: UsageReader;
  readonly period: Period;
  readonly history: Range;
  readonly before: Range | undefined;
  readonly recording: Recording;
  readonly directory: Directory;
  readonly of: readonly string[] | null;
  readonly search?: string | undefined;
  /** What is said of the time is the same for all. */
  readonly recordedDays: readonly number[];
  readonly buckets: Facts['buckets'];
  readonly coverage: Coverage;
  readonly replicaName: (name: string) => string;
  /** Uses without a key in access logs, where `reader` leaves them out. */
  readonly nobodysLogs?: OwnBase['nobodysLogs'];
}

/** @param replicaName what proxies are called */
async function readBase(reader: UsageReader, options: ReportOptions, replicaName = (name: string): string => name): Promise<Base> {
  const period = await keptPeriod(reader, resolvePeriod(options, options.now));
  const history: Range = { since: 0, until: period.until };
  const gaps = await reader.gaps(history);
  const renamed = <Named extends { readonly replica: string }>(rows: readonly Named[]): readonly Named[] =>
    rows.map((row) => ({ ...row, replica: replicaName(row.replica) }));
  const sessions = clocksChecked(renamed(await reader.sessions(history)), options.now);
  const recording = new Recording({ sessions, gaps, retirements: renamed(await reader.retirements()) }, period.until);
  return {
    reader,
    period,
    history,
    before: await comparableTime(reader, period, recording),
    recording,
    directory: await readDirectory(reader, options.workspaces, options.ignore, history, options.hashSecret),
    of: null,
    recordedDays: recordedDays(lastMidnight(period.until), daysOfForecast, recording),
    buckets: bucketsOf(period, recording),
    coverage: coverageOf(recording, within(gaps, period), period),
    replicaName,
  };
}

async function reportOf(base: Base, options: ReportOptions): Promise<Report> {
  const { reader, period, history, before, recording, directory, coverage } = base;
  const totals = new Totals(options.ignore);
  const roadTotals = new RoadTotals();
  for await (const row of reader.totals(period)) {
    const client = directory.clients.get(row.caller);
    totals.add(row, client);
    roadTotals.add(row, client);
  }
  if (before !== undefined) for await (const row of reader.totals(before)) totals.addBefore(row, directory.clients.get(row.caller));
  const { activity, ...series } = await readSeries(reader, directory, period, options.weekFromMidnight === true);
  const limits = planLimits(options.assumptions);
  const assumptions = assume(options.assumptions);
  const sunset = Date.parse(assumptions.sunsetAt);
  const logs = await readLogs(reader, directory, options, period, base.nobodysLogs);
  const road = await readRoad(reader, directory, period, roadTotals, { rollout: options.rollout, sunset, now: options.now });

  const facts: Facts = {
    ...base,
    totals,
    ...series,
    limits,
    ...(await readRecentLoads(reader, period, directory, limits)),
    comparison: before === undefined ? undefined : comparisonOf(period, before),
    later: options.asOfThen === true ? new Map() : await readLater(reader, directory, history),
    erased: await reader.erased(),
    rarestJob: options.rarestJob,
    anybodysRarestJob: options.workspaces.reduce((rarest, workspace) => Math.max(rarest, workspace.rarestJob ?? 0), options.rarestJob),
    replicas: options.replicas,
    workspaceNow: workspacesNow(activity),
    road,
    logs,
    markOf: markFinder(await reader.marks(), period.until, options.now),
  };
  const rows = rowsOf(facts);
  const reported = { since: iso(period.since), until: iso(period.until), size: period.size };
  const otherCalls = [...totals.ignoredUses.rows(), ...(logs?.rows ?? []).flatMap(({ endpoints }) => endpoints)];
  return {
    version: reportVersion,
    made: iso(options.now),
    period: reported,
    before: before === undefined ? null : { since: iso(before.since), until: iso(before.until) },
    sunset: sunsetOf(assumptions, period.until),
    of: base.of,
    ...(base.search === undefined ? {} : { search: base.search }),
    ...rows,
    burnDown: burnDownOf({
      activity,
      recording,
      until: period.until,
      rarestJob: (group) => rarestJobOf(facts, group),
      sunset,
      probably: new Map(rows.workspaces.map(({ name, probably }) => [name, probably])),
      marks: new Map(rows.workspaces.map(({ name, mark }) => [name, mark])),
    }),
    coverage,
    plans: limits,
    ...(options.findings === undefined
      ? {}
      : { code: joinCode({ clients: rows.clients, period: reported }, options.findings, otherCalls) }),
    ...(road === undefined ? {} : { rollout: road.rollout }),
    ...(logs === undefined ? {} : { logs: logs.rows }),
  };
}

/** A period whose hours are gone is told day by day. */
async function keptPeriod(reader: UsageReader, period: Period): Promise<Period> {
  const { since, until } = await reader.widen(period);
  if (period.size === 'day' || (since >= period.since && until < period.until + hourInMs)) return period;
  const end = Math.ceil(period.until / dayInMs) * dayInMs;
  return { size: 'day', since: lastMidnight(period.since), until: Math.max(period.until, Math.min(end, until)) };
}

/** The time before, as it is kept, if it was recorded well enough to be compared, as the period has to be. */
async function comparableTime(reader: UsageReader, period: Period, recording: Recording): Promise<Range | undefined> {
  const before = await reader.widen(periodBefore(period));
  return [period, before].every((range) => recording.share(range) >= comparedShare) ? before : undefined;
}

const comparisonOf = (period: Range, before: Range): Comparison => ({
  lengths: { period: period.until - period.since, before: before.until - before.since },
});

/** The whole record day by day, and where the report goes by the hour, the period once more. */
async function readSeries(reader: UsageReader, directory: Directory, period: Period, weekFromMidnight: boolean) {
  const history: Range = { since: 0, until: period.until };
  const counted = await CountedCalls.of(reader, directory, history);
  const midnight = lastMidnight(period.until);
  const range: Range = { since: Math.min(period.since, midnight - daysOfForecast * dayInMs), until: period.until };
  const days = new Series(range, dayInMs);
  const rhythm = new Rhythm();
  const activity = new Activity(period.until, weekFromMidnight ? lastMidnight(period.until - weekInMs) : undefined);
  await counted.read(history, 'day', (point, client) => {
    rhythm.add(point, client);
    activity.add(point, client);
    days.add(point, client.key?.group);
  });
  rhythm.end();
  await readEdges(reader, counted, activity);
  if (period.size === 'day') return { days, trend: days, activity };
  const trend = new Series(period, sizeInMs[period.size]);
  await counted.read(period, 'hour', (point, client) => trend.add(point, client.key?.group));
  return { days, trend, activity };
}

/** Who called after all that the report tells of: later than a period that is over, or later than now by the clock of a proxy. */
async function readLater(reader: UsageReader, directory: Directory, history: Range): Promise<ReadonlyMap<Client, number>> {
  const range: Range = { since: (await reader.widen(history)).until, until: Number.MAX_SAFE_INTEGER };
  const counted = await CountedCalls.of(reader, directory, range);
  const later = new Map<Client, number>();
  await counted.read(range, 'day', ({ last }, client) => later.set(client, Math.max(last, later.get(client) ?? 0)));
  return later;
}

/** How long before the end of a period its loads tell of what will come. */
const recentTime = 30 * dayInMs;

async function readRecentLoads(reader: UsageReader, { since, until }: Range, { groups }: Directory, limits: readonly PlanLimit[]) {
  const limitOf = ({ workspace }: Group): number | undefined => limits.find(({ plan }) => plan === workspace?.plan)?.perHour ?? undefined;
  const from = Math.max(since, lastMidnight(until - recentTime));
  return {
    loads: await readLoads(reader, { since: from, until }, groups, limitOf),
    olderLoads: await readLoads(reader, { since, until: from }, from > since ? groups : [], () => undefined),
    savers: await readSavers(reader, { since: from, until }, groups),
  };
}

async function readLoads(
  reader: UsageReader,
  range: Range,
  groups: readonly Group[],
  limitOf: (group: Group) => number | undefined,
): Promise<ReadonlyMap<Group, Loads>> {
  const keysOf = new Map(groups.map((group) => [group, { keyHashes: group.keys.map(({ hash }) => hash), limit: limitOf(group) }]));
  const peaks = await readPeaks(reader, range, [...keysOf.values()]);
  const loads = new Map<Group, Loads>();
  for (const [group, keys] of keysOf) loads.set(group, await loadsOf(reader, range, keys, peaks.get(keys)));
  return loads;
}

function sunsetOf({ deprecatedSince, sunsetAt }: Assumptions, until: number): Sunset {
  const at = Date.parse(sunsetAt);
  return { deprecatedSince: iso(Date.parse(deprecatedSince)), at: iso(at), days: daysUntil(at, until), passed: until >= at };
}

const within = (gaps: readonly Gap[], { since, until }: Range): readonly Gap[] =>
  gaps.filter((gap) => gap.since < until && gap.until > since);
