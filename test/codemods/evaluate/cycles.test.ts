import { row, table } from '../helpers/values/table.ts';

const read = { isOnlyRead: true } as const;

table('what goes in circles comes to an end', [
  row('a constant of itself', `const a = a; ask(a);`, '?', read),
  row('constants of each other', `const a = b; const b = a; ask(a);`, '?', read),
  row('a variable of itself', `let a = '/v1'; a = a; ask(a);`, '"/v1"'),
  row('a variable of itself with more', `let a = '/v1'; if (flag) a = a + '/x'; ask(a);`, '"/v1" | "/v1/x"'),
  row('a variable that grows in a loop', `let a = '/v1'; for (const x of ['/a', '/b']) a = a + x; ask(a);`, '"/v1" + ?', {
    imprecise: 'a circle counts as unknown',
  }),
  row('a template of itself', 'let a = "/v1"; if (flag) a = `${a}/x`; ask(a);', '"/v1" | "/v1/x"'),
  row('an object of itself', `const o = { a: '1' }; o.self = o; ask(o.self.self.a);`, '"1"'),
  row('objects of each other', `const a = { x: '1' }; const b = { a }; a.b = b; ask(a.b.a.x);`, '"1"'),
  row(
    'an object that comes back to itself by way of another',
    `const o = { a: 'b', b: 'a' }; const p = { a: '/a', ...o }; Object.assign(o, { ...p, ...(flag ? { a: 'c' } : {}) }); ask(o); ask(p);`,
    '{ a: "b" | "c", b: "a" }; { a: "b", b: "a" }',
    { imprecise: 'what is spread counts as it is at the end, too' },
  ),
  row('a list of itself', `const list = ['a']; list.push(list); ask(list[0]);`, '"a"'),
  row('a function of itself', `function f(n) { return n === 0 ? 'end' : f(n - 1); } ask(f(3));`, '"end"', {
    imprecise: 'a circle counts as unknown, too',
  }),
  row(
    'a function of itself that puts together',
    `function f(n) { return n === 0 ? '' : '/x' + f(n - 1); } ask('/v1' + f(2));`,
    '"/v1" | "/v1/x" + ?',
  ),
  row(
    'functions of each other',
    `const even = (n) => (n === 0 ? 'even' : odd(n - 1)); const odd = (n) => (n === 0 ? 'odd' : even(n - 1)); ask(even(4));`,
    '"even" | "odd"',
    { imprecise: 'a circle counts as unknown, too' },
  ),
  row('a function of itself without an end', `const f = () => f(); ask(f());`, '?', read),
  row('a function that is its own argument', `const f = (g) => g(g); ask(f(f));`, '?', read),
  row(
    'a fixed point',
    `const y = (f) => ((x) => x(x))((x) => f((v) => x(x)(v))); ask(y((self) => (n) => (n ? self(n - 1) : 'end'))(2));`,
    '"end"',
    { imprecise: 'a circle counts as unknown, too' },
  ),
  row(
    'a class that makes itself',
    `class C { constructor(parent) { this.parent = parent; this.base = '/v1'; } child() { return new C(this); } } ask(new C().child().child().base);`,
    '"/v1"',
  ),
  row(
    'a field that is the field of a parent',
    `class C { constructor(parent) { this.base = parent ? parent.base : '/v1'; } } ask(new C(new C()).base);`,
    '"/v1"',
  ),
  row('fields of each other', `class C { a = this.b; b = this.a; } ask(new C().a);`, '?', read),
  row('a method of itself', `class C { f(n) { return n ? this.f(n - 1) : '/v1'; } } ask(new C().f(3));`, '"/v1"', {
    imprecise: 'a circle counts as unknown, too',
  }),
  row('a getter of itself', `class C { get a() { return this.a; } } ask(new C().a);`, '?', read),
  row('a getter of an object of itself', `const o = { get a() { return this.a; } }; ask(o.a);`, '?', read),
  row(
    'files of each other',
    {
      'a.ts': `import { b } from './b'; export const a = b;`,
      'b.ts': `import { a } from './a'; export const b = a;`,
      'main.ts': `import { a } from './a'; ask(a);`,
    },
    '?',
    read,
  ),
  row('a file of itself', `import { a as b } from './main'; export const a = b; ask(a);`, '?', read),
  row(
    'exports of each other',
    { 'a.ts': `export { x } from './b';`, 'b.ts': `export { x } from './a';`, 'main.ts': `import { x } from './a'; ask(x);` },
    '?',
    read,
  ),
  row('a spread of itself', `let o = { a: '1' }; for (const x of ['1', '2']) o = { ...o, b: x }; ask(o.a);`, '"1"'),
  row('a default of itself', `function f(a = a) { return a; } ask(f('1'));`, '"1"'),
  row('a computed name of itself', `const o = { a: 'a' }; ask(o[o[o.a]]);`, '"a"'),
  row('a question that asks again', `function f(n) { ask('/v1'); if (n) f(n - 1); } f(2);`, '"/v1"'),
  row('a question of what grows', `function f(path, n) { ask(path); if (n) f(path + '/x', n - 1); } f('/v1', 2);`, '"/v1" | "/v1" + ?', {
    imprecise: 'what grows is unknown as a whole',
  }),
]);
