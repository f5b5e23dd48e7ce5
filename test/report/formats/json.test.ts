import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { renderJson } from '../../../src/report/formats/json.ts';
import type { Report } from '../../../src/report/model.ts';
import { daily } from '../../helpers/usage-store.ts';
import { projectRoot } from '../../helpers/build.ts';
import { sampleFindings } from '../code/sample.ts';
import { roadContent, roadReport, roadWorkspaces } from '../rollout/sample.ts';
import { content, decline, reportOf, road, sampleLogs, workspaces } from './sample.ts';

const schema = JSON.parse(readFileSync(join(projectRoot, 'src/report/report.schema.json'), 'utf8'));

function compiled(given: object) {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv.compile(given);
}

const reports: readonly [string, () => Promise<Report>][] = [
  ['a record with something of everything', () => reportOf()],
  ['a declining use', () => reportOf({ traffic: [decline] })],
  ['a day, hour by hour', () => reportOf(content, { since: { ago: 86_400_000 } })],
  ['an empty store', () => reportOf({ traffic: [], recorded: [] })],
  ['a record without a call', () => reportOf({ traffic: [] })],
  ['a use long ago', () => reportOf({ traffic: [{ key: 'mk_acme_1', calls: daily(80, 60, 3) }] })],
  ['a time that is over', () => reportOf(content, { until: { ago: 5 * 86_400_000 } })],
  ['a record of which all is ignored', () => reportOf({ traffic: [decline] }, { ignore: [{ reason: 'ours', client: 'legacy' }] })],
  ['calls of every stage of the road', () => reportOf({ traffic: [...content.traffic, ...road] })],
  ['all that can happen on the road', () => roadReport(roadContent, { workspaces: roadWorkspaces })],
  ['call sites in code', () => reportOf(content, { findings: sampleFindings })],
  ['access logs', () => reportOf({ ...content, logs: sampleLogs })],
  ['a limit that is given', () => reportOf(content, { workspaces, assumptions: { v2RequestsPerHourStarter: 500 } })],
];

describe('the JSON report', () => {
  let open: ValidateFunction;
  let closed: ValidateFunction;
  // For all reports: compiling them takes longer than a report.
  beforeAll(() => {
    open = compiled(schema);
    closed = compiled(
      JSON.parse(JSON.stringify(schema), (_key, value: unknown) =>
        typeof value === 'object' && value !== null && 'properties' in value ? { ...value, additionalProperties: false } : value,
      ),
    );
  });

  test.each(reports)('of %s is as its schema says, and nothing that the schema does not name', async (_name, report) => {
    const written: unknown = JSON.parse([...renderJson(await report())].join(''));
    open(written);
    expect(open.errors).toBeNull();
    closed(written);
    expect(closed.errors).toBeNull();
  });
});
