/** What becomes of an edited constant that is used by more than our calls; fixtures/refused/escapes holds what spans files of other kinds. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';
import type { MigrateResult } from '../../../codemods/result.ts';

type Files = Readonly<Record<string, string>>;
type Row = readonly [title: string, files: string | Files];

const key = "'x-api-key': process.env.API_KEY";
const sdk = "import sdk from '@acme/sdk';\n";
/** A base, and a call that is moved if nobody else has it. */
const based = `export const BASE = 'https://api.example.com/v1';\nexport const messages = () => fetch(BASE + '/messages', { headers: { ${key} } });\n`;
const withBase = (code: string): string => `${sdk}${based}${code}`;
const listed = `const paths = ['/v1/messages', '/v1/contacts'];\nexport const messages = () => fetch('https://api.example.com' + paths[0], { headers: { ${key} } });\n`;
const withList = (code: string): string => `${sdk}${listed}${code}`;
const named = `const H = 'x-api-key';\nexport const messages = () => fetch('https://api.example.com/v1/messages', { headers: { [H]: process.env.API_KEY } });\n`;
const withName = (code: string): string => `${sdk}${named}${code}`;
const withHeaders = (code: string): string =>
  `${sdk}const headers = { ${key} };\nexport const messages = () => fetch('https://api.example.com/v1/messages', { headers });\n${code}`;
const client = `import axios from 'axios';\nexport const api = axios.create({ baseURL: 'https://api.example.com/v1', headers: { ${key} } });\nexport const messages = () => api.get('/messages');\n`;
const withClient = (code: string): string => `${client}${code}`;
/** A wrapper around all calls, with what else it does. */
const wrapped = (before: string, after = ''): string =>
  `${sdk}export async function call(path) {\n${before}\nconst answer = await fetch('https://api.example.com' + path, { headers: { ${key} } });\n${after}\nreturn answer;\n}\nexport const messages = () => call('/v1/messages');\n`;

const used: readonly Row[] = [
  [
    'the member of an enum',
    `${sdk}enum Path { Messages = '/v1/messages' }\nfetch('https://api.example.com' + Path.Messages, { headers: { ${key} } });\nsdk.init(Path.Messages); // used`,
  ],
  [
    'a class with the base',
    `${sdk}class Conf { static BASE = 'https://api.example.com/v1'; }\nfetch(Conf.BASE + '/messages', { headers: { ${key} } });\nsdk.init(Conf); // used`,
  ],
  [
    'an instance with the base',
    `${sdk}class Conf { base = 'https://api.example.com/v1'; }\nconst conf = new Conf();\nfetch(conf.base + '/messages', { headers: { ${key} } });\nsdk.init(conf); // used`,
  ],
  [
    'an instance of a class that inherits the base, in another file',
    {
      'conf.ts': "export class Conf { base = 'https://api.example.com/v1'; }\n",
      'call.ts': `import { Conf } from './conf';\nfetch(new Conf().base + '/messages', { headers: { ${key} } });\n`,
      'main.ts': `${sdk}import { Conf } from './conf';\nclass Sub extends Conf {}\nsdk.init({ conf: new Sub() }); // used`,
    },
  ],
  [
    'a field that a method hands on',
    `${sdk}class A { base = 'https://api.example.com/v1';\nlist() { return fetch(this.base + '/messages', { headers: { ${key} } }); }\ngo() { sdk.init(this.base); } // used\n}\nnew A().list();`,
  ],
  [
    'a field that Object.assign sets',
    `${sdk}class A { constructor() { Object.assign(this, { base: 'https://api.example.com/v1' }); }\nlist() { return fetch(this.base + '/messages', { headers: { ${key} } }); }\ngo() { sdk.init(this.base); } // used\n}\nnew A().list();`,
  ],
  [
    'a table four levels deep',
    `${sdk}const conf = { a: { b: { c: { base: 'https://api.example.com/v1' } } } };\nfetch(conf.a.b.c.base + '/messages', { headers: { ${key} } });\nsdk.init(conf); // used`,
  ],
  [
    'a getter',
    `${sdk}const conf = { get base() { return 'https://api.example.com/v1'; } };\nfetch(conf.base + '/messages', { headers: { ${key} } });\nsdk.init(conf); // used`,
  ],
  ['a property of an object that is handed on', withBase('const conf = {};\nconf.root = BASE;\nsdk.init(conf); // used')],
  ['an object that Object.assign fills', withBase('const conf = {};\nObject.assign(conf, { base: BASE });\nsdk.init(conf); // used')],
  ['an object of a package that Object.assign fills', withBase('Object.assign(sdk, { base: BASE }); // used')],
  ['the global object', withBase('window.API = BASE; // used')],
  ['the environment', withBase('process.env.BASE = BASE; // used')],
  ['an entry of a map', withBase("const map = new Map();\nmap.set('a', BASE);\nsdk.init(map.get('a')); // used")],
  ['an item of a list', withBase('const list = [];\nlist.push(BASE); // used\nsdk.init(list);')],
  [
    'a field that a constructor declares',
    withBase('class A { constructor(private readonly base: string) {}\ngo() { sdk.init(this.base); } // used\n}\nnew A(BASE).go();'),
  ],
  ['a parameter after a spread', withBase('const more = [1, BASE];\nconst go = (n, base) => sdk.init(base); // used\ngo(...more);')],
  ['a function that others are given to ask for it', withBase('export const docs = () => BASE; // used')],
  ['what is looked up by it', withBase('export const found = sdk.table[BASE]; // used')],
  ['a tagged template', withBase('sdk.sql`select ${BASE}`; // used')],
  [
    'headers that are taken apart by a computed name',
    withHeaders('const name = sdk.name();\nconst { [name]: gone, ...rest } = headers; // used'),
  ],
  [
    'a client whose header is set later',
    `import axios from 'axios';\nimport { crud } from '@acme/crud';\nconst api = axios.create({ baseURL: 'https://api.example.com' });\napi.defaults.headers.common['x-api-key'] = process.env.API_KEY;\napi.get('/v1/messages');\ncrud(api); // used`,
  ],
  [
    'a constant that a file imports and exports again',
    {
      'base.js': based,
      'index.js': "import { BASE } from './base.js';\nexport { BASE };\n",
      'main.js': `${sdk}import { BASE as root } from './index.js';\nsdk.init(root); // used`,
    },
  ],
  ['what is assigned later', withBase('let base;\nbase = BASE;\nsdk.init(base); // used')],
  ['what is assigned on the way', withBase('let base;\nsdk.init((base = BASE)); // used')],
  ['the end of a sequence', withBase('sdk.init((0, BASE)); // used')],
  ['a parameter of a function of its own', withBase('const go = (base) => sdk.init(base); // used\ngo(BASE);')],
  ['a parameter of a method', withBase('const own = { go(base) { sdk.init(base); } }; // used\nown.go(BASE);')],
  ['a parameter after others, with the rest', withBase('const go = (...args) => sdk.init(...args); // used\ngo(1, BASE);')],
  [
    'a parameter of a superclass',
    withBase('class A { constructor(base) { sdk.init(base); } } // used\nclass B extends A { constructor() { super(BASE); } }\nnew B();'),
  ],
  [
    'a parameter of a function that calls itself',
    withBase('function go(base, n) { return n > 0 ? go(base, n - 1) : sdk.init(base); } // used\ngo(BASE, 3);'),
  ],
  [
    'a parameter of a function that is handed over',
    withBase('const run = (fn, base) => fn(base);\nrun((base) => sdk.init(base), BASE); // used'),
  ],
  [
    'a default of a parameter',
    `${sdk}const go = (path = '/v1/messages') => {\nsdk.track(path); // used\nreturn fetch('https://api.example.com' + path, { headers: { ${key} } }); };\ngo();`,
  ],
  ['what a promise gives', withBase('Promise.resolve(BASE).then((base) => sdk.init(base)); // used')],
  ['what a promise gives to a package', withBase('Promise.resolve(BASE).then(sdk.init); // used')],
  ['what a method of a package is to find', withBase('sdk.find(BASE); // used')],
  ['what a package makes of a method that goes by a known name', withBase('sdk.freeze({ base: BASE }); // used')],
  [
    'a text that is made of a parameter',
    withBase('const go = (base) => {\nconst url = `${base}/docs`;\nsdk.init(url); // used\n};\ngo(BASE);'),
  ],
  ['what a function takes as its arguments', withBase('function go() { sdk.init(...arguments); }\ngo(BASE); // used')],
  ['what a setter is given', withBase('class A { set base(base) { sdk.init(base); } } // used\nconst a = new A();\na.base = BASE;')],
  [
    'what a setter is given that is inherited',
    withBase('class A { set base(base) { sdk.init(base); } } // used\nclass B extends A {}\nconst b = new B();\nb.base = BASE;'),
  ],
  [
    'what a setter is given by two',
    withBase(
      "const other = 'https://api.example.com/v1';\nfetch(other + '/contacts', { headers: { 'x-api-key': 'k' } });\nclass A { set base(base) { sdk.init(base); } } // used\nconst a = new A();\na.base = BASE;\na.base = other;",
    ),
  ],
  ['what a cache is asked for, where it is no key', withBase("sdk.cache.get('base', BASE); // used")],
  ['what warms a cache', withBase('sdk.cache.warm(BASE); // used')],
  ['what is got from what is no cache', withBase('sdk.store.get(BASE); // used')],
  ['what a map keeps', withBase("const cache = sdk.lru();\ncache.set('base', BASE); // used")],
  ['what a function gives that is handed over', withBase('sdk.init(() => ({ base: BASE })); // used')],
  ['what a route of an own server answers', withBase("sdk.get('/config', (req, res) => res.json({ base: BASE })); // used")],
  ['the text of a file', withBase("import fs from 'node:fs';\nfs.writeFileSync('conf', `base=${BASE}`); // used")],
  ['the options of a decorator', withBase('@sdk.Config({ base: BASE }) // used\nclass A {}')],
  [
    'a configuration that a tool reads',
    `const BASE = 'https://api.example.com/v1';\nmodule.exports = { env: { API: BASE } }; // used\nfetch(BASE + '/messages', { headers: { ${key} } });`,
  ],
  ['a list in a loop', withList('for (const path of paths) sdk.serve(path); // used')],
  ['each item of a list', withList('paths.forEach((path) => sdk.serve(path)); // used')],
  ['a part of a list', withList('sdk.serve(paths.filter((path) => path.length > 3)); // used')],
  ['what is made of each item', withList('const all = paths.map((path) => `/own${path}`);\nsdk.serve(all); // used')],
  [
    'the entries of a table',
    `${sdk}const paths = { list: '/v1/messages' };\nfetch('https://api.example.com' + paths.list, { headers: { ${key} } });\nfor (const [name, path] of Object.entries(paths)) sdk.serve(name, path); // used`,
  ],
  ['the names of headers in a loop', withHeaders('for (const name in headers) sdk.allow(name); // used')],
  ['whether a request has the header', withName('export const asks = (req) => H in req.headers; // used')],
  ['a header that is taken apart by its name', withName('export const keyOf = ({ headers: { [H]: key } }) => key; // used')],
  [
    'headers without the key, given by a function',
    withHeaders("const without = ({ 'x-api-key': key, ...rest }) => rest;\nsdk.send(without(headers)); // used"),
  ],
  ['a method of the client', withClient("import { poll } from '@acme/poll';\npoll(api.get, '/other'); // used")],
  [
    'the client, through a function of its own',
    withClient("import { crud } from '@acme/crud';\nconst make = (it) => crud(it); // used\nmake(api);"),
  ],
  ['a path that a switch asks for', wrapped('switch (path) { // used\n  case sdk.path: sdk.count();\n}')],
  ['a path that is looked for', wrapped("if (path.slice(0, 4) === '/v1/') sdk.count(); // used")],
  ['a path that a pattern asks for', wrapped('if (path.match(/^\\/v1\\//)) sdk.count(); // used')],
  ['a path that is told to others', wrapped('sdk.track({ path, at: 1 }); // used')],
  [
    'an exported constant under another name',
    {
      'base.js': based,
      'index.js': "export { BASE as ROOT } from './base.js';\n",
      'main.js': `${sdk}import { ROOT } from './index.js';\nsdk.init(ROOT); // used`,
    },
  ],
  [
    'all exports that a file passes on',
    {
      'base.js': based,
      'index.js': "export * from './base.js';\n",
      'main.js': `${sdk}import * as all from './index.js';\nsdk.init(all); // used`,
    },
  ],
  [
    'a file that is imported later',
    { 'base.js': based, 'main.js': `${sdk}const conf = await import('./base.js');\nsdk.init(conf.BASE); // used` },
  ],
  [
    'a module that is required',
    {
      'base.js': "module.exports = { base: 'https://api.example.com/v1' };\n",
      'call.js': `const conf = require('./base');\nfetch(conf.base + '/messages', { headers: { ${key} } });\n`,
      'main.js': "const sdk = require('@acme/sdk');\nsdk.init(require('./base')); // used",
    },
  ],
  [
    'a route of a server in Nest',
    {
      'path.ts': `export const MESSAGES = '/v1/messages';\nfetch('https://api.example.com' + MESSAGES, { headers: { ${key} } });\n`,
      'server.ts':
        "import { Controller, Get } from '@nestjs/common';\nimport { MESSAGES } from './path';\n@Controller()\nexport class Messages {\n@Get(MESSAGES) all() {} // used\n}",
    },
  ],
  [
    'a text that Nest provides',
    {
      'base.ts': based,
      'module.ts':
        "import { Module } from '@nestjs/common';\nimport { BASE } from './base';\n@Module({ providers: [{ provide: 'BASE', useValue: BASE }] }) // used\nexport class Main {}",
    },
  ],
];

const unused: readonly Row[] = [
  ['shows it in an error', wrapped('', 'if (!answer.ok) throw new Error(`${path} failed`);')],
  [
    'keeps it in an error of its own',
    `class Failed extends Error { constructor(path) { super(path); this.path = path; } }\n${wrapped('', 'if (!answer.ok) throw new Failed(path);')}`,
  ],
  ['writes it to its log', wrapped('this.logger.debug(`GET ${path}`);')],
  ['asks whether it is there', wrapped("if (!path || typeof path !== 'string') throw new TypeError();")],
  [
    'asks for what no edit touches',
    wrapped("if (path === '/health' || !path.startsWith('/') || /^https?:/.test(path)) throw new TypeError();"),
  ],
  ['switches over something else', wrapped('', "switch (answer.status) { case 404: return undefined; default: sdk.log('done'); }")],
  ['gives it back to those who do nothing with it', wrapped('', 'if (!answer.ok) return { path, answer };')],
  ['puts answers where a package keeps them by it', wrapped('', 'const cache = sdk.lru();\ncache.set(path, answer);')],
  ['gives it at the end of a promise that nobody takes', withBase('sdk.ready().then(() => BASE);')],
  [
    'shows the names of what a file exports',
    { 'base.js': based, 'main.js': "import * as all from './base.js';\nconsole.log(Object.keys(all));\n" },
  ],
  ['takes its own arguments in a function that is given nothing of it', withBase('function show() { sdk.track(...arguments); }\nshow(1);')],
  [
    'gives it to a function in which another takes arguments',
    withBase('function go(base) { console.log(base); return function () { sdk.track(...arguments); }; }\ngo(BASE);'),
  ],
  ['keeps answers by it', wrapped('const cache = new Map();\nif (cache.has(path)) return cache.get(path);')],
  [
    'takes other options beside it',
    `export const call = ({ path, retries }) => { if (retries === 3) return undefined; return fetch('https://api.example.com' + path, { headers: { ${key} } }); };\ncall({ path: '/v1/messages', retries: 3 });`,
  ],
  [
    'joins others for code that was not read',
    `${sdk}const join = (base, path) => base + path;\nfetch(join('https://api.example.com', '/v1/messages'), { headers: { ${key} } });\nsdk.init(join('https://other.example.org', '/x'));`,
  ],
  [
    'asks for each of a list',
    `const paths = ['/v1/messages'];\nPromise.all(paths.map((path) => fetch('https://api.example.com' + path, { headers: { ${key} } })));`,
  ],
  [
    'gives Vue a client',
    withClient("import { createApp } from 'vue';\nconst app = createApp({});\napp.config.globalProperties.$http = api;"),
  ],
  [
    'provides a client in Nest',
    withClient(
      "import { Module } from '@nestjs/common';\nexport const Main = Module({ providers: [{ provide: 'API', useFactory: () => api }] });",
    ),
  ],
  [
    'names a client among what a hook hangs on',
    withClient("import { useEffect } from 'react';\nexport const useMessages = () => useEffect(() => void api.get('/messages'), [api]);"),
  ],
  [
    'takes what a function gives from another file',
    {
      'base.ts':
        "const BASE = 'https://api.example.com/v1';\nexport const addressOf = (path) => `${BASE}${path}`;\nexport const all = { list: BASE + '/messages' };\n",
      'main.ts': `import { addressOf, all } from './base';\nfetch(addressOf('/contacts'), { headers: { ${key} } });\nfetch(all.list, { headers: { ${key} } });`,
    },
  ],
  [
    'sets what all requests of a client begin with',
    withClient(
      "const base = 'https://api.example.com/v1';\nconst other = axios.create({ headers: { 'x-api-key': 'k' } });\nother.defaults.baseURL = base;\nother.get('/contacts');",
    ),
  ],
  ['asks in a condition', withBase("sdk.init(BASE ? 'on' : 'off');\nsdk.init(BASE && 'on');")],
  [
    'shows what another file makes of it',
    {
      'base.js': `${based}export const docs = BASE + '/docs';\n`,
      'main.js': "import { docs } from './base.js';\nconsole.log(docs);\n",
    },
  ],
  ['compares a client', withClient('export const isOurs = (other) => other === api;')],
  [
    'registers what keeps the base under a name of its own',
    withBase(
      'class A { _base = BASE; list() { return fetch(this._base + "/contacts", { headers: { "x-api-key": "k" } }); } }\nsdk.register(new A());',
    ),
  ],
  [
    'gives it to a setter that shows it and keeps it',
    withBase('class A { set base(base) { console.log(base); this.kept = base; } }\nconst a = new A();\na.base = BASE;'),
  ],
  ['takes the methods of a client apart', withClient("const { get } = api;\nget('/contacts');")],
  ['exports a function that makes a client', withClient('export const another = () => api;')],
  [
    'registers a class that keeps its client to itself',
    `import { container } from '@acme/container';\nimport axios from 'axios';\nclass Api { private readonly http = axios.create({ baseURL: 'https://api.example.com/v1', headers: { ${key} } }); list() { return this.http.get('/messages'); } }\ncontainer.register(new Api());`,
  ],
  ['exports the constant for nobody in these files', based],
  [
    'goes over a table of paths',
    `const paths = { list: '/v1/messages' };\nfor (const name in paths) fetch('https://api.example.com' + paths[name], { headers: { ${key} } });`,
  ],
];

describe('what code that was not read is given, keeps or compares stays with all that moves with it', () => {
  test.each(used)('%s', async (_title, files) => {
    const { plan } = await planOf(files);

    expect(plan.edits).toEqual([]);
    expect(plan.findings.filter(({ code }) => code === 'escapes').map(({ file, line }) => `${file}:${line}`)).toEqual([placeUsed(files)]);
  });
});

describe('a constant moves where code', () => {
  test.each(unused)('%s', async (_title, files) => {
    const { plan } = await planOf(files);

    expect(plan.findings).toEqual([]);
    expect(plan.edits.length).toBeGreaterThan(0);
  });
});

const filesOf = (files: string | Files): Files => (typeof files === 'string' ? { 'main.ts': files } : files);

async function planOf(files: string | Files): Promise<MigrateResult> {
  const cwd = mkdtempSync(join(tmpdir(), 'escapes-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [file, text] of Object.entries(filesOf(files))) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  return migrate({ paths: ['.'], cwd, v1Base: ['https://api.example.com'], dryRun: true });
}

/** The line that says that it is used. */
function placeUsed(files: string | Files): string | undefined {
  for (const [file, text] of Object.entries(filesOf(files))) {
    const line = text.split('\n').findIndex((each) => each.endsWith('// used'));
    if (line !== -1) return `${file}:${line + 1}`;
  }
  return undefined;
}
