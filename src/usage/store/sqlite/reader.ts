/** Reads an embedded store, over a connection of its own that cannot write, in one transaction: one state of it. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { LogSource, LogUse } from '../../logs/model.ts';
import {
  type ComparisonRow,
  type Erased,
  type Gap,
  type Mark,
  outcomeOf,
  type Range,
  type RecordedCaller,
  type Retirement,
  type Session,
  type Source,
  type Step,
  type V1Kind,
} from '../../model.ts';
import { callersQuery, tablesOf } from '../conditions.ts';
import { allMarks, marksOf } from '../marks.ts';
import { type Condition, type Dirty, everything, type Plan, planOf, type Span, widen } from '../plan.ts';
import type { Peak, Point, Saving, Totals, UsageReader } from '../store.ts';
import { guarded, openExisting, storeError } from './connection.ts';
import { Loads } from './loads.ts';
import { readLogSources, readLogUses } from './logs.ts';
import { readComparisons, readSteps } from './road.ts';
import { readSavings } from './savings.ts';
import { metaOf } from './schema.ts';
import { pointsOf } from './series.ts';
import { summedBlocks } from './sql.ts';
import { totalsOf } from './totals.ts';

type Row = Record<string, SQLOutputValue>;

class SqliteReader implements UsageReader {
  readonly hashSecret: string;
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #condition: Condition;
  readonly #blocks: ReadonlySet<number>;
  readonly #callers: ReadonlyMap<number, RecordedCaller>;
  /** Of callers, by the numbers that this database has for them, in the order of these. */
  readonly #ids: ReadonlyMap<number, number>;
  readonly #kinds: ReadonlyMap<number, V1Kind>;

  constructor(db: DatabaseSync, path: string) {
    this.#db = db;
    this.#path = path;
    db.exec('BEGIN');
    this.hashSecret = metaOf(db, 'hash_secret') ?? '';
    this.#condition = {
      dirtyHours: this.#dirty('hour'),
      dirtyDays: this.#dirty('day'),
      minutesFrom: Number(metaOf(db, 'minutes_from') ?? 0),
      hoursFrom: Number(metaOf(db, 'hours_from') ?? 0),
      kept: this.#keptDays(),
    };
    this.#blocks = new Set(this.#all(summedBlocks).map(({ number }) => Number(number)));
    this.#callers = new Map(
      this.#all('SELECT caller.*, hash FROM caller LEFT JOIN key ON key.n = caller.key ORDER BY caller.n').map((row) => [
        Number(row['n']),
        callerOf(row),
      ]),
    );
    this.#ids = new Map([...this.#callers].map(([n, { id }]) => [n, id]));
    this.#kinds = new Map(this.#all(`SELECT * FROM kind WHERE outcome <> 'passed'`).map((row) => [Number(row['n']), kindOf(row)]));
  }

  async widen(range: Range): Promise<Range> {
    return widen(range, this.#condition);
  }

  async callers(): Promise<readonly RecordedCaller[]> {
    return [...this.#callers.values()];
  }

  async erased(): Promise<readonly Erased[]> {
    return this.#all('SELECT * FROM erased').map(({ last, pause }) => ({ last: Number(last), longestPause: numberOf(pause) }));
  }

  sources(): AsyncIterable<Source> {
    return this.#stream(function* (this: SqliteReader) {
      for (const row of this.#all('SELECT * FROM source'))
        yield {
          caller: this.#idOf(row['caller']),
          network: String(row['network']),
          first: Number(row['first']),
          last: Number(row['last']),
        };
    });
  }

  totals(range: Range): AsyncIterable<Totals> {
    return this.#stream(function* (this: SqliteReader) {
      for (const { caller, kind, counts } of this.#totals(range)) {
        const found = this.#kinds.get(kind);
        if (found !== undefined) yield { caller: this.#idOf(caller), kind: found, counts };
      }
    });
  }

  async callersOf(isSuch: (kind: V1Kind) => boolean): Promise<ReadonlySet<number>> {
    const kinds = [...this.#kinds].filter(([, kind]) => isSuch(kind)).map(([n]) => n);
    if (kinds.length === 0) return new Set();
    const tables = tablesOf(this.#plan(everything), this.#condition.kept, this.#blocks);
    return new Set(this.#all(callersQuery(tables, 'n', kinds)).map(({ id }) => Number(id)));
  }

  series(range: Range, size: 'hour' | 'day'): AsyncIterable<readonly Point[]> {
    return this.#stream(() => pointsOf(this.#db, this.#plan(range, size), size, { callers: this.#ids }));
  }

  seriesWithout(
    range: Range,
    size: 'hour' | 'day',
    callers: readonly number[],
    endpoints: readonly string[],
  ): AsyncIterable<readonly Point[]> {
    const [wanted, unwanted] = [new Set(callers), new Set(endpoints)];
    const whose = {
      callers: new Map([...this.#ids].filter(([, id]) => wanted.has(id))),
      without: [...this.#kinds].filter(([, { endpoint }]) => unwanted.has(endpoint)).map(([n]) => n),
    };
    return this.#stream(() => pointsOf(this.#db, this.#plan(range, size), size, whose));
  }

  peaks(range: Range): AsyncIterable<readonly Peak[]> {
    return this.#stream(() => new Loads(this.#db, this.#condition).peaks(range));
  }

  load(range: Range, keyHashes: readonly string[]): AsyncIterable<{ readonly minute: number; readonly v2Calls: number }> {
    return this.#stream(() => new Loads(this.#db, this.#condition).load(range, keyHashes));
  }

  savings(range: Range): AsyncIterable<readonly Saving[]> {
    return this.#stream(() => readSavings(this.#db, range, this.#condition.kept, this.#callers));
  }

  async sessions({ since, until }: Range): Promise<readonly Session[]> {
    return this.#all('SELECT * FROM session WHERE seen >= ? AND since < ? ORDER BY since', since, until).map((row) => ({
      writer: String(row['writer']),
      since: Number(row['since']),
      seen: Number(row['seen']),
      ended: row['ended'] === 1,
      replica: String(row['replica']),
      behind: Number(row['behind']),
    }));
  }

  async retirements(): Promise<readonly Retirement[]> {
    return this.#all('SELECT * FROM retired').map((row) => ({ replica: String(row['replica']), at: Number(row['at']) }));
  }

  async gaps({ since, until }: Range): Promise<readonly Gap[]> {
    const sql = `SELECT writer, gap.since, until, calls FROM gap JOIN session ON session.n = gap.session
      WHERE until >= ? AND gap.since < ? ORDER BY gap.since`;
    return this.#all(sql, since, until).map((row) => ({
      writer: String(row['writer']),
      since: Number(row['since']),
      until: Number(row['until']),
      calls: Number(row['calls']),
    }));
  }

  async marks(): Promise<readonly Mark[]> {
    return this.#all(allMarks).flatMap((row) => marksOf(Object.values(row)));
  }

  async steps(): Promise<readonly Step[]> {
    return guarded(this.#path, () => readSteps(this.#db));
  }

  async comparisons(range: Range): Promise<readonly ComparisonRow[]> {
    return guarded(this.#path, () => readComparisons(this.#db, range));
  }

  async logSources(): Promise<readonly LogSource[]> {
    return guarded(this.#path, () => readLogSources(this.#db));
  }

  async logUses(range: Range): Promise<readonly LogUse[]> {
    return guarded(this.#path, () => readLogUses(this.#db, range));
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #totals(range: Range): ReturnType<typeof totalsOf> {
    return totalsOf(this.#db, this.#plan(range), this.#condition.kept, this.#blocks, [...this.#ids.keys()]);
  }

  #plan(range: Range, size: 'hour' | 'day' = 'day'): Plan {
    return planOf(widen(range, this.#condition), this.#condition, size);
  }

  #idOf(n: SQLOutputValue | undefined): number {
    return this.#ids.get(Number(n)) ?? 0;
  }

  #dirty(size: 'hour' | 'day'): readonly Dirty[] {
    return this.#all('SELECT number, part FROM period WHERE size = ? AND version > done ORDER BY number', size).map((row) => ({
      period: Number(row['number']),
      part: Number(row['part']),
    }));
  }

  #keptDays(): Span {
    const [row] = this.#all(`SELECT min(number) AS first, max(number) AS last FROM period WHERE size = 'day'`);
    return { from: Number(row?.['first'] ?? 0), to: Number(row?.['last'] ?? -1) + 1 };
  }

  #all(sql: string, ...cells: SQLInputValue[]): Row[] {
    return guarded(this.#path, () => this.#db.prepare(sql).all(...cells));
  }

  /** Rows as they come, with the store's errors: without a generator of its own, which would double the cost of a row. */
  #stream<T>(rows: (this: SqliteReader) => Iterator<T>): AsyncIterable<T> {
    return {
      [Symbol.asyncIterator]: () => {
        const iterator = rows.call(this);
        const next = async (): Promise<IteratorResult<T>> => guarded(this.#path, () => iterator.next());
        return { next, return: async () => iterator.return?.() ?? { done: true, value: undefined } };
      },
    };
  }
}

const textOf = (value: SQLOutputValue | undefined): string | null => (typeof value === 'string' ? value : null);

const numberOf = (value: SQLOutputValue | undefined): number | null => (typeof value === 'number' ? value : null);

const callerOf = (row: Row): RecordedCaller => ({
  id: Number(row['id']),
  keyHash: textOf(row['hash']),
  keyPrefix: textOf(row['prefix']),
  workspace: textOf(row['workspace']),
  client: textOf(row['client']) ?? '',
  name: textOf(row['name']),
  longestPause: numberOf(row['pause']),
});

const kindOf = (row: Row): V1Kind => ({
  endpoint: String(row['endpoint']),
  method: String(row['method']),
  status: Number(row['status']),
  outcome: outcomeOf(row['outcome']),
});

/**
 * Opens an embedded store for reading.
 * @throws StoreError
 */
export async function openSqliteReader(path: string): Promise<UsageReader> {
  const db = openExisting(path, { readOnly: true });
  try {
    return new SqliteReader(db, path);
  } catch (error) {
    db.close();
    throw storeError(error, path);
  }
}
