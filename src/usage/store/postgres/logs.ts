/** What a store in PostgreSQL keeps of access logs. */
import { dayInMs, hourInMs } from '../../../contract/times.ts';
import type { LogBatch, LogCaller, LogSource, LogUse } from '../../logs/model.ts';
import type { Range } from '../../model.ts';
import { cellsOf, endsOf, FreshLines, otherLogCaller, roomFor, stretchesByName } from '../logs.ts';
import type { LogWriter } from '../store.ts';
import type { Row, Transaction } from './connection.ts';
import { Database } from './database.ts';
import { lockLogs } from './locks.ts';
import { migrate } from './schema.ts';
import { list, text } from './sql.ts';

/**
 * Opens a store in PostgreSQL to write what logs tell; makes it where there is none. Proxies, and others that import, may be writing to it.
 * @param hashSecret of the hashes in one that is made
 * @throws StoreError
 */
export async function openPostgresLogWriter(address: string, hashSecret: string): Promise<LogWriter> {
  const database = new Database(address);
  try {
    const secret = await migrate(database, hashSecret);
    return {
      hashSecret: secret,
      add: (batch) => database.transaction('write', (transaction) => addBatch(transaction, batch)),
      forget: (source) => database.transaction('write', (transaction) => forgetSource(transaction, source)),
      replace: (source, by) => database.transaction('write', (transaction) => replaceSource(transaction, source, by)),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function addBatch(transaction: Transaction, batch: LogBatch): Promise<number> {
  const { source, format, at, file, callers, kinds, hours } = batch;
  await lockLogs(transaction);
  const [named] = await transaction.rows(
    `INSERT INTO log_source (name, format, imported) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET format = excluded.format, imported = greatest(log_source.imported, excluded.imported) RETURNING n`,
    [text(source), text(format), at],
  );
  const from = Number(named?.[0]);
  await transaction.rows(
    `INSERT INTO log_file VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (source, id) DO UPDATE
     SET first = least(log_file.first, excluded.first), last = greatest(log_file.last, excluded.last),
       lines = greatest(log_file.lines, excluded.lines), unread = greatest(log_file.unread, excluded.unread)`,
    [from, file.id, ...endsOf(file), file.lines, file.unread],
  );
  await transaction.rows(
    `INSERT INTO log_stretch SELECT $1, * FROM unnest($2::bigint[], $3::bigint[])
     ON CONFLICT (source, first) DO UPDATE SET last = greatest(log_stretch.last, excluded.last)`,
    [from, list(file.stretches.map(({ since }) => since)), list(file.stretches.map(({ until }) => until))],
  );
  const fresh = new FreshLines(batch);
  for (const hour of hours) {
    const [row] = await transaction.rows('SELECT marks FROM log_line WHERE source = $1 AND hour = $2', [from, hour.hour]);
    const bytes = fresh.add(hour, row?.[0] instanceof Uint8Array ? row[0] : undefined);
    if (bytes !== undefined)
      await transaction.rows('INSERT INTO log_line VALUES ($1, $2, $3) ON CONFLICT (source, hour) DO UPDATE SET marks = excluded.marks', [
        from,
        hour.hour,
        bytes,
      ]);
  }
  const { days } = fresh;
  if (days.length === 0) return 0;
  const callerOf = await callerNumbers(transaction, from, callers, [...new Set(days.map(({ caller }) => caller))]);
  const kindOf = await kindNumbers(transaction, kinds, [...new Set(days.map(({ kind }) => kind))]);
  // Several callers may be the same one that stands for all others.
  await transaction.rows(
    `INSERT INTO log_use SELECT $1, caller, kind, day, sum(calls), min(first), max(last)
     FROM unnest($2::int[], $3::int[], $4::int[], $5::bigint[], $6::bigint[], $7::bigint[]) AS given (caller, kind, day, calls, first, last)
     GROUP BY caller, kind, day ON CONFLICT (source, caller, kind, day) DO UPDATE
     SET calls = log_use.calls + excluded.calls, first = least(log_use.first, excluded.first), last = greatest(log_use.last, excluded.last)`,
    [
      from,
      list(days.map(({ caller }) => callerOf.get(caller) ?? 0)),
      list(days.map(({ kind }) => kindOf.get(kind) ?? 0)),
      list(days.map(({ day }) => day)),
      list(days.map(({ calls }) => calls)),
      list(days.map(({ first }) => first)),
      list(days.map(({ last }) => last)),
    ],
  );
  return fresh.calls;
}

const keyOf = (cells: readonly unknown[]): string => JSON.stringify(cells);

const textsOf = (callers: readonly LogCaller[]): readonly string[][] =>
  [0, 1, 2].map((cell) => callers.map((each) => text(cellsOf(each)[cell] ?? '')));

/** The numbers of those callers that count, by their places: made where they are new and there is room. */
async function callerNumbers(
  transaction: Transaction,
  source: number,
  callers: readonly LogCaller[],
  places: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const wanted = places.map((place) => ({ place, caller: callers[place] ?? otherLogCaller }));
  const all = [...wanted.map(({ caller }) => caller), otherLogCaller];
  const find = `SELECT n, client, network, key FROM log_caller WHERE source = $1
    AND (client, network, key) IN (SELECT * FROM unnest($2::text[], $3::text[], $4::text[]))`;
  const found = await transaction.rows(find, [source, ...textsOf(all)]);
  const numbers = new Map(found.map(([n, ...cells]) => [keyOf(cells), Number(n)]));
  const numberOf = (caller: LogCaller): number | undefined => numbers.get(keyOf(cellsOf(caller).map(text)));
  const [row] = await transaction.rows('SELECT count(*) FROM log_caller WHERE source = $1', [source]);
  const room = roomFor(Number(row?.[0]));
  const missing = wanted.map(({ caller }) => caller).filter((caller) => numberOf(caller) === undefined);
  const made = missing.length > room ? [...missing.slice(0, room), otherLogCaller] : missing;
  const rows = await transaction.rows(
    `INSERT INTO log_caller (source, client, network, key, prefix)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING RETURNING n, client, network, key`,
    [source, ...textsOf(made), made.map(({ keyPrefix }) => text(keyPrefix ?? ''))],
  );
  for (const [n, ...cells] of rows) numbers.set(keyOf(cells), Number(n));
  return new Map(wanted.map(({ place, caller }) => [place, numberOf(caller) ?? numberOf(otherLogCaller) ?? 0]));
}

async function kindNumbers(
  transaction: Transaction,
  kinds: LogBatch['kinds'],
  places: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const wanted = places.flatMap((place) => kinds[place] ?? []);
  const rows = await transaction.rows(
    `INSERT INTO log_kind (endpoint, method, status) SELECT * FROM unnest($1::text[], $2::text[], $3::int[])
     ON CONFLICT (endpoint, method, status) DO UPDATE SET status = excluded.status RETURNING n, endpoint, method, status`,
    [wanted.map(({ endpoint }) => text(endpoint)), wanted.map(({ method }) => text(method)), list(wanted.map(({ status }) => status))],
  );
  const numbers = new Map(rows.map(([n, ...cells]) => [keyOf(cells), Number(n)]));
  return new Map(
    places.map((place, at) => [place, numbers.get(keyOf([wanted[at]?.endpoint, wanted[at]?.method, wanted[at]?.status])) ?? 0]),
  );
}

async function forgetSource(transaction: Transaction, source: string): Promise<number | undefined> {
  await lockLogs(transaction);
  const [row] = await transaction.rows('SELECT n FROM log_source WHERE name = $1', [text(source)]);
  if (row === undefined) return undefined;
  const [n = 0] = row;
  const [sum] = await transaction.rows('SELECT coalesce(sum(calls), 0) FROM log_use WHERE source = $1', [n]);
  for (const table of ['log_use', 'log_line', 'log_file', 'log_stretch', 'log_caller'])
    await transaction.rows(`DELETE FROM ${table} WHERE source = $1`, [n]);
  await transaction.rows('DELETE FROM log_source WHERE n = $1', [n]);
  return Number(sum?.[0] ?? 0);
}

async function replaceSource(transaction: Transaction, source: string, by: string): Promise<number | undefined | 'nothing'> {
  await lockLogs(transaction);
  const [row] = await transaction.rows('SELECT n FROM log_source WHERE name = $1', [text(by)]);
  if (row === undefined) return 'nothing';
  const calls = await forgetSource(transaction, source);
  await transaction.rows('UPDATE log_source SET name = $1 WHERE n = $2', [text(source), row[0] ?? 0]);
  return calls;
}

export const logSourceOf =
  (stretches: readonly Row[]) =>
  ([name, format, imported, files, lines, unread]: Row): LogSource => ({
    name: String(name),
    format: String(format),
    imported: Number(imported),
    files: Number(files),
    stretches: stretchesByName(stretches.map(([source, first, last]) => [String(source), Number(first), Number(last)]))(String(name)),
    lines: Number(lines),
    unread: Number(unread),
  });

export const logSources = `SELECT name, format, imported, count(id), coalesce(sum(lines), 0), coalesce(sum(unread), 0)
  FROM log_source LEFT JOIN log_file ON source = n GROUP BY n, name, format, imported ORDER BY name`;

export const logStretches = 'SELECT name, first, last FROM log_stretch JOIN log_source ON n = source';

export const logUses = `SELECT log_source.name, client, network, log_caller.key, prefix, endpoint, method, status, sums.calls, sums.first,
    sums.last
  FROM (SELECT source, caller, kind, coalesce(sum(calls) FILTER (WHERE day >= $1 AND day < $2), 0) AS calls, min(first) AS first,
      max(last) AS last FROM log_use GROUP BY source, caller, kind) AS sums
    JOIN log_source ON log_source.n = sums.source JOIN log_caller ON log_caller.n = sums.caller JOIN log_kind ON log_kind.n = sums.kind`;

export const daysOfUses = ({ since, until }: Range): readonly [number, number] => [
  Math.min(Math.floor(since / dayInMs), latestDay),
  Math.min(Math.ceil(until / dayInMs), latestDay),
];
const latestDay = 2 ** 31 - 1;

export const logUseOf = ([source, client, network, key, prefix, endpoint, method, status, calls, first, last]: Row): LogUse => ({
  source: String(source),
  caller: {
    client: String(client),
    network: String(network),
    keyHash: key === '' ? null : String(key),
    keyPrefix: key === '' ? null : String(prefix),
  },
  kind: { endpoint: String(endpoint), method: String(method), status: Number(status) },
  calls: Number(calls),
  first: Number(first),
  last: Number(last),
});

/** As `eraseLogged` of an embedded store. */
export async function eraseLogged(transaction: Transaction, keyHash: string): Promise<{ callers: number; calls: number }> {
  await lockLogs(transaction);
  const callers = 'SELECT n FROM log_caller WHERE key = $1';
  const [told] = await transaction.rows(`SELECT sum(calls), max(last) FROM log_use WHERE caller IN (${callers})`, [keyHash]);
  const [calls, last] = told ?? [];
  if (typeof last === 'number')
    await transaction.rows('INSERT INTO erased VALUES ($1, NULL)', [(Math.floor(last / dayInMs) + 1) * dayInMs]);
  await transaction.rows(`DELETE FROM log_use WHERE caller IN (${callers})`, [keyHash]);
  const gone = await transaction.rows('DELETE FROM log_caller WHERE key = $1 RETURNING n', [keyHash]);
  return { callers: gone.length, calls: Number(calls ?? 0) };
}

/** Deletes what is of days before this one. */
export async function forgetLogs(transaction: Transaction, day: number): Promise<void> {
  const old = await transaction.rows('SELECT 1 FROM log_file WHERE first < $1 LIMIT 1', [day * dayInMs]);
  if (old.length === 0) return;
  await lockLogs(transaction);
  await transaction.rows('DELETE FROM log_use WHERE day < $1', [day]);
  await transaction.rows('DELETE FROM log_line WHERE hour < $1', [(day * dayInMs) / hourInMs]);
  await transaction.rows('DELETE FROM log_file WHERE last < $1', [day * dayInMs]);
  await transaction.rows('UPDATE log_file SET first = $1 WHERE first < $1', [day * dayInMs]);
  await transaction.rows(
    `INSERT INTO log_stretch SELECT source, $1::bigint, max(last) FROM log_stretch WHERE first < $1::bigint AND last >= $1::bigint GROUP BY source
     ON CONFLICT (source, first) DO UPDATE SET last = greatest(log_stretch.last, excluded.last)`,
    [day * dayInMs],
  );
  await transaction.rows('DELETE FROM log_stretch WHERE first < $1', [day * dayInMs]);
  await transaction.rows(
    'DELETE FROM log_caller WHERE NOT EXISTS (SELECT FROM log_use WHERE log_use.source = log_caller.source AND caller = n)',
  );
  await transaction.rows('DELETE FROM log_source WHERE NOT EXISTS (SELECT FROM log_file WHERE source = n)');
}
