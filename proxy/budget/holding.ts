/** What one replica may send of an account that it shares with others: places that it was leased, and what it would live on without the store. */
import type { Denied, Granted, Said, Standing, Terms } from '../../src/budget/account.ts';
import { type Window, skew } from '../../src/budget/hour.ts';
import { type Answer, type Message, type Places, type Used, type Want, hourOf, noPlaces } from '../../src/budget/leases.ts';

/** A call that waits for the store's answer. */
export interface Asking {
  readonly weight: number;
  /** When it began to. */
  readonly since: number;
  readonly settle: (granted: Granted) => void;
}

/** The store's clock, as far as it is known here. */
export interface Span {
  readonly low: number;
  readonly high: number;
}

/** The part of an hour that a replica may hold and have no call for. */
const aheadPart = 0.0025;
/** The part of an hour that it asks for at once: what it was given as it was killed is lost. */
const atOncePart = 0.01;

/** In milliseconds. */
const recently = 2_000;
/** How often calls are told of an account without a limit, in milliseconds. */
const unlimitedEvery = 10_000;

export class Holding {
  readonly id: string;
  terms: Terms;
  /** Whether the store has said what there is. */
  isKnown = false;
  /** When the last call came, and the last message went. */
  lastCall: number;
  lastMessage = -Infinity;
  /** It says that it has nothing more: what comes meanwhile waits for the answer. */
  isLeaving = false;
  /** Whether it asks again in a moment. */
  isRetrying = false;
  /** Its hour has begun here, and not in the store. */
  isAhead = false;
  /** Others want what it holds. */
  isWanted = false;
  /** Until when v2 wants to be left alone, by the store's clock. */
  blockedUntil = 0;
  said: Said | undefined;
  blockedFor: number | undefined;
  /** Writes that came. */
  writes = 0;
  readonly asking: Asking[] = [];
  standing: Standing | undefined;
  #window: Window;
  #hour = 0;
  #until = 0;
  #reads = 0;
  #writes = 0;
  /** Of weights in between, which are leased call by call. */
  #others: Map<number, number> | undefined;
  /** What the store said last of the weights that it had no place for. */
  #denied: Map<number, Refused> | undefined;
  /** Its places as the store counts them in its standing. */
  #counted = 0;
  #used: Used;
  #before: Used | undefined;
  #share: Places = noPlaces;
  #next: Places = noPlaces;
  /** Calls since the last message. */
  #came = 0;
  /** Reads and writes of the last seconds: of as many may be asked ahead. */
  #recentReads = 0;
  #recentWrites = 0;
  #recentSince = 0;

  constructor(id: string, terms: Terms, time: Span, now: number) {
    this.id = id;
    this.terms = terms;
    this.lastCall = now;
    this.#window = terms.window;
    this.#hour = hourOf(terms.window, time.high);
    this.#used = { hour: this.#hour, ...noPlaces };
  }

  get limit(): number | undefined {
    return this.standing?.limit ?? this.terms.limit;
  }

  /** Whether it has something to say: others need to know soon what is sent of a limit; what has none is only counted. */
  hasNews(clock: number): boolean {
    if (this.said !== undefined || this.blockedFor !== undefined) return true;
    return this.#came + this.writes > 0 && (this.limit !== undefined || clock - this.lastMessage > unlimitedEvery);
  }

  get hasPlaces(): boolean {
    return this.#places.calls > 0;
  }

  get hasShare(): boolean {
    return this.#share.calls > 0;
  }

  /** Whether it should ask for more before it needs them. */
  get isLow(): boolean {
    const ahead = this.#ahead;
    return this.#reads * 2 < Math.min(ahead, this.#recentReads) || this.#writes * 2 < Math.min(ahead, this.#recentWrites);
  }

  get window(): Window {
    return this.#window;
  }

  /** Takes note of what v2 has said. */
  hears(said: Said): void {
    this.said = { ...this.said, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) };
  }

  /** The message was not answered: what it said of v2 is said once more. What it gave up stays given up. */
  missed({ said, blockedFor, writes }: Message): void {
    this.writes += writes;
    if (said !== undefined) this.said = { ...said, ...this.said };
    if (blockedFor !== undefined) this.blockedFor = Math.max(blockedFor, this.blockedFor ?? 0);
  }

  get #places(): Places {
    let calls = this.#reads + this.#writes;
    if (this.#others !== undefined) for (const places of this.#others.values()) calls += places;
    return { calls, sends: this.#writes };
  }

  #dropPlaces(): void {
    this.#reads = 0;
    this.#writes = 0;
    this.#others = undefined;
  }

  /** Why the store lately had no place for a call of this weight; where it had none for those that may have more, it has none for this one. */
  refused(weight: number): Refused | undefined {
    if (this.#denied === undefined) return undefined;
    for (const [denied, refused] of this.#denied) if (denied >= weight) return refused;
    return undefined;
  }

  get #ahead(): number {
    return Math.floor(((this.limit ?? 0) * aheadPart) / 2);
  }

  /** Takes a place that it has, if it has one for a call of this weight. */
  takePlace(weight: number, time: Span): boolean {
    if (time.high >= this.#until) return false;
    const others = weight > 0 && weight < 1 ? (this.#others?.get(weight) ?? 0) : 0;
    if (weight === 1 && this.#writes > 0) this.#writes--;
    else if (others > 0) this.#others?.set(weight, others - 1);
    else if (this.#reads > 0) this.#reads--;
    else return false;
    this.count(weight);
    return true;
  }

  /** Takes a place of its share, which it lives on while the store is away. */
  takeShare(weight: number, time: Span): boolean {
    this.turn(time);
    // Near the turn a call may count in either hour, and it has a share of one.
    if (this.#window.kind === 'fixed' && hourOf(this.#window, time.low - 2 * skew) !== this.#hour) return false;
    const { calls, sends } = this.#share;
    const free = calls - Math.ceil(sends * (1 - weight));
    if (free < 1) return false;
    this.#share = { calls: calls - 1, sends: Math.min(weight === 1 ? Math.max(0, sends - 1) : sends, calls - 1) };
    this.count(weight);
    return true;
  }

  /** Sends of what nobody gave it, as long as it has sent no more than this of the hour. */
  takeUnknown(most: number, time: Span, weight: number): boolean {
    this.turn(time);
    if (this.#used.calls >= most) return false;
    this.count(weight);
    return true;
  }

  count(weight: number): void {
    const sends = weight === 1 ? 1 : 0;
    this.#used = { hour: this.#used.hour, calls: this.#used.calls + 1, sends: this.#used.sends + sends };
    this.#came++;
    if (sends === 0) this.#recentReads++;
    else this.#recentWrites++;
  }

  /** A call for which a place was taken was not sent: whoever comes next has it. */
  giveBack(weight: number): void {
    const { hour, calls, sends } = this.#used;
    if (calls === 0 || this.#window.kind !== 'fixed') return;
    const isWrite = weight === 1 && sends > 0;
    this.#used = { hour, calls: calls - 1, sends: isWrite ? sends - 1 : Math.min(sends, calls - 1) };
    if (this.limit === undefined) return;
    if (isWrite) this.#writes++;
    else this.#reads++;
  }

  /** What is used of the hour, as far as it is known here: what others were leased counts. */
  get sent(): number {
    return (this.standing?.used ?? 0) - this.#counted + this.#came;
  }

  /** An hour ends by itself, also while the store is away. */
  turn({ high }: Span): void {
    this.#turnTo(hourOf(this.#window, high));
  }

  #turnTo(hour: number): void {
    if (hour <= this.#hour) return;
    this.#dropPlaces();
    this.#before = this.#used;
    this.#used = { hour, ...noPlaces };
    this.#hour = hour;
    this.#share = hour === 0 ? noPlaces : this.#next;
    this.#denied = undefined;
  }

  /** What is to be said of it: what it does not keep is given up with that, whether an answer comes or not. */
  message(number: number, time: Span, now: number, leaves: boolean, isIdle: boolean): Message {
    this.turn(time);
    this.#age(now);
    const wants = leaves ? [] : this.#wants(isIdle);
    const wanted = wants.reduce((sum, { places }) => sum + places, 0);
    const readsWanted = wants.reduce((sum, { weight, places }) => sum + (weight < 1 ? places : 0), 0);
    if (isIdle || leaves || this.isWanted) this.#dropPlaces();
    // What it asks for comes out of its share first. What nobody gave it is not its own.
    const { calls, sends } = this.#share;
    const keeps = !leaves && !this.isWanted && this.isKnown;
    const left = Math.max(0, calls - wanted);
    this.#share = keeps ? { calls: left, sends: Math.max(0, left - Math.max(0, calls - sends - readsWanted)) } : noPlaces;
    if (leaves || !this.isKnown) this.#next = noPlaces;
    const { said, blockedFor, writes } = this;
    this.writes = 0;
    this.said = undefined;
    this.blockedFor = undefined;
    this.isWanted = false;
    this.lastMessage = now;
    this.#came = 0;
    const places = this.#places;
    this.#counted = places.calls;
    return {
      number,
      hour: this.#hour,
      used: this.#before === undefined ? [this.#used] : [this.#before, this.#used],
      places,
      share: this.#share,
      next: this.#next,
      wants,
      writes,
      said,
      blockedFor,
      leaves,
    };
  }

  /** What came before the last seconds counts half, and then less. */
  #age(now: number): void {
    if (now - this.#recentSince < recently) return;
    this.#recentSince = now;
    this.#recentReads >>= 1;
    this.#recentWrites >>= 1;
  }

  /** What waits now, and a little ahead where calls come. */
  #wants(isIdle: boolean): Want[] {
    const atOnce = Math.max(2, Math.floor((this.limit ?? 0) * atOncePart));
    const weights = new Map<number, number>();
    for (const { weight } of this.asking) weights.set(weight, Math.min(atOnce, (weights.get(weight) ?? 0) + 1));
    if (!isIdle && !this.isWanted)
      for (const weight of [0, 1] as const) {
        const [recent, has] = weight === 0 ? [this.#recentReads, this.#reads] : [this.#recentWrites, this.#writes];
        const missing = Math.min(recent, this.#ahead) - has;
        if (missing > 0) weights.set(weight, (weights.get(weight) ?? 0) + missing);
      }
    return [...weights].toSorted(([a], [b]) => b - a).map(([weight, places]) => ({ weight, places }));
  }

  /** What the store says; places that come too late are good for nothing, and it takes them back by itself. */
  hear(answer: Answer, wants: readonly Want[], time: Span, now: number): void {
    const { window, hour, until, standing } = answer;
    this.isKnown = true;
    this.standing = standing;
    this.blockedUntil = standing.blockedUntil ?? 0;
    const isSameKind = window.kind === this.#window.kind && window.phase === this.#window.phase;
    this.#window = window;
    // Hours of another kind are counted apart.
    if (!isSameKind && hour !== this.#hour) this.#hour = -1;
    this.#turnTo(hour);
    this.#denied = undefined;
    this.#counted += answer.granted.reduce((sum, places) => sum + places, 0);
    // By our clock it may have ended, which is not known as well as the store knows it.
    this.isAhead = hour < this.#hour;
    if (hour !== this.#hour) return;
    this.#until = until;
    this.#share = answer.share;
    this.#next = answer.next;
    for (const [index, { weight }] of wants.entries()) {
      const denied = answer.denied[index];
      const places = answer.granted[index] ?? 0;
      if (denied !== undefined) (this.#denied ??= new Map()).set(weight, { denied, more: answer.more, at: now });
      if (places === 0 || time.high >= until) continue;
      if (weight === 0) this.#reads += places;
      else if (weight === 1) this.#writes += places;
      else this.#others = new Map(this.#others).set(weight, (this.#others?.get(weight) ?? 0) + places);
    }
  }
}

export interface Refused {
  readonly denied: Denied;
  /** Others may give up what they hold. */
  readonly more: boolean;
  readonly at: number;
}
