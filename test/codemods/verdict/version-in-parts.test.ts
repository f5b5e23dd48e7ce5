import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';
import { wordsOf } from '../../../codemods/report/wording.ts';

test('says of a version in parts that no text has it, and nothing of others that use these', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'version-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(
    join(cwd, 'contacts.js'),
    "const VERSION = 1;\nexport const next = VERSION + 1;\nexport const contacts = () => fetch(`https://api.example.com/v${VERSION}/contacts`, { headers: { 'x-api-key': process.env.KEY } });\n",
  );
  const { plan } = await migrate({ paths: ['.'], cwd, v1Base: ['https://api.example.com'], dryRun: true });
  expect(plan.findings.map(wordsOf)).toMatchObject([
    {
      title: 'The version is put together with a number',
      reason:
        'What is asked for here is of v1, as contacts.js:1 says 1, and no text says so: who else reads that number would get another, too.',
    },
  ]);
});
