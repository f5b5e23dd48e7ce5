/**
 * One account that replicas share. What has been sent stands in its slots; what a replica may still send is reserved for it beside them: places
 * that it was leased, and its share of what is left, which it lives on while the store is away. A store runs `exchange` under a lock, with one
 * clock for all, so that what was sent and what may be sent is never more than the limit, in whatever order messages come, or do not.
 *
 * Each message says all that a replica may still send if its answer is lost; until its next one, what the answer gives it is reserved besides. Places
 * of a replica that is gone count as sent. Its share is free, as it sends of it while the store is away only, unless the store was (`fleet.ts`): one
 * thing is not told apart, a replica that is cut off alone, lives on its share, and does not come back within ten seconds.
 */
import { hourInMs } from '../contract/times.ts';
import {
  type AccountState,
  type Denied,
  type Said,
  type Standing,
  type Terms,
  block,
  countedIn,
  hear,
  isDenied,
  limitOf,
  newAccount,
  standingOf,
  noteWrites,
  takeOrDeny,
} from './account.ts';
import { type Fleet, brokenAt, countOf, statusOf } from './fleet.ts';
import { type Window, add, hourBegan, skew, use } from './hour.ts';

export interface Places {
  readonly calls: number;
  /** So many of them may be writes of those that are kept for writes. */
  readonly sends: number;
}

export const noPlaces: Places = { calls: 0, sends: 0 };

/** What a replica has sent in an hour, since it knows the account. */
export interface Used extends Places {
  readonly hour: number;
}

export interface Want {
  readonly weight: number;
  readonly places: number;
}

/** What a replica says of an account. */
export interface Message {
  /** Larger than that of the message before: what comes late is not heeded. */
  readonly number: number;
  /** The hour that its places and its share are of; 0 where hours are not those of the clock. */
  readonly hour: number;
  /** By hours; those of the last message and since. */
  readonly used: readonly Used[];
  readonly places: Places;
  readonly share: Places;
  /** What it would live on in each hour that begins while the store is away. */
  readonly next: Places;
  readonly wants: readonly Want[];
  /** Writes that came since the last message which was answered, sent or not. */
  readonly writes: number;
  readonly said?: Said | undefined;
  /** v2 wants to be left alone for so long, in milliseconds. */
  readonly blockedFor?: number | undefined;
  /** It holds nothing any more, and wants no share. */
  readonly leaves?: boolean | undefined;
}

export interface Answer {
  readonly hour: number;
  /** When places and share of this hour are good for nothing any more, by the clock of the store. */
  readonly until: number;
  /** How many places of each want, and why not. */
  readonly granted: readonly number[];
  readonly denied: readonly (Denied | undefined)[];
  readonly share: Places;
  readonly next: Places;
  readonly window: Window;
  readonly standing: Standing;
  /** Others hold what is wanted, and are asked for it. */
  readonly more: boolean;
}

interface Held {
  number: number;
  hour: number;
  used: readonly Used[];
  places: Places;
  share: Places;
  next: Places;
}

/** What a store keeps of an account; plain data. */
export interface Shared {
  readonly account: AccountState;
  readonly held: Record<string, Held>;
  /** Who wants more than there was, and until when that holds. */
  wanted?: { readonly by: string; readonly until: number };
  /** How v2 counts, as what is held was given. */
  window?: Window;
}

export const newShared = (): Shared => ({ account: newAccount(), held: {} });

/** How long a wish for more keeps others from taking shares, in milliseconds. */
const wish = 3_000;

/** The hour of the clock in which places that are leased now are good; 0 for other kinds, which know no hours. */
export const hourOf = (window: Window, now: number): number => (window.kind === 'fixed' ? hourBegan(now + skew, window) : 0);
/** Places of an hour are good until shortly before its end; the store's clock is that of v2 but for `skew`. */
const endOf = (window: Window, hour: number, now: number): number => (window.kind === 'fixed' ? hour + hourInMs - skew : now + hourInMs);

const plus = (a: Places, b: Places): Places => ({ calls: a.calls + b.calls, sends: a.sends + b.sends });
const most = (a: Places, b: Places): Places => ({ calls: Math.max(a.calls, b.calls), sends: Math.max(a.sends, b.sends) });

/** Of what is left, by a number of parts: `reads` of it may be used by anybody, the rest is kept for writes. */
function part(calls: number, reads: number, parts: number, mostCalls: number, mostReads: number): Places {
  const all = Math.max(0, Math.min(Math.floor(calls / parts), mostCalls));
  return { calls: all, sends: all - Math.max(0, Math.min(Math.floor(reads / parts), mostReads, all)) };
}

/**
 * Hears one replica, and answers it.
 * @param shared is changed
 * @param id of the replica
 */
export function exchange(shared: Shared, terms: Terms, message: Message, id: string, fleet: Fleet, now: number): Answer {
  const talk = new Talk(shared, terms, id, fleet, now);
  if (message.number > (shared.held[id]?.number ?? 0)) return talk.answer(message);
  // One that was given up, and arrives after all.
  return talk.nothing(message);
}

class Talk {
  readonly #shared: Shared;
  readonly #terms: Terms;
  readonly #id: string;
  readonly #fleet: Fleet;
  readonly #now: number;
  #limit: number | undefined;
  #window: Window;

  constructor(shared: Shared, terms: Terms, id: string, fleet: Fleet, now: number) {
    this.#shared = shared;
    this.#terms = terms;
    this.#id = id;
    this.#fleet = fleet;
    this.#now = now;
    this.#limit = limitOf(shared.account, terms);
    this.#window = countedIn(shared.account, terms, this.#limit);
    this.#settle();
  }

  get #hour(): number {
    return hourOf(this.#window, this.#now);
  }

  answer(message: Message): Answer {
    const { held, account } = this.#shared;
    this.#countSent(message.used);
    this.#takeBack(message);
    noteWrites(account, this.#terms, message.writes, this.#now);
    if (message.said !== undefined) this.#hear(message.said);
    if (message.blockedFor !== undefined) block(account, this.#terms, this.#now + message.blockedFor);
    const own = held[this.#id];
    if (own === undefined || message.leaves === true) {
      delete held[this.#id];
      return this.nothing(message);
    }
    // It is ahead by a little: it has given up the hour that is not over, and asks again in a moment.
    if (this.#window.kind === 'fixed' && message.hour > this.#hour) return this.nothing(message);
    const results = message.wants.map((want) => this.#lease(own, want));
    const isUnmet = results.some((result, index) => result.granted < (message.wants[index]?.places ?? 0));
    const more = isUnmet && message.wants.some(({ weight }) => this.#othersHold(weight));
    if (more) this.#shared.wanted = { by: this.#id, until: this.#now + wish };
    const share = this.#shareOf();
    const next = this.#nextOf();
    own.share = most(own.share, share);
    own.next = most(own.next, next);
    return { ...this.#end(share, next, more), granted: results.map(({ granted }) => granted), denied: results.map(({ denied }) => denied) };
  }

  nothing({ wants }: Message): Answer {
    return { ...this.#end(noPlaces, noPlaces, false), granted: wants.map(() => 0), denied: wants.map(() => undefined) };
  }

  #end(share: Places, next: Places, more: boolean): Omit<Answer, 'granted' | 'denied'> {
    this.#reserve(1, 'places');
    const standing = standingOf(this.#shared.account, this.#terms, this.#now);
    this.#reserve(-1, 'places');
    const hour = this.#hour;
    return { hour, until: endOf(this.#window, hour, this.#now), share, next, window: this.#window, standing, more };
  }

  /** What others left behind that are gone, and what was given under another kind of window. */
  #settle(): void {
    const { held, window } = this.#shared;
    const isOther = window !== undefined && (window.kind !== this.#window.kind || window.phase !== this.#window.phase);
    this.#shared.window = this.#window;
    for (const [id, lease] of Object.entries(held)) {
      const status = this.#statusOf(id);
      // It may be sent, and nobody knows in which hour of the other kind.
      if (isOther) this.#spend(lease, true);
      else if (status !== 'here' && this.#window.kind !== 'fixed') this.#spend(lease, status === 'lost');
      const isOver = lease.hour < this.#now - 2 * hourInMs;
      if (status !== 'here' && this.#window.kind === 'fixed' && isOver) delete held[id];
      else if (id !== this.#id && !(id in this.#fleet.replicas)) delete held[id];
    }
  }

  #spend(lease: Held, withShare: boolean): void {
    const { calls, sends } = withShare ? plus(lease.places, lease.share) : lease.places;
    if (calls > 0) use(this.#shared.account.slots, this.#window, this.#limit ?? Infinity, this.#now, calls, sends);
    lease.places = noPlaces;
    lease.share = noPlaces;
    lease.hour = this.#hour;
  }

  /** Counts what it has sent since its last message that came through. */
  #countSent(used: readonly Used[]): void {
    const { account, held } = this.#shared;
    const before = held[this.#id]?.used ?? [];
    for (const { hour, calls, sends } of used) {
      const counted = before.find((each) => each.hour === hour) ?? noPlaces;
      const [more, moreSends] = [calls - counted.calls, sends - counted.sends];
      if (more === 0) continue;
      // Fewer than before, where a place was given back.
      if (this.#window.kind !== 'fixed') use(account.slots, this.#window, this.#limit ?? Infinity, this.#now, more, moreSends);
      else if (hour >= hourBegan(this.#now - skew, this.#window)) add(account.slots, hour, more, moreSends);
    }
  }

  /** What it holds is what it says, whatever it was given since. */
  #takeBack(message: Message): void {
    const { account, held } = this.#shared;
    const { number, used, places, share, next } = message;
    const hour = this.#hour;
    const lease = { number, used, hour, places, share, next };
    if (this.#window.kind === 'fixed' && message.hour < hour) {
      // In its hour, which may count still, it sends these at most.
      const { calls, sends } = plus(places, share);
      if (calls > 0 && message.hour >= hourBegan(this.#now - skew, this.#window)) add(account.slots, message.hour, calls, sends);
      Object.assign(lease, { places: noPlaces, share: next });
    } else if (this.#window.kind === 'fixed' && message.hour > hour) {
      Object.assign(lease, { places: noPlaces, share: noPlaces, next: most(plus(places, share), next) });
    }
    held[this.#id] = lease;
  }

  #hear(said: Said): void {
    const { account } = this.#shared;
    this.#reserve(1, 'places');
    hear(account, this.#terms, said, this.#now);
    this.#reserve(-1, 'places');
    this.#limit = limitOf(account, this.#terms);
    this.#window = countedIn(account, this.#terms, this.#limit);
    this.#settle();
  }

  #lease(own: Held, { weight, places }: Want): { readonly granted: number; readonly denied: Denied | undefined } {
    const { account } = this.#shared;
    if (this.#limit === undefined) return { granted: places, denied: undefined };
    this.#reserve(1, 'all');
    const taken = takeOrDeny(account, this.#terms, weight, places, this.#now);
    this.#reserve(-1, 'all');
    if (isDenied(taken)) return { granted: 0, denied: taken };
    const sends = weight === 1 ? taken.places : 0;
    // Reserved, and not sent yet. Near the turn they count in the hour before as sent, as they may be in it.
    if (this.#window.kind === 'fixed') add(account.slots, this.#hour, -taken.places, -sends);
    else use(account.slots, this.#window, this.#limit, this.#now, -taken.places, -sends);
    own.places = plus(own.places, { calls: taken.places, sends });
    return { granted: taken.places, denied: undefined };
  }

  /** Its share of what is left: one more part is left for those that begin. */
  #shareOf(): Places {
    if (this.#limit === undefined || this.#isWantedByOthers()) return noPlaces;
    const { left, reads } = this.#left();
    const others = this.#sum((lease) => lease.share);
    const parts = countOf(this.#fleet, this.#now) + 1;
    return part(left + others.calls, reads + others.calls - others.sends, parts, left, reads);
  }

  #nextOf(): Places {
    if (this.#limit === undefined || this.#window.kind !== 'fixed') return noPlaces;
    const others = this.#sum((lease) => lease.next, true);
    const reads = this.#limit - Math.floor(this.#limit * this.#terms.reserve);
    const parts = countOf(this.#fleet, this.#now);
    return part(this.#limit, reads, parts, this.#limit - others.calls, reads - (others.calls - others.sends));
  }

  /** What nothing is reserved of, for writes and for reads; its own share, which it may be given anew, aside. */
  #left(): { readonly left: number; readonly reads: number } {
    this.#reserve(1, 'others');
    const { limit = 0, used, kept, others } = standingOf(this.#shared.account, this.#terms, this.#now);
    this.#reserve(-1, 'others');
    const left = Math.max(0, Math.floor(limit - used));
    return { left, reads: Math.max(0, Math.floor(left - kept - others)) };
  }

  #isWantedByOthers(): boolean {
    const { wanted } = this.#shared;
    return wanted !== undefined && wanted.by !== this.#id && wanted.until > this.#now && wanted.until <= this.#now + wish;
  }

  /** Whether others have what they could give up. */
  #othersHold(weight: number): boolean {
    const { calls, sends } = this.#sum((lease) => plus(lease.places, lease.share));
    return weight === 1 ? calls > 0 : calls > sends;
  }

  /** Of the others that are there, in this hour or in the next ones. */
  #sum(of: (lease: Held) => Places, inNext = false): Places {
    let sum = noPlaces;
    for (const [id, lease] of Object.entries(this.#shared.held)) {
      if (id === this.#id || this.#statusOf(id) !== 'here') continue;
      if (inNext || lease.hour === this.#hour) sum = plus(sum, of(lease));
      else if (lease.hour < this.#hour) sum = plus(sum, of({ ...lease, places: noPlaces, share: lease.next }));
    }
    return sum;
  }

  #statusOf(id: string): 'here' | 'gone' | 'lost' {
    return id === this.#id ? 'here' : statusOf(this.#fleet, id, this.#now);
  }

  /** Counts what is reserved as if it were sent, or takes that back: `places` alone, `all`, or all but its own share. */
  #reserve(sign: 1 | -1, what: 'places' | 'all' | 'others'): void {
    const { account, held } = this.#shared;
    const hours = this.#window.kind === 'fixed' ? [hourBegan(this.#now - skew, this.#window), this.#hour] : [0];
    let sum = noPlaces;
    for (const hour of new Set(hours)) {
      sum = noPlaces;
      for (const [id, lease] of Object.entries(held)) {
        const isOwn = id === this.#id;
        sum = plus(sum, this.#reservedIn(hour, lease, id, what === 'all' || (what === 'others' && !isOwn)));
      }
      if (this.#window.kind === 'fixed') add(account.slots, hour, sign * sum.calls, sign * sum.sends);
    }
    if (this.#window.kind !== 'fixed' && sum.calls !== 0)
      use(account.slots, this.#window, this.#limit ?? Infinity, this.#now, sign * sum.calls, sign * sum.sends);
  }

  #reservedIn(hour: number, lease: Held, id: string, withShare: boolean): Places {
    const status = this.#statusOf(id);
    if (hour === lease.hour) return withShare && status !== 'gone' ? plus(lease.places, lease.share) : lease.places;
    if (hour < lease.hour || !withShare || status === 'gone') return noPlaces;
    // One that is lost may have lived on into this hour before it ended.
    return status === 'here' || brokenAt(this.#fleet, id) >= hour - skew ? lease.next : noPlaces;
  }
}
