/** The hours that processes of one host share, in the file of their record: each exchange is one transaction, which waits for those of others. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Fleet } from '../../../budget/fleet.ts';
import { type LedgerAnswers, type LedgerBatch, answerAll } from '../../../budget/ledger-store.ts';
import { type Shared, newShared } from '../../../budget/leases.ts';
import { hourInMs } from '../../../contract/times.ts';
import { transaction } from './connection.ts';

/** What nobody has touched for so long has nothing left that matters: habits are those of a day. */
const forgottenAfter = 26 * hourInMs;

export class SqliteLedger {
  readonly #db: DatabaseSync;
  readonly #fleet: StatementSync;
  readonly #beat: StatementSync;
  readonly #account: StatementSync;
  readonly #keep: StatementSync;
  readonly #wanted: StatementSync;
  readonly #forget: StatementSync;
  #forgotAt = -Infinity;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#fleet = db.prepare('SELECT state FROM fleet');
    this.#beat = db.prepare('UPDATE fleet SET state = ?');
    this.#account = db.prepare('SELECT state FROM ledger WHERE account = ?');
    this.#keep = db.prepare('INSERT OR REPLACE INTO ledger VALUES (?, ?, ?, ?)');
    this.#wanted = db.prepare('SELECT account FROM ledger WHERE wanted > ?');
    this.#forget = db.prepare('DELETE FROM ledger WHERE touched < ?');
  }

  exchange(batch: LedgerBatch): LedgerAnswers {
    return transaction(this.#db, () => this.#answer(batch));
  }

  #answer(batch: LedgerBatch): LedgerAnswers {
    const { beats, clock, messages } = batch;
    const fleet = JSON.parse(String(this.#fleet.get()?.['state'])) as Fleet;
    const accounts = messages.map(({ account }) => this.#sharedOf(account));
    // A file does not go away for some of those that have it open.
    const answers = answerAll(batch, fleet, accounts, clock, false);
    for (const [index, { account }] of messages.entries()) {
      const shared = accounts[index];
      if (shared !== undefined) this.#keep.run(account, JSON.stringify(shared), answers.now, shared.wanted?.until ?? 0);
    }
    if (!beats) return { ...answers, wanted: [] };
    this.#beat.run(JSON.stringify(fleet));
    if (Math.abs(answers.now - this.#forgotAt) > hourInMs) {
      this.#forget.run(answers.now - forgottenAfter);
      this.#forgotAt = answers.now;
    }
    return { ...answers, wanted: this.#wanted.all(answers.now).map(({ account }) => String(account)) };
  }

  #sharedOf(account: string): Shared {
    const row = this.#account.get(account);
    return row === undefined ? newShared() : (JSON.parse(String(row['state'])) as Shared);
  }
}
