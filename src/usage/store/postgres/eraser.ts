import { isV1Call } from '../conditions.ts';
import { leaveTrace } from '../pauses.ts';
import { hashMark } from '../../workspaces.ts';
import { insertMark } from '../marks.ts';
import type { UsageEraser } from '../store.ts';
import type { Transaction } from './connection.ts';
import { Database } from './database.ts';
import { lockCallers } from './locks.ts';
import { eraseLogged } from './logs.ts';
import { noteStep } from './road.ts';
import { expectStore } from './schema.ts';
import { dirtyDays, dirtyHours, text } from './sql.ts';

const callers = 'SELECT id FROM caller WHERE key = $1';

/** Each call once: see plan.ts. */
const callsOf = `WITH callers AS (${callers}), dirty_hours AS (${dirtyHours}), dirty_days AS (${dirtyDays})
  SELECT sum(calls) FROM (
    SELECT calls FROM day WHERE caller IN (SELECT id FROM callers) AND (day, part) NOT IN (SELECT day, part FROM dirty_days)
    UNION ALL SELECT calls FROM hour WHERE caller IN (SELECT id FROM callers)
      AND day IN (SELECT day FROM dirty_days) AND (hour, part) NOT IN (SELECT hour, part FROM dirty_hours)
    UNION ALL SELECT calls FROM minute WHERE caller IN (SELECT id FROM callers) AND ${isV1Call} AND hour IN (SELECT hour FROM dirty_hours)) AS rows`;

async function erase(transaction: Transaction, keyHash: string): Promise<{ callers: number; calls: number }> {
  await lockCallers(transaction);
  await transaction.rows('DELETE FROM mark WHERE subject = $1', [hashMark + keyHash]);
  const [row] = await transaction.rows(callsOf, [keyHash]);
  const rows = [`minute WHERE ${isV1Call} AND`, 'hour WHERE', 'caller_day WHERE'].map(
    (from) => `SELECT caller, first, last FROM ${from} caller IN (${callers})`,
  );
  await transaction.rows(leaveTrace(rows.join(' UNION ALL '), 'SELECT id AS caller, pause FROM caller WHERE key = $1'), [keyHash]);
  for (const table of ['minute', 'hour', 'day', 'block', 'caller_day', 'source', 'saving'])
    await transaction.rows(`DELETE FROM ${table} WHERE caller IN (${callers})`, [keyHash]);
  for (const table of ['load', 'peak']) await transaction.rows(`DELETE FROM ${table} WHERE key = $1`, [keyHash]);
  const forgotten = await transaction.rows('DELETE FROM caller WHERE key = $1 RETURNING id', [keyHash]);
  const logged = await eraseLogged(transaction, keyHash);
  return { callers: forgotten.length + logged.callers, calls: Number(row?.[0] ?? 0) + logged.calls };
}

/**
 * Opens a store in PostgreSQL to erase from it; proxies may be writing to it. What is erased can be read no more, but stays in the server's
 * files until VACUUM has passed, and in its log and its backups as long as these are kept.
 * @throws StoreError
 */
export async function openPostgresEraser(address: string): Promise<UsageEraser> {
  const database = new Database(address);
  try {
    await database.transaction('read', expectStore);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    erase: (keyHash) => database.transaction('write', (transaction) => erase(transaction, keyHash)),
    retire: ({ replica, at }) =>
      database.transaction('write', async (transaction) => {
        const sql = 'INSERT INTO retired VALUES ($1, $2) ON CONFLICT (replica) DO UPDATE SET at = greatest(retired.at, excluded.at)';
        await transaction.rows(sql, [text(replica), at]);
      }),
    mark: ({ subject, at, status, until, note }) =>
      database.transaction('write', async (transaction) => {
        await transaction.rows(insertMark('$1, $2, $3, $4, $5'), [text(subject), at, status, until, note === null ? null : text(note)]);
      }),
    note: (step) => database.transaction('write', (transaction) => noteStep(transaction, step)),
    close: () => database.close(),
  };
}
