/** What an embedded store keeps of access logs. */
import type { DatabaseSync } from 'node:sqlite';
import { dayInMs, hourInMs } from '../../../contract/times.ts';
import type { LogBatch, LogCaller, LogSource, LogUse } from '../../logs/model.ts';
import type { Range } from '../../model.ts';
import { cellsOf, endsOf, FreshLines, isWhole, otherLogCaller, roomFor, stretchesByName } from '../logs.ts';
import type { LogWriter } from '../store.ts';
import { guarded, openToWrite, transaction } from './connection.ts';
import { metaOf } from './schema.ts';
import type { Step, Steps } from './steps.ts';

/**
 * Opens an embedded store to write what logs tell; makes it where there is none. Proxies may be writing to it.
 * @param hashSecret of the hashes in one that is made
 * @throws StoreError
 */
export async function openSqliteLogWriter(path: string, hashSecret: string): Promise<LogWriter> {
  const db = openToWrite(path, hashSecret);
  return {
    hashSecret: metaOf(db, 'hash_secret') ?? '',
    add: async (batch) => guarded(path, () => transaction(db, () => addBatch(db, batch))),
    forget: async (source) => guarded(path, () => transaction(db, () => forgetSource(db, source))),
    replace: async (source, by) => guarded(path, () => transaction(db, () => replaceSource(db, source, by))),
    close: async () => db.close(),
  };
}

function addBatch(db: DatabaseSync, batch: LogBatch): number {
  const { source, format, at, file, callers, kinds, hours } = batch;
  const named = 'INSERT INTO log_source (name, format, imported) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET format = excluded.format,';
  const from = Number(db.prepare(`${named} imported = max(imported, excluded.imported) RETURNING n`).get(source, format, at)?.['n']);
  db.prepare(
    `INSERT INTO log_file VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET first = min(first, excluded.first),
     last = max(last, excluded.last), lines = max(lines, excluded.lines), unread = max(unread, excluded.unread)`,
  ).run(from, file.id, ...endsOf(file), file.lines, file.unread);
  const reach = db.prepare('INSERT INTO log_stretch VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET last = max(last, excluded.last)');
  for (const { since, until } of file.stretches) reach.run(from, since, until);
  const fresh = new FreshLines(batch);
  const known = db.prepare('SELECT marks FROM log_line WHERE source = ? AND hour = ?');
  const keep = db.prepare('INSERT INTO log_line VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET marks = excluded.marks');
  for (const hour of hours) {
    const marks = known.get(from, hour.hour)?.['marks'];
    const bytes = fresh.add(hour, marks instanceof Uint8Array ? marks : undefined);
    if (bytes !== undefined) keep.run(from, hour.hour, bytes);
  }
  const callerOf = callerNumbers(db, from, callers);
  const kindOf = kindNumbers(db, kinds);
  const count = db.prepare(
    `INSERT INTO log_use VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls,
     first = min(first, excluded.first), last = max(last, excluded.last)`,
  );
  for (const { caller, kind, day, calls, first, last } of fresh.days)
    count.run(from, callerOf(caller), kindOf(kind), day, calls, first, last);
  return fresh.calls;
}

/** The numbers of callers that count, made where they are new and there is room. */
function callerNumbers(db: DatabaseSync, source: number, callers: readonly LogCaller[]): (place: number) => number {
  const numbers = new Map<number, number>();
  const find = db.prepare('SELECT n FROM log_caller WHERE source = ? AND client = ? AND network = ? AND key = ?');
  const make = db.prepare('INSERT INTO log_caller (source, client, network, key, prefix) VALUES (?, ?, ?, ?, ?) RETURNING n');
  let room = roomFor(Number(db.prepare('SELECT count(*) AS n FROM log_caller WHERE source = ?').get(source)?.['n']));
  const numberOf = (caller: LogCaller, isOther: boolean): number => {
    const cells = cellsOf(caller);
    const found = find.get(source, ...cells)?.['n'];
    if (found !== undefined) return Number(found);
    if (room === 0 && !isOther) return numberOf(otherLogCaller, true);
    room = Math.max(0, room - 1);
    return Number(make.get(source, ...cells, caller.keyPrefix ?? '')?.['n']);
  };
  return (place) => {
    const known = numbers.get(place) ?? numberOf(callers[place] ?? otherLogCaller, false);
    numbers.set(place, known);
    return known;
  };
}

function kindNumbers(db: DatabaseSync, kinds: LogBatch['kinds']): (place: number) => number {
  const numbers = new Map<number, number>();
  const sql =
    'INSERT INTO log_kind (endpoint, method, status) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET status = excluded.status RETURNING n';
  const find = db.prepare(sql);
  return (place) => {
    const { endpoint = '', method = '', status = 0 } = kinds[place] ?? {};
    const known = numbers.get(place) ?? Number(find.get(endpoint, method, status)?.['n']);
    numbers.set(place, known);
    return known;
  };
}

/** @returns how many calls there were; undefined where there is no such source */
function forgetSource(db: DatabaseSync, source: string): number | undefined {
  const n = db.prepare('SELECT n FROM log_source WHERE name = ?').get(source)?.['n'];
  if (typeof n !== 'number') return undefined;
  const calls = db.prepare('SELECT coalesce(sum(calls), 0) AS calls FROM log_use WHERE source = ?').get(n)?.['calls'];
  for (const table of ['log_use', 'log_line', 'log_file', 'log_stretch', 'log_caller'])
    db.prepare(`DELETE FROM ${table} WHERE source = ?`).run(n);
  db.prepare('DELETE FROM log_source WHERE n = ?').run(n);
  return Number(calls);
}

/** @returns how many calls the one that was there had; `nothing` where there is no other */
function replaceSource(db: DatabaseSync, source: string, by: string): number | undefined | 'nothing' {
  const n = db.prepare('SELECT n FROM log_source WHERE name = ?').get(by)?.['n'];
  if (typeof n !== 'number') return 'nothing';
  const calls = forgetSource(db, source);
  db.prepare('UPDATE log_source SET name = ? WHERE n = ?').run(source, n);
  return calls;
}

/** Each source with its files added up. */
const logSourcesQuery = `SELECT name, format, imported, count(id) AS files,
  coalesce(sum(lines), 0) AS lines, coalesce(sum(unread), 0) AS unread
  FROM log_source LEFT JOIN log_file ON source = n GROUP BY n, name, format, imported ORDER BY name`;

export function readLogSources(db: DatabaseSync): readonly LogSource[] {
  const rows = db.prepare('SELECT name, first, last FROM log_stretch JOIN log_source ON n = source').all();
  const stretchesOf = stretchesByName(rows.map(({ name, first, last }) => [String(name), Number(first), Number(last)]));
  return db
    .prepare(logSourcesQuery)
    .all()
    .map((row) => ({
      name: String(row['name']),
      format: String(row['format']),
      imported: Number(row['imported']),
      files: Number(row['files']),
      stretches: stretchesOf(String(row['name'])),
      lines: Number(row['lines']),
      unread: Number(row['unread']),
    }))
    .filter(({ name }) => isWhole(name));
}

export function readLogUses(db: DatabaseSync, { since, until }: Range): readonly LogUse[] {
  const days = [Math.floor(since / dayInMs), Math.ceil(until / dayInMs)];
  const rows = db
    .prepare(
      `SELECT log_source.name, client, network, log_caller.key, prefix, endpoint, method, status, sums.calls, sums.first, sums.last
       FROM (SELECT source, caller, kind, sum(CASE WHEN day >= ? AND day < ? THEN calls ELSE 0 END) AS calls, min(first) AS first,
           max(last) AS last FROM log_use GROUP BY source, caller, kind) AS sums
         JOIN log_source ON log_source.n = sums.source JOIN log_caller ON log_caller.n = sums.caller JOIN log_kind ON log_kind.n = sums.kind`,
    )
    .all(...days);
  const uses = rows.map((row) => ({
    source: String(row['name']),
    caller: {
      client: String(row['client']),
      network: String(row['network']),
      keyHash: row['key'] === '' ? null : String(row['key']),
      keyPrefix: row['key'] === '' ? null : String(row['prefix']),
    },
    kind: { endpoint: String(row['endpoint']), method: String(row['method']), status: Number(row['status']) },
    calls: Number(row['calls']),
    first: Number(row['first']),
    last: Number(row['last']),
  }));
  return uses.filter(({ source }) => isWhole(source));
}

/** Forgets a key that lines told of, but for when its last call was: see `leaveTrace`. What told its lines from others stays. */
export function eraseLogged(db: DatabaseSync, keyHash: string): { callers: number; calls: number } {
  const callers = 'SELECT n FROM log_caller WHERE key = ?';
  const told = db.prepare(`SELECT sum(calls) AS calls, max(last) AS last FROM log_use WHERE caller IN (${callers})`).get(keyHash);
  if (typeof told?.['last'] === 'number')
    db.prepare('INSERT INTO erased VALUES (?, NULL)').run((Math.floor(told['last'] / dayInMs) + 1) * dayInMs);
  db.prepare(`DELETE FROM log_use WHERE caller IN (${callers})`).run(keyHash);
  const { changes } = db.prepare('DELETE FROM log_caller WHERE key = ?').run(keyHash);
  return { callers: Number(changes), calls: Number(told?.['calls'] ?? 0) };
}

/** What deletes all that is of days before this one, in steps. */
export function* forgetLogs(steps: Steps, day: number): Generator<Step> {
  const [time, hour] = [day * dayInMs, (day * dayInMs) / hourInMs];
  if (steps.all('SELECT 1 FROM log_file WHERE first < ? LIMIT 1', [time]).length === 0) return;
  const forget =
    (sql: string, ...cells: number[]) =>
    () =>
      steps.transaction(() => steps.run(sql, cells));
  yield forget('DELETE FROM log_use WHERE day < ?', day);
  yield forget('DELETE FROM log_line WHERE hour < ?', hour);
  yield forget(
    'DELETE FROM log_caller WHERE NOT EXISTS (SELECT 1 FROM log_use WHERE log_use.source = log_caller.source AND log_use.caller = log_caller.n)',
  );
  yield forget('DELETE FROM log_file WHERE last < ?', time);
  yield forget('DELETE FROM log_source WHERE NOT EXISTS (SELECT 1 FROM log_file WHERE source = n)');
  yield forget('UPDATE log_file SET first = ? WHERE first < ?', time, time);
  yield () =>
    steps.transaction(() => {
      steps.run(
        `INSERT INTO log_stretch SELECT source, ?, max(last) FROM log_stretch WHERE first < ? AND last >= ? GROUP BY source
         ON CONFLICT DO UPDATE SET last = max(last, excluded.last)`,
        [time, time, time],
      );
      steps.run('DELETE FROM log_stretch WHERE first < ?', [time]);
    });
}
