/** Files that share a name without an import: read where a base of ours is near, and nowhere else. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';

const puts = (host: string): string => `import express from 'express';
export const app = express();
app.use((req, res, next) => {
  req.store = openStore();
  next();
});
export const list = () => fetch('https://${host}/v1/contacts', { headers: { 'x-api-key': process.env.API_KEY } });
`;
const takes = "import { app } from './puts.js';\napp.get('/all', (req, res) => res.json(req.store.all()));\n";

test.each([
  ['api.example.com', 2],
  ['other.example.org', 1],
])('beside calls of %s, of two files %i are parsed', async (host, parsed) => {
  const cwd = mkdtempSync(join(tmpdir(), 'shared-names-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, 'puts.js'), puts(host));
  writeFileSync(join(cwd, 'takes.js'), takes);

  const result = await migrate({ paths: ['.'], cwd, v1Base: ['https://api.example.com'], dryRun: true });

  expect(result.files.parsed).toBe(parsed);
});
