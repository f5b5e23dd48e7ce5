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

test('an address of another host is of that, however complex what it is given to is', async () => {
  const near = ["import { start } from './tower.js';", simple, 'start();', "fetch(start('https://api.vendor.example/v1', 'q'));"];
  expect((await runOf({ 'ours.js': near, 'tower.js': towerFile })).complex).toEqual([]);
});

test('what is too much of a path holds a client only where the path may begin as one of v1', async () => {
  const askedFor = async (path: string): Promise<number> => {
    const { edited } = await runOf({
      'ours.js': [
        "import axios from 'axios';",
        "export const ours = axios.create({ baseURL: 'https://api.example.com/v1', headers: { 'x-api-key': 'k' } });",
        "export const contacts = () => ours.get('/contacts');",
      ],
      'calls.js': [
        "import { contacts } from './ours.js';",
        "import { start } from './tower.js';",
        "const OURS = '/contacts';",
        "const API = '/api', GROUPS = `${API}/groups`, PEOPLE = '/con' + 'tacts';",
        `export const ask = (agent) => contacts() && agent.get(${path});`,
      ],
      'tower.js': towerFile,
    });
    return edited.size;
  };
  const elsewhere = ["`/users/${start('a', 'b')}`", "GROUPS + start('a', 'b')", "`${GROUPS}/${start('a', 'b')}`"];
  for (const path of elsewhere) expect.soft(await askedFor(path), path).toBe(1);
  const maybe = [
    "`https://api.example.com/v1/x/${start('a', 'b')}`",
    "`v1/contacts/${start('a', 'b')}`",
    "`/contacts/${start('a', 'b')}`",
    "PEOPLE + start('a', 'b')",
    "OURS + start('a', 'b')",
    "`${start('/', 'b')}/x`",
  ];
  for (const path of maybe) expect.soft(await askedFor(path), path).toBe(0);
});

test('what nobody could look at any more holds the client that it names, and no other', async () => {
  const dear = Array.from({ length: 100 }, (_file, file): [string, readonly string[]] => [
    `dear${file}.js`,
    [
      "import { contacts } from './ours.js';",
      ...tower.map((line) => line.replace('/v1/contacts', '/')),
      ...Array.from({ length: 24 }, (_call, call) => `export const g${call} = (api) => contacts() && f0('a${call}', api).load(1);`),
    ],
  ]);
  const client = (ask: string, called: string): readonly string[] => [
    `export const ${ask} = (base, path) => fetch(base + path, { headers: { 'x-api-key': process.env.KEY } });`,
    `export const ${called} = () => ${ask}('https://api.example.com', '/v1/contacts');`,
  ];
  const { edited, complex } = await runOf({
    ...Object.fromEntries(dear),
    'ours.js': client('ask', 'contacts'),
    'ours2.js': client('ask2', 'contacts2'),
    'zlast.js': [
      "import { ask } from './ours.js';",
      "import { contacts2 } from './ours2.js';",
      "ask('https://crm.other.example', '/v3/deals');",
      'contacts2(); other.load(1);',
    ],
  });
  expect.soft([...edited]).toEqual(['ours2.js:1', 'ours2.js:2']);
  expect.soft(complex.filter((each) => each.startsWith('zlast'))).toEqual(['zlast.js:3 (zlast.js:3)']);
});

test('a call that takes too many steps holds no client for a call within it that is known', async () => {
  const { edited, complex } = await runOf({
    'ours.js': [
      "const ask = (base, path) => fetch(base + path, { headers: { 'x-api-key': process.env.KEY } });",
      ...tower.map((line) => line.replace('/v1/contacts', '/')),
      "export const contacts = (api) => f0('a', api).load(ask('https://api.example.com', '/v1/contacts'));",
    ],
  });
  expect([...edited]).toEqual(['ours.js:1', 'ours.js:23']);
  expect(complex).toEqual([]);
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
  // Together they take more steps than a question has.
  const rows = Array.from({ length: 5000 }, (_, index) => index);
  const { edited, complex } = await runOf({
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
  expect(complex).toEqual([]);
});

test('what a component is given by a name which takes many steps to follow is seen', async () => {
  const chosen = Array.from({ length: 8 }, (_, level) => `const f${level} = (a, b) => f${level + 1}(a, b) ?? f${level + 1}(b, a);`);
  const filesFor = (base: string): Readonly<Record<string, readonly string[]>> => ({
    'contacts.jsx': [
      "import { useEffect } from 'react';",
      'export function Contacts({ base, apiKey }) {',
      "  useEffect(() => { fetch(base + '/v1/contacts', { headers: { 'x-api-key': apiKey } }); }, []);",
      '}',
    ],
    'page.jsx': [
      "import { Contacts } from './contacts.jsx';",
      ...chosen,
      'const f8 = (a, b) => a;',
      'const Chosen = f0(Contacts, Contacts);',
      'export const Page = () => <Contacts base="https://api.example.com" apiKey={k} />;',
      `export const Other = () => <Chosen base="${base}" apiKey={k} />;`,
    ],
  });
  expect([...(await runOf(filesFor('https://api.vendor.example'))).edited]).toEqual([]);
  expect([...(await runOf(filesFor('https://api.example.com'))).edited]).toEqual(['contacts.jsx:3']);
});

test('a client moves beside a page of which nobody knows what it draws, and what may be drawn there stays', async () => {
  const { edited } = await runOf({
    'ask.js': [
      "const ask = (path) => fetch('https://api.example.com' + path, { headers: { 'x-api-key': k } });",
      "export const contacts = () => ask('/v1/contacts');",
    ],
    'page.jsx': [
      "import { useEffect } from 'react';",
      "import { contacts } from './ask.js';",
      "import { start } from './tower.js';",
      'export function Messages({ base }) {',
      "  useEffect(() => { fetch(base + '/v1/messages', { headers: { 'x-api-key': k } }); }, []);",
      '}',
      'const Chosen = start(Messages, Messages);',
      'export const Page = () => <Messages base="https://api.example.com" title={contacts()} />;',
      'export const Other = () => <Chosen base="https://api.vendor.example" />;',
    ],
    'tower.js': towerFile,
  });
  expect([...edited]).toEqual(['ask.js:1', 'ask.js:2']);
});

test('a client moves beside hundreds of components that draw what they are given', async () => {
  const names = Array.from({ length: 500 }, (_, index) => `${index}`);
  const { edited } = await runOf({
    'contacts.jsx': [
      "import { useEffect } from 'react';",
      'export function Contacts({ base }) {',
      "  useEffect(() => { fetch(base + '/v1/contacts', { headers: { 'x-api-key': k } }); }, []);",
      '}',
    ],
    'page.jsx': [
      "import { Contacts } from './contacts.jsx';",
      ...names.map((name) => `function Row${name}({ icon: Icon }) { return <Icon size={1} />; }\nfunction Icon${name}() { return <b />; }`),
      'export const Page = () => <main>',
      '  <Contacts base="https://api.example.com" />',
      ...names.map((name) => `  <Row${name} icon={Icon${name}} />`),
      '</main>;',
    ],
  });
  expect([...edited]).toEqual(['contacts.jsx:3']);
});

test('another host is seen that a component is given by others which are given the component', async () => {
  const { edited } = await runOf({
    'contacts.jsx': [
      "import { useEffect } from 'react';",
      'export function Contacts({ base }) {',
      "  useEffect(() => { fetch(base + '/v1/contacts', { headers: { 'x-api-key': k } }); }, []);",
      '}',
    ],
    'frames.jsx': [
      'export function Inner({ of: Of, base }) { return <Of base={base} />; }',
      'export function Outer({ around: Around, of, base }) { return <Around of={of} base={base} />; }',
    ],
    'page.jsx': [
      "import { Contacts } from './contacts.jsx';",
      "import { Inner, Outer } from './frames.jsx';",
      'export const Page = () => <Contacts base="https://api.example.com" />;',
      'export const Other = () => <Outer around={Inner} of={Contacts} base="https://api.vendor.example" />;',
    ],
  });
  expect([...edited]).toEqual([]);
});

test('who writes into a client is found though the program makes instances of thousands of classes', async () => {
  const names = Array.from({ length: 5000 }, (_, index) => `I${index}`);
  const { edited, complex } = await runOf({
    'client.js': [
      'export class Client {',
      "  base = 'https://api.example.com';",
      '  constructor(key) { this.key = key; }',
      "  list() { return fetch(this.base + '/v1/contacts', { headers: { 'x-api-key': this.key } }); }",
      '}',
    ],
    'items.js': names.map((name) => `export class ${name} {}`),
    'made.js': [
      "import { Client } from './client.js';",
      `import { ${names.join(', ')} } from './items.js';`,
      'new Client(k).list();',
      `export const all = [${names.map((name) => `new ${name}()`).join(', ')}];`,
    ],
    'other.js': [
      "import { Client } from './client.js';",
      'const point = ([client], base) => { client.base = base; };',
      'const other = new Client(k);',
      "point([other], 'https://api.vendor.example');",
      'other.list();',
    ],
  });
  expect([...edited]).toEqual([]);
  expect(complex).toEqual([]);
});
