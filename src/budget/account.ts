/**
 * One account of v2's hour: what may still be sent of a workspace, writes before reads. Pure, and its state plain data: the one that a proxy has
 * for itself and the one that replicas share follow the same rules.
 */
import { hourInMs } from '../contract/times.ts';
import { type Slots, type Used, type Window, freeAt, hourBegan, skew, use, usedIn } from './hour.ts';
import { type Habit, expectedSends, noteSends } from './habit.ts';

/** What is known of an account from the configuration. */
export interface Terms {
  /** v2 calls in an hour; undefined where nobody has said. */
  readonly limit: number | undefined;
  /** Whether that is the most, whatever v2 says: others may call v2 past the proxy. */
  readonly isMost?: boolean | undefined;
  /** The part that is kept for writes. */
  readonly reserve: number;
  readonly window: Window;
}

/** What v2 has said of its limit in fields of an answer. */
export interface Said {
  /** Calls in an hour. */
  readonly limit?: number;
  /** Calls that are left. */
  readonly remaining?: number;
  /** How it counts, where that can be seen. */
  readonly window?: Window;
}

export interface AccountState {
  readonly slots: Slots;
  habit?: Habit;
  /** What v2 said its limit is, and what the configuration said then: once that changes, it is the newer word. */
  said?: { readonly limit: number; readonly of: number | undefined };
  window?: Window;
  /** Calls of this hour that others than this record have made, as v2's count shows. */
  others?: { readonly hour: number; readonly calls: number };
  /** Until when v2 wants to be left alone, and the limit that it said so under. */
  blocked?: { readonly until: number; readonly limit: number | undefined };
}

export const newAccount = (): AccountState => ({ slots: [] });

/** Why a call may not be sent: the hour is used up, what is left of it is kept for writes, or v2 has asked to be left alone. */
export type Why = 'used up' | 'kept for writes' | 'v2 said so';

/** Places that were taken, and what is used of which limit with them. */
export interface Taken {
  readonly places: number;
  readonly used: number;
  readonly limit: number | undefined;
}

/** None was taken: why, and when it is worth asking again, in epoch milliseconds. */
export interface Denied {
  readonly places: 0;
  readonly why: Why;
  readonly retryAt: number;
}

export type Granted = Taken | Denied;

export const isDenied = (granted: Granted): granted is Denied => 'why' in granted;

/** The end of an hour, in which what is kept for writes is given out. */
const givenOut = hourInMs / 6;

export function limitOf({ said }: AccountState, { limit, isMost }: Terms): number | undefined {
  if (said === undefined || said.of !== limit) return limit;
  return isMost === true && limit !== undefined ? Math.min(said.limit, limit) : said.limit;
}

/** Fields can be wrong: a smaller limit that they say stops reads; writes go on until v2 itself refuses one. */
const limitFor = (weight: number, limit: number, terms: Terms): number => (weight === 1 ? Math.max(limit, terms.limit ?? 0) : limit);

export const windowOf = (state: AccountState, terms: Terms): Window => state.window ?? terms.window;

/** A window in which calls are counted, also where there is no limit that a bucket could fill up by. */
export const countedIn = (state: AccountState, terms: Terms, limit: number | undefined): Window =>
  limit === undefined ? { ...windowOf(state, terms), kind: 'fixed' } : windowOf(state, terms);

/**
 * Takes places in the hour.
 * @param weight how much of what is kept for writes the calls may use: 1 for writes, 0 for reads
 * @param wanted how many; as many as there are of them are taken
 * @returns how many were taken; where none, why, and when it is worth asking again
 */
export function take(state: AccountState, terms: Terms, weight: number, wanted: number, now: number): Granted {
  const granted = takeOrDeny(state, terms, weight, wanted, now);
  if (weight === 1) noteWrites(state, terms, Math.max(1, granted.places), now);
  return granted;
}

/** Takes note of writes that came. */
export function noteWrites(state: AccountState, terms: Terms, sends: number, now: number): void {
  if (sends > 0) state.habit = noteSends(state.habit, windowOf(state, terms), now, sends);
}

/** The same without taking note of them: a place may be asked for ahead, or more than once. */
export function takeOrDeny(state: AccountState, terms: Terms, weight: number, wanted: number, now: number): Granted {
  const limit = limitOf(state, terms);
  const window = countedIn(state, terms, limit);
  const blocked = blockedUntil(state, limit, now);
  if (blocked !== undefined) return { places: 0, why: 'v2 said so', retryAt: blocked };
  if (limit === undefined) return count(state, window, undefined, usedIn(state.slots, window, Infinity, now), weight, wanted, now);
  const used = usedIn(state.slots, window, limit, now);
  const kept = keptForWrites(state, terms, window, limit, used.sends, now);
  const most = limitFor(weight, limit, terms);
  const others = othersIn(state, window, now);
  const free = most - used.calls - Math.ceil((kept + others) * (1 - weight));
  if (free >= 1) return count(state, window, limit, used, weight, Math.min(wanted, Math.floor(free)), now);
  // There are places, and this call has to leave them.
  const isKept = most - used.calls >= 1 && weight < 1 && kept + others > 0;
  const missing = 1 - free;
  const retryAt =
    isKept && window.kind === 'fixed'
      ? givenOutAt(state, terms, window, { limit, sends: used.sends, kept: kept - missing / (1 - weight) }, now)
      : givenBackAt(state, window, { limit, used, wanted: missing, again: (Math.floor(limit * terms.reserve) - kept) * (1 - weight) }, now);
  return { places: 0, why: isKept ? 'kept for writes' : 'used up', retryAt: Math.max(retryAt, now + 1) };
}

/** Counts what is about to be sent. */
function count(
  state: AccountState,
  window: Window,
  limit: number | undefined,
  used: Used,
  weight: number,
  places: number,
  now: number,
): Taken {
  const sends = weight === 1 ? places : 0;
  use(state.slots, window, limit ?? Infinity, now, places, sends);
  return { places, used: used.calls + places, limit };
}

/** Counts calls that were sent without a place: a repetition that nobody could foresee, or calls while the shared state was away. */
export function spend(state: AccountState, terms: Terms, calls: number, now: number): void {
  const limit = limitOf(state, terms);
  use(state.slots, countedIn(state, terms, limit), limit ?? Infinity, now, calls, 0);
}

/** Gives a place back that was taken within this hour and not used. */
export function giveBack(state: AccountState, terms: Terms, weight: number, now: number): void {
  const limit = limitOf(state, terms);
  const window = countedIn(state, terms, limit);
  const used = usedIn(state.slots, window, limit ?? Infinity, now);
  if (used.calls >= 1) use(state.slots, window, limit ?? Infinity, now, -1, weight === 1 && used.sends >= 1 ? -1 : 0);
}

/** Takes note of what v2 has said. It can lower what reads may use; writes are stopped by our own count, or by a refusal of v2 alone: fields can be wrong. */
export function hear(state: AccountState, terms: Terms, said: Said, now: number): void {
  if (said.window !== undefined) state.window = said.window;
  if (said.limit !== undefined) state.said = { limit: said.limit, of: terms.limit };
  const limit = limitOf(state, terms);
  if (said.remaining === undefined || limit === undefined || said.remaining > limit) return;
  const window = windowOf(state, terms);
  const calls = limit - said.remaining - usedIn(state.slots, window, limit, now).calls;
  const hour = hourBegan(now, window);
  if (calls > (state.others?.hour === hour ? state.others.calls : 0)) state.others = { hour, calls };
}

/** v2 has refused a call, and says until when. */
export function block(state: AccountState, terms: Terms, until: number): void {
  state.blocked = { until: Math.max(until, state.blocked?.until ?? 0), limit: limitOf(state, terms) };
}

/** Where an account stands. */
export interface Standing {
  readonly limit: number | undefined;
  readonly used: number;
  readonly sends: number;
  /** What reads may not use, as it is kept for writes. */
  readonly kept: number;
  /** Calls of others, as v2 counts them. */
  readonly others: number;
  readonly blockedUntil: number | undefined;
  /** When what was used counts no more. */
  readonly until: number;
}

export function standingOf(state: AccountState, terms: Terms, now: number): Standing {
  const limit = limitOf(state, terms);
  const window = countedIn(state, terms, limit);
  const { calls, sends } = usedIn(state.slots, window, limit ?? Infinity, now);
  return {
    limit,
    used: calls,
    sends,
    kept: limit === undefined ? 0 : keptForWrites(state, terms, window, limit, sends, now),
    others: othersIn(state, window, now),
    blockedUntil: blockedUntil(state, limit, now),
    until: window.kind === 'fixed' ? hourBegan(now, window) + hourInMs : now + hourInMs,
  };
}

/** A larger limit, in the configuration or by v2's word, ends a block: it was said under another one. */
function blockedUntil({ blocked }: AccountState, limit: number | undefined, now: number): number | undefined {
  // A clock that was turned back must not make an hour of a day.
  if (blocked === undefined || now >= blocked.until || blocked.until - now > 2 * hourInMs) return undefined;
  return limit !== undefined && blocked.limit !== undefined && limit > blocked.limit ? undefined : blocked.until;
}

const othersIn = ({ others }: AccountState, window: Window, now: number): number =>
  others !== undefined && others.hour === hourBegan(now, window) ? others.calls : 0;

/**
 * What of the hour is still kept for writes: less with each write, and given out at its end, but for the writes that came then before.
 * @param sends writes of this hour
 */
function keptForWrites(state: AccountState, { reserve }: Terms, window: Window, limit: number, sends: number, now: number): number {
  const whole = Math.floor(limit * reserve);
  const rest = Math.max(0, whole - sends);
  if (rest === 0 || window.kind !== 'fixed') return rest;
  const left = hourBegan(now, window) + hourInMs - now;
  if (left >= givenOut) return rest;
  const expected = expectedSends(state.habit, window, now);
  return Math.min(rest, Math.max(expected, Math.ceil((whole * left) / givenOut) - sends));
}

/**
 * When so many calls more have stopped counting.
 * @param again of those, how many are kept for writes anew: the places of writes that stop counting themselves
 */
function givenBackAt(
  state: AccountState,
  window: Window,
  { limit, used, wanted, again }: { readonly limit: number; readonly used: Used; readonly wanted: number; readonly again: number },
  now: number,
): number {
  // Ours alone are too few: others have to stop counting, which they do at the turn of the hour.
  if (wanted > used.calls && othersIn(state, window, now) > 0) return hourBegan(now, window) + hourInMs;
  return freeAt(state.slots, window, limit, now, window.kind === 'bucket' ? wanted + again : wanted);
}

/** When no more than that is kept for writes: at the end of the hour at last. */
function givenOutAt(
  state: AccountState,
  terms: Terms,
  window: Window,
  { limit, sends, kept }: { readonly limit: number; readonly sends: number; readonly kept: number },
  now: number,
): number {
  const began = hourBegan(now, window);
  // The hour before may count still.
  if (now < began + skew) return began + skew;
  const end = began + hourInMs;
  if (kept < 0) return end;
  const at = Math.max(Math.ceil(end - (Math.floor(kept + sends) / Math.floor(limit * terms.reserve)) * givenOut), now);
  // Writes that are expected may hold it until the end.
  return at < end && keptForWrites(state, terms, window, limit, sends, at) <= kept ? at : end;
}
