/** Rolls minutes up into hours, days and blocks of days, and deletes what is too old; one process of a fleet at a time. */
import { dayInMs, hourInMs, minuteInMs } from '../../../contract/times.ts';
import { sourcesOfCaller } from '../../model.ts';
import { isV1Call } from '../conditions.ts';
import { minutesOfPeak, peakOf } from '../load.ts';
import { pausesOf } from '../pauses.ts';
import { daysOfBlock, hoursOfDay } from '../plan.ts';
import { oldSteps } from '../road.ts';
import type { Retention } from '../store.ts';
import type { Transaction } from './connection.ts';
import type { Database } from './database.ts';
import { loadsByKey } from './loads.ts';
import { forgetLogs } from './logs.ts';
import { holdCallers, lockCallers, lockHour, tryLockMaintenance } from './locks.ts';
import { countColumns, dirtyDays, dirtyHours, list, packMinutes, sumCounts, takeCounts } from './sql.ts';

type Work = (transaction: Transaction) => Promise<void>;

/**
 * Does what is to be done, in transactions of their own: another process may go on where this one is ended, or finds it at work.
 * @throws StoreError
 */
export async function maintain(database: Database, now: number, retention: Retention): Promise<void> {
  // Minutes that just ended may still be on their way.
  const settled = now - minuteInMs;
  const plans = [
    () => eachOf(database, `SELECT hour FROM (${dirtyHours}) AS dirty WHERE hour < $1 ORDER BY hour`, settled / hourInMs, rollHour),
    () => eachOf(database, `${staleDays} AND day < $1 ORDER BY day`, settled / dayInMs, rollDay),
    () => eachOf(database, `${staleBlocks} AND block < $1 ORDER BY block`, settled / dayInMs / daysOfBlock, sumBlock),
    () => step(database, (transaction) => keepFrom(transaction, now, retention)),
    () => eachOf(database, 'SELECT DISTINCT hour FROM touch WHERE hour < $1', (now - retention.minutes) / hourInMs, sealHour),
    () => eachOf(database, `${fullDays} AND day < $1`, (now - retention.hours) / dayInMs, sealDay),
    () => step(database, (transaction) => forgetSavings(transaction, (now - retention.hours) / dayInMs)),
    () => eachOf(database, oldDays, firstDay(now, retention), forgetBefore),
    () => eachOf(database, oldCallers, firstDay(now, retention), forgetCallers, lockCallers),
    () => step(database, forgetSources),
    () => step(database, (transaction) => forgetLogs(transaction, firstDay(now, retention))),
  ];
  for (const plan of plans) if (!(await plan())) return;
}

/** Days whose rows are not those of their hours, though these hold all. */
const staleDays = `SELECT day FROM rolled_day WHERE stale AND day NOT IN (SELECT hour / ${hoursOfDay} FROM (${dirtyHours}) AS dirty)`;
const staleBlocks = `SELECT block FROM rolled_block WHERE stale AND block NOT IN (SELECT day / ${daysOfBlock} FROM (${dirtyDays}) AS dirty)`;
/** Days that hold all of their hours, which hold all of minutes that are gone: from those that are there an hour would be made anew. */
const fullDays = `SELECT day FROM rolled_day WHERE NOT stale AND EXISTS (SELECT FROM hour WHERE hour.day = rolled_day.day)
  AND day NOT IN (SELECT hour / ${hoursOfDay} FROM touch)`;

/** The day before which something is to be forgotten, where there is anything. */
const oldDays = `SELECT $1::int WHERE EXISTS (SELECT FROM rolled_day WHERE day < $1) OR EXISTS (SELECT FROM touch WHERE hour < $1 * ${hoursOfDay})`;
const oldCallers = `SELECT $1::int WHERE EXISTS (SELECT FROM caller WHERE seen < $1 * ${dayInMs}::bigint)`;

/** Days are kept in whole blocks. */
const firstDay = (now: number, { days }: Retention): number => Math.floor((now - days) / dayInMs / daysOfBlock) * daysOfBlock;

/** @returns whether it was done: false where another process is at it */
async function step(database: Database, work: Work, hold = holdCallers): Promise<boolean> {
  return database.transaction('write', async (transaction) => {
    if (!(await tryLockMaintenance(transaction))) return false;
    await hold(transaction);
    await work(transaction);
    return true;
  });
}

async function eachOf(
  database: Database,
  sql: string,
  end: number,
  work: (transaction: Transaction, number: number) => Promise<void>,
  hold = holdCallers,
): Promise<boolean> {
  const found = await database.transaction('read', (transaction) => transaction.rows(sql, [Math.floor(end)]));
  for (const [number] of found) if (!(await step(database, (transaction) => work(transaction, Number(number)), hold))) return false;
  return true;
}

async function rollHour(transaction: Transaction, hour: number): Promise<void> {
  // What comes meanwhile may be seen below or not: the hour stays dirty.
  const [dirty] = await transaction.rows(`SELECT part, version FROM (${dirtyHours}) AS dirty WHERE hour = $1`, [hour]);
  if (dirty === undefined) return;
  const [part = 0, version = 0] = dirty;
  const day = Math.floor(hour / hoursOfDay);
  await transaction.rows(
    `INSERT INTO hour (day, caller, kind, hour, part, ${countColumns}) SELECT $1, caller, kind, $2, $3, ${sumCounts}
     FROM minute WHERE hour = $2 AND ${isV1Call} GROUP BY caller, kind ON CONFLICT (day, caller, kind, hour, part) DO UPDATE SET ${takeCounts}`,
    [day, hour, part],
  );
  await transaction.rows(
    `INSERT INTO load (key, hour, part, minutes) SELECT key, $1, $2, ${packMinutes}
     FROM (SELECT key, minute, sum(v2_calls) AS calls FROM minute JOIN caller ON id = caller
       WHERE hour = $1 AND v2_calls > 0 AND key IS NOT NULL GROUP BY key, minute) AS minutes
     GROUP BY key ON CONFLICT (key, hour, part) DO UPDATE SET minutes = excluded.minutes`,
    [hour, part],
  );
  await transaction.rows('INSERT INTO rolled_hour VALUES ($1, $2, $3) ON CONFLICT (hour) DO UPDATE SET done = excluded.done', [
    hour,
    part,
    version,
  ]);
  await transaction.rows('INSERT INTO rolled_day VALUES ($1, 0, true) ON CONFLICT (day) DO UPDATE SET stale = true', [day]);
  // A window of the day after may begin in the last hour of this one.
  if ((hour + 1) % hoursOfDay === 0) await transaction.rows('UPDATE rolled_day SET stale = true WHERE day = $1', [day + 1]);
}

async function rollDay(transaction: Transaction, day: number): Promise<void> {
  const [found] = await transaction.rows('SELECT part FROM rolled_day WHERE day = $1', [day]);
  const part = found?.[0] ?? 0;
  const block = Math.floor(day / daysOfBlock);
  await transaction.rows(
    `INSERT INTO day (block, caller, kind, day, part, ${countColumns}) SELECT $1, caller, kind, $2, $3, ${sumCounts}
     FROM hour WHERE day = $2 GROUP BY caller, kind ON CONFLICT (block, caller, kind, day, part) DO UPDATE SET ${takeCounts}`,
    [block, day, part],
  );
  await transaction.rows(
    `INSERT INTO caller_day SELECT caller, $1, $2, sum(calls), sum(v2_calls), min(first), max(last) FROM hour WHERE day = $1 GROUP BY caller
     ON CONFLICT (caller, day, part) DO UPDATE
     SET calls = excluded.calls, v2_calls = excluded.v2_calls, first = excluded.first, last = excluded.last`,
    [day, part],
  );
  await transaction.rows(
    `UPDATE caller SET seen = newest FROM (SELECT caller AS id, max(last) AS newest FROM hour WHERE day = $1 GROUP BY caller) AS seen
     WHERE caller.id = seen.id AND caller.seen < newest`,
    [day],
  );
  await storePeaks(transaction, day);
  await transaction.rows('UPDATE rolled_day SET stale = false WHERE day = $1', [day]);
  await transaction.rows('INSERT INTO rolled_block VALUES ($1, true) ON CONFLICT (block) DO UPDATE SET stale = true', [block]);
}

async function storePeaks(transaction: Transaction, day: number): Promise<void> {
  const keys: string[] = [];
  const peaks: (readonly [number, number, number, number])[] = [];
  const first = day * hoursOfDay - 1;
  for await (const { key, minutes } of loadsByKey(transaction, { from: first, to: first + 1 + hoursOfDay }, [], minutesOfPeak)) {
    const peak = peakOf(day, minutes);
    if (peak === undefined) continue;
    keys.push(key);
    peaks.push([peak.hour, peak.hourCalls, peak.window, peak.windowCalls]);
  }
  await transaction.rows('DELETE FROM peak WHERE day = $1', [day]);
  await transaction.rows(
    `INSERT INTO peak SELECT $1, given.* FROM unnest($2::text[], $3::int[], $4::bigint[], $5::int[], $6::bigint[]) AS given`,
    [day, keys, ...[0, 1, 2, 3].map((column) => list(peaks.map((peak) => peak[column] ?? 0)))],
  );
}

async function sumBlock(transaction: Transaction, block: number): Promise<void> {
  await transaction.rows(
    `INSERT INTO block (caller, kind, block, ${countColumns}) SELECT caller, kind, $1, ${sumCounts} FROM day WHERE block = $1
     GROUP BY caller, kind ON CONFLICT (block, caller, kind) DO UPDATE SET ${takeCounts}`,
    [block],
  );
  await transaction.rows('UPDATE rolled_block SET stale = false WHERE block = $1', [block]);
}

async function keepFrom(transaction: Transaction, now: number, { minutes, hours }: Retention): Promise<void> {
  await transaction.rows(
    `INSERT INTO meta VALUES ('minutes_from', $1), ('hours_from', $2)
     ON CONFLICT (name) DO UPDATE SET value = greatest(meta.value::bigint, excluded.value::bigint)::text`,
    [String(Math.floor((now - minutes) / hourInMs)), String(Math.floor((now - hours) / dayInMs))],
  );
}

/** Deletes the minutes of an hour that holds them all; what still comes for it makes a part of its own. */
async function sealHour(transaction: Transaction, hour: number): Promise<void> {
  await lockHour(transaction, hour);
  const dirty = await transaction.rows(`SELECT 1 FROM (${dirtyHours}) AS dirty WHERE hour = $1`, [hour]);
  if (dirty.length > 0) return;
  await transaction.rows('DELETE FROM minute WHERE hour = $1', [hour]);
  await transaction.rows('DELETE FROM touch WHERE hour = $1', [hour]);
  await transaction.rows('UPDATE rolled_hour SET part = part + 1, done = 0 WHERE hour = $1', [hour]);
}

/** The same of a day and its hours: only who rolls up writes these. */
async function sealDay(transaction: Transaction, day: number): Promise<void> {
  // Since it was found, another process may have rolled up what came late.
  const [full] = await transaction.rows(`${fullDays} AND day = $1`, [day]);
  if (full === undefined) return;
  await transaction.rows('DELETE FROM hour WHERE day = $1', [day]);
  await transaction.rows('UPDATE rolled_day SET part = part + 1 WHERE day = $1', [day]);
}

async function forgetSavings(transaction: Transaction, day: number): Promise<void> {
  await transaction.rows('DELETE FROM saving WHERE hour < $1', [Math.floor(day) * hoursOfDay]);
}

/** Deletes what is of days before this one, the first of a block. */
async function forgetBefore(transaction: Transaction, day: number): Promise<void> {
  // A reader that sees a caller's rhythm no more has its longest pause still.
  await transaction.rows(
    `UPDATE caller SET pause = greatest(caller.pause, forgotten.pause)
     FROM (SELECT caller, max(pause) AS pause FROM (${pausesOf('SELECT caller, first, last FROM caller_day')}) AS pauses
       WHERE first < $1 GROUP BY caller) AS forgotten
     WHERE id = forgotten.caller AND forgotten.pause > 0`,
    [day * dayInMs],
  );
  const block = day / daysOfBlock;
  for (const table of ['rolled_block', 'block', 'day']) await transaction.rows(`DELETE FROM ${table} WHERE block < $1`, [block]);
  for (const table of ['rolled_day', 'caller_day', 'peak', 'hour']) await transaction.rows(`DELETE FROM ${table} WHERE day < $1`, [day]);
  for (const table of ['rolled_hour', 'load', 'minute', 'touch', 'saving'])
    await transaction.rows(`DELETE FROM ${table} WHERE hour < $1`, [day * hoursOfDay]);
  await transaction.rows('DELETE FROM gap WHERE until < $1', [day * dayInMs]);
  await transaction.rows('DELETE FROM erased WHERE last < $1', [day * dayInMs]);
  await transaction.rows('DELETE FROM comparison WHERE last < $1', [day * dayInMs]);
  await transaction.rows(`DELETE FROM step WHERE ${oldSteps('$1')}`, [day * dayInMs]);
  // Who called before is not known any more: the record begins where what is kept of it does.
  await transaction.rows('UPDATE session SET since = least(seen, $1) WHERE since < $1', [day * dayInMs]);
  // The last one of a proxy that fell silent is what tells of it, however long ago that was.
  await transaction.rows(
    `DELETE FROM session WHERE seen < $1 AND NOT EXISTS (SELECT FROM gap WHERE session = n)
       AND (ended OR EXISTS (SELECT FROM session AS next WHERE next.replica = session.replica AND next.seen > session.seen))`,
    [day * dayInMs],
  );
}

/** Deletes callers of whom nothing is left. */
async function forgetCallers(transaction: Transaction, day: number): Promise<void> {
  const gone = await transaction.rows(
    `DELETE FROM caller WHERE seen < $1 AND NOT EXISTS (SELECT FROM caller_day WHERE caller = id)
       AND NOT EXISTS (SELECT FROM hour WHERE caller = id) AND NOT EXISTS (SELECT FROM minute WHERE caller = id)
       AND NOT EXISTS (SELECT FROM load WHERE load.key = caller.key) RETURNING id`,
    [day * dayInMs],
  );
  await transaction.rows('DELETE FROM source WHERE caller = ANY ($1::bigint[])', [list(gone.map(([id]) => Number(id)))]);
}

async function forgetSources(transaction: Transaction): Promise<void> {
  await transaction.rows(
    `DELETE FROM source USING (SELECT caller, network, row_number() OVER (PARTITION BY caller ORDER BY last DESC) AS place FROM source) AS placed
     WHERE source.caller = placed.caller AND source.network = placed.network AND place > $1`,
    [sourcesOfCaller],
  );
}
