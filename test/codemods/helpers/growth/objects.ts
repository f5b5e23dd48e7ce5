/** Objects that are spread, written to and read. */
import { ask, base, type Grown, known, main, times } from './pieces.ts';

export const objects: Readonly<Record<string, Grown>> = {
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
  'options that are built up under conditions': (size) =>
    main(
      base,
      "export function send(o) { let init = { headers: { 'x-api-key': key } };",
      times(size, (index) => `if (o.h${index}) init = { ...init, headers: { ...init.headers, h${index}: o.h${index} } };`),
      "return fetch(base + '/v1/messages', init); }",
    ),
  'states that a reducer gives back': (size) =>
    main(
      base,
      "function reducer(state = { base, path: '/v1/messages' }, action) { switch (action.type) {",
      times(
        size,
        (index) =>
          `case 'a${index}': return { ...state, a${index}: 1, nested: { ...state.nested, b${index}: { ...state.nested.b${index}, x: 1 } } };`,
      ),
      'default: return state; } }',
      'let state = reducer(undefined, {});',
      'const dispatch = (action) => { state = reducer(state, action); };',
      times(size, (index) => `dispatch({ type: 'a${index}' });`),
      'fetch(state.base + state.path, { headers: { "x-api-key": key } });',
    ),
  'a state that is spread by whatever sets it': (size) =>
    main(
      base,
      "let state = { base, path: '/v1/messages' };",
      times(size, (index) => `export function set${index}(v) { state = { ...state, b${index}: v }; }`),
      'fetch(state.base + state.path, { headers: { "x-api-key": key } });',
    ),
  'headers that are spread under conditions': (size) =>
    main(
      base,
      "export function send(o) { let headers = { 'x-api-key': key };",
      times(size, (index) => `if (o.h${index}) headers = { ...headers, h${index}: o.h${index} };`),
      "return fetch(base + '/v1/messages', { headers }); }",
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
