/** What happened on the road from v1 to v2, and what comparing found, as both stores have it in their tables. */
import { type ComparisonRow, comparisonKinds, type Step, stepKinds } from '../model.ts';

/** In the order in which they were noted. */
export const allSteps = 'SELECT id, at, replica, kind, rule, detail FROM step ORDER BY n';

/** Steps that go with the days before an instant. The newest of each kind and rule says how things stand, however long ago it was. */
export const oldSteps = (instant: string): string => `at < ${instant} AND n NOT IN (SELECT max(n) FROM step GROUP BY kind, rule)`;

const key = 'setup, workspace, endpoint, kind, path';

/**
 * A query for what comparing found, added up over writers. Of the examples it takes one as a whole, of a difference that is no noise if it can:
 * behind a digit, with a line break between the two.
 */
export const comparisonsQuery = (lineBreak: string, where: string): string =>
  `SELECT ${key}, min(CASE WHEN count > noise THEN '0' ELSE '1' END || v1 || ${lineBreak} || v2) AS example, sum(count) AS count,
    sum(noise) AS noise, min(first) AS first, max(last) AS last
   FROM comparison WHERE ${where} GROUP BY ${key} ORDER BY ${key}`;

/** Takes the newer of two states of the same row: counts never go down. */
export const mergeComparison = (greatest: string, least: string): string =>
  `v1 = CASE WHEN excluded.count >= comparison.count THEN excluded.v1 ELSE comparison.v1 END,
   v2 = CASE WHEN excluded.count >= comparison.count THEN excluded.v2 ELSE comparison.v2 END,
   count = ${greatest}(comparison.count, excluded.count), noise = ${greatest}(comparison.noise, excluded.noise),
   first = ${least}(comparison.first, excluded.first), last = ${greatest}(comparison.last, excluded.last)`;

/** In the tables, which cannot have nothing in a key. */
export const workspaceCell = (workspace: string | null): string => workspace ?? '';

/** The step of a row; none of one whose kind is not known. */
export function stepsOf([id, at, replica, stored, rule, detail]: readonly unknown[]): readonly Step[] {
  const kind = stepKinds.find((each) => each === stored);
  if (kind === undefined) return [];
  return [{ id: String(id), at: Number(at), replica: String(replica), kind, rule: String(rule), detail: String(detail) }];
}

/** The same of what comparing found. */
export function comparisonsOf([
  setup,
  workspace,
  endpoint,
  stored,
  path,
  example,
  ...figures
]: readonly unknown[]): readonly ComparisonRow[] {
  const kind = comparisonKinds.find((each) => each === stored);
  if (kind === undefined) return [];
  const [v1 = '', v2 = ''] = String(example).slice(1).split('\n');
  const [count = 0, noise = 0, first = 0, last = 0] = figures.map(Number);
  const whose = { setup: String(setup), workspace: workspace === '' ? null : String(workspace), endpoint: String(endpoint) };
  return [{ ...whose, kind, path: String(path), v1, v2, count, noise, first, last }];
}
