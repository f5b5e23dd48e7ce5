/** Reads a store in one transaction: one state of it. */
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
import { type Condition, type Dirty, daysOfBlock, everything, type Plan, planOf, widen } from '../plan.ts';
import { StoreError } from '../error.ts';
import { allMarks, marksOf } from '../marks.ts';
import { allSteps, comparisonsOf, comparisonsQuery, stepsOf } from '../road.ts';
import type { Peak, Point, Saving, Totals, UsageReader } from '../store.ts';
import { type Cell, Connection, hostOf, type Row, storeError, type Transaction } from './connection.ts';
import { patient, schemaName } from './database.ts';
import { loadOf, peaksOf } from './loads.ts';
import { isWhole } from '../logs.ts';
import { daysOfUses, logSourceOf, logSources, logStretches, logUseOf, logUses } from './logs.ts';
import { itemsOf, mapPages, pagesOf } from './pages.ts';
import { pointsQuery, totalsQuery } from './queries.ts';
import { readSavings } from './savings.ts';
import { expectStore, metaOf, secretOf } from './schema.ts';
import { dirtyDays, dirtyHours } from './sql.ts';

/** What is read of a store when it is opened. */
interface Contents {
  readonly hashSecret: string;
  readonly condition: Condition;
  /** Blocks of days whose sums hold all. */
  readonly blocks: ReadonlySet<number>;
  readonly callers: readonly RecordedCaller[];
  readonly kinds: ReadonlyMap<number, V1Kind>;
}

class PostgresReader implements UsageReader {
  readonly hashSecret: string;
  readonly #connection: Connection;
  readonly #host: string;
  readonly #contents: Contents;

  constructor(connection: Connection, host: string, contents: Contents) {
    this.#connection = connection;
    this.#host = host;
    this.#contents = contents;
    this.hashSecret = contents.hashSecret;
  }

  async callers(): Promise<readonly RecordedCaller[]> {
    return this.#contents.callers;
  }

  async erased(): Promise<readonly Erased[]> {
    const rows = await this.#rows('SELECT last, pause FROM erased', []);
    return rows.map(([last, pause]) => ({ last: Number(last), longestPause: numberOf(pause) }));
  }

  async widen(range: Range): Promise<Range> {
    return widen(range, this.#contents.condition);
  }

  sources(): AsyncIterable<Source> {
    return this.#items('SELECT caller, network, first, last FROM source ORDER BY caller, network', ([caller, network, first, last]) => ({
      caller: Number(caller),
      network: String(network),
      first: Number(first),
      last: Number(last),
    }));
  }

  totals(range: Range): AsyncIterable<Totals> {
    const { condition, blocks, kinds } = this.#contents;
    return this.#items(totalsQuery(this.#plan(range), condition.kept, blocks), (row) => totalsOf(row, kinds));
  }

  async callersOf(isSuch: (kind: V1Kind) => boolean): Promise<ReadonlySet<number>> {
    const { condition, blocks, kinds } = this.#contents;
    const such = [...kinds].filter(([, kind]) => isSuch(kind)).map(([n]) => n);
    if (such.length === 0) return new Set();
    const tables = tablesOf(this.#plan(everything), condition.kept, blocks);
    return new Set((await this.#rows(callersQuery(tables, 'id', such), [])).map(([id]) => Number(id)));
  }

  series(range: Range, size: 'hour' | 'day'): AsyncIterable<readonly Point[]> {
    return this.#pages(pointsQuery(this.#plan(range, size), size), pointOf);
  }

  seriesWithout(
    range: Range,
    size: 'hour' | 'day',
    callers: readonly number[],
    endpoints: readonly string[],
  ): AsyncIterable<readonly Point[]> {
    const without = [...this.#contents.kinds].filter(([, { endpoint }]) => endpoints.includes(endpoint)).map(([n]) => n);
    return this.#pages(pointsQuery(this.#plan(range, size), size, { callers, without }), pointOf);
  }

  peaks(range: Range): AsyncIterable<readonly Peak[]> {
    return pagesOf(peaksOf(this.#connection, range, this.#contents.condition), this.#errorOf);
  }

  load(range: Range, keyHashes: readonly string[]): AsyncIterable<{ readonly minute: number; readonly v2Calls: number }> {
    return itemsOf(loadOf(this.#connection, range, keyHashes, this.#contents.condition), this.#errorOf);
  }

  savings(range: Range): AsyncIterable<readonly Saving[]> {
    return pagesOf(readSavings(this.#connection, range), this.#errorOf);
  }

  async sessions({ since, until }: Range): Promise<readonly Session[]> {
    const sql = 'SELECT writer, since, seen, ended, replica, behind FROM session WHERE seen >= $1 AND since < $2 ORDER BY since';
    return (await this.#rows(sql, [since, until])).map(([writer, since, seen, ended, replica, behind]) => ({
      writer: String(writer),
      since: Number(since),
      seen: Number(seen),
      ended: ended === true,
      replica: String(replica),
      behind: Number(behind),
    }));
  }

  async retirements(): Promise<readonly Retirement[]> {
    return (await this.#rows('SELECT replica, at FROM retired', [])).map(([replica, at]) => ({ replica: String(replica), at: Number(at) }));
  }

  async gaps({ since, until }: Range): Promise<readonly Gap[]> {
    const sql = `SELECT writer, gap.since, until, calls FROM gap JOIN session ON n = session WHERE until >= $1 AND gap.since < $2
      ORDER BY gap.since`;
    return (await this.#rows(sql, [since, until])).map(([writer, since, until, calls]) => ({
      writer: String(writer),
      since: Number(since),
      until: Number(until),
      calls: Number(calls),
    }));
  }

  async marks(): Promise<readonly Mark[]> {
    return (await this.#rows(allMarks, [])).flatMap(marksOf);
  }

  async steps(): Promise<readonly Step[]> {
    return (await this.#rows(allSteps, [])).flatMap(stepsOf);
  }

  async comparisons({ since, until }: Range): Promise<readonly ComparisonRow[]> {
    return (await this.#rows(comparisonsQuery('chr(10)', 'last >= $1 AND last < $2'), [since, until])).flatMap(comparisonsOf);
  }

  async logSources(): Promise<readonly LogSource[]> {
    return (await this.#rows(logSources, [])).map(logSourceOf(await this.#rows(logStretches, []))).filter(({ name }) => isWhole(name));
  }

  async logUses(range: Range): Promise<readonly LogUse[]> {
    return (await this.#rows(logUses, [...daysOfUses(range)])).map(logUseOf).filter(({ source }) => isWhole(source));
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  #plan(range: Range, size: 'hour' | 'day' = 'day'): Plan {
    const { condition } = this.#contents;
    return planOf(widen(range, condition), condition, size);
  }

  async #rows(sql: string, cells: readonly Cell[]): Promise<readonly Row[]> {
    try {
      return await this.#connection.rows(sql, cells);
    } catch (error) {
      throw this.#errorOf(error);
    }
  }

  #pages<T>(sql: string, map: (row: Row) => T): AsyncIterable<readonly T[]> {
    return pagesOf(mapPages(this.#connection.pages(sql), map), this.#errorOf);
  }

  #items<T extends object>(sql: string, map: (row: Row) => T): AsyncIterable<T> {
    return itemsOf(mapPages(this.#connection.pages(sql), map), this.#errorOf);
  }

  readonly #errorOf = (error: unknown): Error => storeError(error, this.#host);
}

const dirtyOf = (rows: readonly Row[]): Dirty[] => rows.map(([period, part]) => ({ period: Number(period), part: Number(part) }));

async function contentsOf(transaction: Transaction): Promise<Contents> {
  const dirty = {
    dirtyHours: dirtyOf(await transaction.rows(`SELECT hour, part FROM (${dirtyHours}) AS dirty ORDER BY hour`)),
    dirtyDays: dirtyOf(await transaction.rows(`${dirtyDays} ORDER BY day`)),
  };
  const [kept] = await transaction.rows(
    'SELECT min(day), max(day) + 1 FROM (SELECT day FROM rolled_day UNION ALL SELECT hour / 24 FROM touch) AS days (day)',
  );
  const summed = await transaction.rows('SELECT block FROM rolled_block WHERE NOT stale');
  const dirtyBlocks = new Set(dirty.dirtyDays.map(({ period }) => Math.floor(period / daysOfBlock)));
  return {
    hashSecret: await secretOf(transaction),
    condition: {
      ...dirty,
      minutesFrom: Number((await metaOf(transaction, 'minutes_from')) ?? 0),
      hoursFrom: Number((await metaOf(transaction, 'hours_from')) ?? 0),
      kept: { from: Number(kept?.[0] ?? 0), to: Number(kept?.[1] ?? 0) },
    },
    blocks: new Set(summed.map(([block]) => Number(block)).filter((block) => !dirtyBlocks.has(block))),
    callers: (await transaction.rows('SELECT id, key, prefix, workspace, client, name, pause FROM caller ORDER BY id')).map(callerOf),
    kinds: new Map((await transaction.rows(`SELECT n, endpoint, method, status, outcome FROM kind WHERE outcome <> 'passed'`)).map(kindOf)),
  };
}

const textOf = (cell: Cell | undefined): string | null => (typeof cell === 'string' ? cell : null);

const pointOf = ([caller, start, calls, v2Calls, first, last]: Row): Point => ({
  caller: Number(caller),
  start: Number(start),
  calls: Number(calls),
  v2Calls: Number(v2Calls),
  first: Number(first),
  last: Number(last),
});

function totalsOf(
  [caller, kind, calls, v2Calls, repeats, duration, longest, first, last]: Row,
  kinds: ReadonlyMap<number, V1Kind>,
): Totals {
  const found = kinds.get(Number(kind));
  // Kinds are never deleted, and were read in the same state.
  if (found === undefined) throw new StoreError('STORE_CORRUPT', problemOfKinds);
  return {
    caller: Number(caller),
    kind: found,
    counts: {
      calls: Number(calls),
      v2Calls: Number(v2Calls),
      repeats: Number(repeats),
      duration: Number(duration),
      longest: Number(longest),
      first: Number(first),
      last: Number(last),
    },
  };
}

const problemOfKinds = 'The usage record has calls of no known kind: restore it from a backup, or drop its schema to begin a new one';

const numberOf = (cell: Cell | undefined): number | null => (cell === null || cell === undefined ? null : Number(cell));

const callerOf = ([id, key, prefix, workspace, client, name, pause]: Row): RecordedCaller => ({
  id: Number(id),
  keyHash: textOf(key),
  keyPrefix: textOf(prefix),
  workspace: textOf(workspace),
  client: textOf(client) ?? '',
  name: textOf(name),
  longestPause: numberOf(pause),
});

const kindOf = ([n, endpoint, method, status, outcome]: Row): readonly [number, V1Kind] => [
  Number(n),
  {
    endpoint: String(endpoint),
    method: String(method),
    status: Number(status),
    outcome: outcomeOf(outcome),
  },
];

/**
 * Opens a store in PostgreSQL for reading; its user needs USAGE on the schema `migrate_v2`, and SELECT on its tables. The server may be a
 * standby.
 * @throws StoreError
 */
export async function openPostgresReader(address: string): Promise<UsageReader> {
  const host = hostOf(address);
  let connection: Connection | undefined;
  try {
    // What is lost between two questions shows in the second.
    connection = await Connection.open(address, patient, () => undefined);
    await connection.begin('read', schemaName);
    await expectStore(connection);
    return new PostgresReader(connection, host, await contentsOf(connection));
  } catch (error) {
    await connection?.close();
    throw storeError(error, host);
  }
}
