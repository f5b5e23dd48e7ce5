/** Where far more uses what may be edited than a base flows into, it is looked for only once something is. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';

const ask = "fetch(base + '/v1/messages', { headers: { 'x-api-key': process.env.KEY } })";
const using = (base: string): string => `import { list } from './api.js';\nlist('${base}');\n${'// nothing to see here\n'.repeat(30_000)}`;

async function runOf(other: string): Promise<{ readonly edited: readonly string[]; readonly codes: readonly string[] }> {
  const cwd = mkdtempSync(join(tmpdir(), 'second-look-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const files = {
    'api.js': `export const list = (base) => ${ask};`,
    'main.js': "import { list } from './api.js';\nlist('https://api.example.com');",
    'one.js': using('https://api.example.com'),
    'other.js': using(other),
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text);
  const { plan } = await migrate({ paths: ['.'], cwd, v1Base: ['https://api.example.com'], dryRun: true });
  return { edited: [...new Set(plan.edits.map(({ file }) => file))], codes: [...new Set(plan.findings.map(({ code }) => code))] };
}

test('it moves with all who use it', async () => {
  expect(await runOf('https://api.example.com')).toEqual({ edited: ['api.js'], codes: [] });
});

test('it stays where one of these asks somebody else', async () => {
  expect(await runOf('https://other.example.org')).toEqual({ edited: [], codes: ['shared-with-other-host'] });
});
