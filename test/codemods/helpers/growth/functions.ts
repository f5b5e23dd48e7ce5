/** Functions of each other, around each other and with many callers. */
import { ask, base, type Grown, main, times } from './pieces.ts';

export const functions: Readonly<Record<string, Grown>> = {
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
  'calls in a chain of conditions': (size) =>
    main(
      base,
      `function run(kind) { ${Array.from({ length: size }, (_, index) => `if (kind === ${index}) { ${ask(`'/v1/messages/${index}'`)} }`).join(' else ')} }`,
    ),
  'calls in the cases of a switch': (size) =>
    main(
      base,
      'function run(kind) { switch (kind) {',
      times(size, (index) => `case 'k${index}': return ${ask(`'/v1/messages/${index}'`)}`),
      '} }',
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
