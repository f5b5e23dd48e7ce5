/** `report --code`: the codemods look at two repositories, and the report says who calls what of them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useCommandLine } from '../run.ts';
import { newFolder, storeOfNow } from './stores.ts';

const run = useCommandLine();

const source = (path: string): string => `import axios from 'axios';
const api = axios.create({ baseURL: 'https://api.example.test', headers: { 'x-api-key': process.env.KEY } });
export const all = () => api.get('${path}');
`;

test('who still calls what of several repositories, from what the codemods write', async () => {
  const cwd = newFolder();
  await storeOfNow(cwd, [
    { key: 'mk_acme_1', client: 'billing-sync/2.1', daysAgo: 1 },
    { key: 'mk_bolt_1', client: 'curl/8.5', daysAgo: 2 },
  ]);
  mkdirSync(join(cwd, 'findings'));
  for (const [name, path] of [
    ['billing-sync', '/v1/contacts'],
    ['crm', '/v1/messages'],
  ] as const) {
    mkdirSync(join(cwd, name));
    writeFileSync(join(cwd, name, 'api.js'), source(path));
    const args = ['.', '--v1-base', 'https://api.example.test', '--dry-run', '--format', 'json', '--out', `../findings/${name}.json`];
    const { code, stderr } = await run(args, { cwd: join(cwd, name) });
    expect(code, stderr).toBe(0);
  }
  // As a shell expands findings/*.json.
  const code = ['--code', 'findings/billing-sync.json', 'findings/crm.json'];
  const { stdout, stderr } = await run(['report', '--store', 'usage.db', ...code], { cwd, env: { COLUMNS: '200' } });
  expect(stderr).toBe('');
  expect(stdout).toContain(
    '\nIn the code\n' +
      '  - 1 of 1 site of billing-sync is still called: api.js:3 (GET /v1/contacts, 24 hours ago by billing-sync/2.1 of mk_acme',
  );
  expect(stdout).toMatch(/\n {2}- crm: nobody has called since \d{4}-\d\d-\d\d \d\d:\d\d UTC, when the record began: api\.js:3\n/);
  expect(stdout).toMatch(
    /\nCalled by no code that is known\n {2}- curl\/8\.5 of mk_bolt\S+: GET \/v1\/contacts, 1 call, the last 2 days ago\n/,
  );
  const { stdout: csv } = await run(['report', '--store', 'usage.db', ...code, '--format', 'csv', '--group-by', 'site'], { cwd });
  expect(
    csv
      .split('\r\n')
      .slice(0, 3)
      .map((line) => line.split(',').slice(0, 7).join(',')),
  ).toEqual([
    'repository,file,line,endpoint,library,state,use',
    'billing-sync,api.js,3,GET /v1/contacts,axios,found,called',
    'crm,api.js,3,GET /v1/messages,axios,found,never',
  ]);
});

test.each([
  ['is not there', ['--code', 'none.json'], /cannot read \S+none\.json: ENOENT/],
  ['is none of the codemods', ['--code', 'other.json'], /cannot read \S+other\.json: it is not what migrate-v2 --format json writes/],
  ['is called like another one', ['--code', 'other.json', 'more/other.json'], /would both be other: name each file like its repository/],
])('a file that %s is named, with what to do', async (_name, args, message) => {
  const cwd = newFolder();
  await storeOfNow(cwd, []);
  writeFileSync(join(cwd, 'other.json'), '{}');
  const { code, stderr } = await run(['report', '--store', 'usage.db', ...args], { cwd });
  expect([code, stderr]).toEqual([4, expect.stringMatching(message)]);
});
