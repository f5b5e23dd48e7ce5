/** May v1 be switched off? Only a record that would have shown a call can say that there was none. */
import { dayInMs, type Erased, type Range } from '../usage/model.ts';
import { neededShare } from './coverage.ts';
import type { Blocker, Quiet, Verdict } from './model.ts';
import { iso } from './period.ts';
import type { Recording } from './recording.ts';

/** Weekly jobs must have had two chances. */
const leastQuiet = 14 * dayInMs;
/** A client that once paused for so long may do so again, and a bit longer. */
const pauses = 2;
/** Blockers name so many clients. */
const mostNamed = 5;

/** What a verdict has to know of a client. */
export interface ClientCalls {
  readonly id: number;
  /** Its workspace; undefined without a key. */
  readonly workspace: string | undefined;
  /** Its last call, in epoch milliseconds. */
  readonly last: number;
  /** The longest recorded pause between two of its calls; undefined where it called on one day only. */
  readonly longestPause: number | undefined;
}

/** Whom a verdict speaks of, and what is known of them beside their calls. */
export interface Subject {
  /** `all`: a call of anybody is one of theirs; `workspace`: it may be somebody else's. */
  readonly who: 'all' | 'workspace';
  /** Those who called after the instant that the verdict speaks of; undefined where nobody did. */
  readonly later: { readonly clients: number; readonly last: number } | undefined;
  /** Clients that were erased from the record. */
  readonly erased: readonly Erased[];
  /** Whether calls were recorded that the configuration says to ignore. */
  readonly ignores: boolean;
}

export const neededQuiet = (longestPause: number | undefined): number => Math.max(leastQuiet, pauses * (longestPause ?? 0));

/** How long a client has been quiet at an instant, and has to be. */
export const quietOf = ({ last, longestPause }: ClientCalls, until: number): Quiet => ({
  duration: until - last,
  longestPause: longestPause ?? null,
  needed: neededQuiet(longestPause),
});

/**
 * The verdict on some clients: those of one workspace, or all. What may be a workspace's, or somebody else's, lets nobody say that it is safe.
 * @param clients all that were ever seen, but for ignored ones; of a workspace, also those without one that may be its own
 * @param until the instant it speaks of
 */
export function verdictOf(clients: readonly ClientCalls[], recording: Recording, until: number, subject: Subject): Verdict {
  const duration = clients.reduce((longest, { longestPause }) => Math.max(longest, neededQuiet(longestPause)), leastQuiet);
  const window: Range = { since: until - duration, until };
  const recent = clients.filter((client) => client.last + neededQuiet(client.longestPause) > until);
  const coverage = recording.share(window);
  const later = laterCalls(subject);
  const erased = erasedCalls(subject, until);
  const lost = lostCalls(recording, window);
  const isAll = subject.who === 'all';
  const isOwn = ({ workspace }: ClientCalls): boolean => isAll || workspace !== undefined;
  const inUse = recent.some(isOwn) || later.length > 0 || (isAll && erased.length + lost.length > 0);
  const missing = [...lost, ...recordBlockers(clients.filter(isOwn), recording, window, subject)];
  const blockers = [...recentCalls(recent), ...unidentifiedCalls(recent), ...erased, ...later, ...missing];
  return {
    state: blockers.length === 0 ? 'safe' : inUse ? 'not_yet' : 'unknown',
    window: { since: iso(window.since), until: iso(until), duration },
    coverage,
    blockers,
  };
}

/** When the last of them was, and when all of them have been quiet for long enough. */
function lastOf(clients: readonly ClientCalls[]) {
  const last = clients.reduce((latest, client) => Math.max(latest, client.last), 0);
  const quietFrom = clients.reduce((latest, client) => Math.max(latest, client.last + neededQuiet(client.longestPause)), 0);
  return { clients: clients.length, last: iso(last), quietFrom: iso(quietFrom) };
}

function recentCalls(recent: readonly ClientCalls[]): Blocker[] {
  const known = recent.filter(({ workspace }) => workspace !== undefined);
  if (known.length === 0) return [];
  const latest = known.toSorted((a, b) => b.last - a.last).slice(0, mostNamed);
  const workspaces = new Set(known.map(({ workspace }) => workspace)).size;
  return [{ code: 'recent_calls', workspaces, ...lastOf(known), latest: latest.map(({ id }) => id) }];
}

function unidentifiedCalls(recent: readonly ClientCalls[]): Blocker[] {
  const nobodys = recent.filter(({ workspace }) => workspace === undefined);
  return nobodys.length === 0 ? [] : [{ code: 'unidentified_calls', ...lastOf(nobodys) }];
}

const laterCalls = ({ later }: Subject): Blocker[] =>
  later === undefined ? [] : [{ code: 'later_calls', clients: later.clients, last: iso(later.last) }];

/** Erasing a key does not end its use. */
function erasedCalls({ erased }: Subject, until: number): Blocker[] {
  const all = erased.map(({ last, longestPause }) => ({ last, quietFrom: last + neededQuiet(longestPause ?? undefined) }));
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

function recordBlockers(clients: readonly ClientCalls[], recording: Recording, window: Range, { ignores }: Subject): Blocker[] {
  if (recording.since === undefined) return [{ code: 'no_record' }];
  const never: Blocker[] = clients.length === 0 ? [{ code: ignores ? 'all_ignored' : 'never_seen' }] : [];
  const share = recording.share(window);
  if (share >= neededShare) return never;
  return [...never, { code: 'coverage', share, needed: neededShare, goodFrom: iso(goodFrom(recording, window)) }];
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
