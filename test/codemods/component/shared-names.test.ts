/** Files that share a name without an import: read where what is ours is put under it, and nowhere else. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';

const puts = (what: string, host: string): string => `import axios from 'axios';
import { Router } from 'express';
const api = axios.create({ baseURL: 'https://${host}', headers: { 'x-api-key': process.env.API_KEY } });
export const limit = '1mb';
export const put = Router();
put.use((req, res, next) => {
  req.store = ${what};
  next();
});
`;
/** By imports, those who take it ask for something else alone. */
const takes = `import { Router } from 'express';
import { limit } from './puts.js';
export const take = Router({ limit });
take.use((req, res, next) => {
  req.shelf = req.store;
  next();
});
`;
const takesFurther = `import { Router } from 'express';
import { limit } from './puts.js';
export const list = Router({ limit });
list.get('/all', (req, res) => res.json(req.shelf.all()));
`;

test.each([
  ['a client of ours', 'api', 'api.example.com', 3],
  ['something else in a file of ours', 'openStore()', 'api.example.com', 1],
  ["somebody else's client", 'api', 'other.example.org', 1],
])('where %s is put under a name, of three files those are parsed that may get it', async (_what, what, host, parsed) => {
  const cwd = mkdtempSync(join(tmpdir(), 'shared-names-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, 'puts.js'), puts(what, host));
  writeFileSync(join(cwd, 'takes.js'), takes);
  writeFileSync(join(cwd, 'takes-further.js'), takesFurther);

  const result = await migrate({ paths: ['.'], cwd, v1Base: ['https://api.example.com'], dryRun: true });

  expect(result.files.parsed).toBe(parsed);
});
