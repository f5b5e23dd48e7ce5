/** What was read, as the rows of the report. */
import type { Client, Directory, Group, Key, Sighting } from './clients.ts';
import type { Series } from './days.ts';
import { forecastOf } from './forecast.ts';
import { loggedOf, type Logs } from './logs/read.ts';
import { limitFit, type Loads } from './limit-fit.ts';
import type {
  Bucket,
  ClientRow,
  EndpointRow,
  Forecast,
  IgnoredRow,
  KeyRow,
  PlanLimit,
  Report,
  Seen,
  Unidentified,
  WorkspaceNow,
  WorkspaceMark,
  WorkspaceRow,
} from './model.ts';
import { dayInMs } from '../contract/times.ts';
import type { Erased } from '../usage/model.ts';
import { lastMidnight } from './days.ts';
import { iso, type Period } from './period.ts';
import { pollingOf } from './polling.ts';
import { isJustEnded, type Recording } from './recording.ts';
import type { RoadOfAll } from './rollout/read.ts';
import { saversFit, type SaversMeter } from './savers.ts';
import { type Comparison, successorOf } from './tally.ts';
import type { Totals } from './totals.ts';
import { successorsIn } from './rotated-keys.ts';
import type { Verdict } from './verdict-model.ts';
import { type ClientCalls, quietOf, type Subject, verdictOf } from './verdict.ts';

/** All that was read from the store. */
export interface Facts {
  readonly period: Period;
  readonly recording: Recording;
  readonly directory: Directory;
  /** Names of those that the report is of; null where it is of all. */
  readonly of: readonly string[] | null;
  readonly totals: Totals;
  /** Calls day by day, for the forecasts, and as the trend has them. */
  readonly days: Series;
  /** The share of each of these days that was recorded, the last one first: the same for all whose calls are forecast. */
  readonly recordedDays: readonly number[];
  readonly trend: Series;
  readonly buckets: readonly { readonly start: number; readonly recorded: number }[];
  readonly limits: readonly PlanLimit[];
  readonly loads: ReadonlyMap<Group, Loads>;
  /** Those of the period before the time that `loads` are of. */
  readonly olderLoads: ReadonlyMap<Group, Loads>;
  /** What savers would save, of the same time as `loads`. */
  readonly savers: ReadonlyMap<Group, SaversMeter>;
  readonly comparison: Comparison | undefined;
  /** Who called after the period, and when last. */
  readonly later: ReadonlyMap<Client, number>;
  readonly erased: readonly Erased[];
  /** The longest time between two runs of any job, where its workspace has none of its own; and of any workspace. */
  readonly rarestJob: number;
  readonly anybodysRarestJob: number;
  /** Names of the proxies that have to record. */
  readonly replicas: readonly string[];
  /** Who called in the last seven days. */
  readonly workspaceNow: (group: Group) => WorkspaceNow;
  /** Undefined where no access log was imported. */
  readonly logs: Logs | undefined;
  /** Undefined where the record has no roll-out. */
  readonly road: RoadOfAll | undefined;
  /** How things stand with a workspace, as people noted it. */
  readonly markOf: (group: Group) => WorkspaceMark | null;
}

type Rows = Pick<Report, 'verdict' | 'total' | 'trend' | 'workspaces' | 'keys' | 'clients' | 'endpoints' | 'unidentified' | 'ignored'>;

export function rowsOf(facts: Facts): Rows {
  const { directory, totals, comparison } = facts;
  const clients = [...new Set(directory.clients.values())].filter(wasSeen);
  const successorsOf = successorsIn(directory.strangers);
  return {
    verdict: facts.of === null ? verdictOfAll(facts, clients) : verdictOfSome(facts, clients, successorsOf),
    total: totals.all.usage(comparison),
    trend: facts.buckets.map((bucket) => bucketOf(facts, bucket)),
    workspaces: directory.groups
      .filter((group) => group.origin === 'configured' || wasSeen(group))
      .map((group) => workspaceRow(facts, group, successorsOf))
      .toSorted(byUrgency),
    keys: directory.keys
      .filter(wasSeen)
      .map((key) => ({ accepted: key.clients.some(({ accepted }) => accepted), row: keyRow(facts, key) }))
      .toSorted((a, b) => acceptedFirst(a, b) || byCalls(a.row, b.row))
      .map(({ row }) => row),
    clients: clients.map((client) => clientRow(facts, client)).toSorted((a, b) => acceptedFirst(a, b) || byCalls(a, b)),
    endpoints: endpointRows(facts).toSorted(byCalls),
    unidentified: unidentified(facts, clients),
    // A reason may name others.
    ignored: facts.of === null ? ignoredRows(facts) : [],
  };
}

const verdictOfAll = (facts: Facts, clients: readonly Client[]): Verdict =>
  verdictOf(callsOf(facts, clients), facts.recording, facts.period.until, {
    ...subjectOf(facts, clients, [...facts.later.keys()]),
    who: 'all',
    rarestJob: facts.anybodysRarestJob,
    ignores: [...facts.directory.clients.values()].some(({ ignored }) => ignored.all !== undefined || ignored.endpoints.size > 0),
    unseen: facts.directory.groups
      .filter((group) => !wasSeen(group) && loggedOf(facts.logs, group.name) === undefined)
      .map(({ name }) => name),
    logged: loggedIn(facts, () => true),
  });

/** Of some workspaces together, by the rules of each of them. */
function verdictOfSome(facts: Facts, clients: readonly Client[], successorsOf: (group: Group) => readonly Client[]): Verdict {
  const { groups, others } = facts.directory;
  const successors = new Set(groups.flatMap((group) => successorsOf(group).filter(wasSeen)));
  const verdict = verdictOf(callsOf(facts, [...clients, ...others.filter(wasSeen)]), facts.recording, facts.period.until, {
    ...subjectOf(facts, clients, [...facts.later.keys()]),
    who: 'workspace',
    rarestJob: groups.reduce((rarest, group) => Math.max(rarest, rarestJobOf(facts, group)), 0),
    moved: callsOf(facts, [...successors]),
    logged: loggedIn(facts, () => true),
  });
  return withoutStrangers(facts, verdict);
}

/** A report of some names no clients of others, who may be theirs or not. */
const withoutStrangers = ({ of, directory }: Facts, verdict: Verdict): Verdict =>
  of === null
    ? verdict
    : {
        ...verdict,
        blockers: verdict.blockers.map((blocker) =>
          'latest' in blocker ? { ...blocker, latest: blocker.latest.filter((id) => directory.clients.has(id)) } : blocker,
        ),
      };

const wasSeen = ({ seen }: { readonly seen: { readonly last: number } }): boolean => seen.last > 0;
const hasCalled = ({ tally }: Client): boolean => tally.calls > 0;

const byCalls = (a: { readonly usage: { readonly calls: number } }, b: { readonly usage: { readonly calls: number } }): number =>
  b.usage.calls - a.usage.calls;

/** Scanners make more calls than customers, and concern nobody. */
const acceptedFirst = (a: { readonly accepted: boolean }, b: { readonly accepted: boolean }): number =>
  Number(b.accepted) - Number(a.accepted);

const rankOf = ({ origin, lastSeen, accepted }: WorkspaceRow): number =>
  lastSeen === null ? 2 : !accepted ? 3 : origin === 'unknown' ? 0 : 1;
const verdictRank = { not_yet: 0, unknown: 1, safe: 2 } as const;
const byUrgency = (a: WorkspaceRow, b: WorkspaceRow): number =>
  rankOf(a) - rankOf(b) ||
  verdictRank[a.verdict.state] - verdictRank[b.verdict.state] ||
  b.now.calls - a.now.calls ||
  byCalls(a, b) ||
  a.name.localeCompare(b.name);

const seenOf = ({ first, last }: Pick<Sighting, 'first' | 'last'>): Seen =>
  last > 0 ? { firstSeen: iso(first), lastSeen: iso(last) } : { firstSeen: null, lastSeen: null };

/** Those of the clients whose calls say that v1 is in use. */
const callsOf = (facts: Facts, clients: readonly Client[]): readonly ClientCalls[] =>
  clients.filter(({ accepted }) => accepted).map((client) => callsOfClient(facts, client));

const callsOfClient = (facts: Facts, { caller, key, seen, longestPause }: Client): ClientCalls => ({
  id: caller.id,
  workspace: key?.group.name,
  last: seen.last,
  longestPause,
  rarestJob: rarestJobOf(facts, key?.group),
});

/** Whoever belongs to no workspace that is known may belong to each of them. */
export const rarestJobOf = (
  { rarestJob, anybodysRarestJob }: Pick<Facts, 'rarestJob' | 'anybodysRarestJob'>,
  group: Group | undefined,
): number => (group === undefined || group.origin === 'unknown' ? anybodysRarestJob : (group.workspace?.rarestJob ?? rarestJob));

/** What a verdict on some clients has to know, beside their calls. */
function subjectOf(facts: Facts, clients: readonly Client[], called: readonly Client[]): Omit<Subject, 'who'> {
  const { recording, period } = facts;
  const there = recording.replicas.filter((replica) => replica.state !== 'ended' || isJustEnded(replica, period.until));
  const names = new Set(there.map(({ name }) => name));
  return {
    rarestJob: facts.rarestJob,
    later: laterOf(
      facts,
      called.filter(({ accepted }) => accepted),
    ),
    erased: facts.erased,
    ignores: false,
    moved: [],
    refused: clients.filter(({ accepted }) => !accepted).length,
    unseen: [],
    missing: facts.replicas.filter((name) => !names.has(name)),
    logged: [],
    reach: facts.logs?.reach ?? new Map(),
  };
}

/** Calls in access logs, with the rarest job of whoever made them. */
function loggedIn(facts: Facts, isAsked: (workspace: string | undefined) => boolean): Subject['logged'] {
  const asked = facts.logs?.calls.filter(({ workspace }) => isAsked(workspace)) ?? [];
  return asked.map((calls) => ({ ...calls, rarestJob: rarestJobOf(facts, groupOf(facts, calls.workspace)) }));
}

const groupOf = ({ directory }: Facts, name: string | undefined): Group | undefined =>
  name === undefined ? undefined : directory.groups.find((group) => group.name === name);

/** Those of some clients that called after the period. */
function laterOf({ later }: Facts, clients: readonly Client[]) {
  const times = clients.flatMap((client) => later.get(client) ?? []);
  return times.length === 0 ? undefined : { clients: times.length, last: times.reduce((a, b) => Math.max(a, b)) };
}

function forecast({ recordedDays, period, days }: Facts, group: Group): Forecast {
  const { first, last } = group.seen;
  const end = lastMidnight(period.until);
  const startOf = (daysBack: number): number => end - (daysBack + 1) * dayInMs;
  return forecastOf(
    {
      end,
      calls: (daysBack) => days.callsAt(startOf(daysBack), group),
      recorded: (daysBack) => recordedDays[daysBack] ?? 0,
      first: last > 0 ? first : undefined,
      last: last > 0 ? last : undefined,
    },
    period.until,
  );
}

/** What was recorded is told, however little of the time it is; nothing is only told where the time was recorded. */
function bucketOf({ trend }: Facts, { start, recorded }: { readonly start: number; readonly recorded: number }): Bucket {
  const calls = trend.callsAt(start);
  const known = recorded > 0 || calls > 0;
  return { start: iso(start), calls: known ? calls : null, v2Calls: known ? trend.v2CallsAt(start) : null, recorded };
}

function workspaceRow(facts: Facts, group: Group, successorsOf: (group: Group) => readonly Client[]): WorkspaceRow {
  const { name, origin, workspace } = group;
  const uses = group.uses.rows();
  const logged = loggedOf(facts.logs, name);
  const limit = facts.limits.find(({ plan }) => plan === workspace?.plan) ?? null;
  const successors = successorsOf(group).filter(wasSeen);
  const loads = facts.loads.get(group) ?? { clockHour: undefined, sliding: undefined, refused: undefined };
  return {
    name,
    origin,
    plan: workspace?.plan ?? null,
    owner: workspace?.owner ?? null,
    contact: workspace?.contact ?? null,
    note: workspace?.note ?? null,
    mark: facts.markOf(group),
    keys: group.keys.filter(wasSeen).map(({ hash }) => hash),
    clients: group.clients.filter(hasCalled).length,
    accepted: group.clients.some(({ accepted }) => accepted),
    usage: group.tally.usage(facts.comparison),
    now: facts.workspaceNow(group),
    ...seenOf(group.seen),
    trend: facts.buckets.map(({ start, recorded }) => {
      const calls = facts.trend.callsAt(start, group);
      return recorded > 0 || calls > 0 ? calls : null;
    }),
    endpoints: uses,
    limit: limitFit(
      loads,
      limit,
      facts.limits,
      uses,
      facts.olderLoads.get(group)?.sliding,
      saversFit(facts.savers.get(group), limit, facts.limits),
    ),
    polling: pollingOf(uses),
    probably: [
      ...new Set(successors.flatMap(({ caller, key }) => (facts.directory.clients.has(caller.id) ? (key?.group.name ?? []) : []))),
    ],
    verdict: withoutStrangers(
      facts,
      verdictOf(callsOf(facts, [...group.clients, ...facts.directory.others].filter(wasSeen)), facts.recording, facts.period.until, {
        ...subjectOf(facts, group.clients.filter(wasSeen), group.clients),
        who: 'workspace',
        rarestJob: rarestJobOf(facts, group),
        moved: callsOf(facts, successors),
        logged: loggedIn(facts, (workspace) => workspace === undefined || workspace === name),
      }),
    ),
    forecast: forecast(facts, group),
    ...(facts.road === undefined ? {} : { road: facts.road.of(group) }),
    ...(logged === undefined ? {} : { logged }),
  };
}

const keyRow = ({ comparison }: Facts, { hash, prefix, group, clients, tally, seen }: Key): KeyRow => ({
  hash,
  prefix,
  workspace: group.name,
  clients: clients.filter(hasCalled).length,
  usage: tally.usage(comparison),
  ...seenOf(seen),
});

const clientRow = (facts: Facts, client: Client): ClientRow => ({
  id: client.caller.id,
  workspace: client.key?.group.name ?? null,
  keyHash: client.caller.keyHash,
  keyPrefix: client.caller.keyPrefix,
  product: client.caller.client,
  name: client.caller.name,
  usage: client.tally.usage(facts.comparison),
  ...seenOf(client.seen),
  endpoints: client.uses.rows(),
  sources: client.sources.map(({ network, first, last }) => ({ network, firstSeen: iso(first), lastSeen: iso(last) })),
  quiet: quietOf(callsOfClient(facts, client), facts.period.until),
  accepted: client.accepted,
});

const endpointRows = ({ totals, comparison }: Facts): readonly EndpointRow[] =>
  [...totals.endpoints].map(([endpoint, { tally, clients, groups }]) => ({
    endpoint,
    successor: successorOf(endpoint),
    clients: clients.size,
    workspaces: groups.size,
    usage: tally.usage(comparison),
  }));

function unidentified({ totals, comparison }: Facts, clients: readonly Client[]): Unidentified | null {
  const nobodys = clients.filter(({ key }) => key === undefined);
  if (nobodys.length === 0) return null;
  const first = nobodys.reduce((earliest, { seen }) => Math.min(earliest, seen.first), Infinity);
  const last = nobodys.reduce((latest, { seen }) => Math.max(latest, seen.last), 0);
  return {
    clients: totals.unidentified.clients.size,
    usage: totals.unidentified.tally.usage(comparison),
    endpoints: totals.unidentifiedUses.rows(),
    ...seenOf({ first, last }),
  };
}

const ignoredRows = ({ totals }: Facts): readonly IgnoredRow[] =>
  [...totals.ignored].map(([{ reason }, { tally, clients }]) => ({
    reason,
    calls: tally.calls,
    v2Calls: tally.v2Calls,
    clients: clients.size,
    last: tally.usage(undefined).last,
  }));
