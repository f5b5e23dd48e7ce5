/**
 * Losses that a proxy could not write into its store before it ended: it leaves each in a file of its own beside the store, and the next one
 * that opens the store takes them in.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Gap } from '../../model.ts';
import { transaction } from './connection.ts';

const prefixOf = (path: string): string => `${basename(path)}.lost-`;
/** By hand, as this is read in the thread of the record: a library for it would be most of what that loads. */
const isLoss = (value: Partial<Gap> | null): value is Gap =>
  typeof value?.writer === 'string' && [value.since, value.until, value.calls].every(Number.isSafeInteger);

/** Leaves a loss beside the store at this path. */
export function leaveLoss(path: string, gap: Gap): void {
  writeFileSync(join(dirname(path), `${prefixOf(path)}${gap.writer}.json`), JSON.stringify(gap), { mode: 0o600 });
}

/** Takes in the losses beside a store; a file that holds none stays. */
export function takeLosses(db: DatabaseSync, path: string): void {
  const folder = dirname(path);
  const files = readdirSync(folder).filter((name) => name.startsWith(prefixOf(path)));
  for (const file of files.map((name) => join(folder, name))) {
    const gap = readLoss(file);
    if (gap === undefined) continue;
    transaction(db, () => {
      const { writer, since, until, calls } = gap;
      // All that is known of its end is known now.
      db.prepare(
        `INSERT INTO session (writer, since, seen, ended) VALUES (?, ?, ?, 1)
         ON CONFLICT (writer) DO UPDATE SET seen = max(seen, excluded.seen), ended = 1`,
      ).run(writer, since, until);
      db.prepare(
        `INSERT INTO gap SELECT n, ?, ?, ? FROM session WHERE writer = ?
         ON CONFLICT DO UPDATE SET until = max(until, excluded.until), calls = max(calls, excluded.calls)`,
      ).run(since, until, calls, writer);
    });
    rmSync(file, { force: true });
  }
}

function readLoss(file: string): Gap | undefined {
  try {
    const value: Partial<Gap> | null = JSON.parse(readFileSync(file, 'utf8'));
    return isLoss(value) ? value : undefined;
  } catch {
    // Somebody else's, or taken in by another process just now.
    return undefined;
  }
}
