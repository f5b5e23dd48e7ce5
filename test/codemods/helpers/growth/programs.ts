/** Programs of any size: each is twice as long for twice the size, and nothing in it should cost more than that. */

export type Files = Readonly<Record<string, string>>;
/** @param size how often what is to grow stands in it */
export type Grown = (size: number) => Files;

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('\n');
const main = (...lines: readonly string[]): Files => ({ 'main.js': lines.join('\n') });

const base = "const base = 'https://api.example.com';";
const ask = (path: string): string => `fetch(base + ${path}, { headers: { 'x-api-key': key } });`;
const known = ask("'/v1/messages'");

const objects: Readonly<Record<string, Grown>> = {
  'spreads under conditions over what is read from a header': (size) =>
    main(
      base,
      "let config = JSON.parse(headers['x-config']); config.input = d.input;",
      times(size, (index) => `if (p === A${index}) config = { ...config, ...a${index} };`),
      "fetch(base + '/v1/messages', { headers: config });",
    ),
  'spreads of the object before under conditions': (size) =>
    main(
      base,
      'const o0 = { a: 1 };',
      times(size, (index) => `const o${index + 1} = flag ? { ...o${index}, a: ${index} } : o${index};`),
      ask(`o${size}.a`),
    ),
  'spreads in spreads': (size) =>
    main(
      base,
      "const o0 = { 'x-api-key': key };",
      times(size, (index) => `const o${index + 1} = { ...o${index}, a${index}: ${index} };`),
      `fetch(base + '/v1/messages', { headers: o${size} });`,
    ),
  'tables of paths': (size) =>
    main(base, `const paths = {\n${times(size, (index) => `p${index}: '/v1/p${index}',`)}\n};`, ask('paths[name]'), known),
  'tables in tables': (size) =>
    main(
      base,
      `const paths = {\n${times(size, (index) => `p${index}: { list: '/v1/p${index}', one: { path: '/v1/p${index}/' } },`)}\n};`,
      ask('paths[a].one.path'),
    ),
  'a table that is read by each name': (size) =>
    main(
      base,
      `const paths = {\n${times(size, (index) => `p${index}: '/v1/p${index}',`)}\n};`,
      times(size, (index) => ask(`paths.p${index}`)),
    ),
  'writes into one object': (size) =>
    main(
      base,
      'const o = {};',
      times(size, (index) => `o.p${index} = '/v1/p${index}';`),
      ask('o.p0'),
    ),
  'writes into one property': (size) =>
    main(
      base,
      'const o = {};',
      times(size, (index) => `if (flag) o.path = '/v1/p${index}';`),
      ask('o.path'),
    ),
  'writes into one object that is read by each name': (size) =>
    main(
      base,
      'const o = {};',
      times(size, (index) => `o.p${index} = '/v1/p${index}';`),
      times(size, (index) => ask(`o.p${index}`)),
    ),
  'Object.assign after Object.assign': (size) =>
    main(
      base,
      'const o0 = {};',
      times(size, (index) => `const o${index + 1} = Object.assign({}, o${index}, { p${index}: 'x' });`),
      ask(`o${size}.p0`),
    ),
  'Object.assign into one object': (size) =>
    main(
      base,
      'const o = {};',
      times(size, (index) => `Object.assign(o, { p${index}: '/v1/x' });`),
      ask('o.p0'),
    ),
  'other names for one object': (size) =>
    main(
      base,
      "const o0 = { path: '/v1/messages' };",
      times(size, (index) => `const o${index + 1} = o${index}; o${index + 1}.a${index} = 1;`),
      ask('o0.path'),
    ),
};

const texts: Readonly<Record<string, Grown>> = {
  'assignments to one variable': (size) =>
    main(
      base,
      'let path;',
      times(size, (index) => `if (flag) path = '/v1/p${index}';`),
      ask('path'),
    ),
  'assignments to one variable that is read after each': (size) =>
    main(
      base,
      'let path;',
      times(size, (index) => `path = '/v1/p${index}'; ${ask('path')}`),
    ),
  'texts that are put after': (size) =>
    main(
      base,
      "let path = '/v1';",
      times(size, (index) => `path += '/p${index}';`),
      ask('path'),
    ),
  'a chain of plus': (size) =>
    main(base, `const path = ${Array.from({ length: size }, (_, index) => `p${index}`).join(' + ')};`, ask('path')),
  'a chain of plus over conditions': (size) =>
    main(base, `const path = ${Array.from({ length: size }, (_, index) => `(f${index} ? 'a' : 'b')`).join(' + ')};`, ask('path')),
  'a chain of or': (size) =>
    main(base, `const path = ${Array.from({ length: size }, (_, index) => `p.p${index}`).join(' || ')} || '/v1/messages';`, ask('path')),
  'a chain of ??': (size) =>
    main(base, `const path = ${Array.from({ length: size }, (_, index) => `p.p${index}`).join(' ?? ')} ?? '/v1/messages';`, ask('path')),
  'a chain of conditions': (size) =>
    main(
      base,
      `const path = ${Array.from({ length: size }, (_, index) => `f${index} ? '/v1/p${index}' :`).join(' ')} '/v1/messages';`,
      ask('path'),
    ),
  'constants of constants': (size) =>
    main(
      base,
      "const p0 = '/v1/messages';",
      times(size, (index) => `const p${index + 1} = p${index};`),
      ask(`p${size}`),
    ),
  'constants that double': (size) =>
    main(
      base,
      "const p0 = flag ? '/a' : '/b';",
      times(size, (index) => `const p${index + 1} = p${index} + p${index};`),
      ask(`p${size}`),
    ),
  'a union of literals': (size) =>
    main(base, `const path = [${Array.from({ length: size }, (_, index) => `'/v1/p${index}'`).join(', ')}][index];`, ask('path'), known),
  'a switch': (size) =>
    main(
      base,
      'let path; switch (kind) {',
      times(size, (index) => `case ${index}: path = '/v1/p${index}'; break;`),
      '}',
      ask('path'),
    ),
};

const functions: Readonly<Record<string, Grown>> = {
  'functions of each other': (size) =>
    main(
      base,
      times(size, (index) => `function f${index}(x) { return x ? f${(index + 1) % size}(x + '/a') : '/v1/messages'; }`),
      ask('f0(1)'),
    ),
  'functions that call two others': (size) =>
    main(
      base,
      times(size, (index) => `function f${index}(a, b) { return f${index + 1}(a, b) + f${index + 1}(b, a); }`),
      `function f${size}(a, b) { return a + b; }`,
      ask("f0('a', 'b')"),
    ),
  'functions that ask and call two others': (size) =>
    main(
      base,
      times(size, (index) => `function f${index}(a) { f${index + 1}(a + '/x'); f${index + 1}(a + '/y'); }`),
      `function f${size}(a) { ${ask('a')} }`,
      "f0('/v1');",
    ),
  'wrappers around wrappers': (size) =>
    main(
      base,
      `const f0 = (path) => ${ask('path')}`,
      times(size, (index) => `const f${index + 1} = (path) => f${index}('/a' + path);`),
      `f${size}('/v1/messages');`,
    ),
  'a wrapper with many callers': (size) =>
    main(
      base,
      `const get = (path) => ${ask('path')}`,
      times(size, (index) => `get('/v1/p${index}');`),
    ),
  'three wrappers with many callers': (size) =>
    main(
      base,
      `const a = (path) => ${ask('path')}`,
      'const b = (path) => a(path);',
      'const c = (path) => b(path);',
      times(size, (index) => `c('/v1/p${index}');`),
    ),
  'a wrapper of two parameters with many callers': (size) =>
    main(
      `const get = (base, path) => ${ask('path')}`,
      times(size, (index) => `get('https://h${index}.example.com', '/v1/p${index}');`),
    ),
  'functions that are given to functions': (size) =>
    main(
      base,
      'const run = (fn) => fn();',
      times(size, (index) => `run(() => ${ask(`'/v1/p${index}'`).slice(0, -1)});`),
    ),
  'closures in closures': (size) =>
    main(base, `const f = ${Array.from({ length: size }, (_, index) => `(a${index}) =>`).join(' ')} ${ask('a0').slice(0, -1)};`),
};

const classes: Readonly<Record<string, Grown>> = {
  'classes under each other': (size) =>
    main(
      base,
      'class C0 { get() { return this.path; } }',
      times(size, (index) => `class C${index + 1} extends C${index} { p${index} = '/v1'; }`),
      `class D extends C${size} { path = '/v1/messages'; }`,
      ask('new D().get()'),
    ),
  'classes beside each other': (size) =>
    main(
      base,
      `class C { get() { ${ask('this.path')} } }`,
      times(size, (index) => `class C${index} extends C { path = '/v1/p${index}'; }\nnew C${index}().get();`),
    ),
  'fields that set each other': (size) =>
    main(
      base,
      'class C { constructor() { this.f0 = "/v1/messages"; }',
      times(size, (index) => `m${index}() { this.f${index + 1} = this.f${index}; }`),
      '}',
      ask(`new C().f${size}`),
    ),
  'fields of other classes': (size) =>
    main(
      base,
      times(size, (index) => `class C${index} { constructor() { this.next = new C${index + 1}(); this.path = this.next.path; } }`),
      `class C${size} { path = '/v1/messages'; }`,
      ask('new C0().path'),
    ),
  'fields that are set from outside': (size) =>
    main(
      base,
      "class C { path = '/v1/messages'; }",
      'const c = new C();',
      times(size, (index) => `c.p${index} = '${index}'; if (flag) c.path = '/v1/p${index}';`),
      ask('c.path'),
    ),
  'methods that call methods': (size) =>
    main(
      base,
      'class C {',
      times(size, (index) => `m${index}(x) { return this.m${index + 1}(x); }`),
      `m${size}(x) { return x; } }`,
      ask("new C().m0('/v1/messages')"),
    ),
  'methods of one name in many classes': (size) =>
    main(
      base,
      times(size, (index) => `class C${index} { get() { return '/v1/p${index}'; } }`),
      times(size, (index) => ask(`new C${index}().get()`)),
    ),
};

const files: Readonly<Record<string, Grown>> = {
  're-exports in a circle': (size) => ({
    ...Object.fromEntries(
      Array.from({ length: size }, (_, index) => [
        `f${index}.js`,
        `export * from './f${(index + 1) % size}.js'; export const p${index} = '/v1/p${index}';`,
      ]),
    ),
    'main.js': `import { p0, p${size - 1}, nowhere } from './f0.js'; ${base} ${ask('p0')} ${ask('nowhere')} ${ask(`p${size - 1}`)}`,
  }),
  're-exports one after the other': (size) => ({
    ...Object.fromEntries(Array.from({ length: size }, (_, index) => [`f${index}.js`, `export { path } from './f${index + 1}.js';`])),
    [`f${size}.js`]: "export const path = '/v1/messages';",
    'main.js': `import { path } from './f0.js'; ${base} ${ask('path')}`,
  }),
  'an index of all files': (size) => ({
    ...Object.fromEntries(Array.from({ length: size }, (_, index) => [`f${index}.js`, `export const p${index} = '/v1/p${index}';`])),
    'index.js': times(size, (index) => `export * from './f${index}.js';`),
    ...Object.fromEntries(
      Array.from({ length: size }, (_, index) => [`g${index}.js`, `import { p${index} } from './index.js'; ${base} ${ask(`p${index}`)}`]),
    ),
  }),
  'a client that all files share': (size) => ({
    'client.js':
      "import axios from 'axios'; export const api = axios.create({ baseURL: 'https://api.example.com', headers: { 'x-api-key': process.env.KEY } });",
    ...Object.fromEntries(
      Array.from({ length: size }, (_, index) => [
        `f${index}.js`,
        `import { api } from './client.js'; export const get${index} = (id) => api.get('/v1/messages/' + id);`,
      ]),
    ),
  }),
  'a class of a client that all files share': (size) => ({
    'client.js': `export class Client { constructor(key) { this.key = key; } get(path) { return fetch('https://api.example.com' + path, { headers: { 'x-api-key': this.key } }); } }`,
    ...Object.fromEntries(
      Array.from({ length: size }, (_, index) => [
        `f${index}.js`,
        `import { Client } from './client.js'; export const get${index} = (id) => new Client(process.env.KEY).get('/v1/messages/' + id);`,
      ]),
    ),
  }),
  'many constants of one file': (size) => ({
    'paths.js': times(size, (index) => `export const p${index} = '/v1/p${index}';`),
    'main.js': `import * as paths from './paths.js'; ${base}\n${times(size, (index) => ask(`paths.p${index}`))}`,
  }),
};

const text: Readonly<Record<string, Grown>> = {
  'data beside': (size) =>
    main(
      base,
      `export const data = [\n${times(size, (index) => `{ id: ${index}, name: 'n${index}', path: '/p/${index}', tags: ['a', 'b'] },`)}\n];`,
      known,
    ),
  'a bundle': (size) =>
    main(
      times(
        size,
        (index) =>
          `var r${index}=function(e,t){var n=e||{},i=t&&t.u||"/v2/"+n.a;return n.b=i,r${Math.max(index - 1, 0)}===e?n:{...n,c:i+"/"+${index}}};`,
      ).replaceAll('\n', ''),
      known.replace('base', "'https://api.example.com'"),
    ),
  'requests of others': (size) =>
    main(
      base,
      times(size, (index) => `fetch('https://other${index}.example.com/v1/messages', { headers: { 'x-api-key': key } });`),
      known,
    ),
  'requests of ours': (size) =>
    main(
      base,
      times(size, () => known),
    ),
};

/** By what grows in them. */
export const programs: Readonly<Record<string, Grown>> = { ...objects, ...texts, ...functions, ...classes, ...files, ...text };
