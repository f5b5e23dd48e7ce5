/** The tables, and how a store of an older version becomes one of this. */
import { StoreError } from '../error.ts';
import type { Transaction } from './connection.ts';
import { type Database, schemaName } from './database.ts';
import { lockSchema } from './locks.ts';

const counts = `calls bigint NOT NULL, v2_calls bigint NOT NULL, repeats bigint NOT NULL, duration float8 NOT NULL, longest float8 NOT NULL,
  first bigint NOT NULL, last bigint NOT NULL`;

/** Who may do something with the tables that were there may do it with new ones: proxies and readers need not wait for their rights. */
const rightsOn = (tables: string): string => `DO $$
DECLARE given record;
BEGIN
  FOR given IN SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS who, privilege_type AS what
    FROM pg_class, aclexplode(relacl) WHERE pg_class.oid = 'gap'::regclass AND grantee <> relowner
  LOOP
    EXECUTE format('GRANT %s ON ${tables} TO %s', given.what, given.who);
  END LOOP;
END $$;
`;

/**
 * One text for each version, in order; never changed once released.
 *
 * The tables are those of the embedded store, but for what says which rows of hours and days hold all that came: in a fleet, many write at
 * once, and must not wait for each other. A writer counts its batches for an hour in a row of its own (`touch`); the hour is dirty while the
 * sum of these is more than what was rolled up (`done`). A day or block is rolled up by one process at a time, which says that it is `stale`.
 */
const migrations = [
  `
CREATE TABLE caller (id bigint PRIMARY KEY, key text COLLATE "C", prefix text, workspace text, client text NOT NULL, name text,
  seen bigint NOT NULL, pause bigint);
CREATE INDEX ON caller (key);
CREATE TABLE kind (n int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, endpoint text NOT NULL, method text NOT NULL, status int NOT NULL,
  outcome text NOT NULL, UNIQUE (endpoint, method, status, outcome));
CREATE TABLE source (caller bigint, network text, first bigint NOT NULL, last bigint NOT NULL, PRIMARY KEY (caller, network));
CREATE TABLE session (n int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, writer text NOT NULL UNIQUE, since bigint NOT NULL,
  seen bigint NOT NULL, ended boolean NOT NULL);
CREATE TABLE erased (last bigint NOT NULL, pause bigint);
CREATE TABLE gap (session int, since bigint, until bigint NOT NULL, calls bigint NOT NULL, PRIMARY KEY (session, since));
CREATE TABLE touch (hour int, session int, version bigint NOT NULL, PRIMARY KEY (hour, session));
CREATE TABLE rolled_hour (hour int PRIMARY KEY, part int NOT NULL, done bigint NOT NULL);
CREATE TABLE rolled_day (day int PRIMARY KEY, part int NOT NULL, stale boolean NOT NULL);
CREATE TABLE rolled_block (block int PRIMARY KEY, stale boolean NOT NULL);
-- The rows of the newest minute change several times a second: there is room for that beside them.
CREATE TABLE minute (hour int, caller bigint, kind int, minute int, session int, ${counts},
  PRIMARY KEY (hour, caller, kind, minute, session)) WITH (fillfactor = 70);
CREATE TABLE hour (day int, caller bigint, kind int, hour int, part int, ${counts}, PRIMARY KEY (day, caller, kind, hour, part));
CREATE TABLE day (block int, caller bigint, kind int, day int, part int, ${counts}, PRIMARY KEY (block, caller, kind, day, part));
CREATE TABLE block (caller bigint, kind int, block int, ${counts}, PRIMARY KEY (block, caller, kind));
CREATE TABLE caller_day (caller bigint, day int, part int, calls bigint NOT NULL, v2_calls bigint NOT NULL, first bigint NOT NULL,
  last bigint NOT NULL, PRIMARY KEY (caller, day, part));
CREATE TABLE load (key text COLLATE "C", hour int, part int, minutes bytea NOT NULL, PRIMARY KEY (key, hour, part));
CREATE INDEX ON load (hour);
CREATE TABLE peak (day int, key text COLLATE "C", hour int NOT NULL, hour_calls bigint NOT NULL, window_from int NOT NULL,
  window_calls bigint NOT NULL, PRIMARY KEY (day, key));
`,
  `
ALTER TABLE session ADD COLUMN replica text NOT NULL DEFAULT '', ADD COLUMN behind bigint NOT NULL DEFAULT 0;
CREATE TABLE retired (replica text PRIMARY KEY, at bigint NOT NULL);
`,
  `
CREATE TABLE step (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, at bigint NOT NULL, replica text NOT NULL,
  kind text NOT NULL, rule text NOT NULL, detail text NOT NULL);
CREATE TABLE comparison (session int, setup text COLLATE "C", workspace text COLLATE "C", endpoint text COLLATE "C", kind text COLLATE "C",
  path text COLLATE "C", v1 text COLLATE "C" NOT NULL, v2 text COLLATE "C" NOT NULL, count bigint NOT NULL, noise bigint NOT NULL,
  first bigint NOT NULL, last bigint NOT NULL, PRIMARY KEY (session, setup, workspace, endpoint, kind, path)) WITH (fillfactor = 70);
${rightsOn('step, comparison')}`,
  `
CREATE TABLE saving (hour int, caller bigint, session int, asked bigint NOT NULL, untranslated bigint NOT NULL, saved_0 bigint NOT NULL,
  saved_5 bigint NOT NULL, saved_10 bigint NOT NULL, saved_30 bigint NOT NULL, saved_60 bigint NOT NULL, PRIMARY KEY (hour, caller, session))
  WITH (fillfactor = 70);
${rightsOn('saving')}`,
  `
-- Rows of accounts change with each exchange: there is room for that beside them.
CREATE TABLE ledger (account text COLLATE "C" PRIMARY KEY, state text NOT NULL, touched bigint NOT NULL, wanted bigint NOT NULL)
  WITH (fillfactor = 50);
CREATE INDEX ON ledger (wanted) WHERE wanted > 0;
CREATE TABLE fleet (state text NOT NULL) WITH (fillfactor = 10);
INSERT INTO fleet VALUES ('{"replicas":{},"latest":0}');
${rightsOn('ledger, fleet')}`,
  `
CREATE TABLE mark (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, subject text NOT NULL, at bigint NOT NULL, status text, until bigint,
  note text);
${rightsOn('mark')}`,
  `
CREATE TABLE IF NOT EXISTS log_source (n int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, format text NOT NULL,
  imported bigint NOT NULL);
CREATE TABLE IF NOT EXISTS log_file (source int, id bigint, first bigint NOT NULL, last bigint NOT NULL, lines bigint NOT NULL,
  unread bigint NOT NULL, PRIMARY KEY (source, id));
CREATE TABLE IF NOT EXISTS log_caller (n int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, source int NOT NULL, client text COLLATE "C" NOT NULL,
  network text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, prefix text NOT NULL, UNIQUE (source, client, network, key));
CREATE TABLE IF NOT EXISTS log_kind (n int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, endpoint text NOT NULL, method text NOT NULL,
  status int NOT NULL, UNIQUE (endpoint, method, status));
CREATE TABLE IF NOT EXISTS log_use (source int, caller int, kind int, day int, calls bigint NOT NULL, first bigint NOT NULL,
  last bigint NOT NULL, PRIMARY KEY (source, caller, kind, day));
CREATE TABLE IF NOT EXISTS log_line (source int, hour int, marks bytea NOT NULL, PRIMARY KEY (source, hour));
${rightsOn('log_source, log_file, log_caller, log_kind, log_use, log_line')}`,
  `
CREATE TABLE IF NOT EXISTS log_stretch (source int, first bigint, last bigint NOT NULL, PRIMARY KEY (source, first));
INSERT INTO log_stretch SELECT source, first, max(last) FROM log_file GROUP BY source, first ON CONFLICT DO NOTHING;
${rightsOn('log_stretch')}`,
];

const problem = {
  foreign: `The schema ${schemaName} of this database is not ours: give the usage record another database with --store`,
  older: `The usage record was written by an older version of migrate-v2: start a proxy of this version first, which changes its tables`,
  missing: `This database holds no usage record: give --store the address that the proxies write to, or start one first`,
  encoding: `This database cannot hold all texts: give --store one with the encoding UTF8`,
  newer: (version: number) =>
    `The usage record was written by a newer version of migrate-v2 (store version ${version}, this one knows ${migrations.length}): update migrate-v2`,
};

/** Of one state of the database, that of the rows as well: what looks names up, to_regclass for one, looks into the newest. */
const whatIsThere = `SELECT coalesce(bool_or(relname = 'meta'), false), count(*) > 0
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = '${schemaName}'`;

/**
 * Says what is wrong with a database as a store of this version.
 * @returns its version; 0 where there is none
 * @throws StoreError with STORE_CORRUPT or STORE_NEWER
 */
async function checkSchema(transaction: Transaction): Promise<number> {
  const [row] = await transaction.rows(whatIsThere);
  const [isOurs, isFull] = row ?? [];
  if (isOurs !== true && isFull === true) throw new StoreError('STORE_CORRUPT', problem.foreign);
  if (isOurs !== true) return 0;
  const version = Number(await metaOf(transaction, 'version'));
  if (!Number.isInteger(version) || version < 1) throw new StoreError('STORE_CORRUPT', problem.foreign);
  if (version > migrations.length) throw new StoreError('STORE_NEWER', problem.newer(version));
  return version;
}

/**
 * Brings a store to the version of this code, in one transaction; several processes may do it at once.
 * @param hashSecret of the hashes of a new one
 * @returns the secret of its hashes
 * @throws StoreError as `checkSchema`, and STORE_UNAVAILABLE where the user may not make the schema
 */
export async function migrate(database: Database, hashSecret: string): Promise<string> {
  // Nothing is locked, and no right to make anything is asked for, where nothing is to be done. With a snapshot for each question: names of
  // tables are looked up in the newest one, and those that another process just made would be empty in one for all.
  const version = await database.transaction('write', checkSchema);
  if (version < migrations.length)
    await database.transaction('write', async (transaction) => {
      await lockSchema(transaction);
      // Whoever had the lock before has mostly done it; to write nothing then is what lets a whole fleet through.
      const found = await checkSchema(transaction);
      if (found < migrations.length) await bring(transaction, found, hashSecret);
    });
  return database.transaction('read', (transaction) => secretOf(transaction));
}

async function bring(transaction: Transaction, version: number, hashSecret: string): Promise<void> {
  const [row] = await transaction.rows(`SELECT to_regnamespace('${schemaName}') IS NULL, getdatabaseencoding() = 'UTF8'`);
  const [isNew, hasAllTexts] = row ?? [];
  if (hasAllTexts !== true) throw new StoreError('STORE_UNAVAILABLE', problem.encoding);
  if (isNew === true) await transaction.rows(`CREATE SCHEMA ${schemaName}`);
  if (version === 0) {
    await transaction.rows('CREATE TABLE meta (name text PRIMARY KEY, value text NOT NULL)');
    await transaction.rows(`INSERT INTO meta VALUES ('hash_secret', $1), ('version', '0')`, [hashSecret]);
  }
  for (const sql of migrations.slice(version)) await transaction.rows(sql);
  await transaction.rows(`UPDATE meta SET value = $1 WHERE name = 'version'`, [String(migrations.length)]);
}

/**
 * Makes sure that there is a store of this version.
 * @throws StoreError as `checkSchema`, and STORE_MISSING
 */
export async function expectStore(transaction: Transaction): Promise<void> {
  const version = await checkSchema(transaction);
  if (version < migrations.length) throw new StoreError('STORE_MISSING', version === 0 ? problem.missing : problem.older);
}

/** @throws StoreError with STORE_CORRUPT where the store has lost it */
export async function secretOf(transaction: Transaction): Promise<string> {
  const secret = await metaOf(transaction, 'hash_secret');
  if (secret === undefined) throw new StoreError('STORE_CORRUPT', problem.foreign);
  return secret;
}

export async function metaOf(
  transaction: Transaction,
  name: 'version' | 'hash_secret' | 'minutes_from' | 'hours_from',
): Promise<string | undefined> {
  const [row] = await transaction.rows(`SELECT value FROM ${schemaName}.meta WHERE name = $1`, [name]);
  return row === undefined ? undefined : String(row[0]);
}

/** The last sign of life of any proxy; undefined in a new store. */
export async function lastSeen(transaction: Transaction): Promise<number | undefined> {
  const [row] = await transaction.rows('SELECT max(seen) FROM session');
  return typeof row?.[0] === 'number' ? row[0] : undefined;
}
