import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dayInMs, hourInMs, minuteInMs } from '../../../src/contract/times.ts';
import type { StoreErrorCode } from '../../../src/usage/store/error.ts';
import { openEraser, openReader, openWriter } from '../../../src/usage/store/open.ts';
import type { Mode, Transaction } from '../../../src/usage/store/postgres/connection.ts';
import { Database } from '../../../src/usage/store/postgres/database.ts';
import { maintain } from '../../../src/usage/store/postgres/maintain.ts';
import { useDatabases } from '../../helpers/postgres.ts';
import { collect, everything } from '../record.ts';
import { batchOf, comparisonOf, rowOf, savingOf, stepOf } from '../rows.ts';
import { callsIn, leaveBehind, reading, savingsIn, writing } from '../store/stores.ts';
import { start } from '../uses.ts';

const databases = useDatabases();
const minute = start / minuteInMs;
const retention = { minutes: 2 * dayInMs, hours: 35 * dayInMs, days: 400 * dayInMs };
const opening = { writing: openWriter, reading: openReader, erasing: openEraser };
const purposes = ['writing', 'reading', 'erasing'] as const;

const run = (address: string, sql: string) => databases.by(address, (client) => client.query(sql));

/** The same address with another part. */
function changed(address: string, change: (url: URL) => void): string {
  const url = new URL(address);
  change(url);
  return url.href;
}

async function unanswering(): Promise<string> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  return String(typeof address === 'object' ? address?.port : 0);
}

const wrongs: readonly (readonly [what: string, code: StoreErrorCode, change: (url: URL) => void | Promise<void>])[] = [
  ['a wrong password', 'STORE_UNAVAILABLE', (url) => void (url.password = 'hunter2')],
  ['a database that is not there', 'STORE_MISSING', (url) => void (url.pathname = '/nowhere')],
  ['a host that is not there', 'STORE_UNAVAILABLE', (url) => void (url.hostname = 'nowhere.invalid')],
  ['a server that hangs up', 'STORE_UNAVAILABLE', async (url) => void (url.port = await unanswering())],
];

describe('opening a store in PostgreSQL', () => {
  it.each(purposes)('refuses for %s a newer one', async (what) => {
    const address = await leaveBehind(await databases.address());
    await run(address, `UPDATE migrate_v2.meta SET value = '99' WHERE name = 'version'`);
    await expect(opening[what](address)).rejects.toMatchObject({ code: 'STORE_NEWER' });
  });

  it.each(purposes)('refuses for %s the tables of another program, and leaves them as they are', async (what) => {
    const address = await databases.address();
    await run(address, 'CREATE SCHEMA migrate_v2; CREATE TABLE migrate_v2.contacts (name text)');
    await expect(opening[what](address)).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    const { rows } = await run(address, `SELECT tablename FROM pg_tables WHERE schemaname = 'migrate_v2'`);
    expect(rows).toEqual([{ tablename: 'contacts' }]);
  });

  it('brings a store to date that knows nothing of marks, with the rights of what was there', async () => {
    const address = await leaveBehind(await databases.address());
    await run(
      address,
      `DROP TABLE migrate_v2.mark; UPDATE migrate_v2.meta SET value = '5' WHERE name = 'version';
       CREATE ROLE marker LOGIN PASSWORD 'marker'; GRANT USAGE ON SCHEMA migrate_v2 TO marker;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA migrate_v2 TO marker`,
    );
    await expect(openReader(address)).rejects.toMatchObject({ code: 'STORE_MISSING', message: expect.stringContaining('older version') });
    await (await openWriter(address)).close();
    const eraser = await openEraser(changed(address, (url) => ([url.username, url.password] = ['marker', 'marker'])));
    onTestFinished(() => eraser.close());
    const mark = { subject: 'Acme', at: start, status: 'contacted', until: null, note: null } as const;
    await eraser.mark(mark);
    expect(await reading(address, (reader) => reader.marks())).toEqual([mark]);
    await run(address, 'DROP OWNED BY marker; DROP ROLE marker');
  });

  it('brings a store to date that knows nothing of savings, with the rights of what was there', async () => {
    const address = await leaveBehind(await databases.address());
    await run(
      address,
      `DROP TABLE migrate_v2.mark, migrate_v2.ledger, migrate_v2.fleet, migrate_v2.saving; UPDATE migrate_v2.meta SET value = '3' WHERE name = 'version';
       CREATE ROLE saver LOGIN PASSWORD 'saver'; GRANT USAGE ON SCHEMA migrate_v2 TO saver;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA migrate_v2 TO saver`,
    );
    await expect(openReader(address)).rejects.toMatchObject({ code: 'STORE_MISSING', message: expect.stringContaining('older version') });
    await (await openWriter(address)).close();
    const writer = await writing(changed(address, (url) => ([url.username, url.password] = ['saver', 'saver'])));
    await writer.write(batchOf([rowOf(minute + 1)], { savings: [savingOf()] }));
    await writer.maintain(start, retention);
    expect(await savingsIn(address)).toMatchObject([savingOf().counts]);
    expect(await callsIn(address)).toBe(6);
    await run(address, 'DROP OWNED BY saver; DROP ROLE saver');
  });

  it('brings a store to date that knows nothing of the road, once and with the rights of what was there', async () => {
    const address = await leaveBehind(await databases.address());
    await run(
      address,
      `DROP TABLE migrate_v2.mark, migrate_v2.ledger, migrate_v2.fleet, migrate_v2.saving, migrate_v2.step, migrate_v2.comparison; UPDATE migrate_v2.meta SET value = '2' WHERE name = 'version';
       CREATE ROLE "Road Proxy" LOGIN PASSWORD 'proxy'; GRANT USAGE ON SCHEMA migrate_v2 TO "Road Proxy", PUBLIC;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA migrate_v2 TO "Road Proxy";
       CREATE ROLE anybody LOGIN PASSWORD 'anybody'; GRANT SELECT ON ALL TABLES IN SCHEMA migrate_v2 TO PUBLIC`,
    );
    for (const what of ['reading', 'erasing'] as const)
      await expect(opening[what](address)).rejects.toMatchObject({
        code: 'STORE_MISSING',
        message: expect.stringContaining('older version'),
      });
    const owners = await Promise.all(Array.from({ length: 4 }, () => openWriter(address)));
    for (const owner of owners) await owner.close();
    const as = (role: string, password: string): string =>
      changed(address, (url) => ([url.username, url.password] = [encodeURIComponent(role), password]));
    const writer = await writing(as('Road Proxy', 'proxy'));
    await writer.note(stepOf());
    await writer.write(batchOf([rowOf(minute + 1)], { writer: 'two', comparisons: [comparisonOf()], savings: [savingOf()] }));
    expect(await savingsIn(address)).toMatchObject([savingOf().counts]);
    await writer.maintain(start + 500 * dayInMs, { ...retention, days: 1000 * dayInMs });
    const anybody = as('anybody', 'anybody');
    expect(await reading(anybody, (reader) => Promise.all([reader.steps(), reader.comparisons(everything)]))).toEqual([
      [stepOf()],
      [comparisonOf()],
    ]);
    expect(await callsIn(anybody)).toBe(6);
    await run(address, `DROP OWNED BY "Road Proxy"; DROP ROLE "Road Proxy"; DROP OWNED BY anybody; DROP ROLE anybody`);
  });

  it('leaves the rest of the database as it is', async () => {
    const address = await databases.address();
    await run(address, 'CREATE TABLE minute (name text)');
    await leaveBehind(address);
    expect(await callsIn(address)).toBe(5);
    expect((await run(address, 'SELECT * FROM public.minute')).rows).toEqual([]);
  });

  it('refuses a database that cannot hold all texts', async () => {
    const address = await databases.address();
    await run(address, `CREATE DATABASE latin TEMPLATE template0 ENCODING LATIN1`);
    await expect(openWriter(changed(address, (url) => (url.pathname = '/latin')))).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('UTF8'),
    });
  });

  it.each(wrongs)('says what is wrong with %s, and never the password', async (_, code, change) => {
    const url = new URL(await databases.address());
    await change(url);
    for (const what of purposes) {
      const error: unknown = await opening[what](url.href).catch((failure: unknown) => failure);
      expect(error).toMatchObject({ code, message: expect.not.stringContaining(decodeURIComponent(url.password)) });
      expect(error).toMatchObject({ message: expect.not.stringContaining(url.password) });
    }
  });

  it.each(['postgres://me:se/cret@host/usage', 'postgres://me:12/secret@host/usage', 'postgres://me:secret@ho st:x/usage'])(
    'refuses the address %s without showing it',
    async (address) => {
      for (const what of purposes)
        await expect(opening[what](address)).rejects.toMatchObject({
          code: 'STORE_ADDRESS',
          message: expect.not.stringMatching(/secret|cret@/),
        });
    },
  );
});

describe('writing to a store in PostgreSQL', () => {
  it.each([
    ['53100', 'STORE_FULL'],
    ['55P03', 'STORE_LOCKED'],
    ['40P01', 'STORE_LOCKED'],
    ['42501', 'STORE_UNAVAILABLE'],
    ['XX001', 'STORE_CORRUPT'],
    ['57014', 'STORE_UNAVAILABLE'],
  ])('says in its own words what the server calls %s, writes nothing of the batch, and all of it later', async (state, code) => {
    const address = await databases.address();
    const writer = await writing(address);
    await run(
      address,
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'for this test' USING ERRCODE = '${state}'; END $$;
       CREATE TRIGGER fail BEFORE INSERT ON migrate_v2.gap FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    const batch = batchOf([rowOf(minute, { calls: 2 })], { gaps: [{ since: start, until: start, calls: 1 }] });
    await expect(writer.write(batch)).rejects.toMatchObject({ code });
    expect(await callsIn(address)).toBe(0);
    await run(address, 'DROP TRIGGER fail ON migrate_v2.gap');
    await writer.write(batch);
    expect(await callsIn(address)).toBe(2);
  });

  it('goes on over another connection where one is lost', async () => {
    const address = await databases.address();
    const writer = await writing(address);
    await writer.write(batchOf([rowOf(minute)]));
    await run(
      address,
      'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    const batch = batchOf([rowOf(minute, { calls: 7 })]);
    // Whether the loss is known before the next write is a matter of luck.
    await writer.write(batch).catch(() => writer.write(batch));
    expect(await callsIn(address)).toBe(7);
  });

  it('ends while it rolls up', async () => {
    const address = await databases.address();
    const writer = await openWriter(address);
    await writer.write(batchOf([rowOf(minute)]));
    await databases.by(address, async (client) => {
      await client.query('BEGIN; LOCK TABLE migrate_v2.hour');
      const rollingUp = writer.maintain(start + 3 * dayInMs, retention);
      await Promise.all([expect(rollingUp).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' }), writer.close()]);
      await client.query('ROLLBACK');
    });
    expect(await callsIn(address)).toBe(1);
  });

  it('ends while a batch waits, and leaves nothing of it', async () => {
    const address = await databases.address();
    const writer = await openWriter(address);
    await databases.by(address, async (client) => {
      await client.query('BEGIN; LOCK TABLE migrate_v2.minute');
      const waiting = writer.write(batchOf([rowOf(minute)]));
      await Promise.all([expect(waiting).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' }), writer.close()]);
      await client.query('ROLLBACK');
    });
    expect(await callsIn(address)).toBe(0);
  });

  it('rolls up once where it is asked twice at once', async () => {
    const address = await databases.address();
    const writer = await writing(address);
    await writer.write(batchOf([rowOf(minute, { calls: 3 })]));
    await Promise.all([1, 2].map(() => writer.maintain(start + 3 * dayInMs, retention)));
    expect(await callsIn(address)).toBe(3);
    expect((await run(address, 'SELECT count(*)::int AS n FROM migrate_v2.minute')).rows).toEqual([{ n: 0 }]);
  });

  it('keeps the hours of a day into which another process has rolled up late calls since they were found', async () => {
    const address = await databases.address();
    const writer = await writing(address);
    await writer.write(batchOf([rowOf(minute, { calls: 3 })]));
    await writer.maintain(start + 3 * dayInMs, retention);
    const day = Math.floor(start / dayInMs);
    const other = await writing(address);
    let found = 0;
    class Interrupted extends Database {
      override async transaction<T>(mode: Mode, work: (transaction: Transaction) => Promise<T>): Promise<T> {
        const result = await super.transaction(mode, work);
        if (mode === 'write' || String(result) !== String(day)) return result;
        found++;
        await other.write(batchOf([rowOf(minute, { calls: 5 })], { writer: 'two' }));
        // Its day is not over: the other one rolls up the hour alone, as if it were ended then.
        await other.maintain(start + 2 * hourInMs, retention);
        return result;
      }
    }
    const database = new Interrupted(address);
    onTestFinished(() => database.close());
    await maintain(database, start + 40 * dayInMs, retention);
    expect(found).toBe(1);
    await writer.maintain(start + 40 * dayInMs, retention);
    expect(await callsIn(address)).toBe(8);
  });

  it('needs no more rights than are written down', async () => {
    const address = await leaveBehind(await databases.address());
    await run(
      address,
      `CREATE ROLE proxy LOGIN PASSWORD 'proxy'; GRANT USAGE ON SCHEMA migrate_v2 TO proxy;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA migrate_v2 TO proxy;
       GRANT USAGE ON ALL SEQUENCES IN SCHEMA migrate_v2 TO proxy;
       CREATE ROLE reporter LOGIN PASSWORD 'reporter'; GRANT USAGE ON SCHEMA migrate_v2 TO reporter;
       GRANT SELECT ON ALL TABLES IN SCHEMA migrate_v2 TO reporter`,
    );
    const as = (role: string): string => changed(address, (url) => ([url.username, url.password] = [role, role]));
    const writer = await writing(as('proxy'));
    await writer.write(batchOf([rowOf(minute + 1)], { writer: 'two' }));
    await writer.maintain(start + 500 * dayInMs, { ...retention, days: 1000 * dayInMs });
    expect(await callsIn(as('reporter'))).toBe(6);
    const eraser = await openEraser(as('proxy'));
    onTestFinished(() => eraser.close());
    expect(await eraser.erase('a'.repeat(16))).toEqual({ callers: 1, calls: 6 });
    await expect(writing(as('reporter')).then((reporter) => reporter.write(batchOf([rowOf(minute)])))).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('right'),
    });
  });
});

describe('reading a store in PostgreSQL', () => {
  it('says that the server is gone', async () => {
    const address = await leaveBehind(await databases.address());
    const reader = await openReader(address);
    onTestFinished(() => reader.close());
    await run(
      address,
      'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await expect(collect(reader.totals(everything))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(reader.sessions(everything)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it('says that a table is missing', async () => {
    const address = await leaveBehind(await databases.address());
    await run(address, 'DROP TABLE migrate_v2.minute');
    const reader = await openReader(address);
    onTestFinished(() => reader.close());
    await expect(collect(reader.totals(everything))).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
  });
});
