import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';
import type { Candidate } from '../../../codemods/model.ts';

const base = 'https://api.example.com';
const curl = (url: string, header = 'x-api-key: $KEY'): string => `#!/bin/sh\ncurl -fsS -H "${header}" ${url}\n`;
const worker = `export default {
  fetch: (request, env) => fetch(\`\${env.TEXTS_API}/messages\`, { headers: { 'x-api-key': env.TEXTS_KEY } }),
};
`;
const code = 'export const people = () => fetch(`${process.env.TEXTS_API}/contacts`, { headers: { "x-api-key": process.env.KEY } });\n';

const stage = 'https://sandbox.example.com';
const service = 'service: texts\nprovider:\n  name: aws\n  environment:\n    TEXTS_API: ${self:custom.texts.${sls:stage}}\n';
const stages = `${service}custom:\n  texts:\n    dev: ${stage}/v1\n    prod: ${base}/v1\n`;
const withDefault = code.replace('process.env.TEXTS_API', `process.env.TEXTS_API ?? '${base}/v1'`);

const basesFor = async (...given: Parameters<typeof candidatesFor>): Promise<readonly string[]> =>
  (await candidatesFor(...given)).map((each) => each.base);

async function candidatesFor(files: Readonly<Record<string, string>>, v1Base: readonly string[] = []): Promise<readonly Candidate[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'bases-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  const { plan, failures } = await migrate({ paths: ['.'], cwd, v1Base, force: true, dryRun: true });
  expect(failures).toEqual([]);
  return plan.candidates;
}

const key = "headers: { 'x-api-key': process.env.KEY }";
/** Of a client that nobody here knows. */
const unknownClient = "import { http, create, Client } from '@acme/http';\n";

describe('without a base, what is offered', () => {
  test.each([
    ['has no header of v1 beside it', `${unknownClient}export const docs = () => http.get('${base}/v1/contacts');\n`],
    ['has no endpoint of v1', `${unknownClient}http.get('${base}/v1/rates', { ${key} });\n`],
    ['is of the own machine', `${unknownClient}http.get('http://localhost:3000/v1/contacts', { ${key} });\n`],
    [
      'stands beside an own server that reads the header',
      `import express from 'express';\nconst app = express();\napp.use((req, res, next) => (req.get('x-api-key') ? next() : res.sendStatus(401)));\napp.get('/v1/contacts', (req, res) => res.json({ docs: '${base}/v1/contacts' }));\n`,
    ],
    [
      'stands beside paths that others are compared with',
      `${unknownClient}const known = new Set(['/v1/messages']);\nexport const isKnown = (path) => known.has(path) || path === '/v1/contacts';\nnew Client({ url: 'https://mcp.example.org/sse', ${key} });\n`,
    ],
  ])('is no address that %s', async (_what, code) => {
    expect(await basesFor({ 'a.js': code })).toEqual([]);
  });

  test('counts the calls, and what tests expect of them where no call is seen', async () => {
    const mock = `import nock from 'nock';\nnock('${base}').get('/v1/messages').reply(200);\nnock('${base}').get('/v1/contacts').reply(200);\n`;
    const call = `export const messages = () => fetch('${base}/v1/messages', { headers: { 'x-api-key': 'k' } });\n`;
    const counted = async (files: Readonly<Record<string, string>>): Promise<readonly number[]> =>
      (await candidatesFor(files)).map(({ calls }) => calls.length);
    expect(await counted({ 'a.js': call, 'a.test.js': mock.replace('import nock', "import './a.js';\nimport nock") })).toEqual([1]);
    expect(await counted({ 'a.test.js': mock })).toEqual([2]);
  });

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
    ['an unknown client asks', { 'a.js': `${unknownClient}http.get('${base}/v1/contacts', { ${key} });\n` }],
    [
      'a text put together names',
      { 'a.js': `${unknownClient}const API = '${base}';\nexport const one = (id) => http.get(API + '/v1/contacts/' + id, { ${key} });\n` },
    ],
    [
      'an unknown client asks that has its key in another file',
      {
        'a.js': `import { api } from './api.js';\nexport const one = (id) => api.get(\`${base}/v1/contacts/\${id}\`);\n`,
        'api.js': `${unknownClient}export const api = create({ ${key} });\n`,
      },
    ],
    [
      'an unknown client is made with',
      {
        'a.js': `${unknownClient}const api = new Client({ baseUrl: '${base}/v1', ${key} });\nexport const all = () => api.get('/contacts');\n`,
      },
    ],
    [
      'an unknown client is made with, without the version',
      {
        'a.js': `${unknownClient}const api = new Client({ baseUrl: '${base}', ${key} });\nexport const all = () => api.get('/v1/contacts');\n`,
      },
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

describe('as a base of its own is not offered', () => {
  const asked = (host: string): string => `fetch('${host}/v1/contacts', { headers: { 'x-api-key': 'k' } });\n`;

  test('one that names the port of its scheme', async () => {
    const files = { 'people.js': asked(base), 'recorded.js': asked(`${base}:443`) };
    expect(await basesFor(files)).toEqual([base]);
    expect(await basesFor(files, [base])).toEqual([]);
  });

  test('one that ends in a slash where its paths begin with another', async () => {
    const calls = `const BASE = '${base}/';\nexport const one = (id) => fetch(\`\${BASE}v1/contacts/\${id}\`, { ${key} });\nexport const all = () => fetch(\`\${BASE}/v1/contacts\`, { ${key} });\n`;
    expect(await basesFor({ 'a.js': calls }, [base])).toEqual([]);
    expect(await basesFor({ 'a.js': calls }, ['https://messages.example.org'])).toEqual([base]);
    expect(await basesFor({ 'a.js': calls.replace(`${base}/`, `${base}/team/`) }, [base])).toEqual([`${base}/team`]);
  });

  test('the pattern of addresses that a mock of pages has', async () => {
    const files = {
      'src/people.js': asked(base),
      'e2e/people.spec.js':
        "import { test } from '@playwright/test';\ntest.use({ baseURL: 'http://localhost:5173' });\ntest('people', async ({ page }) => {\n  await page.route('**/api/v1/messages/*', (route) => route.fulfill({ json: {} }));\n});\n",
    };
    expect(await basesFor(files, [base])).toEqual([]);
  });

  test('the server of a test beside that of the program', async () => {
    const local = 'http://localhost:9999';
    expect(await basesFor({ 'src/people.js': asked(base), 'test/people.test.js': asked(local) })).toEqual([base]);
    expect(await basesFor({ 'src/people.js': asked(local) })).toEqual([local]);
  });

  test('what a test gives a client in the place of the service, whose paths stand elsewhere', async () => {
    const client = (methods: string): string =>
      `export class Texts {\n  constructor(base = '${base}') {\n    this.base = base;\n  }\n${methods}}\n`;
    const files = {
      'src/texts.js': client(`  all() {\n    return fetch(this.base + '/v1/messages', { headers: { 'x-api-key': 'k' } });\n  }\n`),
      'test/texts.test.js': `import { Texts } from '../src/texts.js';\nnew Texts('http://localhost:9999').all();\nnew Texts().all();\n`,
    };
    expect(await basesFor(files, [base])).toEqual([]);
  });
});

describe('where the program is not followed', () => {
  const client = `const BASE_URL = '${base}/v1';
export class Texts {
  constructor(key, { url = BASE_URL, fetch = globalThis.fetch } = {}) {
    Object.assign(this, { key, url, fetch });
  }
  ask(path) {
    return this.fetch(Object.assign(new URL(this.url), { pathname: path.split('.').join('/') }), { headers: { 'x-api-key': this.key } });
  }
}\n`;
  const tested = (url: string): string => `import { Texts } from '../src/texts.js';
import { expect, test, vi } from 'vitest';
test('asks', async () => {
  const fetch = vi.fn();
  await new Texts('k', { url: '${url}', fetch }).ask('v1.contacts');
  expect(fetch.mock.calls[0][0]).toBe('${url}/v1/contacts');
});\n`;

  test('the addresses that it holds are offered for what a test asks of its own machine', async () => {
    const files = { 'src/texts.js': client, 'test/texts.test.js': tested('http://localhost:4010') };
    expect(await candidatesFor(files)).toMatchObject([{ base, calls: [{ file: 'test/texts.test.js', line: 6 }] }]);
  });

  test('and not for what a test asks of the service', async () => {
    expect(await basesFor({ 'src/texts.js': client, 'test/texts.test.js': tested(stage) })).toEqual([stage]);
  });
});

test('what the program asks stands before what tests alone expect, also of a name for examples', async () => {
  const mock = (path: string): string => `nock('https://prod.example.com').get('${path}').reply(200);\n`;
  const files = {
    'src/people.js': code,
    '.env': `TEXTS_API=${stage}/v1\n`,
    'test/people.test.js': `import nock from 'nock';\n${mock('/v1/contacts')}${mock('/v1/messages')}`,
  };
  expect(await candidatesFor(files)).toMatchObject([
    { base: stage, calls: [{ file: 'src/people.js' }] },
    { base: 'https://prod.example.com', calls: [{ line: 2 }, { line: 3 }] },
  ]);
});

describe('of a variable that has a base for each stage', () => {
  test.each([
    ['a configuration has for them', { 'people.js': withDefault, 'serverless.yml': stages }],
    ['an .env file for each has', { 'people.js': code, '.env': `TEXTS_API=${base}/v1\n`, '.env.staging': `TEXTS_API=${stage}/v1\n` }],
    [
      'files have beside the default, which the path puts the version behind',
      { 'people.js': withDefault.replace('/v1', '').replace('/contacts', '/v1/contacts'), '.env.staging': `TEXTS_API=${stage}\n` },
    ],
  ])('all are offered that %s', async (_what, files) => {
    expect(await candidatesFor(files)).toMatchObject([
      { base, together: [stage], calls: [{ file: 'people.js' }] },
      { base: stage, together: [base], calls: [{ file: 'people.js' }] },
    ]);
  });

  test('the others are offered where one is given, and the place that holds the calls says which', async () => {
    const files = { 'people.js': withDefault, 'serverless.yml': stages };
    expect(await basesFor(files, [base])).toEqual([stage]);
    expect(await basesFor(files, [base, stage])).toEqual([]);
  });

  test('nothing is offered for a variable with a default that no file sets', async () => {
    const file = withDefault.replace('/v1', '').replace('/contacts', '/v1/contacts');
    expect(await basesFor({ 'people.js': file }, [base])).toEqual([]);
    expect(await basesFor({ 'people.js': withDefault }, [base])).toEqual([]);
  });

  test('a server of the machine itself is no stage', async () => {
    expect(await candidatesFor({ 'people.js': withDefault, '.env.development': 'TEXTS_API=http://localhost:8080/v1\n' })).toMatchObject([
      { base, together: [] },
    ]);
  });

  describe('a client that a factory makes', () => {
    const client = `export function createClient({ url, key }) {
  const ask = (method, path) => fetch(url + path, { method, headers: { 'x-api-key': key } });
  return {
    text: (id) => ask('GET', '/v1/messages/' + id),
    create: () => ask('POST', '/v1/contacts'),
  };
}\n`;
    const main = `import { createClient } from './client.js';\nexport const text = (id) => createClient({ url: '${base}', key: process.env.KEY }).text(id);\n`;

    test('has its calls where their paths stand, and not where it is made', async () => {
      const [found] = await candidatesFor({ 'client.js': client, 'main.js': main });
      const calls = found?.calls.map(({ file, line, route }) => `${file}:${line} ${route}`).toSorted();
      expect(calls).toEqual(['client.js:4 getMessage', 'client.js:5 createContact']);
    });

    test('has no base by what a test gives it in the place of the service', async () => {
      const made =
        "import { createClient } from './client.js';\nawait createClient({ url: 'https://texts.test', key: 'k' }).text('m_1');\n";
      expect((await candidatesFor({ 'client.js': client, 'main.js': main, 'client.test.js': made })).map((each) => each.base)).toEqual([
        base,
      ]);
    });
  });

  describe('the base of another variable is no stage', () => {
    const other = 'https://api.other.example';
    const envs = `TEXTS_API=${base}/v1\nPOINTS_API=${other}/v1\n`;
    const key = "{ headers: { 'x-api-key': process.env.KEY } }";

    test.each([
      [
        'that one function asks after ours',
        `const texts = (path) => fetch((process.env.TEXTS_API ?? '${base}/v1') + path, ${key});
const points = (path) => fetch((process.env.POINTS_API ?? '${other}/v1') + path, ${key});
const member = async (id) => [await texts('/contacts/' + id), await points('/members/' + id)];
export const page = (id) => member(id);\n`,
      ],
      [
        'that one wrapper is given',
        `const ask = (api, path) => fetch(api + path, ${key});
const member = async (id) => [await ask(process.env.TEXTS_API, '/contacts/' + id), await ask(process.env.POINTS_API, '/members/' + id)];
export const page = (id) => member(id);\n`,
      ],
      [
        'that one call chooses',
        `export const ask = (isTexts) => fetch((isTexts ? process.env.TEXTS_API : process.env.POINTS_API) + '/contacts', ${key});\n`,
      ],
      [
        'that a loop asks in turn',
        `const targets = [{ url: process.env.TEXTS_API + '/contacts', ${key.slice(2, -2)} }, { url: '${other}/v1/members', ${key.slice(2, -2)} }];
for (const { url, headers } of targets) fetch(url, { headers });
`,
      ],
    ])('%s', async (_what, code) => {
      const found = await candidatesFor({ 'people.js': code, '.env': envs });
      expect(found[0]).toMatchObject({ base });
      expect(found.map(({ together }) => together)).toEqual(found.map(() => []));
    });
  });
});
