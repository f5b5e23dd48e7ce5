/** What a whole run writes, and what it leaves alone. Nothing is mocked here: where it is, all that migrates is loaded in another, dearer way. */
import { chmodSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';
import type { MigrateOptions } from '../../../codemods/result.ts';
import { type Tree, treeOf } from '../find/tree.ts';
import { readTree } from '../helpers/fixtures.ts';

const base = 'https://api.example.com';
const run = (tree: Tree, options: Partial<MigrateOptions> = {}) =>
  migrate({ cwd: tree.root, paths: ['.'], v1Base: [base], force: true, ...options });

const headers = `export const headers = () => ({ 'x-api-key': process.env.KEY });\n`;
const shared = `import { headers } from './headers.js';\nexport const list = () => fetch('${base}/v1/contacts', { headers: headers() });\n`;
const alone = `fetch('${base}/v1/messages', { headers: { 'x-api-key': process.env.KEY } });\n`;

test('a file that may not be written keeps the edits back that belong to its own, and no others', async () => {
  using tree = treeOf({ 'headers.js': headers, 'list.js': `${shared}${alone}`, 'other.js': alone });
  chmodSync(tree.at('headers.js'), 0o444);
  const { written, failures } = await run(tree);
  expect([written, failures.map(({ code, file }) => [code, file])]).toEqual([['list.js', 'other.js'], [['unwritable', 'headers.js']]]);
  const moved = `fetch('${base}/v2/messages', { headers: { Authorization: \`Bearer \${process.env.KEY}\` } });\n`;
  expect(readTree(tree.root)).toEqual({ 'headers.js': headers, 'list.js': `${shared}${moved}`, 'other.js': moved });
});

test.each([
  ['of code', 'list.js', alone],
  ['that nothing parses', 'requests.http', `GET ${base}/v1/contacts\nx-api-key: {{key}}\n`],
])('a file %s that was saved while somebody was asked stays as it was saved', async (_what, name, before) => {
  using tree = treeOf({ [name]: before });
  const saved = `${before.slice(0, 4)} ${before.slice(4)}`;
  const { written, failures } = await run(tree, { accept: () => (tree.write(name, saved), true) });
  expect([written, failures.map(({ detail }) => detail['reason'])]).toEqual([[], ['was changed while the run was on']]);
  expect(readTree(tree.root)).toEqual({ [name]: saved });
});

test('what a killed run left is removed by the next one that writes; what one that goes on made is not', async () => {
  const nobody = '.a.js.migrate-v2-7fffffff01234567.tmp';
  const somebody = `.a.js.migrate-v2-${process.pid.toString(16).padStart(8, '0')}01234567.tmp`;
  using tree = treeOf({ 'a.js': alone, [nobody]: 'x', [somebody]: 'x' });
  await run(tree, { dryRun: true });
  expect(readdirSync(tree.root)).toContain(nobody);
  await run(tree);
  expect(readdirSync(tree.root)).toEqual([somebody, 'a.js']);
});
