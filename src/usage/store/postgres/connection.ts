/** Connections to PostgreSQL, over `pg`, and what goes wrong with them in the store's own errors. Nothing else knows of `pg`. */
import { Socket } from 'node:net';
import { Client, DatabaseError, types } from 'pg';
import { StoreError } from '../error.ts';

export type Cell = string | number | boolean | Uint8Array | readonly (string | null)[] | null;
export type Row = readonly Cell[];

/** Rows that are held at once of a query of many. */
const rowsOfFetch = 2_000;

/** How long things are waited for, in milliseconds. */
export interface Patience {
  readonly answer: number;
  /** A connection, and a lock. */
  readonly others: number;
}

/** What the server may sort and group in memory: with its default, a fleet's sums go over its disk, and take twice as long. */
const memory = '64MB';

/** How long a server may take to say goodbye. */
const endTimeout = 1_000;

/** Whole numbers of ours fit into JavaScript's: counts and times. */
const bigint = 20;
const numeric = 1700;
const numbers = {
  getTypeParser: (oid: number) => (oid === bigint || oid === numeric ? Number : types.getTypeParser(oid)),
};

const addressProblem = `give --store postgres://user:password@host:5432/database, and write characters such as @ : / ? # in a password as %40 %3A %2F %3F %23`;

/**
 * Checks an address, so that no part of a password can be taken for a host or a database, and be shown.
 * @returns the host, which may be shown
 * @throws StoreError with STORE_ADDRESS
 */
export function hostOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || `${url.pathname}${url.search}${url.hash}`.includes('@'))
    throw new StoreError('STORE_ADDRESS', `This is no address of a PostgreSQL database: ${addressProblem}`);
  return url.hostname === '' ? (url.searchParams.get('host') ?? process.env['PGHOST'] ?? 'localhost') : url.hostname;
}

const stateOf = (error: unknown): string => (error instanceof DatabaseError ? (error.code ?? '') : '');

/** The error that says in words for people what went wrong with the database at this host. */
export function storeError(error: unknown, host: string): StoreError {
  if (error instanceof StoreError) return error;
  // Of a host with several addresses that all refuse, the message is empty.
  const reason = error instanceof Error ? error.message || ('code' in error && String(error.code)) || error.name : String(error);
  const at = `The PostgreSQL server at ${host}`;
  const state = stateOf(error);
  switch (state) {
    case '3D000':
      return new StoreError('STORE_MISSING', `${at} does not have the database of --store: create it, or correct the address`, error);
    case '28000':
    case '28P01':
      return new StoreError('STORE_UNAVAILABLE', `${at} refuses the user or password of --store: correct them`, error);
    case '42501':
      return new StoreError('STORE_UNAVAILABLE', `${at} does not allow this (${reason}): give the user of --store this right`, error);
    case '53100':
      return new StoreError('STORE_FULL', `${at} cannot store more (${reason}): make room on its disk`, error);
    case '40001':
    case '40P01':
    case '55P03':
      return new StoreError('STORE_LOCKED', `${at} holds this part of the usage record for somebody else: try again`, error);
    default:
      break;
  }
  // Missing tables and columns, and damaged files.
  if (/^(?:42P01|42703|42883|XX00[12])$/.test(state))
    return new StoreError(
      'STORE_CORRUPT',
      `${at} has a damaged usage record (${reason}): restore it from a backup, or drop its schema to begin a new one`,
      error,
    );
  return new StoreError('STORE_UNAVAILABLE', `${at} cannot be used (${reason}): see to its address, its network and its log`, error);
}

/** What a transaction is to be: `read` sees one state, and cannot write. */
export type Mode = 'read' | 'write';

export interface Transaction {
  /** All rows of a query. */
  rows(sql: string, cells?: readonly Cell[]): Promise<readonly Row[]>;
  /** The rows of a query of many, some thousand at a time. */
  pages(sql: string, cells?: readonly Cell[]): AsyncGenerator<readonly Row[]>;
}

/** One connection. Once anything failed it is of no use any more: what it had begun is taken back with it. */
export class Connection implements Transaction {
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #lockTimeout: number;
  #cursors = 0;

  private constructor(client: Client, socket: Socket, lockTimeout: number) {
    this.#client = client;
    this.#socket = socket;
    this.#lockTimeout = lockTimeout;
  }

  /** Opens a connection; what fails comes as `pg` says it. */
  static async open(address: string, patience: Patience, lost: () => void): Promise<Connection> {
    const socket = new Socket();
    const client = new Client({
      connectionString: address,
      stream: () => socket,
      application_name: 'migrate-v2',
      connectionTimeoutMillis: patience.others,
      query_timeout: patience.answer,
      keepAlive: true,
      types: numbers,
    });
    client.on('error', lost);
    try {
      await client.connect();
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return new Connection(client, socket, patience.others);
  }

  async begin(mode: Mode, schema: string): Promise<void> {
    const isolation = mode === 'read' ? 'REPEATABLE READ READ ONLY' : 'READ COMMITTED READ WRITE';
    // Within the transaction only: a pooler may give the next one another connection. What a cursor begins with is all read.
    await this.#client.query(
      `BEGIN ISOLATION LEVEL ${isolation}; SET LOCAL search_path TO ${schema}; SET LOCAL lock_timeout TO ${this.#lockTimeout};
       SET LOCAL work_mem TO '${memory}'; SET LOCAL cursor_tuple_fraction TO 1; SET LOCAL jit TO off;
       SET LOCAL client_min_messages TO warning`,
    );
  }

  async commit(): Promise<void> {
    await this.#client.query('COMMIT');
  }

  async rows(sql: string, cells: readonly Cell[] = []): Promise<readonly Row[]> {
    const { rows } = await this.#client.query<Cell[]>({ text: sql, values: [...cells], rowMode: 'array' });
    return rows;
  }

  async *pages(sql: string, cells: readonly Cell[] = []): AsyncGenerator<readonly Row[]> {
    const cursor = `cursor_${++this.#cursors}`;
    await this.rows(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`, cells);
    const fetch = (): Promise<readonly Row[]> => {
      const rows = this.rows(`FETCH ${rowsOfFetch} FROM ${cursor}`);
      // Who reads no further does not wait for it; where it failed, the connection says so at its next use.
      rows.catch(() => undefined);
      return rows;
    };
    let page = fetch();
    for (let isLast = false; !isLast;) {
      const rows = await page;
      isLast = rows.length < rowsOfFetch;
      // The server gets the next rows while these are read.
      if (!isLast) page = fetch();
      yield rows;
    }
    await this.rows(`CLOSE ${cursor}`);
  }

  /** Hears notes of a channel for as long as the connection lasts. */
  async listen(channel: string, heard: (text: string) => void): Promise<void> {
    this.#client.on('notification', ({ payload = '' }) => heard(payload));
    await this.#client.query(`LISTEN ${channel}`);
  }

  /** Ends the connection, and what it may be doing. */
  async close(): Promise<void> {
    const late = setTimeout(() => this.#socket.destroy(), endTimeout);
    await this.#client.end();
    clearTimeout(late);
  }
}
