/** Advisory locks: they go with the transaction that takes them, and are of this database only. */
import type { Transaction } from './connection.ts';
import { list } from './sql.ts';

/** Two numbers name a lock: what is locked, and which one of these. The first is ours alone: "mv2" and one more. */
const what = { migration: 0x6d763201, maintenance: 0x6d763202, callers: 0x6d763203, hour: 0x6d763204, logs: 0x6d763205 } as const;

/** Waits for others that bring the schema to their version. */
export async function lockSchema(transaction: Transaction): Promise<void> {
  await transaction.rows('SELECT pg_advisory_xact_lock($1, 0)', [what.migration]);
}

/** @returns whether nobody else rolls up */
export async function tryLockMaintenance(transaction: Transaction): Promise<boolean> {
  const [row] = await transaction.rows('SELECT pg_try_advisory_xact_lock($1, 0)', [what.maintenance]);
  return row?.[0] === true;
}

/**
 * Callers stay, and the minutes of these hours are not deleted, while a batch is written. First of all in a transaction and in one order:
 * so nobody waits for a lock who holds what others wait for.
 */
export async function holdHours(transaction: Transaction, hours: readonly number[]): Promise<void> {
  const sorted = hours.toSorted((a, b) => a - b);
  await transaction.rows(
    `SELECT pg_advisory_xact_lock_shared(what, number)
     FROM (VALUES ($1::int, 0) UNION ALL SELECT $2::int, unnest($3::int[])) AS lock (what, number)`,
    [what.callers, what.hour, list(sorted)],
  );
}

/** Callers stay while something is rolled up. */
export const holdCallers = (transaction: Transaction): Promise<void> => holdHours(transaction, []);

/** Waits until nobody writes or rolls up, and lets nobody begin. */
export async function lockCallers(transaction: Transaction): Promise<void> {
  await transaction.rows('SELECT pg_advisory_xact_lock($1, 0)', [what.callers]);
}

/** Waits until nobody writes minutes of this hour, and lets nobody begin. */
export async function lockHour(transaction: Transaction, hour: number): Promise<void> {
  await transaction.rows('SELECT pg_advisory_xact_lock($1, $2)', [what.hour, hour]);
}

/** Waits for others that write what logs tell: each looks first at what the store has. */
export async function lockLogs(transaction: Transaction): Promise<void> {
  await transaction.rows('SELECT pg_advisory_xact_lock($1, 0)', [what.logs]);
}
