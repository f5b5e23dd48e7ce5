/** Trees with so many of something, for what must not cost more than in proportion to it. */

export type Tree = Readonly<Record<string, string>>;

export const base = 'https://api.example.com';
const client = `import axios from 'axios';
export const client = axios.create({ baseURL: '${base}', headers: { 'x-api-key': process.env.API_KEY } });`;
const header = "headers: { 'x-api-key': process.env.API_KEY }";

const each = (count: number, text: (index: number) => string, prefix = 'f'): Tree =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}.ts`, text(index)]));
const lines = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('\n');

export const trees: Readonly<Record<string, (count: number) => Tree>> = {
  'files that share one client and its wrapper': (count) => ({
    'client.ts': `${client}\nexport const getJson = async (path) => (await client.get(path)).data;`,
    ...each(
      count,
      (index) =>
        `import { client, getJson } from './client';\nexport const task${index} = (id) => client.get('/v1/contacts/' + id);\nexport const json${index} = (id) => getJson('/v1/contacts/' + id);`,
    ),
  }),
  'calls in one file': (count) => ({
    'client.ts': `${client}\n${lines(count, (index) => `export const task${index} = (id) => client.get('/v1/contacts/' + id);`)}`,
  }),
  'calls of one client with a path each, and what is done to it': (count) => ({
    'client.ts': client,
    'client.test.ts': `import { vi } from 'vitest';\nimport { client } from './client';\nvi.mock('./client');\n${lines(count, (index) => `client.get.mockResolvedValue(${index});\nclient.timeout = ${index};\nclient.get('/v1/contacts/c${index}');`)}`,
  }),
  'paths in one table': (count) => ({
    'client.ts': client,
    'paths.ts': `export const paths = {\n${lines(count, (index) => `p${index}: '/v1/contacts/c${index}',`)}\n};`,
    'calls.ts': `import { client } from './client';\nimport { paths } from './paths';\n${lines(count, (index) => `export const task${index} = () => client.get(paths.p${index});`)}`,
  }),
  'constants of one file': (count) => ({
    'client.ts': client,
    'paths.ts': lines(count, (index) => `export const p${index} = '/v1/contacts/c${index}';`),
    ...each(
      count,
      (index) =>
        `import { client } from './client';\nimport { p${index} } from './paths';\nexport const task${index} = () => client.get(p${index});`,
    ),
  }),
  'modules behind one barrel': (count) => ({
    'client.ts': client,
    'index.ts': lines(count, (index) => `export * from './m${index}';`),
    ...each(
      count,
      (index) => `import { client } from './client';\nexport const task${index} = (id) => client.get('/v1/contacts/' + id);`,
      'm',
    ),
    ...each(count, (index) => `import { task${index} } from './index';\nexport const use${index} = () => task${index}('c${index}');`),
  }),
  'barrels that pass on each other': (count) => ({
    ...each(
      count,
      (index) =>
        `export * from './b${(index + 1) % count}';\nexport * from './b${(index * 7 + 3) % count}';\nexport const p${index} = '/v1/contacts/c${index}';`,
      'b',
    ),
    'client.ts': client,
    'calls.ts': `import { client } from './client';\nimport { ${Array.from({ length: count }, (_, index) => `p${index}`).join(', ')} } from './b0';\nexport const base = '${base}';\n${lines(count, (index) => `export const task${index} = () => client.get(p${index});`)}`,
  }),
  'files in one chain': (count) => ({
    'client.ts': client,
    'f0.ts': "export { client } from './client';",
    ...Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `f${index + 1}.ts`,
        `import { client } from './f${Math.floor(index / 2)}';\nexport { client };\nexport const task = (id) => client.get('/v1/contacts/' + id);`,
      ]),
    ),
  }),
  'mocks of requests': (count) => ({
    'client.ts': client,
    ...each(
      count,
      (index) => `import { client } from './client';\nexport const task${index} = () => client.get('/v1/contacts/c${index}');`,
    ),
    ...each(
      count,
      (index) =>
        `import nock from 'nock';\nimport { task${index} } from './f${index}';\nnock('${base}').get('/v1/contacts/c${index}').reply(200);\ntask${index}();`,
      't',
    ),
  }),
  'instances of one class': (count) => ({
    'api.ts': `export class Api {\n  constructor(private key) {}\n  list() { return fetch('${base}/v1/contacts', { headers: { 'x-api-key': this.key } }); }\n  get(id) { return fetch('${base}/v1/contacts/' + id, { headers: { 'x-api-key': this.key } }); }\n}`,
    ...each(
      count,
      (index) =>
        `import { Api } from './api';\nconst api = new Api(process.env.API_KEY);\nexport const task${index} = () => api.get('c${index}');`,
    ),
  }),
  'methods of one class that are called each': (count) => ({
    'api.ts': `export class Api {\n  constructor(private key) {}\n  ask(path) { return fetch('${base}' + path, { headers: { 'x-api-key': this.key } }); }\n${lines(count, (index) => `  get${index}(id) { return this.ask(\`/v1/contacts/\${id}?page=${index}\`); }`)}\n}\nexport const api = new Api(process.env.API_KEY);\n${lines(count, (index) => `api.get${index}('c${index}');`)}`,
  }),
  'calls in the cases of a switch': (count) => ({
    'client.ts': `export function run(kind) {\nswitch (kind) {\n${lines(count, (index) => `case 'k${index}': return fetch('${base}/v1/contacts/c${index}', { ${header} });`)}\n}\n}`,
  }),
  'calls on something unknown': (count) => ({
    'client.ts': client,
    ...each(
      count,
      (index) =>
        `import { client } from './client';\nexport const task${index} = () => client.get('/v1/contacts/c${index}');\nexport const other = (given) => given.api.get('/v1/contacts/c${index}');`,
    ),
  }),
  'requests to another host': (count) => ({
    'client.ts': client,
    ...each(
      count,
      (index) =>
        `import { client } from './client';\nexport const task${index} = () => client.get('/v1/contacts/c${index}');\nexport const other = () => fetch('https://other.example.org/v1/contacts/c${index}', { ${header} });`,
    ),
  }),
  'clients that are written to': (count) => ({
    'shared.ts': "export const shared = { name: 'x' };",
    ...each(
      count,
      (index) =>
        `import axios from 'axios';\nimport { shared } from './shared';\nconst api = axios.create({ ${header} });\napi.defaults.baseURL = '${base}';\nexport const task${index} = () => api.get('/v1/contacts/c${index}', { params: shared });`,
    ),
  }),
  'bases from the environment': (count) => ({
    'shared.ts': "export const shared = { name: 'x' };",
    ...each(
      count,
      (index) =>
        `import { shared } from './shared';\nexport const task${index} = () => fetch((process.env.API_URL ?? '${base}') + '/v1/contacts/c${index}', { ${header}, body: shared });`,
    ),
  }),
  'entries of a table that a loop fills': (count) => ({
    'main.ts': [
      client,
      `const table = {};\nfor (const each of [${lines(count, (index) => `'c${index}',`)}]) table[each] = each;`,
      "export const get = (id) => client.get('/v1/contacts/' + table[id]);",
    ].join('\n'),
  }),
  'programs of one document': (count) => ({
    'README.md': lines(
      count / 5,
      (index) => `## ${index}\n\n\`\`\`js\nconst answer = await fetch('${base}/v1/contacts/c${index}', { ${header} });\n\`\`\`\n`,
    ),
  }),
  'tests in a browser': (count) => ({
    'main.spec.ts': `import { expect, test } from '@playwright/test';\n${lines(count, (index) => `test('contact ${index}', async ({ request }) => {\n  await request.get('${base}/v1/contacts/c${index}', { ${header} });\n});`)}`,
  }),
  'calls of jQuery': (count) => ({
    'main.js': `import $ from 'jquery';\n${lines(count, (index) => `$('#c${index}').on('click', () => $.ajax({ url: '${base}/v1/contacts/c${index}', ${header} }));`)}`,
  }),
  'statements of one file': (count) => ({
    'client.ts': `${client}\nlet last = client;\n${lines(count, (index) => `export const step${index} = (id) => ${index === 0 ? "client.get('/v1/contacts/' + id)" : `step${index - 1}(id)`};`)}`,
  }),
  'tests that mock the configuration': (count) => ({
    'config.ts': `export const config = { url: '${base}/v1' };`,
    ...each(
      count,
      (index) =>
        `import { config } from './config';\nexport const task${index} = () => fetch(config.url + '/contacts/c${index}', { ${header} });`,
    ),
    ...Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `t${index}.test.ts`,
        `import { expect, it, vi } from 'vitest';\nimport { task${index} } from './f${index}';\nvi.mock('./config', () => ({ config: { url: 'https://fake.test/v1' } }));\nit('asks', async () => {\n  const fetching = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{}'));\n  await task${index}();\n  expect(fetching.mock.calls[0][0]).toBe('https://fake.test/v1/contacts/c${index}');\n});`,
      ]),
    ),
  }),
  'paths that are assigned to one URL': (count) => ({
    'client.ts': `export class Client {\n  url = new URL('${base}');\n${lines(count, (index) => `  at${index}(id) { this.url.pathname = '/v1/contacts/' + id; return fetch(this.url, { ${header} }); }`)}\n}`,
  }),
  'functions that a client is handed on by': (count) => ({
    'client.ts': `${client}\nfunction ask0(api) { api.get('/v1/contacts'); }\n${lines(count, (index) => `function ask${index + 1}(api) { api.get('/v1/contacts/c${index}'); ask${index}(api); }`)}\nask${count}(client);`,
  }),
  'tests of one file, each with an answer of a server that all share': (count) => ({
    'client.ts': `${client}\nexport const get = (id) => client.get('/v1/contacts/' + id);`,
    'a.test.ts': `import { http, HttpResponse } from 'msw';\nimport { setupServer } from 'msw/node';\nimport { get } from './client';\nconst server = setupServer();\n${lines(count, (index) => `test('t${index}', async () => { let seen; server.use(http.get('${base}/v1/contacts/:id', ({ request }) => { seen = request.headers.get('x-api-key'); return HttpResponse.json({}); })); await get('c'); expect(seen).toBe('k'); });`)}`,
  }),
  'tests of one file, each with a mock of its own': (count) => ({
    'client.ts': `export const send = () => fetch('${base}/v1/contacts', { ${header} });`,
    'a.test.ts': `import { send } from './client';\n${lines(count, (index) => `test('t${index}', async () => { const f = vi.fn().mockResolvedValue({ ok: true }); globalThis.fetch = f; await send(); expect(f).toHaveBeenCalledWith('${base}/v1/contacts', expect.objectContaining({ headers: { 'x-api-key': 'k' } })); expect(f.mock.calls[0][1].headers['x-api-key']).toBe('k'); });`)}`,
  }),
  'options that are filled in where they have something else not': (count) => ({
    'client.ts': `function fill(init) {\n${lines(count, (index) => `  if (!init.c${index}) { ${lines(6, (each) => `init.d${index}_${each} = 1;`)} }`)}\n}\nconst init = { method: 'POST', ${header} };\nfill(init);\nfetch('${base}/v1/contacts', init);`,
  }),
  'tests that each run with a package of ours': (count) => ({
    ...each(
      count,
      (index) =>
        `import { create } from 'contacts-client';\n${lines(60, (each) => `import 'contacts-client/part${each}';`)}\nexport const made${index} = create();`,
    ),
    ...Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `t${index}.test.ts`,
        `import { made${index} } from './f${index}';\nnock('${base}').get('/v1/contacts/c${index}').reply(200);\ntest('t', () => made${index}.list());`,
      ]),
    ),
  }),
};
