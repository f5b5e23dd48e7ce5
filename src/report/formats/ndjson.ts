/** The report for a warehouse: one JSON object on each line (https://github.com/ndjson/ndjson-spec), which is one row of one table. */
import { jsonLine, type Pieces } from '../../text/escape.ts';
import type { Report } from '../model.ts';
import { sitesOf } from './sites.ts';

/**
 * Writes what report.schema.json describes as rows: each item of its lists is a row of the table named like the list, call sites are the rows of
 * `sites`, and all else is the one row of `report`. Each row says when the report was made, so that those of several reports can be told apart.
 */
export function* renderNdjson(report: Report): Pieces & Generator<string> {
  const { code, ...rest } = report;
  const members = Object.entries(rest);
  const row = (table: string, columns: object): string => jsonLine({ table, made: report.made, ...columns });
  yield row('report', Object.fromEntries(members.filter(([, member]) => !Array.isArray(member))));
  for (const [table, items] of members) if (Array.isArray(items)) for (const item of items) yield row(table, item);
  for (const site of sitesOf(report)) yield row('sites', site);
  for (const use of code?.unexplained ?? []) yield row('unexplained', use);
}
