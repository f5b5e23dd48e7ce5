import { expect, test } from 'vitest';
import { renderNdjson } from '../../../src/report/formats/ndjson.ts';
import { sampleFindings } from '../code/sample.ts';
import { reportOf } from './sample.ts';

test('is a row of a table on each line, and all of the report', async () => {
  const report = await reportOf(undefined, { findings: sampleFindings });
  const rows: Record<string, unknown>[] = [...renderNdjson(report)].map((line) => JSON.parse(line));
  for (const [index, line] of [...renderNdjson(report)].entries()) expect(line.indexOf('\n'), `line ${index}`).toBe(line.length - 1);
  const of = (table: string) => rows.filter((row) => row['table'] === table).map(({ table: _table, made: _made, ...row }) => row);
  const { made: _made, ...expected } = JSON.parse(JSON.stringify(report));
  const { code, ...lists } = expected;
  const isList = ([, member]: readonly [string, unknown]): boolean => Array.isArray(member);
  for (const [name, member] of Object.entries(lists).filter(isList)) expect(of(name)).toEqual(member);
  expect(of('report')).toEqual([Object.fromEntries(Object.entries(lists).filter((each) => !isList(each)))]);
  expect(of('sites')).toEqual(
    code.repositories.flatMap(({ name, sites }: { name: string; sites: object[] }) => sites.map((site) => ({ repository: name, ...site }))),
  );
  expect(of('unexplained')).toEqual(code.unexplained);
  expect(new Set(rows.map((row) => row['made']))).toEqual(new Set([report.made]));
});
