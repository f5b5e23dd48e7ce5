import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';

const base = 'https://api.example.com';
const curl = (url: string, header = 'x-api-key: $KEY'): string => `#!/bin/sh\ncurl -fsS -H "${header}" ${url}\n`;
const worker = `export default {
  fetch: (request, env) => fetch(\`\${env.TEXTS_API}/messages\`, { headers: { 'x-api-key': env.TEXTS_KEY } }),
};
`;
const code = 'export const people = () => fetch(`${process.env.TEXTS_API}/contacts`, { headers: { "x-api-key": process.env.KEY } });\n';

async function basesFor(files: Readonly<Record<string, string>>, v1Base: readonly string[] = []): Promise<readonly string[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'bases-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  const { plan, failures } = await migrate({ paths: ['.'], cwd, v1Base, force: true, dryRun: true });
  expect(failures).toEqual([]);
  return plan.candidates.map((each) => each.base);
}

describe('without a base, what is offered', () => {
  test.each([
    ['a command of a script asks', { 'send.sh': curl(`${base}/v1/messages`) }],
    ['a request of a collection asks', { 'texts.http': `GET ${base}/v1/messages\nx-api-key: {{key}}\n` }],
    [
      'a program in another language asks',
      { 'send.py': `import requests\nrequests.get("${base}/v1/messages/m_1", headers={"x-api-key": "k"})\n` },
    ],
    ['a variable of a worker holds', { 'index.js': worker, 'wrangler.toml': `name = "texts"\n[vars]\nTEXTS_API = "${base}/v1"\n` }],
    ['a variable of an .env file holds', { 'people.js': code, '.env': `TEXTS_API=${base}/v1/\n` }],
    [
      'a variable of a service holds',
      { 'people.js': code, 'compose.yaml': `services:\n  web:\n    environment:\n      TEXTS_API: "${base}/v1"\n` },
    ],
  ])('is the base that %s', async (_what, files) => {
    expect(await basesFor(files)).toEqual([base]);
  });

  test.each([
    ['a call without a key', { 'send.sh': curl(`${base}/v1/messages`, 'Accept: application/json') }],
    ['a path that v1 has not', { 'health.sh': curl(`${base}/v1/health`) }],
    ['a server of the machine itself', { 'local.sh': curl('http://localhost:8080/v1/messages') }],
    ['what a document shows', { 'README.md': `# Texts\n\n\`\`\`sh\n${curl(`${base}/v1/messages`)}\`\`\`\n` }],
    ['a program in another language that names no key', { 'send.py': `requests.get("${base}/v1/messages")\n` }],
    ['a variable without the version', { 'people.js': code, '.env': `TEXTS_API=${base}\n` }],
    ['a variable of another name', { 'people.js': code, '.env': `TEXTS_URL=${base}/v1\n` }],
    ['data that is not whole, and sets nothing', { 'people.js': code, 'broken.yaml': `a: [\n  "${base}/v1"\n` }],
  ])('is not %s', async (_what, files) => {
    expect(await basesFor(files)).toEqual([]);
  });
});

test('with a base, only others are offered', async () => {
  const files = { 'send.sh': curl(`${base}/v1/messages`), 'other.sh': curl('https://other.example.net/v1/messages') };
  expect(await basesFor(files, [base])).toEqual(['https://other.example.net']);
});
