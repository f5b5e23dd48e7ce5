import { row, table } from '../helpers/values/table.ts';

const paths = `export const list = '/v1/messages';`;

table('modules', [
  row('a name of another file', { 'p.ts': paths, 'main.ts': `import { list } from './p'; ask(list);` }, '"/v1/messages"'),
  row(
    'a name that is called otherwise here',
    { 'p.ts': paths, 'main.ts': `import { list as all } from './p'; ask(all);` },
    '"/v1/messages"',
  ),
  row(
    'a name that is called otherwise there',
    { 'p.ts': `const l = '/v1'; export { l as list };`, 'main.ts': `import { list } from './p'; ask(list);` },
    '"/v1"',
  ),
  row('the default', { 'p.ts': `export default '/v1';`, 'main.ts': `import p from './p'; ask(p);` }, '"/v1"'),
  row('the default that is an object', { 'p.ts': `export default { a: '1' };`, 'main.ts': `import p from './p'; ask(p.a);` }, '"1"'),
  row(
    'the default that is a function',
    { 'p.ts': `export default function (x) { return '/v1' + x; }`, 'main.ts': `import p from './p'; ask(p('/a'));` },
    '"/v1/a"',
  ),
  row(
    'the default that is a class',
    { 'p.ts': `export default class { a = '1'; }`, 'main.ts': `import P from './p'; ask(new P().a);` },
    '"1"',
  ),
  row(
    'the default by its name',
    { 'p.ts': `const a = '/v1'; export { a as default };`, 'main.ts': `import p from './p'; ask(p);` },
    '"/v1"',
  ),
  row('all names', { 'p.ts': paths, 'main.ts': `import * as p from './p'; ask(p.list);` }, '"/v1/messages"'),
  row(
    'all names and one of them by something unknown',
    { 'p.ts': `export const a = '1'; export const b = '2';`, 'main.ts': `import * as p from './p'; ask(p[input.id]);` },
    '"1" | "2"',
  ),
  row(
    'a name that a file exports on',
    { 'p.ts': paths, 'i.ts': `export { list } from './p';`, 'main.ts': `import { list } from './i'; ask(list);` },
    '"/v1/messages"',
  ),
  row(
    'a name that a file exports on as another',
    { 'p.ts': paths, 'i.ts': `export { list as all } from './p';`, 'main.ts': `import { all } from './i'; ask(all);` },
    '"/v1/messages"',
  ),
  row(
    'all that a file exports on',
    { 'p.ts': paths, 'i.ts': `export * from './p';`, 'main.ts': `import { list } from './i'; ask(list);` },
    '"/v1/messages"',
  ),
  row(
    'all that a file exports on under a name',
    { 'p.ts': paths, 'i.ts': `export * as p from './p';`, 'main.ts': `import { p } from './i'; ask(p.list);` },
    '"/v1/messages"',
  ),
  row(
    'a name of its own before those exported on',
    { 'p.ts': paths, 'i.ts': `export * from './p'; export const list = '/own';`, 'main.ts': `import { list } from './i'; ask(list);` },
    '"/own"',
  ),
  row(
    'what is imported and exported',
    { 'p.ts': paths, 'i.ts': `import { list } from './p'; export { list };`, 'main.ts': `import { list } from './i'; ask(list);` },
    '"/v1/messages"',
  ),
  row(
    'the default that is exported on under a name',
    { 'p.ts': `export default '/v1';`, 'i.ts': `export { default as p } from './p';`, 'main.ts': `import { p } from './i'; ask(p);` },
    '"/v1"',
  ),
  row(
    'three files deep',
    { 'a.ts': paths, 'b.ts': `export * from './a';`, 'c.ts': `export * from './b';`, 'main.ts': `import { list } from './c'; ask(list);` },
    '"/v1/messages"',
  ),
  row('a folder by its index', { 'p/index.ts': paths, 'main.ts': `import { list } from './p'; ask(list);` }, '"/v1/messages"'),
  row(
    'a variable that is exported and changed',
    {
      'p.ts': `export let base = '/a'; export const set = () => { base = '/b'; };`,
      'main.ts': `import { base, set } from './p'; set(); ask(base);`,
    },
    '"/a" | "/b"',
  ),
  row(
    'a variable that is exported and changed to what is given',
    {
      'p.ts': `export let base = '/a'; export const set = (x) => { base = x; };`,
      'main.ts': `import { base, set } from './p'; set('/b'); ask(base);`,
    },
    '"/a" | "/b"',
  ),
  row(
    'a function of another file',
    { 'f.ts': `export const f = (x) => '/v1' + x;`, 'main.ts': `import { f } from './f'; ask(f('/a'));` },
    '"/v1/a"',
  ),
  row(
    'a question in another file',
    { 'f.ts': `export const f = (x) => ask('/v1' + x);`, 'main.ts': `import { f } from './f'; f('/a');` },
    '"/v1/a"',
  ),
  row(
    'a question in another file from two',
    {
      'f.ts': `export const f = (x) => ask(x);`,
      'g.ts': `import { f } from './f'; f('/g');`,
      'main.ts': `import './g'; import { f } from './f'; f('/a');`,
    },
    '"/a" | "/g"',
  ),
  row(
    'a class of another file',
    { 'c.ts': `export class C { constructor(readonly a) {} }`, 'main.ts': `import { C } from './c'; ask(new C('1').a);` },
    '"1"',
  ),
  row('an enum of another file', { 'e.ts': `export enum E { A = '/a' }`, 'main.ts': `import { E } from './e'; ask(E.A);` }, '"/a"'),
  row('a name by a pattern', { 'p.ts': `export const { a } = { a: '1' };`, 'main.ts': `import { a } from './p'; ask(a);` }, '"1"'),
  row('an import that waits', { 'p.ts': paths, 'main.ts': `const p = await import('./p'); ask(p.list);` }, '"/v1/messages"'),
  row(
    'an import that waits, by a pattern',
    { 'p.ts': paths, 'main.ts': `const { list } = await import('./p'); ask(list);` },
    '"/v1/messages"',
  ),
  row(
    'files that import each other',
    {
      'a.ts': `import { b } from './b'; export const a = '/a'; export const ab = () => a + b;`,
      'b.ts': `import { a } from './a'; export const b = '/b'; export const ba = () => b + a;`,
      'main.ts': `import { ab } from './a'; import { ba } from './b'; ask(ab() + ba());`,
    },
    '"/a/b/b/a"',
  ),
  row(
    'files that export each other on come to an end',
    {
      'a.ts': `export * from './b'; export const a = '/a';`,
      'b.ts': `export * from './a'; export const b = '/b';`,
      'main.ts': `import { a } from './b'; ask(a);`,
    },
    '"/a"',
  ),
  row(
    'a name that no file has is unknown',
    { 'a.ts': `export * from './b';`, 'b.ts': `export * from './a';`, 'main.ts': `import { a } from './b'; ask(a);` },
    '?',
  ),
  row('a file that is not there is unknown', `import { a } from './nowhere'; ask(a);`, '?', { isOnlyRead: true }),
  row('a package is known by its name', `import axios from 'axios'; ask(axios);`, 'axios', { isOnlyRead: true }),
  row('a name of a package', `import { create } from 'axios'; ask(create);`, 'axios.create', { isOnlyRead: true }),
  row(
    'what is written into all exports',
    { 'p.js': `exports.base = '/a';`, 'main.ts': `const p = require('./p'); p.base = '/b'; ask(p.base);` },
    '"/a" | "/b"',
  ),
]);

table('CommonJS and JSON', [
  row('exports by their names', { 'p.js': `exports.list = '/v1';`, 'main.ts': `const p = require('./p'); ask(p.list);` }, '"/v1"'),
  row('exports of module', { 'p.js': `module.exports.list = '/v1';`, 'main.ts': `const { list } = require('./p'); ask(list);` }, '"/v1"'),
  row(
    'an object for all exports',
    { 'p.js': `module.exports = { list: '/v1' };`, 'main.ts': `const p = require('./p'); ask(p.list);` },
    '"/v1"',
  ),
  row('a function for all exports', { 'p.js': `module.exports = (x) => '/v1' + x;`, 'main.ts': `ask(require('./p')('/a'));` }, '"/v1/a"'),
  row(
    'a class for all exports',
    { 'p.js': `module.exports = class { a = '1'; };`, 'main.ts': `const P = require('./p'); ask(new P().a);` },
    '"1"',
  ),
  row('a text for all exports', { 'p.js': `module.exports = '/v1';`, 'main.ts': `ask(require('./p'));` }, '"/v1"'),
  row(
    'exports on',
    { 'p.js': `exports.list = '/v1';`, 'i.js': `exports.list = require('./p').list;`, 'main.ts': `ask(require('./i').list);` },
    '"/v1"',
  ),
  row(
    'all exports on',
    { 'p.js': `exports.list = '/v1';`, 'i.js': `module.exports = require('./p');`, 'main.ts': `ask(require('./i').list);` },
    '"/v1"',
  ),
  row(
    'a spread of exports',
    {
      'p.js': `module.exports = { list: '/v1' };`,
      'i.js': `module.exports = { ...require('./p'), one: '/1' };`,
      'main.ts': `ask(require('./i').list);`,
    },
    '"/v1"',
  ),
  row('an import of all exports', { 'p.js': `module.exports = { list: '/v1' };`, 'main.ts': `import p from './p'; ask(p.list);` }, '"/v1"'),
  row(
    'an import of a name of all exports',
    { 'p.js': `module.exports = { list: '/v1' };`, 'main.ts': `import { list } from './p'; ask(list);` },
    '"/v1"',
  ),
  row('exports and default', { 'p.js': `exports.default = '/v1';`, 'main.ts': `ask(require('./p').default);` }, '"/v1"'),
  row(
    'files that require each other',
    {
      'a.js': `exports.a = '/a'; const b = require('./b'); exports.ab = () => exports.a + b.b;`,
      'b.js': `exports.b = '/b'; require('./a');`,
      'main.ts': `ask(require('./a').ab());`,
    },
    '"/a/b"',
  ),
  row(
    'a require within a function',
    { 'p.js': `exports.list = '/v1';`, 'main.ts': `const get = () => require('./p'); ask(get().list);` },
    '"/v1"',
  ),
  row(
    'a require under a condition',
    {
      'a.js': `module.exports = '/a';`,
      'b.js': `module.exports = '/b';`,
      'main.ts': `const p = flag ? require('./a') : require('./b'); ask(p);`,
    },
    '"/a" | "/b"',
  ),
  row('a require of something unknown', `const p = require(input.path); ask(p);`, '?', { isOnlyRead: true }),
  row(
    'JSON',
    { 'p.json': `{ "base": "/v1", "list": ["a"] }`, 'main.ts': `import p from './p.json'; ask(p);` },
    '{ base: "/v1", list: ["a"] }',
  ),
  row('JSON by require', { 'p.json': `{ "api": { "base": "/v1" } }`, 'main.ts': `ask(require('./p.json').api.base);` }, '"/v1"'),
  row('JSON by a name', { 'p.json': `{ "base": "/v1" }`, 'main.ts': `import { base } from './p.json'; ask(base);` }, '"/v1"'),
]);
