import { expect, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';
import { treeOf } from '../find/tree.ts';

const call = "fetch('https://api.example.com/v1/messages', { headers: { 'x-api-key': process.env.KEY } });";

/** What the ledger says of the second line. */
async function entriesOf(line: string): Promise<string[]> {
  using tree = treeOf({ 'a.js': `${call}\n${line}\n` });
  const { plan } = await migrate({ paths: ['.'], cwd: tree.root, v1Base: ['https://api.example.com'], dryRun: true });
  return plan.ledger.filter((entry) => entry.line === 2).map(({ state, reason }) => `${state} ${reason}`);
}

test.each([
  ['SQL', `query("SELECT 1 FROM calls WHERE path = '/v1/messages' LIMIT 1");`],
  ['the header in a command', `log('curl -H "X-API-Key: $KEY" https://gateway.test');`],
  ['a path behind another version', `log('/v1/relay/v1/messages');`],
])('the ledger has what stands in the middle of a text: %s', async (_what, line) => {
  expect(await entriesOf(line)).toEqual(['foreign no-call']);
});

test('the ledger has a message that tells a route of v1, beside a call that moves, as what a person has to decide', async () => {
  expect(await entriesOf('log(`POST /v1/messages/send failed with ${status}`);')).toEqual(['person mentioned']);
});

test('the ledger has a regular expression that nobody is seen to use, beside a call that moves, as what a person has to decide', async () => {
  expect(await entriesOf(String.raw`const route = /^\/v1\/messages$/;`)).toEqual(['person unconsumed']);
});

test('the ledger has a path that is compared as what a person has to decide', async () => {
  expect(await entriesOf(`if (path.startsWith('/v1/messages')) log(path);`)).toEqual(['person repeats-path']);
});

const reader = `const suffix = (headers) => headers['x-api-key'].slice(-4);`;

test.each([
  ['the program itself put there as its own', `const own = { 'x-api-key': key };\nsuffix(own);`, 'person unconsumed'],
  ['arrives as of a server', `serve((request) => suffix(request.headers));`, 'foreign own-server'],
  [
    'is the one or the other as of a server',
    `suffix({ 'x-api-key': key });\nserve((request) => suffix(request.headers));`,
    'foreign own-server',
  ],
  ['is given to others that call it as of a server', `suffix({ 'x-api-key': key });\napp.use(suffix);`, 'foreign own-server'],
])('the ledger has a key that a function reads and %s', async (_what, calls, entry) => {
  expect(await entriesOf(`${reader}\n${calls}`)).toEqual([entry]);
});

test('the ledger has a key that a handler reads as of a server, even if the program calls it to try it', async () => {
  const handler = `const handler = (event) => event.headers['x-api-key'];`;
  expect(await entriesOf(`${handler}\nhandler({ headers: { 'x-api-key': key } });`)).toEqual(['foreign own-server']);
});

test('the ledger has a version that stands by itself, where the calls that have it stay', async () => {
  const settings = `const api = { host: 'https://api.example.com', version: 'v1' };`;
  const use = 'handed(() => fetch(`${api.host}/${api.version}/contacts`));';
  expect(await entriesOf(`${settings} ${use}`)).toEqual(['person key-not-found']);
});

test('the ledger says of what a comment settles that a comment does', async () => {
  expect(await entriesOf(`if (path.startsWith('/v1/messages')) log(path); // migrate-v2-ignore: ours`)).toEqual(['person ignored']);
});

test.each([`log('/v1/messenger');`, `log('max-x-api-key-length');`, `log('/api/v10/messages');`])(
  'the ledger has no place for %s',
  async (line) => {
    expect(await entriesOf(line)).toEqual([]);
  },
);

test('the ledger has the header that an interceptor sets on what has a path of v1 as what belongs to the calls that are held for it', async () => {
  using tree = treeOf({
    'key.ts': `import { HttpInterceptor, HTTP_INTERCEPTORS } from '@angular/common/http';
export class Key implements HttpInterceptor {
  intercept(req, next) { if (req.url.includes('/v1/')) { req = req.clone({
    headers: req.headers.set('x-api-key', key) }); } return next.handle(req); }
}
export const other = (headers) =>
  headers.set('x-api-key', 'other');
export const providers = [{ provide: HTTP_INTERCEPTORS, useClass: Key, multi: true }];`,
    'contacts.ts': `import { HttpClient } from '@angular/common/http';
export class Contacts { constructor(private http: HttpClient) {} one(id) { return this.http.get('https://api.example.com/v1/contacts/' + id); } }`,
  });
  const { plan } = await migrate({ paths: ['.'], cwd: tree.root, v1Base: ['https://api.example.com'], dryRun: true });
  const states = plan.ledger.filter(({ file }) => file === 'key.ts').map(({ line, state, reason }) => `${line} ${state} ${reason}`);
  expect(states).toEqual(['3 person decides-by-path', '4 person decides-by-path', '7 foreign no-call']);
});

const builder = `class Asking {
  static to(origin) { return new Asking(origin); }
  constructor(origin) { this.origin = origin; this.headers = {}; this.segments = []; }
  path(...segments) { this.segments.push(...segments); return this; }
  header(name, value) { this.headers[name] = value; return this; }
  send() { return fetch(this.origin + '/' + this.segments.join('/'), { headers: this.headers }); }
}`;

test.each([
  ['with a base of ours as what stays with that', 'https://api.example.com', 'person dynamic-path'],
  ['with another base as of another host', 'https://rooms.test', 'foreign other-host'],
])('the ledger has a key that a builder is given in one chain %s', async (_what, origin, state) => {
  const chains = [origin, 'https://api.example.com', 'https://rooms.test'].map(
    (base) => `Asking.to('${base}').path('v1', 'contacts').header('x-api-key', key).send();`,
  );
  using tree = treeOf({
    'builder.js': `${builder}\nexports.Asking = Asking;\n`,
    'a.js': [`const { Asking } = require('./builder');`, ...chains].join('\n'),
  });
  const { plan } = await migrate({ paths: ['.'], cwd: tree.root, v1Base: ['https://api.example.com'], dryRun: true });
  expect(plan.ledger.filter((entry) => entry.line === 2).map((entry) => `${entry.state} ${entry.reason}`)).toEqual([state]);
});

test('the ledger has a key that a builder is given in one chain with a base of ours as what stays with a route that v1 lacks', async () => {
  const known = builder.replace(`this.segments.join('/')`, `'v1/rooms'`);
  const chains = ['https://api.example.com', 'https://rooms.test'].map((base) => `Asking.to('${base}').header('x-api-key', key).send();`);
  using tree = treeOf({
    'builder.js': `${known}\nexports.Asking = Asking;\n`,
    'a.js': [`const { Asking } = require('./builder');`, ...chains].join('\n'),
  });
  const { plan } = await migrate({ paths: ['.'], cwd: tree.root, v1Base: ['https://api.example.com'], dryRun: true });
  expect(plan.ledger.filter((entry) => entry.line === 2).map((entry) => `${entry.state} ${entry.reason}`)).toEqual([
    'person unknown-route',
  ]);
});

const asking = {
  'settings.js': `export const settings = {
  base: process.env.TEXTS_URL ?? undefined };`,
  'client.js': `export const ask = (url) => fetch(url, { headers: { 'x-api-key': key } });`,
  'send.js': `import { ask } from './client.js';
import { settings } from './settings.js';
export const list = () => ask(
  \`\${settings.base}/messages\`);
export const rooms = () => ask(
  \`\${settings.base}/rooms\`);`,
  'axios.js': `import axios from 'axios';
export const clientOf = (url, key) => axios.create({
  baseURL: url,
  headers: { 'x-api-key': key } });`,
  'contacts.js': `import { clientOf } from './axios.js';
export const one = ({ body }) =>
  clientOf(body.url, body.key).get('/v1/contacts');`,
};

test.each([
  ['with it', {}, ['axios.js 3', 'axios.js 4', 'client.js 1', 'contacts.js 3', 'send.js 4', 'settings.js 2']],
  ['no more where it is proven', { '.env': 'TEXTS_URL=https://api.example.com/v1\n' }, ['axios.js 3', 'axios.js 4', 'contacts.js 3']],
  [
    'as nothing of ours where it is another',
    { 'settings.js': `export const settings = { base: 'https://rooms.test/v1' };` },
    ['axios.js 3', 'axios.js 4', 'contacts.js 3'],
  ],
])('the ledger has paths and bases that a call whose base is not known has from elsewhere %s', async (_what, more, lines) => {
  using tree = treeOf({ ...asking, ...more });
  const { plan } = await migrate({ paths: ['.'], cwd: tree.root, v1Base: ['https://api.example.com'], dryRun: true });
  const open = plan.ledger.filter(({ reason }) => reason === 'base-not-proven').map(({ file, line }) => `${file} ${line}`);
  expect([...new Set(open)].toSorted()).toEqual(lines);
});
