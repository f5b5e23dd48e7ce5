import { isV1Call } from '../conditions.ts';
import { leaveTrace } from '../pauses.ts';
import { hashMark } from '../../workspaces.ts';
import { insertMark } from '../marks.ts';
import type { UsageEraser } from '../store.ts';
import { guarded, openExisting, transaction } from './connection.ts';
import { eraseLogged } from './logs.ts';
import { noteStep } from './road.ts';

/**
 * Opens an embedded store to erase from it; proxies may be writing to it.
 * @throws StoreError
 */
export async function openSqliteEraser(path: string): Promise<UsageEraser> {
  const db = openExisting(path, { readOnly: false });
  const callers = 'SELECT n FROM caller WHERE key = :key';
  const erase = (keyHash: string): { callers: number; calls: number } => {
    db.prepare('DELETE FROM mark WHERE subject = ?').run(hashMark + keyHash);
    const key = db.prepare('SELECT n FROM key WHERE hash = ?').get(keyHash)?.['n'];
    if (typeof key !== 'number') return { callers: 0, calls: 0 };
    const calls = db
      .prepare(
        `SELECT coalesce(sum(calls), 0) AS calls FROM (
           SELECT calls FROM day WHERE caller IN (${callers}) AND NOT EXISTS (SELECT 1 FROM period
             WHERE size = 'day' AND number = day AND period.part = day.part AND version > done)
           UNION ALL SELECT calls FROM hour WHERE caller IN (${callers}) AND EXISTS (SELECT 1 FROM period
             WHERE size = 'day' AND number = day AND version > done) AND NOT EXISTS (SELECT 1 FROM period
             WHERE size = 'hour' AND number = hour AND period.part = hour.part AND version > done)
           UNION ALL SELECT calls FROM minute WHERE caller IN (${callers}) AND ${isV1Call} AND EXISTS (SELECT 1 FROM period
             WHERE size = 'hour' AND number = hour AND version > done))`,
      )
      .get({ key })?.['calls'];
    const rows = [`minute WHERE ${isV1Call} AND`, 'hour WHERE', 'caller_day WHERE'].map(
      (from) => `SELECT caller, first, last FROM ${from} caller IN (${callers})`,
    );
    db.prepare(leaveTrace(rows.join(' UNION ALL '), 'SELECT n AS caller, pause FROM caller WHERE key = :key')).run({ key });
    for (const table of ['minute', 'hour', 'day', 'block', 'caller_day', 'source', 'saving'])
      db.prepare(`DELETE FROM ${table} WHERE caller IN (${callers})`).run({ key });
    for (const table of ['load', 'peak']) db.prepare(`DELETE FROM ${table} WHERE key = ?`).run(key);
    const { changes } = db.prepare('DELETE FROM caller WHERE key = ?').run(key);
    db.prepare('DELETE FROM key WHERE n = ?').run(key);
    return { callers: Number(changes), calls: Number(calls) };
  };
  // What is deleted is overwritten, also in the pages that were free before.
  guarded(path, () => db.exec('PRAGMA secure_delete = ON'));
  return {
    erase: async (keyHash) =>
      guarded(path, () => {
        const erased = transaction(db, () => {
          const [recorded, logged] = [erase(keyHash), eraseLogged(db, keyHash)];
          return { callers: recorded.callers + logged.callers, calls: recorded.calls + logged.calls };
        });
        // Until it is copied into the file and cut, the log still holds the old pages.
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        return erased;
      }),
    retire: async ({ replica, at }) =>
      guarded(path, () => {
        db.prepare('INSERT INTO retired VALUES (?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)').run(replica, at);
      }),
    mark: async ({ subject, at, status, until, note }) =>
      guarded(path, () => {
        db.prepare(insertMark('?, ?, ?, ?, ?')).run(subject, at, status, until, note);
      }),
    note: async (step) => guarded(path, () => noteStep(db, step)),
    close: async () => db.close(),
  };
}
