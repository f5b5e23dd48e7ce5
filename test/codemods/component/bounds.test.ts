/** What is too much to be followed is left as it is: what asks beyond a bound is not known, and may ask otherwise. */
import { expect, it } from 'vitest';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { sourceModule } from '../../../codemods/evaluate/module.ts';
import { analyse, type ComponentPlan } from '../../../codemods/component/analyse.ts';

const engines = await loadEngines();

function planned(lines: readonly string[]): ComponentPlan {
  const text = lines.join('\n');
  const module = sourceModule('main.js', text, engines.parse('main.js', text).tree);
  const world = { modules: new Map([['main.js', module]]), resolve: () => undefined };
  return analyse(
    world,
    { v1: ['https://api.example.com'], v2: undefined, env: new Set() },
    {
      isCandidate: () => true,
      isAdvised: () => true,
      isFollowed: () => true,
      isGenerated: () => false,
      unseen: new Map(),
      isBaseNear: true,
    },
  );
}
const codes = ({ findings }: ComponentPlan): Set<string> => new Set(findings.map(({ code }) => code));
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

const client = [
  "import axios from 'axios';",
  "const api = axios.create({ baseURL: 'https://api.example.com', headers: { 'x-api-key': key } });",
  "api.get('/v1/messages');",
];
const asking = ['function ask(headers) {', "  fetch('https://api.example.com/v1/messages', { headers });", '}'];

it('a client that is one of 300 things a function is given is followed there', () => {
  const others = times(300, (index) => `list({ get() {} }, '/${index}');`);
  const plan = planned([...client, 'function list(client, path) { client.get(path); }', "list(api, '/v1/unheard-of');", ...others]);

  expect(plan.edits).toEqual([]);
  expect(codes(plan)).toEqual(new Set(['unknown-route']));
});

it('a client that is one of more things than are followed is left as it is', () => {
  const others = times(1000, (index) => `list({ get() {} }, '/${index}');`);
  const plan = planned([...client, 'function list(client, path) { client.get(path); }', "list(api, '/v1/unheard-of');", ...others]);

  expect(plan.edits).toEqual([]);
  expect(codes(plan)).toEqual(new Set(['too-complex']));
});

it.each([
  ['that is written out moves, however many may call what it stands in', "'https://api.example.com/v1/messages'", true],
  ['whose path is given stays where not all are seen who give it', "'https://api.example.com' + path", false],
  ['whose base is kept by what is called stays where not all calls are seen', "kept.base + '/v1/messages'", false],
])('a request %s', (_, url, moves) => {
  const kept = ["const kept = { base: 'https://api.example.com' };", 'function move(base) { kept.base = base; }'];
  const others = times(1000, (index) => `run(() => {}, '/${index}');`);
  const sender = `function send(path) { fetch(${url}, { headers: { 'x-api-key': key } }); }`;
  const plan = planned([
    ...kept,
    sender,
    'function run(fn, path) { fn(path); }',
    "run(send, '/v1/messages');",
    'run(move, other);',
    ...others,
  ]);

  expect(plan.edits.length > 0).toBe(moves);
});

it.each([
  ['takes nothing', '() => ', true],
  ['takes a path', '(path) => ', false],
  ['may be called on something', 'function () { return this.at === undefined && ', false],
])('of what is tried again by more than are followed, a function that %s', (_, fn, moves) => {
  const others = times(1000, (index) => `retry(() => ${index});`);
  const end = fn.startsWith('function') ? '; }' : '';
  const handed = `const load = (path) => retry(${fn}api.get(path)${end}); load('/v1/contacts');`;
  const plan = planned([...client, 'function retry(fn) { return fn(); }', handed, ...others]);

  expect(plan.edits.some(({ start }) => start > client.join('\n').length)).toBe(moves);
});

it('a client that more is set on than is looked at for each request is left as it is', () => {
  const set = (count: number): string[] => times(count, (index) => `api.defaults.headers.common['x-${index}'] = '${index}';`);

  expect(planned([...client, ...set(150)]).edits).toHaveLength(4);
  const plan = planned([...client, ...set(250)]);
  expect(plan.edits).toEqual([]);
  expect(codes(plan)).toEqual(new Set(['too-complex']));
});

it.each([
  ['got', "import got from 'got';", (url: string, headers: string) => `got.post('${url}', { headers: ${headers} }).json();`],
  [
    'request',
    "import request from 'request';",
    (url: string, headers: string) => `request.get('${url}', { headers: ${headers} }).pipe(out);`,
  ],
  ['unirest', "import unirest from 'unirest';", (url: string, headers: string) => `unirest.get('${url}', ${headers}).send({});`],
  [
    'node:https',
    "import https from 'node:https';",
    (url: string, headers: string) => `https.get('${url}', { headers: ${headers} }).end();`,
  ],
])('calls of %s that set nothing are not what is too much to be looked at', (_, imported, call) => {
  const ours = [imported, call('https://api.example.com/v1/contacts', "{ 'x-api-key': key }")];
  const plan = planned([...ours, ...times(250, (index) => call(`/${index}`, '{}'))]);

  expect(plan.edits).toHaveLength(4);
  expect(codes(plan)).toEqual(codes(planned(ours)));
});

it('what thousands of other objects have under the name of its base takes no client more than can be followed', () => {
  const others = times(2000, (index) => `const set${index} = { path: [] }; set${index}.base = '/${index}';`);
  const asked = "fetch(`${this.base}/v1/contacts`, { headers: { 'x-api-key': key } })";
  const own = ['class Client {', "  base = 'https://api.example.com';", `  get() { return ${asked}; }`, '}', 'new Client().get();'];

  expect(planned([...own, ...others]).edits).toHaveLength(planned(own).edits.length);
  expect(planned([...own, "new Client().base = 'https://other.example.net';", ...others]).edits).toEqual([]);
});

it('what holds itself and is expected of what holds itself comes to an end', () => {
  const circle = [
    "const span = { path: '/v1/messages' };",
    'span.parent = span;',
    "const same = { path: '/v1/messages' };",
    'same.parent = same;',
  ];

  expect(planned([...client, ...circle, 'expect(span).toEqual(same);']).edits.length).toBeGreaterThan(0);
});

it('other things than clients may be given in any number', () => {
  const others = times(1000, (index) => `list({ get() {} }, '/${index}');`);

  expect(planned([...client, 'function list(client, path) { client.get(path); }', ...others]).edits).toHaveLength(4);
});

it('a client that goes through more functions than are followed is left as it is', () => {
  const through = times(30, (index) => `function f${index + 1}(client) { f${index}(client); }`);
  const plan = planned([...client, "function f0(client) { client.get('/v1/unheard-of'); }", ...through, 'f30(api);']);

  expect(plan.edits).toEqual([]);
  expect(codes(plan)).toEqual(new Set(['too-complex']));
});

it('a function that is handed on again and again is followed to where it asks', () => {
  const handed = [
    "function run(ask) { ask({ 'x-api-key': key, authorization: token }); }",
    'function twice(first, second) { first(second); }',
    'const ready = (run) => twice(run, ask);',
    'const steady = (start) => start(run);',
    'const go = (start) => start(steady);',
    'go((steady) => steady(ready));',
  ];
  const plan = planned([...asking, "ask({ 'x-api-key': key });", ...handed]);

  expect(plan.edits).toEqual([]);
  expect(codes(plan)).toEqual(new Set(['authorization-present']));
});

it('the headers of each of 500 callers are changed', () => {
  expect(planned([...asking, ...times(500, (index) => `ask({ 'x-api-key': keys[${index}] });`)]).edits).toHaveLength(1 + 500 * 2);
});

it('a request is followed on as many ways as a wrapper has callers', () => {
  const wrapper = ['function ask(path) {', "  fetch('https://api.example.com' + path, { headers: { 'x-api-key': key } });", '}'];
  const plan = planned([...wrapper, ...times(1000, (index) => `ask(\`/v1/contacts/\${ids[${index}]}\`);`)]);

  expect(codes(plan)).toEqual(new Set());
  expect(plan.edits).toHaveLength(3 + 1000);
});

it('a request with more ways to it than are followed is left as it is', () => {
  const between = times(25, (index) => `function f${index}(headers) { ask(headers); }`);
  const calls = times(425, (index) => `f${index % 25}({ 'x-api-key': keys[${index}] });`);
  const plan = planned([...asking, ...between, ...calls]);

  expect(plan.edits).toEqual([]);
  expect(codes(plan)).toContain('too-complex');
});

it('a request whose call paths are dear each is followed on some, left as it is, and costs no more than these', () => {
  const dear = (name: string): string =>
    `function ${name}(headers, more) { ask(headers, [${times(300, (index) => `more + '${index}'`).join(', ')}]); }`;
  const dearly = ['function ask(headers, parts) {', "  fetch('https://api.example.com/v1/messages?q=' + parts[0], { headers });", '}'];
  const calls = times(625, (index) => `f${index % 25}({ 'x-api-key': keys[${index}] }, '${index}');`);
  const plan = planned([...dearly, ...times(25, (index) => dear(`f${index}`)), ...calls]);

  expect(plan.edits).toEqual([]);
  expect(codes(plan)).toContain('too-complex');
  expect(plan.costs.steps).toBeLessThan(300_000);
});

it('what is kept by keys that callers give, and taken out and put in again, is found out once', () => {
  const plan = planned([
    ...client,
    "import express from 'express';",
    "import { Transport } from 'transports';",
    'function serve(server) {',
    '  const app = express();',
    '  const transports = {};',
    "  app.post('/mcp', async (req, res) => {",
    "    const session = req.headers['mcp-session-id'];",
    '    let transport;',
    '    if (session && transports[session]) transport = transports[session];',
    '    else {',
    '      transport = new Transport({',
    '        opened: (id) => {',
    '          transports[id] = transport;',
    '        },',
    '      });',
    '      transport.onclose = () => {',
    '        if (transport.session) delete transports[transport.session];',
    '      };',
    '      await server.connect(transport);',
    '    }',
    '    await transport.request(req, res);',
    '  });',
    '}',
    'serve({ connect() {} });',
  ]);

  expect(plan.edits).toHaveLength(4);
  expect(plan.costs.steps).toBeLessThan(1_000);
});

/** A server that hands its client to resources, made by many: with each of these each method asks. */
const resources = (count: number, servers: readonly string[]): string[] => [
  'class Client {',
  '  constructor(config) {',
  '    this.base = config.base;',
  "    this.headers = { 'x-api-key': config.key };",
  '  }',
  '  request(method, path) {',
  '    return fetch(`${this.base}${path}`, { method, headers: this.headers });',
  '  }',
  '  get(path) {',
  "    return this.request('GET', path);",
  '  }',
  '}',
  'class Resources {',
  '  constructor(client) {',
  '    this.client = client;',
  '  }',
  ...times(count, (index) => `  get${index}(id) {\n    return this.client.get(\`/v1/contacts/\${id}\`);\n  }`),
  '}',
  'function createServer(config) {',
  '  const client = new Client(config);',
  '  const resources = new Resources(client);',
  '  return { resources };',
  '}',
  ...servers.map((base, index) => `export const server${index} = createServer({ base: '${base}', key: process.env.KEY_${index} });`),
];

const ours = times(30, () => 'https://api.example.com');

it('those who call a function that makes a client are not told apart where its methods have many callers, too', () => {
  const plan = planned(resources(40, ours));

  expect(plan.edits).toHaveLength(3 + 40);
  expect(codes(plan)).toEqual(new Set());
  expect(plan.costs.steps).toBeLessThan(100_000);
});

it('one of many such servers that is of another host keeps all of it', () => {
  const plan = planned(resources(40, [...ours, 'https://api.partner.io']));

  expect(plan.edits).toEqual([]);
  expect(codes(plan)).toEqual(new Set(['shared-with-other-host']));
});

it('so does a client of another host that nobody is seen to ask with', () => {
  const spare = "lend(new Client({ base: 'https://api.partner.io', key: process.env.SPARE_KEY }));";
  const plan = planned([...resources(40, ours), spare]);

  expect(plan.edits).toEqual([]);
  expect(codes(plan)).toContain('shared-with-other-host');
});

it('and one of ours that nobody is seen to ask with, whose base nothing else has', () => {
  const spare = "lend(new Client({ base: 'https://api.example.com/v1', key: process.env.SPARE_KEY }));";

  expect(planned([...resources(40, ours), spare]).edits).toEqual([]);
});

it('what constructors make of each other without end, deeper than expressions are followed, takes no more than a question a few times', () => {
  const fields = times(29, (index) => `this.f${index + 1} = this.f${index}.endsWith('/') ? this.f${index} : this.f${index} + '/';`);
  const kinds = ['K0', 'K1'];
  const plan = planned([
    `class Base { constructor(options) { this.f0 = options.url || 'https://api.example.com'; ${fields.join(' ')} this.made = this.make(); }`,
    `make() { const url = this.f29; switch (this.kind) { ${kinds.map((kind) => `case '${kind}': return new ${kind}({ url, up: this });`).join(' ')} } }`,
    'get url() { return this.made.url + this.f29; } }',
    ...kinds.map(
      (kind) => `class ${kind} extends Base { constructor(options) { super({ ...options, url: options.up.url + '/${kind}' }); } }`,
    ),
    "fetch(new K0({ up: new Base({}) }).url + '/v1/messages', { headers: { 'x-api-key': key } });",
  ]);

  expect(plan.edits).toEqual([]);
  expect(plan.costs.steps).toBeLessThan(16_000);
});
