import type { DatabaseSync } from 'node:sqlite';
import type { ComparisonRow, Range, Step } from '../../model.ts';
import { allSteps, comparisonsOf, comparisonsQuery, mergeComparison, stepsOf, workspaceCell } from '../road.ts';

export function noteStep(db: DatabaseSync, { id, at, replica, kind, rule, detail }: Step): void {
  db.prepare('INSERT INTO step (id, at, replica, kind, rule, detail) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING').run(
    id,
    at,
    replica,
    kind,
    rule,
    detail,
  );
}

export const readSteps = (db: DatabaseSync): readonly Step[] =>
  db
    .prepare(allSteps)
    .all()
    .flatMap((row) => stepsOf(Object.values(row)));

export const readComparisons = (db: DatabaseSync, { since, until }: Range): readonly ComparisonRow[] =>
  db
    .prepare(comparisonsQuery('char(10)', 'last >= ? AND last < ?'))
    .all(since, until)
    .flatMap((row) => comparisonsOf(Object.values(row)));

/** Writes what comparing found in a session, which is known by its number. */
export function comparisonWriter(db: DatabaseSync): (session: number, rows: readonly ComparisonRow[]) => void {
  const write = db.prepare(
    `INSERT INTO comparison VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET ${mergeComparison('max', 'min')}`,
  );
  return (session, rows) => {
    for (const { setup, workspace, endpoint, kind, path, v1, v2, count, noise, first, last } of rows)
      write.run(session, setup, workspaceCell(workspace), endpoint, kind, path, v1, v2, count, noise, first, last);
  };
}
