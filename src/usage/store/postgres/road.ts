import type { ComparisonRow, Step } from '../../model.ts';
import { allSteps, mergeComparison, stepsOf, workspaceCell } from '../road.ts';
import type { Transaction } from './connection.ts';
import { list, text } from './sql.ts';

export async function noteStep(transaction: Transaction, { id, at, replica, kind, rule, detail }: Step): Promise<void> {
  await transaction.rows(
    'INSERT INTO step (id, at, replica, kind, rule, detail) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING',
    [text(id), at, text(replica), kind, text(rule), text(detail)],
  );
}

export const readSteps = async (transaction: Transaction): Promise<readonly Step[]> => (await transaction.rows(allSteps)).flatMap(stepsOf);

const key = 'setup, workspace, endpoint, kind, path';
const columns = `${key}, v1, v2, count, noise, first, last`;

/** Writes what comparing found in a session, which is known by its number. Texts may become the same one by what PostgreSQL cannot hold. */
export async function addComparisons(transaction: Transaction, rows: readonly ComparisonRow[], session: number): Promise<void> {
  const texts = (of: (row: ComparisonRow) => string): readonly string[] => rows.map((row) => text(of(row)));
  const numbers = (of: (row: ComparisonRow) => number): string => list(rows.map(of));
  await transaction.rows(
    `INSERT INTO comparison (session, ${columns}) SELECT DISTINCT ON (${key}) $1::int, given.*
     FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::bigint[],
       $12::bigint[]) AS given (${columns})
     ORDER BY ${key}, count DESC ON CONFLICT (session, ${key}) DO UPDATE SET ${mergeComparison('greatest', 'least')}`,
    [
      session,
      texts(({ setup }) => setup),
      texts(({ workspace }) => workspaceCell(workspace)),
      texts(({ endpoint }) => endpoint),
      texts(({ kind }) => kind),
      texts(({ path }) => path),
      texts(({ v1 }) => v1),
      texts(({ v2 }) => v2),
      numbers(({ count }) => count),
      numbers(({ noise }) => noise),
      numbers(({ first }) => first),
      numbers(({ last }) => last),
    ],
  );
}
