/** The tables, and how a store of an older version becomes one of this. */
import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../error.ts';

/** "usag": tells our files from those of other programs. */
const applicationId = 0x75736167;

const counts = `calls INTEGER NOT NULL, v2_calls INTEGER NOT NULL, repeats INTEGER NOT NULL, duration REAL NOT NULL,
  longest REAL NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL`;

/**
 * One text for each version, in order; never changed once released.
 *
 * Finer rows stand under the period that they are rolled up into, and in it by caller: rolling up and totals read them in their own order,
 * without sorting. `period` says of each hour and day how often finer rows came (`version`), up to which of these the rows of the newest
 * part hold them all (`done`), and which part that is: see plan.ts. Of a block, `done` is the sum of its days' versions that its rows hold.
 */
const migrations = [
  `
CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE key (n INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE caller (n INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE, key INTEGER, prefix TEXT, workspace TEXT, client TEXT NOT NULL,
  name TEXT, seen INTEGER NOT NULL, pause INTEGER) STRICT;
CREATE INDEX caller_key ON caller (key);
CREATE TABLE kind (n INTEGER PRIMARY KEY, endpoint TEXT NOT NULL, method TEXT NOT NULL, status INTEGER NOT NULL, outcome TEXT NOT NULL,
  UNIQUE (endpoint, method, status, outcome)) STRICT;
CREATE TABLE source (caller INTEGER, network TEXT, first INTEGER NOT NULL, last INTEGER NOT NULL,
  PRIMARY KEY (caller, network)) STRICT, WITHOUT ROWID;
CREATE TABLE erased (last INTEGER NOT NULL, pause INTEGER) STRICT;
CREATE TABLE session (n INTEGER PRIMARY KEY, writer TEXT NOT NULL UNIQUE, since INTEGER NOT NULL, seen INTEGER NOT NULL,
  ended INTEGER NOT NULL) STRICT;
CREATE TABLE gap (session INTEGER, since INTEGER, until INTEGER NOT NULL, calls INTEGER NOT NULL,
  PRIMARY KEY (session, since)) STRICT, WITHOUT ROWID;
CREATE TABLE period (size TEXT, number INTEGER, part INTEGER NOT NULL, version INTEGER NOT NULL, done INTEGER NOT NULL,
  PRIMARY KEY (size, number)) STRICT, WITHOUT ROWID;
CREATE TABLE minute (hour INTEGER, caller INTEGER, kind INTEGER, minute INTEGER, session INTEGER, ${counts},
  PRIMARY KEY (hour, caller, kind, minute, session)) STRICT, WITHOUT ROWID;
CREATE TABLE hour (day INTEGER, caller INTEGER, kind INTEGER, hour INTEGER, part INTEGER, ${counts},
  PRIMARY KEY (day, caller, kind, hour, part)) STRICT, WITHOUT ROWID;
CREATE TABLE day (block INTEGER, caller INTEGER, kind INTEGER, day INTEGER, part INTEGER, ${counts},
  PRIMARY KEY (block, caller, kind, day, part)) STRICT, WITHOUT ROWID;
CREATE TABLE block (caller INTEGER, kind INTEGER, block INTEGER, ${counts},
  PRIMARY KEY (caller, kind, block)) STRICT, WITHOUT ROWID;
CREATE TABLE caller_day (caller INTEGER, day INTEGER, part INTEGER, calls INTEGER NOT NULL, v2_calls INTEGER NOT NULL,
  first INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (caller, day, part)) STRICT, WITHOUT ROWID;
CREATE TABLE load (key INTEGER, hour INTEGER, part INTEGER, total INTEGER NOT NULL, minutes BLOB NOT NULL,
  PRIMARY KEY (key, hour, part)) STRICT, WITHOUT ROWID;
CREATE TABLE peak (day INTEGER, key INTEGER, hour INTEGER NOT NULL, hour_calls INTEGER NOT NULL, window INTEGER NOT NULL,
  window_calls INTEGER NOT NULL, PRIMARY KEY (day, key)) STRICT, WITHOUT ROWID;
`,
  `
ALTER TABLE session ADD COLUMN replica TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN behind INTEGER NOT NULL DEFAULT 0;
CREATE TABLE retired (replica TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`,
  `
CREATE TABLE step (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, replica TEXT NOT NULL, kind TEXT NOT NULL,
  rule TEXT NOT NULL, detail TEXT NOT NULL) STRICT;
CREATE TABLE comparison (session INTEGER, setup TEXT, workspace TEXT, endpoint TEXT, kind TEXT, path TEXT, v1 TEXT NOT NULL, v2 TEXT NOT NULL,
  count INTEGER NOT NULL, noise INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  PRIMARY KEY (session, setup, workspace, endpoint, kind, path)) STRICT, WITHOUT ROWID;
`,
  `
CREATE TABLE saving (hour INTEGER, caller INTEGER, session INTEGER, asked INTEGER NOT NULL, untranslated INTEGER NOT NULL,
  saved_0 INTEGER NOT NULL, saved_5 INTEGER NOT NULL, saved_10 INTEGER NOT NULL, saved_30 INTEGER NOT NULL, saved_60 INTEGER NOT NULL,
  PRIMARY KEY (hour, caller, session)) STRICT, WITHOUT ROWID;
`,
  `
CREATE TABLE ledger (account TEXT PRIMARY KEY, state TEXT NOT NULL, touched INTEGER NOT NULL, wanted INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_wanted ON ledger (wanted) WHERE wanted > 0;
CREATE TABLE fleet (state TEXT NOT NULL) STRICT;
INSERT INTO fleet VALUES ('{"replicas":{},"latest":0}');
`,
  `
CREATE TABLE mark (n INTEGER PRIMARY KEY, subject TEXT NOT NULL, at INTEGER NOT NULL, status TEXT, until INTEGER, note TEXT) STRICT;
`,
  `
CREATE TABLE IF NOT EXISTS log_source (n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, format TEXT NOT NULL, imported INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS log_file (source INTEGER, id INTEGER, first INTEGER NOT NULL, last INTEGER NOT NULL, lines INTEGER NOT NULL,
  unread INTEGER NOT NULL, PRIMARY KEY (source, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS log_caller (n INTEGER PRIMARY KEY, source INTEGER NOT NULL, client TEXT NOT NULL, network TEXT NOT NULL,
  key TEXT NOT NULL, prefix TEXT NOT NULL, UNIQUE (source, client, network, key)) STRICT;
CREATE TABLE IF NOT EXISTS log_kind (n INTEGER PRIMARY KEY, endpoint TEXT NOT NULL, method TEXT NOT NULL, status INTEGER NOT NULL,
  UNIQUE (endpoint, method, status)) STRICT;
CREATE TABLE IF NOT EXISTS log_use (source INTEGER, caller INTEGER, kind INTEGER, day INTEGER, calls INTEGER NOT NULL, first INTEGER NOT NULL,
  last INTEGER NOT NULL, PRIMARY KEY (source, caller, kind, day)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS log_line (source INTEGER, hour INTEGER, marks BLOB NOT NULL, PRIMARY KEY (source, hour)) STRICT;
`,
  `
CREATE TABLE IF NOT EXISTS log_stretch (source INTEGER, first INTEGER, last INTEGER NOT NULL, PRIMARY KEY (source, first)) STRICT, WITHOUT ROWID;
INSERT INTO log_stretch SELECT source, first, max(last) FROM log_file WHERE true GROUP BY source, first ON CONFLICT DO NOTHING;
`,
];

export const schemaVersion = migrations.length;

/** In one statement, and so of one state of the file: another process may be making the store just now. */
const whatIsThere = `SELECT (SELECT user_version FROM pragma_user_version) AS version,
  (SELECT application_id FROM pragma_application_id) AS id, EXISTS (SELECT 1 FROM sqlite_schema) AS full`;

/**
 * Says what is wrong with a file as a store of this version.
 * @returns its version; 0 for an empty file
 * @throws StoreError with STORE_CORRUPT or STORE_NEWER
 */
export function checkSchema(db: DatabaseSync, path: string): number {
  const { version, id, full } = db.prepare(whatIsThere).get() ?? {};
  if (version === 0 && id === 0 && full === 0) return 0;
  if (id !== applicationId)
    throw new StoreError('STORE_CORRUPT', `${path} is a database of another program: give the usage record a file of its own with --store`);
  if (Number(version) > migrations.length)
    throw new StoreError(
      'STORE_NEWER',
      `${path} was written by a newer version of migrate-v2 (store version ${version}, this one knows ${schemaVersion}): update migrate-v2`,
    );
  return Number(version);
}

/**
 * Brings a store to the version of this code, within one transaction: several processes may do it at once. One that is there already is not
 * written to.
 * @param hashSecret of a new one
 * @throws StoreError as `checkSchema`
 */
export function migrate(db: DatabaseSync, path: string, hashSecret: string): void {
  if (checkSchema(db, path) === migrations.length) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    const version = checkSchema(db, path);
    for (const sql of migrations.slice(version)) db.exec(sql);
    if (version === 0) db.prepare(`INSERT INTO meta VALUES ('hash_secret', ?)`).run(hashSecret);
    db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

export function metaOf(db: DatabaseSync, name: 'hash_secret' | 'minutes_from' | 'hours_from'): string | undefined {
  const value = db.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.['value'];
  return value === undefined || value === null ? undefined : String(value);
}

/** The last sign of life of any proxy; undefined in a new store. */
export function lastSeen(db: DatabaseSync): number | undefined {
  const seen = db.prepare('SELECT max(seen) AS seen FROM session').get()?.['seen'];
  return typeof seen === 'number' ? seen : undefined;
}
