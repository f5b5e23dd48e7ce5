/** A database that is connected to when it is needed, and again when a connection is lost. */
import { StoreError } from '../error.ts';
import { Connection, hostOf, type Mode, type Patience, storeError, type Transaction } from './connection.ts';

/** Where the tables are, whatever else the database holds. */
export const schemaName = 'migrate_v2';

/** For what reads, sums up or deletes a lot. The record of calls goes on meanwhile. */
export const patient: Patience = { answer: 60_000, others: 5_000 };

export class Database {
  readonly host: string;
  readonly #address: string;
  readonly #patience: Patience;
  #connecting: Promise<Connection> | undefined;
  #closed = false;

  /** @throws StoreError with STORE_ADDRESS */
  constructor(address: string, patience = patient) {
    this.host = hostOf(address);
    this.#address = address;
    this.#patience = patience;
  }

  /**
   * Runs one transaction, whole or not at all; one at a time.
   * @throws StoreError
   */
  async transaction<T>(mode: Mode, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.use(async (connection) => {
      await connection.begin(mode, schemaName);
      const result = await work(connection);
      await connection.commit();
      return result;
    });
  }

  /**
   * Does something with the connection, which is given up where that fails: its transaction with it.
   * @throws StoreError
   */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#closed) throw new StoreError('STORE_UNAVAILABLE', 'The usage record is closed');
    const connecting = (this.#connecting ??= this.#connect());
    try {
      return await work(await connecting);
    } catch (error) {
      this.#leave(connecting);
      throw storeError(error, this.host);
    }
  }

  /** Closes the connection, also one that is at work. */
  async close(): Promise<void> {
    this.#closed = true;
    const connecting = this.#connecting;
    this.#connecting = undefined;
    await connecting?.then((connection) => connection.close()).catch(() => undefined);
  }

  #connect(): Promise<Connection> {
    const connecting = Connection.open(this.#address, this.#patience, () => this.#leave(connecting));
    return connecting;
  }

  #leave(connecting: Promise<Connection>): void {
    if (this.#connecting === connecting) this.#connecting = undefined;
    // What never connected, or is broken, has nothing to be closed.
    connecting.then((connection) => connection.close()).catch(() => undefined);
  }
}
