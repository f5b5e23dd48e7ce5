/** The hourly budget of a proxy: whose hour a call is spent of, who gives out its places, and what waits for one. */
import { randomUUID } from 'node:crypto';
import type { WorkspaceHour } from '../../src/budget/hours.ts';
import type { LedgerStore } from '../../src/budget/ledger-store.ts';
import { type Ledger, MemoryLedger } from '../../src/budget/ledger.ts';
import { hourInMs } from '../../src/contract/times.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ProxyOptions } from '../options.ts';
import type { KeyOwner } from '../recorded-call.ts';
import type { Sender } from '../upstream.ts';
import { Accounts } from './accounts.ts';
import { type PaidSender, Spending } from './spending.ts';
import { LeasingLedger } from './leasing.ts';
import { Told } from './told.ts';
import { Waiting } from './waiting.ts';

export class HourlyBudget {
  readonly accounts: Accounts;
  readonly ledger: Ledger;
  readonly #waiting: Waiting;
  readonly #told: Told;
  readonly #enabled: boolean;
  readonly #now: () => number;

  /** @param identify how a key is known, and whose it is */
  constructor(options: ProxyOptions, identify: (key: string) => KeyOwner, { registry }: Metrics) {
    this.accounts = new Accounts(options, identify);
    this.ledger =
      options.ledger ?? (options.ledgerStore === undefined ? new MemoryLedger(options.now) : leasing(options.ledgerStore, options));
    this.#now = options.now;
    this.#waiting = new Waiting(options.now, options.timers);
    this.#told = new Told(registry, options.logger);
    this.#told.watch(registry, this.accounts, this.ledger, this.#waiting);
    this.#enabled = options.budget.enabled;
  }

  /** Puts the budget before a way to v2. */
  before(upstream: Sender): PaidSender {
    return new Spending(upstream, {
      ledger: this.ledger,
      enabled: this.#enabled,
      waiting: this.#waiting,
      told: this.#told,
      now: this.#now,
    });
  }

  /** The hours of the workspaces of the configuration that have called within them, as they stand. */
  hours(): readonly WorkspaceHour[] {
    const hour = Math.floor(this.#now() / hourInMs);
    return [...this.accounts.workspaces].flatMap(([workspace, account]) => {
      const standing = this.ledger.standing(account);
      if (standing === undefined) return [];
      return [{ ...standing, workspace, refused: account.refused.hour === hour ? account.refused.calls : 0 }];
    });
  }

  /** Lets nobody wait any longer for a place: what waits is answered, and not sent. */
  drain(): void {
    this.#waiting.drain();
  }

  close(): Promise<void> {
    return this.ledger.close();
  }
}

/** The ledger of a proxy whose record is in a store. */
function leasing(store: LedgerStore, { replica, replicas = [], logger, now }: ProxyOptions): LeasingLedger {
  return new LeasingLedger({
    store,
    replica: `${replica ?? ''} ${randomUUID()}`,
    replicas: Math.max(1, replicas.length),
    logger,
    now,
    // What a test turns is turned for all; else what sets the machine's clock must not make an hour of a minute.
    clock: now === Date.now ? () => performance.now() : now,
    later: (work, after) => void setTimeout(work, after).unref(),
  });
}
