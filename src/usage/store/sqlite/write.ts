import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Caller, Kind } from '../../model.ts';
import { hoursOfDay, minutesOfHour } from '../plan.ts';
import { transaction } from './connection.ts';
import { type PackedBatch, rowWidth } from './messages.ts';
import { comparisonWriter } from './road.ts';
import { savingWriter } from './savings.ts';
import { mergeCounts } from './sql.ts';

/** Writes batches into one database. Everything is absolute: what is written twice changes nothing. */
export class BatchWriter {
  readonly #db: DatabaseSync;
  readonly #numbers: Numbers;
  readonly #dataVersion: StatementSync;
  readonly #session: StatementSync;
  readonly #minute: StatementSync;
  readonly #source: StatementSync;
  readonly #gap: StatementSync;
  readonly #period: StatementSync;
  readonly #comparisons: ReturnType<typeof comparisonWriter>;
  readonly #savings: ReturnType<typeof savingWriter>;
  #seenVersion: unknown;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#numbers = new Numbers(db);
    this.#comparisons = comparisonWriter(db);
    this.#savings = savingWriter(db);
    this.#dataVersion = db.prepare('PRAGMA data_version');
    this.#session = db.prepare(
      // The clocks of others are known from their signs of life.
      `INSERT INTO session (writer, replica, since, seen, ended, behind)
       SELECT ?, ?, ?, ?, ?, max(0, coalesce(max(seen), 0) - ?) FROM session WHERE true
       ON CONFLICT (writer) DO UPDATE SET seen = max(seen, excluded.seen), ended = max(ended, excluded.ended) RETURNING n`,
    );
    this.#minute = db.prepare(`INSERT INTO minute VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET ${mergeCounts}`);
    this.#source = db.prepare(
      `INSERT INTO source SELECT n, ?, ?, ? FROM caller WHERE id = ?
       ON CONFLICT DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)`,
    );
    this.#gap = db.prepare(
      `INSERT INTO gap VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET until = max(until, excluded.until), calls = max(calls, excluded.calls)`,
    );
    this.#period = db.prepare('INSERT INTO period VALUES (?, ?, 0, 1, 0) ON CONFLICT DO UPDATE SET version = version + 1');
  }

  write(batch: PackedBatch): void {
    try {
      transaction(this.#db, () => this.#write(batch));
    } catch (error) {
      // What was added has been taken back.
      this.forget();
      throw error;
    }
  }

  /** To be called where callers were deleted over this connection: their numbers may be given to others. */
  forget(): void {
    this.#numbers.forget();
  }

  #write(batch: PackedBatch): void {
    this.#forgetWhatOthersChanged();
    const { writer, replica, clock, session, sources, gaps, comparisons = [], savings = [] } = batch;
    const n = Number(this.#session.get(writer, replica, session.since, session.seen, Number(session.ended), clock)?.['n']);
    this.#rows(batch, n);
    for (const { caller, network, first, last } of sources) this.#source.run(network, first, last, caller);
    for (const { since, until, calls } of gaps) this.#gap.run(n, since, until, calls);
    this.#comparisons(n, comparisons);
    this.#savings(n, savings);
  }

  /** Another process may have erased callers: the numbers that are remembered here hold only as long as nobody else writes. */
  #forgetWhatOthersChanged(): void {
    const version = this.#dataVersion.get()?.['data_version'];
    if (version !== this.#seenVersion) this.#numbers.forget();
    this.#seenVersion = version;
  }

  #rows({ callers, kinds, rows, session: { seen } }: PackedBatch, session: number): void {
    const callerNumbers = callers.map((caller) => this.#numbers.ofCaller(caller, seen));
    const kindNumbers = kinds.map((kind) => this.#numbers.ofKind(kind));
    const hours = new Set<number>();
    for (let at = 0; at < rows.length; at += rowWidth) {
      const [minute = 0, caller = 0, kind = 0, calls = 0, v2Calls = 0, repeats = 0, duration = 0, longest = 0, first = 0, last = 0] =
        rows.subarray(at, at + rowWidth);
      const hour = Math.floor(minute / minutesOfHour);
      hours.add(hour);
      const cell = [hour, callerNumbers[caller] ?? 0, kindNumbers[kind] ?? 0, minute, session] as const;
      this.#minute.run(...cell, calls, v2Calls, repeats, duration, longest, first, last);
    }
    for (const hour of hours) this.#period.run('hour', hour);
    for (const day of new Set([...hours].map((hour) => Math.floor(hour / hoursOfDay)))) this.#period.run('day', day);
  }
}

/** The small numbers that rows hold for callers and kinds. */
class Numbers {
  readonly #callers = new Map<number, number>();
  readonly #kinds = new Map<string, number>();
  readonly #find: Record<'caller' | 'kind' | 'key', StatementSync>;
  readonly #add: Record<'caller' | 'kind' | 'key', StatementSync>;

  constructor(db: DatabaseSync) {
    this.#find = {
      caller: db.prepare('SELECT n FROM caller WHERE id = ?'),
      kind: db.prepare('SELECT n FROM kind WHERE endpoint = ? AND method = ? AND status = ? AND outcome = ?'),
      key: db.prepare('SELECT n FROM key WHERE hash = ?'),
    };
    this.#add = {
      caller: db.prepare('INSERT INTO caller (id, key, prefix, workspace, client, name, seen) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING n'),
      kind: db.prepare('INSERT INTO kind (endpoint, method, status, outcome) VALUES (?, ?, ?, ?) RETURNING n'),
      key: db.prepare('INSERT INTO key (hash) VALUES (?) RETURNING n'),
    };
  }

  forget(): void {
    this.#callers.clear();
    this.#kinds.clear();
  }

  ofCaller(caller: Caller, seen: number): number {
    const known = this.#callers.get(caller.id);
    if (known !== undefined) return known;
    const found = this.#find.caller.get(caller.id) ?? this.#addCaller(caller, seen);
    if (this.#callers.size >= 50_000) this.#callers.clear();
    return remember(this.#callers, caller.id, found);
  }

  ofKind({ endpoint, method, status, outcome }: Kind): number {
    const name = `${endpoint} ${method} ${status} ${outcome}`;
    const known = this.#kinds.get(name);
    if (known !== undefined) return known;
    const cell = [endpoint, method, status, outcome];
    return remember(this.#kinds, name, this.#find.kind.get(...cell) ?? this.#add.kind.get(...cell));
  }

  #addCaller({ id, keyHash, keyPrefix, workspace, client, name }: Caller, seen: number): Record<string, unknown> | undefined {
    const key = keyHash === null ? null : Number((this.#find.key.get(keyHash) ?? this.#add.key.get(keyHash))?.['n']);
    return this.#add.caller.get(id, key, keyPrefix, workspace, client, name, seen);
  }
}

function remember<K>(numbers: Map<K, number>, name: K, row: Record<string, unknown> | undefined): number {
  const n = Number(row?.['n']);
  numbers.set(name, n);
  return n;
}
