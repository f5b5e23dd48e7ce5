/**
 * May v1 be switched off? Only a record that would have shown a call can say that there was none: docs/verdict.md has the rules as a table.
 * Each rule is a blocker; nothing is safe as long as there is one.
 */
import { dayInMs } from '../contract/times.ts';
import type { Erased, Range } from '../usage/model.ts';
import { holesOf } from '../usage/logs/stretches.ts';
import { neededShare } from './coverage.ts';
import type { Blocker, Condition, Quiet, Verdict } from './verdict-model.ts';
import type { LoggedCalls } from './logs/read.ts';
import { iso } from './period.ts';
import { clockSlack, type Recording } from './recording.ts';

/** Weekly jobs must have had two chances. */
export const leastQuiet = 14 * dayInMs;
/** A client that once paused for so long may do so again, and a bit longer. */
const pauses = 2;
/** Chances to be seen that the rarest job must have had, whoever runs it. */
export const chances = 2;
/** Logs are imported once a day, and may have been turned over just before. */
const logSlack = 2 * dayInMs;
/** Blockers name so many clients. */
const maxNamed = 5;

/** What a verdict has to know of a client. */
export interface ClientCalls {
  readonly id: number;
  /** Its workspace; undefined without a key. */
  readonly workspace: string | undefined;
  /** Its last call, in epoch milliseconds. */
  readonly last: number;
  /** The longest recorded pause between two of its calls; undefined where it called on one day only. */
  readonly longestPause: number | undefined;
  /** The longest time between two runs of any job of its owner's, in milliseconds. */
  readonly rarestJob: number;
}

/** Whom a verdict speaks of, and what is known of them beside their calls. */
export interface Subject {
  /** `all`: a call of anybody is one of theirs; `workspace`: it may be somebody else's. */
  readonly who: 'all' | 'workspace';
  /** The longest time between two runs of a job of theirs, of whoever was never seen. */
  readonly rarestJob: number;
  /** Those who called after the instant that the verdict speaks of; undefined where nobody did. */
  readonly later: { readonly clients: number; readonly last: number } | undefined;
  /** Clients that were erased from the record. */
  readonly erased: readonly Erased[];
  /** Whether calls were recorded that the configuration says to ignore. */
  readonly ignores: boolean;
  /** Clients with another key that are probably its own: the same product from the same network, and nobody knows whose key it is. */
  readonly moved: readonly ClientCalls[];
  /** Clients of which v2 never accepted a call: they lose nothing with v1. */
  readonly refused: number;
  /** Calls in access logs, of whom this is about and of nobody known, with the longest time between two runs of a job of theirs. */
  readonly logged: readonly (LoggedCalls & { readonly rarestJob: number })[];
  /** Over which stretches logs reach, by their sources. */
  readonly reach: ReadonlyMap<string, readonly Range[]>;
  /** Names of workspaces that are configured and were never seen. */
  readonly unseen: readonly string[];
  /** Names of proxies that should record, and do not: they never did, or ended. */
  readonly missing: readonly string[];
}

/** For how many milliseconds a client has to be quiet; the clock that recorded its last call may have been a little behind. */
export const neededQuiet = ({ longestPause, rarestJob }: Pick<ClientCalls, 'longestPause' | 'rarestJob'>): number =>
  Math.max(leastQuiet, rarestJob + clockSlack, pauses * (longestPause ?? 0));

/** How long a client has been quiet at an instant, and has to be. */
export const quietOf = (client: ClientCalls, until: number): Quiet => ({
  duration: until - client.last,
  longestPause: client.longestPause ?? null,
  needed: neededQuiet(client),
});

/**
 * The verdict on some clients: those of one workspace, or all. What may be a workspace's, or somebody else's, lets nobody say that it is safe.
 * @param clients all that were ever seen, but for ignored and refused ones; of a workspace, also those without one that may be its own
 * @param until the instant it speaks of
 */
export function verdictOf(clients: readonly ClientCalls[], recording: Recording, until: number, subject: Subject): Verdict {
  const rarestJob = clients.reduce((rarest, client) => Math.max(rarest, client.rarestJob), subject.rarestJob);
  const duration = clients.reduce((longest, client) => Math.max(longest, neededQuiet(client)), Math.max(leastQuiet, rarestJob));
  const neededRecord = Math.max(leastQuiet, chances * subject.rarestJob);
  const window: Range = { since: until - duration, until };
  const isAll = subject.who === 'all';
  const own = clients.filter(({ workspace }) => isAll || workspace !== undefined);
  const moved = subject.moved.filter((client) => isRecent(client, until));
  const movedLongAgo = subject.moved.filter((client) => !isRecent(client, until));
  const inUse = [
    ...recentCalls(clients, until),
    ...laterCalls(subject),
    ...(isAll ? [...erasedCalls(subject, until), ...lostCalls(recording, window)] : []),
    ...movedCalls(moved, until),
    ...loggedCalls(subject, until, isAll ? 'any' : 'known'),
  ];
  const notKnown = [
    ...movedCalls(movedLongAgo, until),
    ...unidentifiedCalls(clients, until),
    ...(isAll ? [] : loggedCalls(subject, until, 'nobodys')),
    ...endedLogs(subject, until),
    ...logHoles(subject, window),
    ...(isAll ? [] : [...erasedCalls(subject, until), ...lostCalls(recording, window)]),
    ...rareCalls(own, until),
    ...recordBlockers(own, recording, window, neededRecord, subject),
  ];
  const nobodys = isAll && notKnown.some(({ code }) => code === 'unidentified_calls');
  const blockers = [...inUse, ...notKnown];
  return {
    state: blockers.length === 0 ? 'safe' : inUse.length > 0 || nobodys ? 'not_yet' : 'unknown',
    window: { since: iso(window.since), until: iso(until), duration },
    criteria: { rarestJob, quiet: duration, record: neededRecord },
    coverage: recording.share(window),
    blockers,
    conditions: isAll ? conditionsOf(recording, subject) : [],
  };
}

/** Whether a client called so recently that its own rhythm, whatever its owner's rarest job is, lets it call again. */
const isRecent = (client: ClientCalls, until: number): boolean => client.last + neededQuiet({ ...client, rarestJob: 0 }) > until;
const isQuiet = (client: ClientCalls, until: number): boolean => client.last + neededQuiet(client) <= until;

/** When the last of them was, and when all of them have been quiet for long enough. */
function lastOf(clients: readonly ClientCalls[]) {
  const last = clients.reduce((latest, client) => Math.max(latest, client.last), 0);
  const quietFrom = clients.reduce((latest, client) => Math.max(latest, client.last + neededQuiet(client)), 0);
  return { clients: clients.length, last: iso(last), quietFrom: iso(quietFrom) };
}

const latestOf = (clients: readonly ClientCalls[]): readonly number[] =>
  clients
    .toSorted((a, b) => b.last - a.last)
    .slice(0, maxNamed)
    .map(({ id }) => id);

function recentCalls(clients: readonly ClientCalls[], until: number): Blocker[] {
  const known = clients.filter((client) => client.workspace !== undefined && isRecent(client, until));
  if (known.length === 0) return [];
  const workspaces = new Set(known.map(({ workspace }) => workspace)).size;
  return [{ code: 'recent_calls', workspaces, ...lastOf(known), latest: latestOf(known) }];
}

function unidentifiedCalls(clients: readonly ClientCalls[], until: number): Blocker[] {
  const nobodys = clients.filter((client) => client.workspace === undefined && !isQuiet(client, until));
  return nobodys.length === 0 ? [] : [{ code: 'unidentified_calls', ...lastOf(nobodys) }];
}

/** Quiet by their own rhythm, but not for as long as the rarest job may pause. */
function rareCalls(clients: readonly ClientCalls[], until: number): Blocker[] {
  const rare = clients.filter((client) => client.workspace !== undefined && !isRecent(client, until) && !isQuiet(client, until));
  if (rare.length === 0) return [];
  const seenOnce = rare.filter(({ longestPause }) => longestPause === undefined).length;
  return [{ code: 'rare_calls', seenOnce, ...lastOf(rare), latest: latestOf(rare) }];
}

const laterCalls = ({ later }: Subject): Blocker[] =>
  later === undefined ? [] : [{ code: 'later_calls', clients: later.clients, last: iso(later.last) }];

/** Erasing a key does not end its use. */
function erasedCalls({ erased, rarestJob }: Subject, until: number): Blocker[] {
  const all = erased.map(({ last, longestPause }) => ({
    last,
    quietFrom: last + neededQuiet({ longestPause: longestPause ?? undefined, rarestJob }),
  }));
  const recent = all.filter(({ quietFrom }) => quietFrom > until);
  if (recent.length === 0) return [];
  const latest = recent.reduce((a, b) => ({ last: Math.max(a.last, b.last), quietFrom: Math.max(a.quietFrom, b.quietFrom) }));
  return [{ code: 'erased_calls', clients: recent.length, last: iso(latest.last), quietFrom: iso(latest.quietFrom) }];
}

/** A call that could not be recorded is a call all the same: one of nobody knows whom. */
function lostCalls(recording: Recording, window: Range): Blocker[] {
  const lost = recording.lost(window);
  if (lost === undefined) return [];
  const quietFrom = lost.last + window.until - window.since;
  return [{ code: 'lost_calls', calls: lost.calls, last: iso(lost.last), quietFrom: iso(quietFrom) }];
}

function movedCalls(moved: readonly ClientCalls[], until: number): Blocker[] {
  const calling = moved.filter((client) => !isQuiet(client, until));
  return calling.length === 0 ? [] : [{ code: 'moved_calls', ...lastOf(calling), latest: latestOf(calling) }];
}

/** A log tells no rhythm that could be trusted: what is asked for is the quiet time of the rarest job. */
function loggedCalls({ logged }: Subject, until: number, whose: 'any' | 'known' | 'nobodys'): Blocker[] {
  const all = logged
    .filter(({ workspace }) => whose === 'any' || (workspace !== undefined) === (whose === 'known'))
    .map((calls) => ({ ...calls, quietFrom: calls.last + neededQuiet({ longestPause: undefined, rarestJob: calls.rarestJob }) }))
    .filter(({ quietFrom }) => quietFrom > until);
  if (all.length === 0) return [];
  return [
    {
      code: 'logged_calls',
      sources: [...new Set(all.map(({ source }) => source))],
      known: whose !== 'nobodys',
      clients: all.reduce((clients, calls) => clients + calls.clients, 0),
      last: iso(all.reduce((last, calls) => Math.max(last, calls.last), 0)),
      quietFrom: iso(all.reduce((latest, calls) => Math.max(latest, calls.quietFrom), 0)),
    },
  ];
}

/** Where calls went once, others may go since the log was read last. */
function endedLogs({ logged, reach }: Subject, until: number): Blocker[] {
  const ended = [...new Set(logged.map(({ source }) => source))].flatMap((name) => {
    const last = reach.get(name)?.at(-1)?.until ?? 0;
    return last + logSlack > until ? [] : [{ name, until: iso(last) }];
  });
  return ended.length === 0 ? [] : [{ code: 'ended_logs', sources: ended }];
}

/** Where calls went once, others may have gone while no log tells. */
function logHoles({ logged, reach }: Subject, { since, until }: Range): Blocker[] {
  const holes = [...new Set(logged.map(({ source }) => source))].flatMap((name) =>
    holesOf(reach.get(name) ?? [])
      .filter((hole) => hole.since < until && hole.until > since)
      .map((hole) => ({ name, ...hole })),
  );
  if (holes.length === 0) return [];
  const knownFrom = holes.reduce((latest, hole) => Math.max(latest, hole.until), 0) + until - since;
  return [
    {
      code: 'log_holes',
      holes: holes.map((hole) => ({ ...hole, since: iso(hole.since), until: iso(hole.until) })),
      knownFrom: iso(knownFrom),
    },
  ];
}

/** What keeps the record from showing a call that there may have been. */
function recordBlockers(own: readonly ClientCalls[], recording: Recording, window: Range, needed: number, subject: Subject): Blocker[] {
  if (recording.replicas.length === 0) return [{ code: 'no_record' }];
  const { until } = window;
  // Nothing is known of any time where one has been silent all along.
  const since = recording.since ?? until;
  const blockers: Blocker[] = [];
  if (own.length === 0) blockers.push({ code: subject.ignores ? 'all_ignored' : subject.refused > 0 ? 'all_refused' : 'never_seen' });
  if (subject.missing.length > 0) blockers.push({ code: 'missing_replicas', names: subject.missing });
  const silent = recording.replicas.filter(({ state }) => state === 'silent');
  if (silent.length > 0)
    blockers.push({ code: 'silent_replicas', replicas: silent.map(({ name, until: seen }) => ({ name, since: iso(seen) })) });
  if (until - since < needed) blockers.push({ code: 'short_record', recorded: until - since, needed, goodFrom: iso(since + needed) });
  const recorded: Range = { since: Math.max(window.since, since), until };
  const share = recording.share(recorded);
  if (since < until && share < neededShare)
    blockers.push({ code: 'coverage', share, needed: neededShare, goodFrom: iso(goodFrom(recording, recorded)) });
  return [...blockers, ...hiddenCalls(own, recording, until, subject)];
}

/**
 * Somebody quiet may have called in the gaps of the record. Whoever calls at least every so often must have met one each time: where that
 * cannot be until now, it has stopped.
 */
function hiddenCalls(own: readonly ClientCalls[], recording: Recording, until: number, { rarestJob }: Subject): Blocker[] {
  const hiddenFrom = (seen: number, interval: number): number | undefined => {
    const latest = recording.hiddenUntil(seen, interval + clockSlack);
    return latest > seen && latest + interval + clockSlack > until ? latest + interval + clockSlack : undefined;
  };
  const quiet = own.filter((client) => client.workspace === undefined || isQuiet(client, until));
  const hidden = quiet.flatMap((client) => hiddenFrom(client.last, Math.max(client.rarestJob, client.longestPause ?? 0)) ?? []);
  const unseen = recording.since === undefined ? undefined : hiddenFrom(recording.since, rarestJob);
  if (hidden.length === 0 && unseen === undefined) return [];
  const knownFrom = [...hidden, unseen ?? 0].reduce((latest, each) => Math.max(latest, each), 0);
  return [{ code: 'hidden_calls', clients: hidden.length, rarestJob, knownFrom: iso(knownFrom) }];
}

/** What SAFE takes for granted, and only its reader can know. */
function conditionsOf(recording: Recording, { refused, unseen, reach }: Subject): Condition[] {
  const conditions: Condition[] = [];
  if (recording.replicas.length > 0) {
    const replicas = recording.replicas.map(({ name, since, until, state }) => ({ name, since: iso(since), until: iso(until), state }));
    conditions.push({ code: 'recorded_by', replicas });
  }
  const sources = [...reach].flatMap(([name, stretches]) =>
    stretches.map(({ since, until }) => ({ name, since: iso(since), until: iso(until) })),
  );
  if (sources.length > 0) conditions.push({ code: 'imported_logs', sources });
  if (unseen.length > 0) conditions.push({ code: 'never_seen_workspaces', names: unseen });
  if (refused > 0) conditions.push({ code: 'refused_clients', clients: refused });
  return conditions;
}

/** When a window of this length is recorded well enough, if nothing is missed from its end on. */
function goodFrom(recording: Recording, { since, until }: Range): number {
  const duration = until - since;
  const allowed = duration * (1 - neededShare);
  let [low, high] = [since, until];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const missing = until - middle - recording.within({ since: middle, until });
    if (missing <= allowed) high = middle;
    else low = middle;
  }
  return high + duration;
}
