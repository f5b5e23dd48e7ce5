/** What a replica and the store of its fleet say to each other: everything that is to be said of its accounts at one time, in one transaction. */
import type { Terms } from './account.ts';
import { type Fleet, beat, clockOf, countOf } from './fleet.ts';
import { type Answer, type Message, type Shared, exchange } from './leases.ts';

export interface LedgerBatch {
  /** One start of one replica. */
  readonly replica: string;
  /** The clock of the replica; only a store that has none of its own, as it is a file of the same host, goes by it. */
  readonly clock: number;
  /** Whether it says that it is there; always with its first batch. */
  readonly beats: boolean;
  readonly messages: readonly { readonly account: string; readonly terms: Terms; readonly message: Message }[];
}

export interface LedgerAnswers {
  /** The clock of the store. */
  readonly now: number;
  /** Of each message, in order. */
  readonly answers: readonly Answer[];
  /** Accounts of which somebody wants more than there was; told to whoever says that it is there. */
  readonly wanted: readonly string[];
  /** Replicas that are there. */
  readonly replicas: number;
}

export interface LedgerStore {
  /**
   * Hears a replica, and answers it; all of it or nothing. It settles within some seconds, and is not called again before.
   * @throws StoreError
   */
  exchange(batch: LedgerBatch): Promise<LedgerAnswers>;
}

/**
 * Answers a batch, under the locks of whoever calls.
 * @param accounts of its messages; they are changed
 * @param breaks whether the store can be away for some replicas
 */
export function answerAll(
  { replica, beats, messages }: LedgerBatch,
  fleet: Fleet,
  accounts: readonly Shared[],
  clock: number,
  breaks: boolean,
): Omit<LedgerAnswers, 'wanted'> {
  const now = clockOf(fleet, clock);
  if (beats) beat(fleet, replica, now, breaks);
  const answers = messages.map(({ terms, message }, index) => {
    const shared = accounts[index];
    if (shared === undefined) throw new Error('There is no account for this message');
    return exchange(shared, terms, message, replica, fleet, now);
  });
  return { now, answers, replicas: countOf(fleet, now) };
}
