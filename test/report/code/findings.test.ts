/** What the codemods write, as a report reads it. */
import { describe, expect, test } from 'vitest';
import { NoFindings, readFindings } from '../../../src/report/code/findings.ts';

const call = { file: 'src/a.ts', line: 3, from: 'GET /v1/contacts', client: 'fetch' };
const findings = {
  version: 1,
  tool: { name: 'migrate-v2' },
  mode: 'dry-run',
  v1Base: ['https://api.test'],
  calls: [call],
  unmoved: [{ ...call, line: 9 }],
  findings: [
    { file: 'src/b.ts', line: 1, kind: 'left', detail: {} },
    { file: 'src/b.ts', line: 2, kind: 'left', detail: { route: 'POST /v1/contacts' } },
    { file: 'src/b.ts', line: 3, kind: 'look', detail: {} },
    { file: 'src/a.ts', line: 9, kind: 'left', detail: {} },
  ],
};
const read = (more: object) => readFindings(JSON.stringify({ ...findings, ...more }), 'billing');

describe('findings', () => {
  test('are calls, and what was left to a person, each place once, in order', () => {
    expect(read({}).sites).toEqual([
      { file: 'src/a.ts', line: 3, endpoint: 'GET /v1/contacts', library: 'fetch', state: 'found' },
      { file: 'src/a.ts', line: 9, endpoint: 'GET /v1/contacts', library: 'fetch', state: 'found' },
      { file: 'src/b.ts', line: 1, endpoint: null, library: null, state: 'left' },
      { file: 'src/b.ts', line: 2, endpoint: 'POST /v1/contacts', library: null, state: 'left' },
    ]);
  });

  test('of a run that wrote are moved, but for the calls that it did not reach', () => {
    expect(read({ mode: 'write' }).sites.map(({ line, state }) => [line, state])).toEqual([
      [3, 'moved'],
      [9, 'found'],
      [1, 'left'],
      [2, 'left'],
    ]);
  });

  test.each([
    ['no JSON', '{"version": 1', 'it is no JSON'],
    ['something else', '{"version": 1}', 'it is not what migrate-v2 --format json writes'],
    ['a list', '[]', 'it is not what migrate-v2 --format json writes'],
    ['another tool', JSON.stringify({ ...findings, tool: { name: 'eslint' } }), 'it is not what migrate-v2 --format json writes'],
    [
      'a newer version',
      JSON.stringify({ ...findings, version: 2 }),
      'its version is 2, and this migrate-v2 reads version 1: make it anew with this one',
    ],
  ])('are not %s', (_name, text, why) => {
    expect(() => readFindings(text, 'billing')).toThrow(new NoFindings(why));
  });
});
