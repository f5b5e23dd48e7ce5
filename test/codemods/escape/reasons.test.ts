/** What `escapes` says of how an edited value gets out of sight, where, and which calls it holds. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';
import type { Finding } from '../../../codemods/model.ts';
import { holderInWords, wordsOf } from '../../../codemods/report/wording.ts';

const sdk = "import sdk from '@acme/sdk';\n";
const header = "'x-api-key': process.env.API_KEY";
const base = `${sdk}const BASE = 'https://api.example.com/v1';\nexport const messages = () => fetch(BASE + '/messages', { headers: { ${header} } });\n`;
const client = `${sdk}import axios from 'axios';\nconst api = axios.create({ baseURL: 'https://api.example.com/v1', headers: { ${header} } });\nexport const messages = () => api.get('/messages');\n`;

async function findingsOf(
  text: string,
  others: Readonly<Record<string, string>> = {},
  v1Base = 'https://api.example.com',
): Promise<readonly Finding[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'reasons-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [file, content] of Object.entries({ 'main.js': text, ...others })) writeFileSync(join(cwd, file), content);
  return (await migrate({ paths: ['.'], cwd, v1Base: [v1Base], dryRun: true })).plan.findings;
}

describe('the finding says how it gets out of sight', () => {
  test.each([
    [
      'given to a package',
      `${base}sdk.start(BASE);`,
      { way: 'given', to: 'sdk.start' },
      'BASE is handed to code that was not read (sdk.start): ',
    ],
    ['compared', `${base}export const isOurs = (url) => url === BASE;`, { way: 'compared' }, 'BASE is compared with something else: '],
    ['kept in a global', `${base}globalThis.base = BASE;`, { way: 'kept' }, 'BASE is put into something that cannot be followed, '],
    ['given further down', `${base}const same = BASE;\nsdk.start(\n  same,\n);`, { way: 'given' }, ' is handed to code that was not read '],
    [
      'asked with a configuration that nobody gives',
      `${client}export const ask = (config) => api.request(config);`,
      { way: 'asked' },
      'A request uses the same client or header here, and where that goes cannot be told: ',
    ],
  ])('%s', async (_title, text, detail, reason) => {
    const findings = await findingsOf(text);

    expect(findings.map(({ code }) => code)).toEqual(['escapes']);
    expect(findings[0]?.detail).toMatchObject(detail);
    expect(findings.map((finding) => wordsOf(finding).reason).join()).toContain(reason);
  });
});

test('a request whose base another line may have replaced names that line', async () => {
  const hook = `api.interceptors.request.use((config) => {\n  config.baseURL = sdk.get('base');\n  return config;\n});\n`;
  const [finding] = await findingsOf(`${client}${hook}`);

  expect(finding?.detail).toMatchObject({ way: 'asked', at: 'main.js:6' });
  expect(finding && wordsOf(finding).reason).toContain('where that goes cannot be told, as main.js:6 may give it any base: ');
});

test('another host is named with the line where its address stands, where that is in another file', async () => {
  const asks = `import { urls } from './urls.js';\nexport const ask = (url) => fetch(url + '/v1/messages', { headers: { ${header} } });\nask('https://api.example.com');\nask(urls.staging);\n`;
  const findings = await findingsOf(asks, { 'urls.js': `export const urls = {\n  staging: 'https://staging.example.net',\n};\n` });
  const shared = findings.find(({ code }) => code === 'shared-with-other-host');

  expect(shared?.detail).toMatchObject({ host: 'staging.example.net', at: 'urls.js:2' });
  expect(shared && wordsOf(shared).reason).toContain('goes to staging.example.net too, which stands at urls.js:2, and would get the key');
});

test('another path at our own host is named with that path', async () => {
  const asks = `export const ask = (path) => fetch('https://api.example.com' + path + '/messages', { headers: { ${header} } });\nask('/hub/v1');\nask('/shop/v1');\n`;
  const findings = await findingsOf(asks, {}, 'https://api.example.com/hub');
  const shared = findings.find(({ code }) => code === 'shared-with-other-host');

  expect(shared?.detail).toMatchObject({ host: 'api.example.com/shop/v1' });
  expect(shared && wordsOf(shared).reason).toContain('goes to api.example.com/shop/v1 too');
});

test('what is held is named where its path is written, however many call that', async () => {
  const all = `const get = (path) => api.get(path);\nconst contact = (id) => get('/contacts/' + id);\ncontact(1);\ncontact(2);\n`;
  const [finding] = await findingsOf(`${client}${all}sdk.start(api);`);

  expect(finding?.detail).toMatchObject({ holds: '2', calls: 'main.js:4, main.js:6' });
});

test('a request that shares our client, and of which nothing says where it goes, has one finding', async () => {
  const findings = await findingsOf(`${client}export const ask = (config) => api.request(config);`);

  expect(findings.map(({ code, line }) => `${code} ${line}`)).toEqual(['escapes 5']);
});

test('a variable of the environment that can be named as a base is named', async () => {
  const shared = `const headers = { ${header} };\nexport const messages = () => fetch('https://api.example.com/v1/messages', { headers });\n`;
  const findings = await findingsOf(`${shared}export const other = () => fetch(process.env.OTHER_URL + '/v1/contacts', { headers });`);

  expect(findings.map(({ code, detail }) => [code, detail['env']])).toEqual([['base-not-proven', 'OTHER_URL']]);
});

test('a finding names the calls that it holds, of which people are shown some', async () => {
  const calls = [...Array(7).keys()].map((index) => `export const call${index} = () => api.get('/messages?page=${index}');\n`).join('');
  const [finding] = await findingsOf(`${client}${calls}sdk.start(api);`);

  const shown = 'main.js:4, main.js:5, main.js:6, main.js:7, main.js:8';
  expect(finding?.detail).toMatchObject({ holds: '8', calls: `${shown}, main.js:9, main.js:10, main.js:11` });
  expect(finding && holderInWords(finding)).toBe(`holds 8 calls: ${shown} …`);
});

test('a finding names the calls of all groups that it holds', async () => {
  const hook = `const paths = [/^\\/v1\\/messages/];\nexport const sign = (client) =>\n  client.interceptors.request.use((request) => {\n    if (paths.some((path) => path.test(request.url))) request.headers.trace = '1';\n    return request;\n  });\n`;
  const own = (name: string): string =>
    `import axios from 'axios';\nimport { sign } from './main.js';\nconst api = axios.create({ baseURL: 'https://api.example.com', headers: { ${header} } });\nsign(api);\nexport const ${name} = () => api.get('/v1/${name}');\n`;
  const [finding] = await findingsOf(hook, { 'messages.js': own('messages'), 'contacts.js': own('contacts') });

  expect(finding?.code).toBe('decides-by-path');
  expect(finding?.detail).toMatchObject({ holds: '2', calls: 'contacts.js:5, messages.js:5' });
});

test('of the calls that a finding holds one of each file is shown before others', async () => {
  const asking = (name: string): string =>
    `import { api } from './main.js';\n${[1, 2, 3].map((page) => `export const ${name}${page} = () => api.get('/messages?page=${page}');\n`).join('')}`;
  const [finding] = await findingsOf(`${client.replace('const api', 'export const api')}sdk.start(api);`, {
    'other.js': asking('other'),
    'third.js': asking('third'),
  });

  expect(finding && holderInWords(finding)).toBe('holds 7 calls: main.js:4, other.js:2, third.js:2, other.js:3, other.js:4 …');
});

test('a header that a test expects of one of the calls that it recorded, and nobody knows of which, is said to be expected', async () => {
  const twoHosts = `export const send = (key) => fetch('https://api.example.com/v1/messages/send', { method: 'POST', headers: { 'X-API-Key': key } });
export const profile = (key, id) => fetch(\`https://profiles.example.net/v1/profiles/\${id}\`, { headers: { 'X-API-Key': key } });\n`;
  const expectation = `import { expect, it, vi } from 'vitest';
import { profile, send } from './main.js';
it('asks', async () => {
  const seen = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => (seen.push(new Request(input, init)), Response.json({})));
  await send('k');
  await profile('p', '7');
  const asked = seen.find((request) => request.method === 'GET');
  expect(asked.headers.get('x-api-key')).toBe('p');
});\n`;
  const findings = await findingsOf(twoHosts, { 'main.test.js': expectation });

  expect(findings.map((finding) => `${finding.line} ${wordsOf(finding).title}`)).toEqual([
    '9 A test expects x-api-key of a call, and nobody can tell of which',
  ]);
});
