import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';

const call = "export const ours = (key) => fetch('https://api.example.com/v1/messages', { headers: { 'x-api-key': key } });";
/** Functions of two parameters, each of which calls the next one twice: every question about the last costs two to the power of their number. */
const tower = [
  ...Array.from({ length: 20 }, (_, level) => `function f${level}(a, b) { return f${level + 1}(a, b) + f${level + 1}(b, a); }`),
  "function f20(a, b) { return a + '/v1/contacts' + b; }",
];
const asked = Array.from(
  { length: 400 },
  (_, index) => `fetch(f0('https://api.example.com', 'q${index}'), { headers: { 'x-api-key': 'k' } });`,
);

test('an island that takes too many steps is left as it is, and the finding says so', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'unfinished-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, 'endless.js'), [call, ...tower, ...asked].join('\n'));
  writeFileSync(join(cwd, 'other.js'), call);

  const { changed, plan } = await migrate({ paths: ['.'], cwd, v1Base: ['https://api.example.com'], dryRun: true });

  expect(changed.map(({ file }) => file)).toEqual(['other.js']);
  expect(plan.findings.filter(({ code }) => code === 'too-complex').map(({ file, line }) => `${file}:${line}`)).toEqual(['endless.js:1']);
});
