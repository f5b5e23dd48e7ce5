/** What a request to v2 is for, as far as the hourly budget has to know. */
import type { V1EndpointId } from '../../src/contract/endpoints.ts';
import type { Account } from '../../src/budget/ledger.ts';
import type { BudgetPolicy } from '../../src/budget/policy.ts';
import type { WindowWatch } from './window-watch.ts';

export interface BudgetAccount extends Account {
  /** Undefined for a key that is nobody's. */
  readonly workspace: string | undefined;
  readonly policy: BudgetPolicy;
  /** What v2's fields have shown of how it counts. */
  watch: WindowWatch | undefined;
  /** The per cent of its limit of which the log has told. */
  told: 0 | 80 | 100;
  /** Calls that were refused here in an hour of the clock, counted from the epoch. */
  refused: { calls: number; hour: number };
}

export interface Purpose {
  readonly account: BudgetAccount;
  /** The endpoint that v2 is asked for; undefined where it is none of v1's. */
  readonly endpoint: V1EndpointId | undefined;
  /** How much of what is kept for writes it may use, from 0 to 1. */
  readonly weight: number;
  /** The v2 key: writes of one key keep their order. */
  readonly key: string;
  /** Whose answers are its own: the v2 key, and where a v1 key stands for it that one, too. */
  readonly reader: string;
}

/** Why v2 was not asked. */
export interface Refusal {
  readonly why: 'used up' | 'kept for writes' | 'v2 said so';
  /** Seconds after which it is worth asking again. */
  readonly retryAfter: number;
}
