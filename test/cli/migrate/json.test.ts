import { expect, test } from 'vitest';
import { run } from '../run.ts';
import { base, workspace } from './workspace.ts';

test('changes the JSON that code imports', async () => {
  const code =
    "import api from './api.json' with { type: 'json' };\n\nexport const list = (headers) => fetch(`${api.base}/contacts`, api);\n";
  const { cwd, read } = workspace({ 'src/list.js': code, 'src/api.json': `{ "base": "${base}/v1", "headers": { "x-api-key": "k" } }\n` });
  expect((await run(['--v1-base', base, '--force'], { cwd })).stdout).not.toContain('Failed');
  expect(read('src/api.json')).toBe(`{ "base": "${base}/v2", "headers": { "Authorization": "Bearer k" } }\n`);
});
