import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerAnswers, LedgerBatch } from '../../../budget/ledger-store.ts';
import { ageingClock } from '../ageing-clock.ts';
import type { Step } from '../../model.ts';
import type { Retention, UsageBatch, ProxyStore } from '../store.ts';
import type { Patience } from './connection.ts';
import { Database } from './database.ts';
import { PostgresLedger } from './ledger.ts';
import { maintain } from './maintain.ts';
import { noteStep, readSteps } from './road.ts';
import { lastSeen, migrate } from './schema.ts';
import { BatchWriter } from './write.ts';

/** How long a batch that is being written may take once the writer is closed: a server that does not answer must not hold a proxy. */
const lastWrite = 1_000;
/** A batch is small: a server that does not answer for so long, in milliseconds, is said to be away. */
const writing: Patience = { answer: 10_000, others: 5_000 };
/** Proxies of a fleet start at once, and one makes the tables while the others wait in turn. */
const starting: Patience = { answer: 60_000, others: 30_000 };

class PostgresWriter implements ProxyStore {
  readonly hashSecret: string;
  readonly #database: Database;
  /** A connection of its own: rolling up takes longer than a batch may wait. */
  readonly #maintenance: Database;
  readonly #ledger: PostgresLedger;
  readonly #clock: (now: number) => number;
  readonly #batches = new BatchWriter();
  #last: Promise<unknown> = Promise.resolve();
  #maintaining: Promise<void> | undefined;

  constructor(database: Database, maintenance: Database, ledger: PostgresLedger, hashSecret: string, clock: (now: number) => number) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#database = database;
    this.#maintenance = maintenance;
    this.hashSecret = hashSecret;
  }

  write(batch: UsageBatch): Promise<void> {
    return this.#inTurn(() => this.#write(batch));
  }

  note(step: Step): Promise<void> {
    return this.#inTurn(() => this.#database.transaction('write', (transaction) => noteStep(transaction, step)));
  }

  steps(): Promise<readonly Step[]> {
    return this.#inTurn(() => this.#database.transaction('read', readSteps));
  }

  maintain(now: number, retention: Retention): Promise<void> {
    this.#maintaining ??= maintain(this.#maintenance, this.#clock(now), retention).finally(() => (this.#maintaining = undefined));
    return this.#maintaining;
  }

  exchange(batch: LedgerBatch): Promise<LedgerAnswers> {
    return this.#ledger.exchange(batch);
  }

  async close(): Promise<void> {
    await Promise.race([this.#last, sleep(lastWrite, undefined, { ref: false })]);
    await Promise.all([this.#database.close(), this.#maintenance.close(), this.#ledger.close()]);
  }

  /** One after another: a connection has one transaction at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const working = this.#last.then(work);
    this.#last = working.catch(() => this.#batches.forget());
    return working;
  }

  async #write(batch: UsageBatch): Promise<void> {
    await this.#database.transaction('write', (transaction) => this.#batches.write(transaction, batch));
  }
}

/**
 * Opens a store in PostgreSQL for writing; makes its tables where there are none, in a schema of their own.
 *
 * Its user needs CREATE on the database for that, or an empty schema `migrate_v2` that it owns; from then on, and for an eraser, USAGE on the
 * schema, SELECT, INSERT, UPDATE and DELETE on its tables, and USAGE on its sequences. A newer version of the kit may have tables to change:
 * start it first with a user that owns them.
 * @param address of the database: `postgres://user:password@host/database`, with what `pg` knows besides, for example `?sslmode=verify-full`
 * @param hashSecret of the hashes in a store that is made
 * @param isPatient whether others are waited for as at a start, for longer than a proxy that ends may take
 * @throws StoreError
 */
export async function openPostgresWriter(address: string, hashSecret: string, isPatient: boolean): Promise<ProxyStore> {
  const database = new Database(address, isPatient ? starting : writing);
  try {
    const secret = await migrate(database, hashSecret);
    const clock = ageingClock(await database.transaction('read', lastSeen));
    return new PostgresWriter(new Database(address, writing), new Database(address), new PostgresLedger(address), secret, clock);
  } finally {
    await database.close();
  }
}
