/** Both kinds of store, for tests of what they have in common. */
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { minuteInMs } from '../../../src/contract/times.ts';
import { openReader, openWriter } from '../../../src/usage/store/open.ts';
import type { Saving, ProxyStore, UsageReader, UsageWriter } from '../../../src/usage/store/store.ts';
import type { Databases } from '../../helpers/postgres.ts';
import { openWriterHere } from '../../helpers/writer-here.ts';
import { collect, everything, storePath } from '../record.ts';
import { batchOf, rowOf } from '../rows.ts';
import { start } from '../uses.ts';

export interface Kind {
  readonly name: string;
  /** Random histories that a test has time for. */
  readonly histories: number;
  /** The address of a store that does not exist yet. */
  address(): Promise<string>;
  /** How many rows each of its tables has. */
  rows(address: string): Promise<Readonly<Record<string, number>>>;
  /** Does something with it by hand. */
  run(address: string, sql: string): Promise<void>;
}

export const storeKinds = (databases: Databases): readonly Kind[] => [
  {
    name: 'an embedded store',
    histories: 12,
    address: async () => storePath(),
    rows: async (address) => {
      const db = new DatabaseSync(address, { readOnly: true });
      const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
      const rows = tables.map(({ name }) => [String(name), Number(db.prepare(`SELECT count(*) AS n FROM ${String(name)}`).get()?.['n'])]);
      db.close();
      return Object.fromEntries(rows);
    },
    run: async (address, sql) => {
      const db = new DatabaseSync(address);
      db.exec(sql);
      db.close();
    },
  },
  {
    name: 'a store in PostgreSQL',
    histories: 4,
    address: () => databases.address(),
    rows: (address) =>
      databases.by(address, async (client) => {
        const tables = await client.query<{ name: string }>(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'migrate_v2'`);
        const counts = tables.rows.map(({ name }) => `SELECT '${name}' AS name, count(*)::int AS n FROM migrate_v2.${name}`);
        const { rows } = await client.query<{ name: string; n: number }>(counts.join(' UNION ALL '));
        return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
      }),
    run: (address, sql) => databases.by(address, async (client) => void (await client.query(sql))),
  },
];

/** A writer that is closed with the test. */
export async function writing(address: string): Promise<ProxyStore> {
  const writer = await openWriter(address);
  onTestFinished(() => writer.close());
  return writer;
}

/** A writer which, of an embedded store, has no thread: what is not about that needs none. */
export const openPlainWriter = async (address: string): Promise<UsageWriter> =>
  address.startsWith('postgres') ? openWriter(address) : openWriterHere(address);

/** The same, closed with the test. */
export async function writingPlainly(address: string): Promise<UsageWriter> {
  const writer = await openPlainWriter(address);
  onTestFinished(() => writer.close());
  return writer;
}

export async function reading<T>(address: string, read: (reader: UsageReader) => Promise<T>): Promise<T> {
  const reader = await openReader(address);
  try {
    return await read(reader);
  } finally {
    await reader.close();
  }
}

export const callsIn = (address: string): Promise<number> =>
  reading(address, async (reader) => (await collect(reader.totals(everything))).reduce((sum, { counts }) => sum + counts.calls, 0));

export const savingsIn = (address: string, range = everything): Promise<readonly Saving[]> =>
  reading(address, async (reader) => (await collect(reader.savings(range))).flat());

/** Leaves a store behind as a proxy does. */
export async function leaveBehind(address: string): Promise<string> {
  const writer = await openWriter(address);
  await writer.write(batchOf([rowOf(start / minuteInMs, { calls: 5 })]));
  await writer.close();
  return address;
}
