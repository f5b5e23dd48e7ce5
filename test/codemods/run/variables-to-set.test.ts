/** What a person is told to set a variable to, where its default moves and no file sets it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';

test.each([
  ['/v1', '${base}${version}/contacts', '/v2'],
  ['v1', '${base}/${version}/contacts', 'v2'],
])('%s by default has its slash, or not, in what it is to be set to', async (version, address, value) => {
  const cwd = mkdtempSync(join(tmpdir(), 'variables-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const text = `const base = 'https://api.example.com';\nconst version = process.env.VERSION || '${version}';\nfetch(\`${address}\`, { headers: { 'x-api-key': key } });\n`;
  writeFileSync(join(cwd, 'client.js'), text);
  const { plan } = await migrate({ paths: ['.'], cwd, v1Base: ['https://api.example.com'], dryRun: true, jobs: 1 });
  expect(plan.findings.map(({ code, detail }) => [code, detail['value']])).toEqual([['env-elsewhere', value]]);
});
