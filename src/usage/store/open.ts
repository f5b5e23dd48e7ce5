/** Opens stores by their address: the path of a file, or the URL of a PostgreSQL database. */
import { randomBytes } from 'node:crypto';
import { StoreError } from './error.ts';
import type { Notes } from './notes.ts';
import { openSqliteEraser } from './sqlite/eraser.ts';
import { openSqliteLogWriter } from './sqlite/logs.ts';
import { openSqliteReader } from './sqlite/reader.ts';
import { openSqliteWriter } from './sqlite/writer.ts';
import type { LogWriter, UsageEraser, UsageReader, ProxyStore } from './store.ts';

/**
 * What kind of store an address is of.
 * @throws StoreError with STORE_ADDRESS for that of none; the message never shows it, it may hold a password
 */
function kindOf(address: string): 'sqlite' | 'postgres' {
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(address) ?? [];
  if (scheme === undefined) return 'sqlite';
  if (/^postgres(?:ql)?$/i.test(scheme)) return 'postgres';
  throw new StoreError('STORE_ADDRESS', `A store cannot be at ${scheme}://…: give --store the path of a file, or postgres://…`);
}

/**
 * Opens a store for the record of a proxy; makes it where there is none.
 * @param hashSecret of the hashes in a store that is made; a random one where it is not given
 * @param isPatient whether to wait for others that start at the same time; not where the proxy can go on without, and must not end late for it
 * @throws StoreError
 */
export async function openWriter(address: string, hashSecret = randomBytes(32).toString('hex'), isPatient = true): Promise<ProxyStore> {
  if (kindOf(address) === 'sqlite') return openSqliteWriter(address, hashSecret);
  // Most have no need of the driver.
  const { openPostgresWriter } = await import('./postgres/writer.ts');
  return openPostgresWriter(address, hashSecret, isPatient);
}

/** What replicas tell each other through a store; undefined where it is one that nobody hears. */
export async function openNotes(address: string): Promise<Notes | undefined> {
  if (kindOf(address) === 'sqlite') return undefined;
  const { PostgresNotes } = await import('./postgres/notes.ts');
  return new PostgresNotes(address);
}

/**
 * Opens a store that is there for a report.
 * @throws StoreError
 */
export async function openReader(address: string): Promise<UsageReader> {
  if (kindOf(address) === 'sqlite') return openSqliteReader(address);
  const { openPostgresReader } = await import('./postgres/reader.ts');
  return openPostgresReader(address);
}

/**
 * Opens a store that is there to erase from it.
 * @throws StoreError
 */
export async function openEraser(address: string): Promise<UsageEraser> {
  if (kindOf(address) === 'sqlite') return openSqliteEraser(address);
  const { openPostgresEraser } = await import('./postgres/eraser.ts');
  return openPostgresEraser(address);
}

/**
 * Opens a store to write what access logs tell; makes it where there is none.
 * @throws StoreError
 */
export async function openLogWriter(address: string): Promise<LogWriter> {
  const secret = randomBytes(32).toString('hex');
  if (kindOf(address) === 'sqlite') return openSqliteLogWriter(address, secret);
  const { openPostgresLogWriter } = await import('./postgres/logs.ts');
  return openPostgresLogWriter(address, secret);
}
