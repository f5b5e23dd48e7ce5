/** Opens the file of an embedded store, and says in the store's own errors what SQLite complains of. */
import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import type { DatabaseSync as Database } from 'node:sqlite';
import { StoreError } from '../error.ts';
import { DatabaseSync } from './node-sqlite.ts';
import { checkSchema, migrate, schemaVersion } from './schema.ts';

/** How long to wait for another process that writes, in milliseconds. */
const busyTimeout = 2_000;

const pause = new Int32Array(new SharedArrayBuffer(4));

/** SQLite's primary result codes. */
const busy = 5;
const locked = 6;
const corrupt = 11;
const full = 13;
const notADatabase = 26;

const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;

/** The error that says in words for people what went wrong with this file. */
export function storeError(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  switch (codeOf(error)) {
    case busy:
    case locked:
      return new StoreError('STORE_LOCKED', `${path} is held by another process: end it, or give this one another --store`, error);
    case corrupt:
    case notADatabase:
      return new StoreError(
        'STORE_CORRUPT',
        `${path} is no usage record, or is damaged (${reason}): move it away to begin a new one, or restore it from a backup`,
        error,
      );
    case full:
      return new StoreError('STORE_FULL', `${path} cannot grow: make room on its disk`, error);
    default:
      return new StoreError('STORE_UNAVAILABLE', `${path} cannot be used (${reason}): see to its folder and permissions`, error);
  }
}

/** Does something with a store, with the store's errors. */
export function guarded<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw storeError(error, path);
  }
}

/** Only the owner may read who calls: SQLite gives its side files the mode of the file. One that is there it opens to read where it may not write. */
function make(path: string): void {
  if (existsSync(path)) return accessSync(path, constants.W_OK);
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

/**
 * Lets readers and the writer work beside each other. SQLite waits for other processes in all that it does but in this, where it has begun to
 * read and would write: https://sqlite.org/c3ref/busy_handler.html.
 */
function useWriteAheadLog(db: Database): void {
  for (const end = Date.now() + busyTimeout; ; Atomics.wait(pause, 0, 0, 10))
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (codeOf(error) !== busy || Date.now() > end) throw error;
    }
}

/**
 * Opens a store for writing; makes it where there is none.
 * @param hashSecret of a new one
 * @throws StoreError
 */
export function openToWrite(path: string, hashSecret: string): Database {
  return guarded(path, () => {
    make(path);
    const db = new DatabaseSync(path, { timeout: busyTimeout });
    try {
      // Before anything is changed: a file of another program stays as it is.
      checkSchema(db, path);
      useWriteAheadLog(db);
      db.exec('PRAGMA synchronous = NORMAL');
      migrate(db, path, hashSecret);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/**
 * Opens a store that is there.
 * @throws StoreError
 */
export function openExisting(path: string, options: { readonly readOnly: boolean }): Database {
  if (!existsSync(path))
    throw new StoreError('STORE_MISSING', `${path} does not exist: give --store the file that the proxy writes, or start the proxy first`);
  return guarded(path, () => {
    const db = new DatabaseSync(path, { readOnly: options.readOnly, timeout: busyTimeout });
    try {
      const version = checkSchema(db, path);
      if (version === 0)
        throw new StoreError('STORE_MISSING', `${path} is empty: give --store the file that the proxy writes, or start the proxy first`);
      // One of an older version is brought up to date by whoever comes first; its secret stays.
      if (version < schemaVersion) openToWrite(path, '').close();
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/**
 * Makes the check that a file is still the one that was opened: SQLite would go on writing to one that nobody finds any more.
 * @returns throws StoreError
 */
export function stillThere(path: string): () => void {
  const identity = (): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
  const opened = identity();
  return () => {
    if (identity() !== opened)
      throw new StoreError('STORE_UNAVAILABLE', `${path} was deleted, moved or replaced while it was in use: a new one is begun`);
  };
}

/** Runs one transaction, whole or not at all. */
export function transaction<T>(db: Database, action: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = action();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // Some errors, a full disk for one, have already rolled it back.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
