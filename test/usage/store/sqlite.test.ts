import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dayInMs, minuteInMs } from '../../../src/contract/times.ts';
import { openEraser, openReader, openWriter } from '../../../src/usage/store/open.ts';
import { checkSchema, migrate, schemaVersion } from '../../../src/usage/store/sqlite/schema.ts';
import { collect, everything, storePath } from '../record.ts';
import { batchOf, callerOf, comparisonOf, rowOf, savingOf, stepOf } from '../rows.ts';
import { start } from '../uses.ts';
import { callsIn, leaveBehind, reading, savingsIn, writing } from './stores.ts';

const minute = start / minuteInMs;
const retention = { minutes: 2 * dayInMs, hours: 35 * dayInMs, days: 400 * dayInMs };

const leftBehind = (): Promise<string> => leaveBehind(storePath());

const opening = { writing: openWriter, reading: openReader, erasing: openEraser };

describe('opening an embedded store', () => {
  it('makes a file that only its owner can read', async () => {
    const path = storePath();
    await writing(path);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each(['reading', 'erasing'] as const)('says for %s that nothing is there, and makes nothing', async (what) => {
    const path = storePath();
    await expect(opening[what](path)).rejects.toMatchObject({ code: 'STORE_MISSING', message: expect.stringContaining(path) });
    expect(existsSync(path)).toBe(false);
  });

  it.each(['writing', 'reading', 'erasing'] as const)('brings for %s a store of the version before up to date', async (what) => {
    const path = await leftBehind();
    const db = new DatabaseSync(path);
    db.exec(
      'DROP TABLE mark; DROP TABLE ledger; DROP TABLE fleet; DROP TABLE saving; DROP TABLE step; DROP TABLE comparison; DROP TABLE retired; ALTER TABLE session DROP COLUMN replica; ALTER TABLE session DROP COLUMN behind; PRAGMA user_version = 1',
    );
    db.close();
    await (await opening[what](path)).close();
    expect(await reading(path, (reader) => reader.sessions(everything))).toMatchObject([{ writer: 'one', replica: '', behind: 0 }]);
    expect(await callsIn(path)).toBe(5);
  });

  it.each(['writing', 'reading', 'erasing'] as const)('brings for %s a store to date that knows nothing of the road', async (what) => {
    const path = await leftBehind();
    const db = new DatabaseSync(path);
    db.exec(
      'DROP TABLE mark; DROP TABLE ledger; DROP TABLE fleet; DROP TABLE saving; DROP TABLE step; DROP TABLE comparison; PRAGMA user_version = 2',
    );
    db.close();
    await (await opening[what](path)).close();
    expect(await reading(path, (reader) => Promise.all([reader.steps(), reader.comparisons(everything)]))).toEqual([[], []]);
    const writer = await writing(path);
    await writer.note(stepOf());
    await writer.write(batchOf([rowOf(minute + 1)], { comparisons: [comparisonOf()] }));
    expect(await reading(path, (reader) => Promise.all([reader.steps(), reader.comparisons(everything)]))).toEqual([
      [stepOf()],
      [comparisonOf()],
    ]);
    expect(await callsIn(path)).toBe(6);
  });

  it('does not make folders', async () => {
    await expect(openWriter(join(storePath(), 'usage.db'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it.each(['writing', 'reading', 'erasing'] as const)('refuses for %s what is no database, and leaves it as it is', async (what) => {
    const path = storePath();
    writeFileSync(path, 'Dear diary, '.repeat(500));
    await expect(opening[what](path)).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    expect(readFileSync(path, 'utf8')).toBe('Dear diary, '.repeat(500));
  });

  it.each(['writing', 'reading', 'erasing'] as const)(
    'refuses for %s the database of another program, and leaves it as it is',
    async (what) => {
      const path = storePath();
      const other = new DatabaseSync(path);
      other.exec('CREATE TABLE contacts (name TEXT)');
      other.close();
      const before = readFileSync(path);
      await expect(opening[what](path)).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
      expect(readFileSync(path).equals(before)).toBe(true);
    },
  );

  it.each(['writing', 'reading', 'erasing'] as const)('brings for %s a store to date that knows nothing of savings', async (what) => {
    const path = await leftBehind();
    const db = new DatabaseSync(path);
    db.exec('DROP TABLE mark; DROP TABLE ledger; DROP TABLE fleet; DROP TABLE saving; PRAGMA user_version = 3');
    db.close();
    await (await opening[what](path)).close();
    expect(await savingsIn(path)).toEqual([]);
    const writer = await writing(path);
    await writer.write(batchOf([rowOf(minute + 1)], { savings: [savingOf()] }));
    expect(await savingsIn(path)).toMatchObject([savingOf().counts]);
    expect(await callsIn(path)).toBe(6);
  });

  it.each(['writing', 'reading', 'erasing'] as const)('brings for %s a store to date that knows nothing of marks', async (what) => {
    const path = await leftBehind();
    const db = new DatabaseSync(path);
    db.exec('DROP TABLE mark; PRAGMA user_version = 5');
    db.close();
    await (await opening[what](path)).close();
    expect(await reading(path, (reader) => reader.marks())).toEqual([]);
    expect(await callsIn(path)).toBe(5);
  });

  it.each(['writing', 'reading', 'erasing'] as const)('refuses for %s the store of a newer version', async (what) => {
    const path = await leftBehind();
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 99');
    db.close();
    await expect(opening[what](path)).rejects.toMatchObject({ code: 'STORE_NEWER' });
  });

  it('says that a store is damaged when what it reads is', async () => {
    const path = await leftBehind();
    truncateSync(path, 8 * 4096);
    await expect(callsIn(path)).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
  });

  it('refuses the address of another kind of store without showing it', async () => {
    await expect(openWriter('mysql://me:secret@host/usage')).rejects.toMatchObject({
      code: 'STORE_ADDRESS',
      message: expect.not.stringContaining('secret'),
    });
  });

  it('says that it may not write', async () => {
    const path = await leftBehind();
    chmodSync(path, 0o444);
    chmodSync(dirname(path), 0o777);
    // Root may write everywhere: once all is loaded, the process is somebody else's.
    const program = `import { openToWrite } from ${JSON.stringify(new URL('../../../src/usage/store/sqlite/connection.ts', import.meta.url))};
      if (process.getuid?.() === 0) process.setuid('nobody');
      openToWrite(${JSON.stringify(path)}, 'secret');`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    expect(stderr).toMatch(/code: 'STORE_UNAVAILABLE'/);
    expect(stderr).toMatch(/cannot be used \(EACCES.*see to its folder and permissions/);
  });

  it('says that a folder is no store', async () => {
    const path = storePath();
    mkdirSync(path);
    await expect(openWriter(path)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it('sees a store whole or not at all that another process makes between any two of its questions', () => {
    for (let questions = 0; questions < 4; questions++) {
      const path = storePath();
      const [db, other] = [new DatabaseSync(path), new DatabaseSync(path)];
      let left = questions;
      const prepare = db.prepare.bind(db);
      db.prepare = (...args) => {
        if (left-- === 0) migrate(other, path, 'secret');
        return prepare(...args);
      };
      expect([0, schemaVersion]).toContain(checkSchema(db, path));
      db.close();
      other.close();
    }
  });

  it('waits for another process that makes the store', async () => {
    const path = storePath();
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    // Within the time that a store is waited for.
    setTimeout(() => other.close(), 500);
    expect(await callsIn(await leaveBehind(path))).toBe(5);
  });

  it('takes nothing that others wait for where nothing is to be made', async () => {
    const path = await leftBehind();
    const other = new DatabaseSync(path);
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    expect((await writing(path)).hashSecret).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('writing to an embedded store', () => {
  it('fails while another process holds it, and works afterwards', async () => {
    const path = storePath();
    const writer = await writing(path);
    const other = new DatabaseSync(path);
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    await expect(writer.write(batchOf([rowOf(minute)]))).rejects.toMatchObject({ code: 'STORE_LOCKED' });
    other.exec('ROLLBACK');
    await writer.write(batchOf([rowOf(minute)]));
    expect(await callsIn(path)).toBe(1);
  });

  it('writes a batch whole or not at all', async () => {
    const path = storePath();
    const writer = await writing(path);
    const other = new DatabaseSync(path);
    onTestFinished(() => other.close());
    other.exec(`CREATE TRIGGER full BEFORE INSERT ON gap BEGIN SELECT RAISE(ABORT, 'no'); END`);
    const gaps = [{ since: start, until: start, calls: 1 }];
    await expect(writer.write(batchOf([rowOf(minute)], { gaps }))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    other.exec('DROP TRIGGER full');
    expect(await callsIn(path)).toBe(0);
    await writer.write(batchOf([rowOf(minute, { calls: 2 })], { gaps }));
    expect(await reading(path, (reader) => collect(reader.totals(everything)))).toMatchObject([
      { caller: callerOf().id, counts: { calls: 2 } },
    ]);
  });

  it('leaves one file behind', async () => {
    const path = await leftBehind();
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
  });
});

describe('erasing from an embedded store', () => {
  const other = callerOf({ keyHash: 'b'.repeat(16), keyPrefix: 'other' });
  const secret = 'sk_very_secret';

  it('leaves nothing of a key, not even in its file, and all of the others', async () => {
    const path = storePath();
    const writer = await writing(path);
    const mine = callerOf({ keyPrefix: secret });
    const days = [0, 1, 2, 50].map((day) => minute + day * 1440);
    await writer.write(batchOf(days.flatMap((at) => [rowOf(at, { calls: 3 }, mine), rowOf(at, { calls: 4 }, other)])));
    await writer.maintain(start + 50 * dayInMs, retention);
    const eraser = await openEraser(path);
    onTestFinished(() => eraser.close());
    expect(await eraser.erase('a'.repeat(16))).toEqual({ callers: 1, calls: 12 });
    expect(await callsIn(path)).toBe(16);
    expect((await reading(path, (reader) => reader.callers())).map(({ keyHash }) => keyHash)).toEqual(['b'.repeat(16)]);
    expect(
      (await reading(path, (reader) => collect(reader.peaks(everything)))).flat().every(({ keyHash }) => keyHash !== 'a'.repeat(16)),
    ).toBe(true);
    for (const file of [path, `${path}-wal`]) {
      expect(readFileSync(file, 'latin1')).not.toContain(secret);
      expect(readFileSync(file, 'latin1')).not.toContain('a'.repeat(16));
    }
  });
});
