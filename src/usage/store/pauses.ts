/** SQL of both stores: the pauses of callers. How much of a pause was recorded is not looked at. */
import { dayInMs } from '../../contract/times.ts';

/**
 * The pauses between rows: one for each row, from the end of all that began earlier to the next. It is not positive where rows overlap, as
 * they do that tell the same calls in several resolutions, and null after the last.
 * @param rows a query for `caller`, `first` and `last`
 * @returns a query for these and `pause`, in milliseconds
 */
export const pausesOf = (rows: string): string =>
  `SELECT caller, first, last, lead(first) OVER callers - max(last) OVER callers AS pause FROM (${rows}) AS called
   WINDOW callers AS (PARTITION BY caller ORDER BY first)`;

/**
 * Leaves, of each caller that is to be erased, the end of the day of its last call and its longest pause.
 * @param rows a query as for `pausesOf`
 * @param known a query for `caller` and `pause`: pauses whose rows are gone
 */
export const leaveTrace = (rows: string, known: string): string =>
  `INSERT INTO erased SELECT (max(last) / ${dayInMs} + 1) * ${dayInMs}, CASE WHEN max(pause) > 0 THEN max(pause) END
   FROM (${pausesOf(rows)} UNION ALL SELECT caller, NULL, NULL, pause FROM (${known}) AS known) AS pauses
   GROUP BY caller HAVING max(last) IS NOT NULL`;
