import { row, table } from '../helpers/values/table.ts';

table('closures', [
  row('a function knows what is around it', `const base = '/v1'; const f = () => base; ask(f());`, '"/v1"'),
  row('a function knows the parameters around it', `const make = (base) => () => base + '/x'; ask(make('/v1')());`, '"/v1/x"'),
  row(
    'two of the same function know each its own',
    `const make = (base) => (x) => base + x; const a = make('/a'); const b = make('/b'); ask(a('/x') + b('/y'));`,
    '"/a/x/b/y"',
  ),
  row('three deep', `const f = (a) => (b) => (c) => a + b + c; ask(f('1')('2')('3'));`, '"123"'),
  row(
    'a function that is returned in an object',
    `function client(base) { return { url: (x) => base + x }; } ask(client('/v1').url('/a'));`,
    '"/v1/a"',
  ),
  row(
    'a method that is returned in an object',
    `function client(base) { return { url(x) { return base + x; } }; } ask(client('/v1').url('/a'));`,
    '"/v1/a"',
  ),
  row(
    'two clients of one function',
    `function client(base) { return { url: (x) => base + x }; } const a = client('/a'); const b = client('/b'); ask(a.url('/1') + b.url('/2'));`,
    '"/a/1/b/2"',
  ),
  row(
    'a variable around is made of a parameter',
    `function client(o) { const base = o.base + '/v1'; return { url: (x) => base + x }; } ask(client({ base: 'https://a.test' }).url('/a'));`,
    '"https://a.test/v1/a"',
  ),
  row(
    'a question within',
    `function client(base) { return { get: (x) => ask(base + x) }; } client('/a').get('/1'); client('/b').get('/2');`,
    '"/a/1" | "/b/2"',
  ),
  row(
    'a question within that only the outer decides',
    `function client(base) { return { get: () => ask(base) }; } client('/a').get(); client('/b').get();`,
    '"/a" | "/b"',
  ),
  row('a variable around that changes', `let base = '/a'; const f = () => base; base = '/b'; ask(f());`, '"/a" | "/b"'),
  row('a setter for what is around', `let base = '/a'; const set = (x) => { base = x; }; set('/b'); ask(base);`, '"/a" | "/b"'),
  row(
    'a setter that is called with two',
    `let base = '/a'; const set = (x) => { base = x; }; if (flag) set('/b'); else set('/c'); ask(base);`,
    '"/a" | "/b" | "/c"',
  ),
  row('a setter in an object', `let base = '/a'; const api = { set(x) { base = x; } }; api.set('/b'); ask(base);`, '"/a" | "/b"'),
  row('a memory of one', `let known; function get() { if (!known) known = '/v1'; return known; } ask(get());`, '"/v1"'),
  row('a memory by ??=', `let known; const get = () => (known ??= '/v1'); ask(get());`, '"/v1"'),
  row(
    'a function that hands on',
    `const wrap = (fn) => (...args) => fn(...args); const f = (x) => '/v1' + x; ask(wrap(f)('/a'));`,
    '"/v1/a"',
  ),
  row('a function that hands on what it changes', `const wrap = (fn) => (x) => fn('/v1' + x); wrap((y) => ask(y))('/a');`, '"/v1/a"'),
  row(
    'wrappers around wrappers',
    `const a = (x) => ask(x); const b = (x) => a('/b' + x); const c = (x) => b('/c' + x); c('/d');`,
    '"/b/c/d"',
  ),
  row('compose', `const compose = (f, g) => (x) => f(g(x)); ask(compose((x) => x + 'f', (x) => x + 'g')('a'));`, '"agf"'),
  row('curry', `const curry = (f) => (a) => (b) => f(a, b); ask(curry((x, y) => x + y)('a')('b'));`, '"ab"'),
  row(
    'an inner function hides a name',
    `const base = '/a'; const f = () => { const base = '/b'; return () => base; }; ask(f()());`,
    '"/b"',
  ),
  row('a block within a function', `function f(x) { { const y = x + '/y'; return y; } } ask(f('/x'));`, '"/x/y"'),
  row('a loop around a function', `const all = []; for (const x of ['/a', '/b']) { const f = () => ask(x); f(); }`, '"/a" | "/b"'),
  row(
    'what an immediately called function keeps',
    `const api = (() => { const base = '/v1'; return { url: () => base }; })(); ask(api.url());`,
    '"/v1"',
  ),
  row('a module pattern with a parameter', `const api = ((base) => ({ url: (x) => base + x }))('/v1'); ask(api.url('/a'));`, '"/v1/a"'),
  row('a function that returns itself in an object', `function f() { return { again: f, path: '/v1' }; } ask(f().again().path);`, '"/v1"'),
  row('this of an arrow is that around it', `const o = { base: '/v1', f() { return [1].map(() => this.base)[0]; } }; ask(o.f());`, '"/v1"'),
  row(
    'self for this',
    `const o = { base: '/v1', f() { const self = this; return (function () { return self.base; })(); } }; ask(o.f());`,
    '"/v1"',
  ),
  row('this by bind', `function f() { return this.base; } ask(f.bind({ base: '/v1' })());`, '"/v1"'),
  row('this by call', `function f() { return this.base; } ask(f.call({ base: '/v1' }));`, '"/v1"'),
]);
