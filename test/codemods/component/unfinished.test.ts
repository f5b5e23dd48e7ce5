import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';

const simple = "export const ours = (key) => fetch('https://api.example.com/v1/messages', { headers: { 'x-api-key': key } });";
/** Functions of two parameters, each of which calls the next one twice: every question about the last costs two to the power of their number. */
const tower = [
  ...Array.from({ length: 20 }, (_, level) => `function f${level}(a, b) { return f${level + 1}(a, b) + f${level + 1}(b, a); }`),
  "function f20(a, b) { return a + '/v1/contacts' + b; }",
];
const expensive = (index: number): string => `fetch(start('https://api.example.com', 'q${index}'), { headers: { 'x-api-key': 'k' } });`;

/** Where something is too complex, and the place that is named for it. */
async function runOf(files: Readonly<Record<string, readonly string[]>>) {
  const cwd = mkdtempSync(join(tmpdir(), 'unfinished-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [file, lines] of Object.entries(files)) writeFileSync(join(cwd, file), lines.join('\n'));
  const { plan } = await migrate({ paths: ['.'], cwd, v1Base: ['https://api.example.com'], dryRun: true });
  return {
    edited: new Set(plan.edits.map(({ file, start }) => `${file}:${(files[file] ?? []).join('\n').slice(0, start).split('\n').length}`)),
    complex: plan.findings.flatMap(({ code, file, line, detail }) => (code === 'too-complex' ? `${file}:${line} (${detail['at']})` : [])),
  };
}

/** Somewhere in the tower. */
const named = (place: string): unknown =>
  expect.stringMatching(new RegExp(`^${place.replaceAll('.', String.raw`\.`)} \\(tower\\.js:(?:\\d|1\\d|2[01])\\)$`));
const towerFile = ['export const start = (a, b) => f0(a, b);', ...tower];

test('a call that takes too many steps is named with the place that took most, and the simple one beside it moves', async () => {
  const { edited, complex } = await runOf({
    'calls.js': ["import { start } from './tower.js';", simple, expensive(0)],
    'other.js': [simple],
    'tower.js': towerFile,
  });
  expect([...edited]).toEqual(['calls.js:2', 'other.js:1']);
  expect(complex).toEqual([named('calls.js:3')]);
});

test('of two clients of one program the one that takes too many steps to follow stays, and the other moves', async () => {
  const { edited, complex } = await runOf({
    'clients.js': [
      "import axios from 'axios';",
      "import { start } from './tower.js';",
      "export const dear = axios.create({ baseURL: start('https://api.example.com', 'x'), headers: { 'x-api-key': 'k' } });",
      "export const cheap = axios.create({ baseURL: 'https://api.example.com', headers: { 'x-api-key': 'k' } });",
    ],
    'calls.js': ["import { cheap, dear } from './clients.js';", "cheap.get('/v1/messages');", "dear.get('/v1/messages');"],
    'tower.js': towerFile,
  });
  expect([...edited]).toEqual(['calls.js:2', 'clients.js:4']);
  expect(complex).toContainEqual(named('clients.js:3'));
});

test('what is too complex is nothing to report where no configured base is near: it cannot be ours', async () => {
  const elsewhere = (index: number): string => expensive(index).replace('api.example.com', 'api.vendor.example');
  const files = { 'calls.js': ["import { start } from './tower.js';", elsewhere(0)], 'tower.js': towerFile };
  expect((await runOf(files)).complex).toEqual([]);
  const near = { ...files, 'ours.js': ["import { start } from './tower.js';", simple, 'start();'] };
  expect((await runOf(near)).complex).toHaveLength(1);
});

test('classes that inherit from each other in a circle cost nothing but themselves', async () => {
  const circle = ['class A extends B {}', 'class B extends A {}', 'new A().send(); new B(); export const a = new A();'];
  expect([...(await runOf({ 'circle.js': [...circle, simple] })).edited]).toEqual(['circle.js:4']);
});

test('what a test expects of a mock is followed to its end, however many other mocks the files make', async () => {
  const others = Array.from(
    { length: 250 },
    (_, index) => `  expect(ours(mocks[${index}])).toEqual(expect.objectContaining({ a: ${index} }));`,
  );
  const { edited, complex } = await runOf({
    'ours.js': [simple],
    'ours.test.js': [
      "import { ours } from './ours.js';",
      'const mocks = Array.from({ length: 250 }, () => jest.fn());',
      "test('others', () => {",
      ...others,
      '});',
      "test('asks', async () => {",
      '  const fetchMock = jest.fn().mockResolvedValue({ ok: true });',
      '  global.fetch = fetchMock;',
      "  await ours('key');",
      "  expect(fetchMock).toHaveBeenCalledWith('https://api.example.com/v1/messages', expect.objectContaining({ headers: { 'x-api-key': 'key' } }));",
      '});',
    ],
  });
  expect(complex).toEqual([]);
  expect([...edited]).toEqual(['ours.js:1', 'ours.test.js:259']);
});

test('the clients of other services, with hundreds of callers each, take nothing from what is asked about ours beside them', async () => {
  const upTo = (length: number): number[] => Array.from({ length }, (_, index) => index);
  const [services, each, hops] = [upTo(4), upTo(24), upTo(3)];
  const clients = services.map((service): [string, readonly string[]] => [
    `crm${service}.js`,
    [
      `export class Crm${service} {`,
      '  constructor(env) { this.key = env.KEY; }',
      `  request(path) { return fetch('https://api.crm${service}.example/v1' + path, { headers: { authorization: this.key } }); }`,
      ...each.map((index) => `  ask${index}(id) { return this.request('/pages/' + id + '?n=${index}'); }`),
      '}',
    ],
  ]);
  const asked = (index: number): string => services.map((service) => `parts.crm${service}.ask${index}(id)`).join(', ');
  const { edited, complex } = await runOf({
    ...Object.fromEntries(clients),
    'ours.js': [
      'export class Texts {',
      '  constructor(env) { this.key = env.TEXTS_KEY; }',
      "  request(path) { return fetch('https://api.example.com/v1' + path, { headers: { 'x-api-key': this.key } }); }",
      "  contacts() { return this.request('/contacts'); }",
      "  messages() { return this.request('/messages'); }",
      '}',
    ],
    'jobs.js': [
      ...services.map((service) => `import { Crm${service} } from './crm${service}.js';`),
      "import { Texts } from './ours.js';",
      `const partsOf = (env) => ({ ${services.map((service) => `crm${service}: new Crm${service}(env)`).join(', ')}, texts: new Texts(env) });`,
      ...each.map((index) => `const use${index} = (parts, id) => [${asked(index)}, parts.texts.${index % 2 ? 'contacts' : 'messages'}()];`),
      ...each.map(
        (index) =>
          `const job${index}x0 = (env, id) => { const parts = partsOf(env); return use${index}(parts, id) ?? use${(index + 1) % 24}(parts, id); };`,
      ),
      ...hops.flatMap((hop) =>
        each.map(
          (index) => `const job${index}x${hop + 1} = (env, id) => job${index}x${hop}(env, id) ?? job${(index + 1) % 24}x${hop}(env, id);`,
        ),
      ),
      `export default { async fetch(request, env) { ${each.map((index) => `job${index}x3(env, request.url);`).join(' ')} } };`,
    ],
  });
  expect(complex).toEqual([]);
  expect([...edited]).toEqual(['ours.js:3']);
});

test('another host that a component is given is seen by each question, though an earlier one did not come that far', async () => {
  const component = (name: string, path: string): string[] => [
    `export function ${name}({ base, apiKey }) {`,
    `  useEffect(() => { fetch(base + '${path}', { headers: { 'x-api-key': apiKey } }); }, []);`,
    '}',
  ];
  const imports = ["import { Contacts } from './contacts.jsx';", "import { Messages } from './messages.jsx';"];
  const given = (base: string): string => `<Contacts base="${base}" apiKey={k} /><Messages base="${base}" apiKey={k} />`;
  const rows = Array.from({ length: 9000 }, (_, index) => index);
  const { edited } = await runOf({
    'contacts.jsx': ["import { useEffect } from 'react';", ...component('Contacts', '/v1/contacts')],
    'messages.jsx': ["import { useEffect } from 'react';", ...component('Messages', '/v1/messages')],
    'page.jsx': [
      ...imports,
      "import { memo } from 'react';",
      ...rows.map((row) => `const Row${row} = memo(() => null);`),
      `export const Page = () => <main>${given('https://api.example.com')}${rows.map((row) => `<Row${row} />`).join('')}</main>;`,
    ],
    'report.jsx': [...imports, `export const Report = () => <main>${given('https://api.vendor.example')}</main>;`],
  });
  expect([...edited]).toEqual([]);
});
