/** Files that export on, share a client, or hold much that nobody asks about. */
import { ask, base, type Grown, known, main, times } from './pieces.ts';

const beside =
  (row: (index: number) => string): Grown =>
  (size) =>
    main(base, `export const data = [\n${times(size, row)}\n];`, known);
const mocked =
  (library: string, mock: (index: number) => string): Grown =>
  (size) =>
    main(`import ${library} from '${library}';`, times(size, mock));

/** What says v1 in every row, and nobody asks for. */
export const data: Readonly<Record<string, Grown>> = {
  'data beside': beside((index) => `{ id: ${index}, name: 'n${index}', path: '/v1/contacts/${index}', tags: ['a', 'b'] },`),
  'names of the header beside': beside((index) => `{ id: ${index}, header: 'x-api-key' },`),
  'addresses of ours beside': beside((index) => `{ id: ${index}, url: 'https://api.example.com/v1/contacts/${index}' },`),
  'messages in a function beside': (size) =>
    main(
      base,
      'export function log() {',
      times(size, (index) => `console.log('/v1/contacts/${index}');`),
      '}',
      known,
    ),
  'comparisons with paths beside': (size) =>
    main(
      base,
      'export function of(path) {',
      times(size, (index) => `if (path === '/v1/contacts/${index}') return ${index};`),
      '}',
      known,
    ),
  'what else a base may be': (size) =>
    main(
      `const base = ${Array.from({ length: size }, (_, index) => `process.env.URL_${index}`).join(' || ')} || 'https://api.example.com';`,
      known,
    ),
  'mocks that nobody is seen to ask for': mocked(
    'nock',
    (index) => `nock('https://api.example.com').get('/v1/contacts/${index}').reply(200, {});`,
  ),
};

export const files: Readonly<Record<string, Grown>> = {
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
  'instances of a class with a dozen methods': (size) => ({
    'client.js': `export class Client { constructor({ key, base = 'https://api.example.com' }) { this.key = key; this.base = base; } ask(path) { return fetch(this.base + path, { headers: { 'x-api-key': this.key } }); }\n${times(12, (index) => `one${index}(id) { return this.ask('/v1/messages/' + id + '?page=${index}'); }`)} }`,
    'main.js': `import { Client } from './client.js';\n${times(size, (index) => `export const c${index} = new Client({ key: process.env.KEY${index}, base: 'https://api.example.com' });`)}`,
  }),
  'many constants of one file': (size) => ({
    'paths.js': times(size, (index) => `export const p${index} = '/v1/p${index}';`),
    'main.js': `import * as paths from './paths.js'; ${base}\n${times(size, (index) => ask(`paths.p${index}`))}`,
  }),
  ...data,
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
