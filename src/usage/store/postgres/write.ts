import type { Caller, Kind, UsageRow } from '../../model.ts';
import { minutesOfHour } from '../plan.ts';
import type { UsageBatch } from '../store.ts';
import type { Cell, Transaction } from './connection.ts';
import { holdHours } from './locks.ts';
import { addComparisons } from './road.ts';
import { addSavings } from './savings.ts';
import { countColumns, list, text } from './sql.ts';

const textOrNull = (value: string | null): string | null => (value === null ? null : text(value));

const mergeCounts = `calls = greatest(minute.calls, excluded.calls), v2_calls = greatest(minute.v2_calls, excluded.v2_calls),
  repeats = greatest(minute.repeats, excluded.repeats), duration = greatest(minute.duration, excluded.duration),
  longest = greatest(minute.longest, excluded.longest), first = least(minute.first, excluded.first), last = greatest(minute.last, excluded.last)`;

const nameOf = ({ endpoint, method, status, outcome }: Kind): string => `${endpoint} ${method} ${status} ${outcome}`;

/**
 * Writes batches into one database. Everything is absolute: what is written twice changes nothing. All rows are written in one order, table
 * by table and by their keys in it: of writers that write the same rows, one waits for the other, and never both.
 */
export class BatchWriter {
  /** The numbers that rows hold for kinds: they never change. */
  readonly #kinds = new Map<string, number>();

  async write(transaction: Transaction, batch: UsageBatch): Promise<void> {
    const { rows, sources, session, gaps, comparisons = [], savings = [] } = batch;
    const hours = [...new Set(rows.map(({ minute }) => Math.floor(minute / minutesOfHour)))];
    await holdHours(transaction, hours);
    if (rows.length > 0) {
      await this.#learnKinds(
        transaction,
        rows.map(({ kind }) => kind),
      );
      await addCallers(transaction, new Map(rows.map(({ caller }) => [caller.id, caller])), session.seen);
    }
    const n = await sessionNumber(transaction, batch);
    if (rows.length > 0) await this.#addMinutes(transaction, rows, n);
    if (sources.length > 0) await addSources(transaction, sources);
    if (gaps.length > 0) await addGaps(transaction, gaps, n);
    if (comparisons.length > 0) await addComparisons(transaction, comparisons, n);
    if (savings.length > 0) await addSavings(transaction, savings, n);
    if (hours.length > 0)
      await transaction.rows(
        `INSERT INTO touch SELECT hour, $2, 1 FROM unnest($1::int[]) AS touched (hour) ORDER BY hour
         ON CONFLICT (hour, session) DO UPDATE SET version = touch.version + 1`,
        [list(hours), n],
      );
  }

  /** To be called where a batch was taken back: its kinds were, too. */
  forget(): void {
    this.#kinds.clear();
  }

  async #learnKinds(transaction: Transaction, kinds: readonly Kind[]): Promise<void> {
    const unknown = [...new Map(kinds.map((kind) => [nameOf(kind), kind])).values()].filter((kind) => !this.#kinds.has(nameOf(kind)));
    if (unknown.length === 0) return;
    const cells = [
      unknown.map(({ endpoint }) => text(endpoint)),
      unknown.map(({ method }) => text(method)),
      list(unknown.map(({ status }) => status)),
      unknown.map(({ outcome }) => outcome),
    ];
    const given =
      'unnest($1::text[], $2::text[], $3::int[], $4::text[]) WITH ORDINALITY AS given (endpoint, method, status, outcome, place)';
    await transaction.rows(
      `INSERT INTO kind (endpoint, method, status, outcome) SELECT DISTINCT endpoint, method, status, outcome FROM ${given}
       ORDER BY endpoint, method, status, outcome ON CONFLICT DO NOTHING`,
      cells,
    );
    const found = await transaction.rows(`SELECT place, n FROM kind JOIN ${given} USING (endpoint, method, status, outcome)`, cells);
    for (const [place, n] of found) {
      const kind = unknown[Number(place) - 1];
      if (kind !== undefined) this.#kinds.set(nameOf(kind), Number(n));
    }
  }

  async #addMinutes(transaction: Transaction, rows: readonly UsageRow[], session: number): Promise<void> {
    const column = (of: (row: UsageRow) => number): string => list(rows.map(of));
    // A batch may say the same minute twice, as it grew.
    await transaction.rows(
      `INSERT INTO minute (hour, caller, kind, minute, session, ${countColumns})
       SELECT minute / ${minutesOfHour}, caller, kind, minute, $1,
         max(calls), max(v2_calls), max(repeats), max(duration), max(longest), min(first), max(last)
       FROM unnest($2::int[], $3::bigint[], $4::int[], $5::bigint[], $6::bigint[], $7::bigint[], $8::float8[], $9::float8[], $10::bigint[],
         $11::bigint[]) AS given (minute, caller, kind, ${countColumns})
       GROUP BY minute, caller, kind ORDER BY minute / ${minutesOfHour}, caller, kind, minute
       ON CONFLICT (hour, caller, kind, minute, session) DO UPDATE SET ${mergeCounts}`,
      [
        session,
        column(({ minute }) => minute),
        column(({ caller }) => caller.id),
        column(({ kind }) => this.#kinds.get(nameOf(kind)) ?? 0),
        column(({ counts }) => counts.calls),
        column(({ counts }) => counts.v2Calls),
        column(({ counts }) => counts.repeats),
        column(({ counts }) => counts.duration),
        column(({ counts }) => counts.longest),
        column(({ counts }) => counts.first),
        column(({ counts }) => counts.last),
      ],
    );
  }
}

/** Also those that were added before: somebody may have erased them. */
async function addCallers(transaction: Transaction, callers: ReadonlyMap<number, Caller>, seen: number): Promise<void> {
  const all = [...callers.values()];
  const column = (of: (caller: Caller) => string | null): Cell => all.map((caller) => textOrNull(of(caller)));
  await transaction.rows(
    `INSERT INTO caller (id, key, prefix, workspace, client, name, seen) SELECT given.*, $7 FROM
       unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS given (id, key, prefix, workspace, client, name)
     ORDER BY id ON CONFLICT DO NOTHING`,
    [
      list([...callers.keys()]),
      column(({ keyHash }) => keyHash),
      column(({ keyPrefix }) => keyPrefix),
      column(({ workspace }) => workspace),
      column(({ client }) => client),
      column(({ name }) => name),
      seen,
    ],
  );
}

/** Takes note how far a session goes. Looks first: each row that an INSERT only tries to add uses up a number. */
async function sessionNumber(transaction: Transaction, { writer, replica, clock, session }: UsageBatch): Promise<number> {
  const { since, seen, ended } = session;
  const update = 'seen = greatest(session.seen, $2), ended = session.ended OR $3';
  const cells = [writer, seen, ended];
  const [known] = await transaction.rows(`UPDATE session SET ${update} WHERE writer = $1 RETURNING n`, cells);
  // The clocks of others are known from their signs of life.
  const insert = `INSERT INTO session (writer, since, seen, ended, replica, behind)
    SELECT $1, $4::bigint, $2::bigint, $3::boolean, $5, greatest(0, coalesce(max(seen), 0) - $6::bigint) FROM session
    ON CONFLICT (writer) DO UPDATE SET ${update} RETURNING n`;
  const [row] = known === undefined ? await transaction.rows(insert, [...cells, since, text(replica), clock]) : [known];
  return Number(row?.[0]);
}

/** A source of a caller that is not known, or not any more, is none. */
async function addSources(transaction: Transaction, sources: UsageBatch['sources']): Promise<void> {
  await transaction.rows(
    `INSERT INTO source SELECT caller, network, min(first), max(last)
     FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) AS given (caller, network, first, last) JOIN caller ON id = caller
     GROUP BY caller, network ORDER BY caller, network
     ON CONFLICT (caller, network) DO UPDATE SET first = least(source.first, excluded.first), last = greatest(source.last, excluded.last)`,
    [
      list(sources.map(({ caller }) => caller)),
      sources.map(({ network }) => network),
      list(sources.map(({ first }) => first)),
      list(sources.map(({ last }) => last)),
    ],
  );
}

async function addGaps(transaction: Transaction, gaps: UsageBatch['gaps'], session: number): Promise<void> {
  await transaction.rows(
    `INSERT INTO gap SELECT $1, since, max(until), max(calls)
     FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS given (since, until, calls) GROUP BY since ORDER BY since
     ON CONFLICT (session, since) DO UPDATE SET until = greatest(gap.until, excluded.until), calls = greatest(gap.calls, excluded.calls)`,
    [session, list(gaps.map(({ since }) => since)), list(gaps.map(({ until }) => until)), list(gaps.map(({ calls }) => calls))],
  );
}
