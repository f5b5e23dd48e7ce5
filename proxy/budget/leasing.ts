/**
 * The ledger of a proxy that shares its budget with others through a store. A call takes a place that was leased before, at once; where there is
 * none, it waits for the next answer of the store, with all others that do. While the store is away each replica lives on its share.
 */

import type { Logger } from 'pino';
import { type Denied, type Granted, type Said, type Standing, isDenied } from '../../src/budget/account.ts';
import { beatInMs } from '../../src/budget/fleet.ts';
import { isOtherHour } from '../../src/budget/hour.ts';
import type { LedgerAnswers, LedgerBatch, LedgerStore } from '../../src/budget/ledger-store.ts';
import type { Account, Ledger } from '../../src/budget/ledger.ts';
import type { Message } from '../../src/budget/leases.ts';
import { hourInMs, minuteInMs } from '../../src/contract/times.ts';
import { type Clocks, Contact } from './contact.ts';
import { type Asking, Holding, type Span } from './holding.ts';

/** How long a call waits for a place at most, in milliseconds: others give up what they hold within about one second. */
const longestWait = 2_500;
/** Without a call for so long, places go back. */
const idleAfter = 3_000;
/** Without a call for so long, its share does, too, and the account is forgotten: what was sent of it is of an hour that is over. */
const leavesAfter = 75 * minuteInMs;
/** Accounts of one exchange: no call waits for long as there are many. */
const mostAtOnce = 500;
/** How soon more is asked for that others hold. */
const askAgain = 300;
/** How long a refusal of the store holds here. */
const refusedFor = 500;
/** How long the last message may take, so that a store that is away holds up no end. */
const farewell = 1_000;

export interface LeasingOptions extends Clocks {
  readonly store: LedgerStore;
  /** One start of this replica: another one must have another name. */
  readonly replica: string;
  /** How many replicas there are, as long as the store has not said it. */
  readonly replicas: number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Does something later, as `setTimeout`. */
  readonly later: (work: () => void, after: number) => void;
}

export class LeasingLedger implements Ledger {
  readonly #options: LeasingOptions;
  readonly #holdings = new Map<string, Holding>();
  /** Holdings with calls that wait for the store, and with something to be said. */
  readonly #asking = new Set<Holding>();
  readonly #due = new Set<Holding>();
  readonly #contact: Contact;
  #number = 0;
  replicas: number;
  /** Since when it is the only one. */
  #aloneSince: number | undefined;
  #beatAt = -Infinity;
  #underWay: Promise<void> | undefined;
  #isAgain = false;
  /** The last message was not answered: the next one goes with the next sign of life. */
  #isFailing = false;
  #isBeating = false;
  #isClosed = false;
  #isAway = false;
  #toldOfNothing = false;

  constructor(options: LeasingOptions) {
    this.#options = options;
    this.replicas = options.replicas;
    this.#contact = new Contact(options);
    // From the first answer on it knows the store's clock, and that there is a store.
    void this.#begin();
    this.#beatOn();
  }

  take(account: Account, weight: number): Granted | Promise<Granted> {
    const clock = this.#options.clock();
    const time = this.#contact.timeAt(clock);
    const holding = this.#holdingOf(account, clock, time);
    if (weight === 1) holding.writes++;
    const granted = this.#takeNow(holding, weight, clock, time);
    if (granted !== undefined) return granted;
    return new Promise((settle) => {
      holding.asking.push({ weight, since: clock, settle });
      this.#asking.add(holding);
      this.#ask(holding);
    });
  }

  takeAgain(account: Account, weight: number): boolean {
    const clock = this.#options.clock();
    const time = this.#contact.timeAt(clock);
    const granted = this.#takeNow(this.#holdingOf(account, clock, time), weight, clock, time);
    return granted !== undefined && !isDenied(granted);
  }

  giveBack({ id }: Account, weight: number): void {
    this.#holdings.get(id)?.giveBack(weight);
  }

  spend(account: Account): void {
    const clock = this.#options.clock();
    const time = this.#contact.timeAt(clock);
    const holding = this.#holdingOf(account, clock, time);
    holding.turn(time);
    holding.count(0);
  }

  goesOut(account: Account, takenAt: number): void {
    const { low, high } = this.#contact.timeAt(this.#options.clock());
    const earlier = this.#options.now() - takenAt;
    if (isOtherHour(this.#holdings.get(account.id)?.window ?? account.terms.window, low - earlier, high)) this.spend(account);
  }

  hear(account: Account, said: Said): void {
    const clock = this.#options.clock();
    const holding = this.#holdingOf(account, clock, this.#contact.timeAt(clock));
    holding.hears(said);
  }

  block(account: Account, until: number): void {
    const clock = this.#options.clock();
    const time = this.#contact.timeAt(clock);
    const holding = this.#holdingOf(account, clock, time);
    const after = until - this.#options.now();
    holding.blockedFor = Math.max(after, holding.blockedFor ?? 0);
    holding.blockedUntil = Math.max(holding.blockedUntil, time.low + after);
    this.#ask(holding);
  }

  standing({ id }: Account): Standing | undefined {
    const holding = this.#holdings.get(id);
    if (holding?.standing === undefined) return undefined;
    const { blockedUntil, until, ...rest } = holding.standing;
    return {
      ...rest,
      used: holding.sent,
      blockedUntil: blockedUntil === undefined ? undefined : this.#contact.ours(blockedUntil),
      until: this.#contact.ours(until),
    };
  }

  /** Gives back what was not used; what waits is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const holding of this.#holdings.values()) {
      this.#refuse(holding);
      this.#due.add(holding);
    }
    const over = new Promise<void>((resolve) => this.#options.later(resolve, farewell));
    await Promise.race([this.#underWay, over]);
    await Promise.race([this.#exchange(), over]);
  }

  /** What can be said without the store. */
  #takeNow(holding: Holding, weight: number, clock: number, time: Span): Granted | undefined {
    holding.lastCall = clock;
    if (holding.isLeaving) return this.#isClosed ? this.#denied('used up', time.high) : undefined;
    if (holding.blockedUntil > time.low) return this.#denied('v2 said so', holding.blockedUntil);
    const { limit } = holding;
    if (limit === undefined) {
      holding.turn(time);
      holding.count(weight);
      return { places: 1, used: holding.sent, limit };
    }
    // In the order in which they came.
    if (holding.asking.length === 0 || holding.asking.every((asking) => asking.weight !== weight)) {
      if (holding.takePlace(weight, time)) {
        if (holding.isLow) this.#ask(holding);
        return { places: 1, used: holding.sent, limit };
      }
      const refused = holding.refused(weight);
      if (refused !== undefined && !refused.more && clock - refused.at < refusedFor && refused.denied.retryAt > time.high)
        return this.#denied(refused.denied.why, refused.denied.retryAt);
    }
    return this.#contact.isAwayAt(clock) ? this.#takeWithout(holding, weight, time, limit) : undefined;
  }

  /** While the store is away. */
  #takeWithout(holding: Holding, weight: number, time: Span, limit: number): Granted {
    const most = Math.floor(limit / this.replicas);
    if (!this.#contact.hasMet && !this.#toldOfNothing) {
      this.#toldOfNothing = true;
      const problem = 'The store that shares the hourly budget has said nothing yet';
      this.#options.logger.warn(
        { event: 'budget_unknown', replicas: this.replicas },
        `${problem}: this proxy takes the part of one of ${this.replicas}, whatever is used of it`,
      );
    }
    // Of an account that it had no call of while the store was there, others may have had it all; where there were none for an hour, it is all there.
    const isAllThere = !holding.isKnown && this.#aloneSince !== undefined && this.#options.clock() - this.#aloneSince > hourInMs;
    const isTaken = this.#contact.hasMet && !isAllThere ? holding.takeShare(weight, time) : holding.takeUnknown(most, time, weight);
    return isTaken ? { places: 1, used: holding.sent, limit } : this.#denied('used up', time.high + beatInMs);
  }

  #denied(why: Denied['why'], retryAt: number): Denied {
    return { places: 0, why, retryAt: this.#contact.ours(retryAt) };
  }

  #holdingOf({ id, terms }: Account, clock: number, time: Span): Holding {
    const known = this.#holdings.get(id);
    if (known !== undefined) {
      known.terms = terms;
      return known;
    }
    const made = new Holding(id, terms, time, clock);
    this.#holdings.set(id, made);
    this.#beatOn();
    return made;
  }

  /** While it holds anything, or knows nothing yet, it says that it is there. */
  #beatOn(): void {
    if (this.#isBeating || this.#isClosed) return;
    this.#isBeating = true;
    this.#options.later(() => {
      this.#isBeating = false;
      const isQuiet = this.#holdings.size === 0 && this.#contact.hasMet;
      if (isQuiet) this.#contact.rests();
      if (this.#isClosed || isQuiet) return;
      this.#beatOn();
      this.#look();
      if (this.#underWay === undefined) void this.#begin();
    }, beatInMs);
  }

  /** What has been too long as it is. */
  #look(): void {
    const clock = this.#options.clock();
    for (const holding of this.#holdings.values()) {
      const quiet = clock - holding.lastCall;
      if (holding.hasNews(clock) || (quiet > idleAfter && holding.hasPlaces) || quiet > leavesAfter) this.#due.add(holding);
    }
    this.#serve();
  }

  #ask(holding: Holding): void {
    this.#due.add(holding);
    if (this.#isFailing) return;
    if (this.#underWay === undefined) void this.#begin();
    else this.#isAgain = true;
  }

  async #begin(): Promise<void> {
    this.#isAgain = false;
    this.#underWay = this.#exchange();
    await this.#underWay;
    this.#underWay = undefined;
    if (this.#isAgain && !this.#isFailing && !this.#isClosed) void this.#begin();
  }

  async #exchange(): Promise<void> {
    const { store, replica, clock, now } = this.#options;
    const sent = clock();
    const time = this.#contact.timeAt(sent);
    const beats = sent - this.#beatAt >= beatInMs - 100;
    const said = this.#next().map((holding) => this.#say(holding, sent, time));
    const batch: LedgerBatch = {
      replica,
      clock: now(),
      beats,
      messages: said.map(({ holding, message }) => ({ account: holding.id, terms: holding.terms, message })),
    };
    this.#contact.asks(sent);
    try {
      const answers = await store.exchange(batch);
      this.#isFailing = false;
      if (beats) this.#beatAt = sent;
      this.#heard(answers, said, sent);
    } catch (error) {
      this.#isFailing = true;
      this.#failed(said, error);
    }
    this.#serve();
  }

  /** Those of which something is to be said; at the end all, as they have something to give back. */
  #next(): readonly Holding[] {
    const next = this.#isClosed ? [...this.#due] : [...this.#due].slice(0, mostAtOnce);
    for (const holding of next) this.#due.delete(holding);
    if (this.#due.size > 0) this.#isAgain = true;
    return next;
  }

  #say(holding: Holding, clock: number, time: Span): { readonly holding: Holding; readonly message: Message } {
    const quiet = clock - holding.lastCall;
    const leaves = this.#isClosed || (quiet > leavesAfter && holding.asking.length === 0);
    holding.isLeaving = leaves;
    return { holding, message: holding.message(++this.#number, time, clock, leaves, quiet > idleAfter) };
  }

  #heard({ now, answers, wanted, replicas }: LedgerAnswers, said: readonly { holding: Holding; message: Message }[], sent: number): void {
    const got = this.#options.clock();
    this.#contact.answered(now, sent, got);
    this.replicas = replicas;
    this.#aloneSince = replicas > 1 ? undefined : (this.#aloneSince ?? got);
    if (this.#isAway) {
      this.#isAway = false;
      this.#options.logger.info({ event: 'budget_store_works' }, 'The hourly budget is shared again');
    }
    const time = this.#contact.timeAt(got);
    for (const [index, { holding, message }] of said.entries()) {
      const answer = answers[index];
      if (holding.isLeaving) this.#left(holding, got, time);
      else if (answer !== undefined) holding.hear(answer, message.wants, time, got);
    }
    for (const id of wanted) {
      const holding = this.#holdings.get(id);
      holding?.turn(time);
      if (holding === undefined || holding.asking.length > 0 || !(holding.hasPlaces || holding.hasShare)) continue;
      holding.isWanted = true;
      this.#ask(holding);
    }
  }

  /** What came meanwhile begins anew. */
  #left(holding: Holding, clock: number, time: Span): void {
    this.#holdings.delete(holding.id);
    this.#asking.delete(holding);
    if (holding.asking.length === 0) return;
    const fresh = this.#holdingOf(holding, clock, time);
    fresh.asking.push(...holding.asking.splice(0));
    this.#asking.add(fresh);
    this.#ask(fresh);
  }

  #failed(said: readonly { readonly holding: Holding; readonly message: Message }[], error: unknown): void {
    for (const { holding, message } of said) {
      holding.missed(message);
      holding.isLeaving = false;
      this.#due.add(holding);
    }
    if (this.#isAway || !this.#contact.isAwayAt(this.#options.clock())) return;
    this.#isAway = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.logger.warn(
      { event: 'budget_store_away' },
      `${reason}; the hourly budget cannot be shared, and this proxy lives on its share of it`,
    );
  }

  /** Lets those go on that wait for a place, in the order in which they came. */
  #serve(): void {
    const clock = this.#options.clock();
    const time = this.#contact.timeAt(clock);
    const isAway = this.#contact.isAwayAt(clock);
    for (const holding of this.#asking) {
      const waiting = holding.asking.splice(0);
      let wantsNow = false;
      for (const asking of waiting) {
        const granted = this.#answerTo(holding, asking, clock, time, isAway);
        if (granted !== undefined) {
          asking.settle(granted);
          continue;
        }
        holding.asking.push(asking);
        wantsNow ||= holding.refused(asking.weight) === undefined;
      }
      if (holding.asking.length === 0) this.#asking.delete(holding);
      else if (!isAway && !this.#contact.isWaiting) {
        if (wantsNow && holding.isKnown && !holding.isAhead) this.#ask(holding);
        else this.#retry(holding);
      }
    }
  }

  #retry(holding: Holding): void {
    if (holding.isRetrying) return;
    holding.isRetrying = true;
    this.#options.later(() => {
      holding.isRetrying = false;
      if (holding.asking.length > 0) this.#ask(holding);
    }, askAgain);
  }

  #answerTo(holding: Holding, { weight, since }: Asking, clock: number, time: Span, isAway: boolean): Granted | undefined {
    const { limit } = holding;
    if (holding.blockedUntil > time.low) return this.#denied('v2 said so', holding.blockedUntil);
    if (limit === undefined || holding.takePlace(weight, time)) {
      if (limit === undefined) holding.count(weight);
      return { places: 1, used: holding.sent, limit };
    }
    if (isAway) return this.#takeWithout(holding, weight, time, limit);
    const refused = holding.refused(weight);
    if (refused !== undefined && !refused.more) return this.#denied(refused.denied.why, refused.denied.retryAt);
    if (clock - since < longestWait) return undefined;
    return this.#denied(refused?.denied.why ?? 'used up', Math.max(refused?.denied.retryAt ?? 0, time.high + beatInMs));
  }

  #refuse(holding: Holding): void {
    const now = this.#contact.timeAt(this.#options.clock()).high;
    for (const { settle } of holding.asking.splice(0)) settle(this.#denied('used up', now));
  }
}
