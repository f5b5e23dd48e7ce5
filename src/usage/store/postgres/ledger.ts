/**
 * The hours that a fleet shares: each exchange is one transaction, which locks the rows of its accounts, always in the same order, and goes by the
 * clock of the database. It has a connection of its own, so that it waits for no batch of the record.
 */
import type { Fleet } from '../../../budget/fleet.ts';
import { type LedgerAnswers, type LedgerBatch, type LedgerStore, answerAll } from '../../../budget/ledger-store.ts';
import { type Shared, newShared } from '../../../budget/leases.ts';
import { hourInMs } from '../../../contract/times.ts';
import { StoreError } from '../error.ts';
import type { Patience, Transaction } from './connection.ts';
import { Database } from './database.ts';
import { list, text } from './sql.ts';

/** Calls wait for it: a server that does not answer for so long, in milliseconds, is said to be away. */
const brief: Patience = { answer: 1_500, others: 1_000 };
/** As in the embedded store. */
const forgottenAfter = 26 * hourInMs;
/** Names of rows that are known to be there. */
const mostKnown = 100_000;

export class PostgresLedger implements LedgerStore {
  readonly #database: Database;
  readonly #clock: (() => number) | undefined;
  readonly #known = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();
  #forgotAt = -Infinity;

  /** @param clock in place of the database's */
  constructor(address: string, clock?: () => number) {
    this.#database = new Database(address, brief);
    this.#clock = clock;
  }

  exchange(batch: LedgerBatch): Promise<LedgerAnswers> {
    const working = this.#last.then(() => this.#exchange(batch));
    this.#last = working.catch(() => this.#known.clear());
    return working;
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #exchange(batch: LedgerBatch): Promise<LedgerAnswers> {
    // In transactions of their own: what waits for a row that somebody else is making must hold no other.
    const unknown = batch.messages.map(({ account }) => account).filter((account) => !this.#known.has(account));
    if (unknown.length > 0) await this.#make(unknown);
    const answers = await this.#database.transaction('write', (transaction) => this.#answer(transaction, batch));
    if (batch.beats && Math.abs(answers.now - this.#forgotAt) > hourInMs) await this.#forget(answers.now);
    return answers;
  }

  async #answer(transaction: Transaction, batch: LedgerBatch): Promise<LedgerAnswers> {
    const { messages, beats } = batch;
    const names = messages.map(({ account }) => text(account));
    const rows =
      names.length === 0
        ? []
        : await transaction.rows('SELECT account, state FROM ledger WHERE account = ANY($1::text[]) ORDER BY account FOR UPDATE', [names]);
    const states = new Map(rows.map(([account, state]) => [account, JSON.parse(String(state)) as Shared]));
    const accounts = names.map((name) => {
      const shared = states.get(name);
      if (shared === undefined) throw new StoreError('STORE_LOCKED', 'An account of the hourly budget was forgotten just now: try again');
      return shared;
    });
    // After the locks: whoever waited for one goes by what the clock says now.
    const [found] = await transaction.rows(
      `SELECT state, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM fleet${beats ? ' FOR UPDATE' : ''}`,
    );
    const fleet = JSON.parse(String(found?.[0])) as Fleet;
    const answers = answerAll(batch, fleet, accounts, this.#clock?.() ?? Number(found?.[1]), true);
    if (names.length > 0) await keep(transaction, names, accounts, answers.now);
    if (!beats) return { ...answers, wanted: [] };
    const wanted = await transaction.rows('WITH beat AS (UPDATE fleet SET state = $1) SELECT account FROM ledger WHERE wanted > $2', [
      JSON.stringify(fleet),
      answers.now,
    ]);
    return { ...answers, wanted: wanted.map(([account]) => String(account)) };
  }

  async #make(accounts: readonly string[]): Promise<void> {
    await this.#database.transaction('write', (transaction) =>
      transaction.rows(
        `INSERT INTO ledger SELECT account, $2, (extract(epoch FROM now()) * 1000)::bigint, 0
         FROM unnest($1::text[]) AS given (account) ORDER BY account ON CONFLICT DO NOTHING`,
        [accounts.map(text), JSON.stringify(newShared())],
      ),
    );
    if (this.#known.size > mostKnown) this.#known.clear();
    for (const account of accounts) this.#known.add(account);
  }

  async #forget(now: number): Promise<void> {
    const old = 'SELECT account FROM ledger WHERE touched < $1 ORDER BY account FOR UPDATE SKIP LOCKED';
    await this.#database.transaction('write', (transaction) =>
      transaction.rows(`DELETE FROM ledger WHERE account IN (${old})`, [now - forgottenAfter]),
    );
    this.#forgotAt = now;
  }
}

async function keep(transaction: Transaction, names: readonly string[], accounts: readonly Shared[], now: number): Promise<void> {
  await transaction.rows(
    `UPDATE ledger SET state = given.state, touched = $4, wanted = given.wanted
     FROM unnest($1::text[], $2::text[], $3::bigint[]) AS given (account, state, wanted) WHERE ledger.account = given.account`,
    [names, accounts.map((shared) => JSON.stringify(shared)), list(accounts.map(({ wanted }) => wanted?.until ?? 0)), now],
  );
}
