/** Who gives out the places of v2's hour: a proxy for itself, or a store for all of its replicas. */
import { isOtherHour } from './hour.ts';
import { hourInMs } from '../contract/times.ts';
import {
  type AccountState,
  type Granted,
  type Said,
  type Standing,
  type Terms,
  block,
  giveBack,
  hear,
  newAccount,
  spend,
  standingOf,
  take,
} from './account.ts';

/** The account of a workspace, or of a key that is nobody's. */
export interface Account {
  readonly id: string;
  readonly terms: Terms;
}

export interface Ledger {
  /** Proxies that share it, this one among them, as far as is known. */
  readonly replicas: number;
  /**
   * Takes a place for one call that is about to be sent.
   * @param weight how much of what is kept for writes it may use, from 0 to 1
   */
  take(account: Account, weight: number): Granted | Promise<Granted>;
  /** Takes a place for a call that is to be sent once more, if there is one at hand. */
  takeAgain(account: Account, weight: number): boolean;
  /** Gives back a place that was taken just now for a call of this weight, which was not sent. */
  giveBack(account: Account, weight: number): void;
  /** Counts a call for which no place was taken. */
  spend(account: Account): void;
  /** A call goes out whose place was taken a while ago: in another hour, it counts once more. */
  goesOut(account: Account, takenAt: number): void;
  hear(account: Account, said: Said): void;
  /** v2 has refused a call of this account, and wants to be left alone until then. */
  block(account: Account, until: number): void;
  /** Where an account stands, as far as this proxy knows; undefined where it has had no call for long. */
  standing(account: Account): Standing | undefined;
  /** Gives back what was not used. */
  close(): Promise<void>;
}

/** Accounts of keys that are nobody's could be any number: those that had no call in the last hours are forgotten. */
const mostAccounts = 200_000;

/** A proxy's own. */
export class MemoryLedger implements Ledger {
  readonly replicas = 1;
  readonly #now: () => number;
  #young = new Map<string, AccountState>();
  #old = new Map<string, AccountState>();
  #turned: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#turned = now();
  }

  take({ id, terms }: Account, weight: number): Granted {
    return take(this.#stateOf(id), terms, weight, 1, this.#now());
  }

  takeAgain(account: Account, weight: number): boolean {
    return this.take(account, weight).places > 0;
  }

  giveBack({ id, terms }: Account, weight: number): void {
    giveBack(this.#stateOf(id), terms, weight, this.#now());
  }

  spend({ id, terms }: Account): void {
    spend(this.#stateOf(id), terms, 1, this.#now());
  }

  goesOut(account: Account, takenAt: number): void {
    if (isOtherHour(account.terms.window, takenAt, this.#now())) this.spend(account);
  }

  hear({ id, terms }: Account, said: Said): void {
    hear(this.#stateOf(id), terms, said, this.#now());
  }

  block({ id, terms }: Account, until: number): void {
    block(this.#stateOf(id), terms, until);
  }

  standing({ id, terms }: Account): Standing | undefined {
    const state = this.#young.get(id) ?? this.#old.get(id);
    return state && standingOf(state, terms, this.#now());
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #stateOf(id: string): AccountState {
    const young = this.#young.get(id);
    if (young !== undefined) return young;
    const now = this.#now();
    // What had no call for a day has nothing left that matters, and no habit.
    if (this.#young.size >= mostAccounts || Math.abs(now - this.#turned) > 26 * hourInMs) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#turned = now;
    }
    const state = this.#old.get(id) ?? newAccount();
    this.#young.set(id, state);
    return state;
  }
}
