import { row, table } from '../helpers/values/table.ts';

const many = (count: number, make: (index: number) => string): string => Array.from({ length: count }, (_, index) => make(index)).join(' ');

table('joins', [
  row('texts', `let a = 'x'; if (flag) a = 'y'; ask(a);`, '"x" | "y"'),
  row('the same text from two places is one', `let a = 'x'; if (flag) a = 'x'; ask(a);`, '"x"'),
  row('a text and an object', `let a = 'x'; if (flag) a = { b: '1' }; ask(a);`, '"x" | { b: "1" }'),
  row('objects with the same names', `const o = flag ? { a: '1', b: '2' } : { a: '3', b: '2' }; ask(o.a + o.b);`, '"12" | "32"'),
  row('objects with other names', `const o = flag ? { a: '1' } : { b: '2' }; ask((o.a ?? '-') + (o.b ?? '-'));`, '"-2" | "1-"', {
    imprecise: 'properties of one object are not kept together',
  }),
  row('an object and something unknown', `const o = flag ? { a: '1' } : input.options; ask(o.a);`, '"1" | ?'),
  row('an object and undefined', `const o = flag ? { a: '1' } : undefined; ask(o?.a ?? '2');`, '"1" | "2"'),
  row('lists of one length', `const l = flag ? ['a', 'b'] : ['c', 'd']; ask(l[0]);`, '"a" | "c"'),
  row('lists of two lengths', `const l = flag ? ['a'] : ['c', 'd']; ask(l[0]);`, '"a" | "c"'),
  row('functions', `const f = flag ? (x) => x + 'a' : (x) => x + 'b'; ask(f('1'));`, '"1a" | "1b"'),
  row(
    'instances of one class',
    `class C { constructor(a) { this.a = a; } } const c = flag ? new C('1') : new C('2'); ask(c.a);`,
    '"1" | "2"',
  ),
  row(
    'instances of two classes',
    `class A { a() { return '1'; } } class B { a() { return '2'; } } ask((flag ? new A() : new B()).a());`,
    '"1" | "2"',
  ),
  row('environment and text', `ask(flag ? process.env.A : 'b');`, '"b" | env A'),
  row('two variables of the environment', `ask(flag ? process.env.A : process.env.B);`, 'env A | env B'),
  row('the same variable twice is one', `ask(flag ? process.env.A : process.env.A);`, 'env A'),
  row('a text and the same text with more', `ask(flag ? '/v1' : '/v1' + input.id);`, '"/v1" | "/v1" + ?'),
  row('branches that spread', `let o = { a: '1' }; if (flag) o = { ...o, b: '2' }; ask(o.a);`, '"1"'),
  row(
    'branches that spread over each other',
    `let o = { a: '1' }; if (flag) o = { ...o, a: '2' }; if (other) o = { ...o, a: '3' }; ask(o.a);`,
    '"1" | "2" | "3"',
  ),
  row(
    'branches that spread into new names',
    `const a = { x: '1' }; const b = flag ? { ...a, x: '2' } : a; const c = other ? { ...b, x: '3' } : b; ask(c.x);`,
    '"1" | "2" | "3"',
  ),
  row('a question of three branches', `ask(flag ? 'a' : other ? 'b' : input.id);`, '"a" | "b" | ?'),
  row(
    'a table of eight',
    `const t = { ${many(8, (n) => `k${n}: '/v${n}',`)} }; ask(t[input.id]);`,
    many(8, (n) => `"/v${n}"`).replaceAll(' ', ' | '),
    { isOnlyRead: true },
  ),
]);

table('widening', [
  row(
    'what is known around alternatives stays when they are many',
    `${many(10, (n) => `let v${n} = flag ? 'a' : 'b';`)} ask('https://a.test/' + ${many(10, (n) => `v${n} +`)} '/x');`,
    `"https://a.test/"${' + ("a" | "b")'.repeat(10)} + "/x"`,
  ),
  row(
    'a host before many alternatives stays',
    `const t = { ${many(300, (n) => `k${n}: '/v${n}',`)} }; ask('https://a.test' + t[input.id]);`,
    '"https://a.test" + ?',
    {
      isOnlyRead: true,
    },
  ),
  row(
    'a path after many alternatives stays',
    `const t = { ${many(300, (n) => `k${n}: '/v${n}',`)} }; ask(t[input.id] + '/messages');`,
    '? + "/messages"',
    {
      isOnlyRead: true,
    },
  ),
  row('a property beside many writes stays', `const o = { a: '1' }; ${many(300, (n) => `o.k${n} = '${n}';`)} ask(o.a);`, '"1"'),
  row('a property of an object with many others', `const o = { ${many(300, (n) => `k${n}: '${n}',`)} a: '1' }; ask(o.a);`, '"1"'),
  row('an item of a long list', `const l = [${many(300, (n) => `'${n}',`)}]; ask(l[299]);`, '"299"'),
  row('a chain of a hundred names', `const v0 = '/v1'; ${many(100, (n) => `const v${n + 1} = v${n};`)} ask(v100);`, '"/v1"'),
  row(
    'a chain of fifteen functions',
    `const f0 = (x) => '/v1' + x; ${many(14, (n) => `const f${n + 1} = (x) => f${n}(x);`)} ask(f14('/a'));`,
    '"/v1/a"',
  ),
  row('a sum of a hundred texts', `ask(${many(100, () => `'a' +`)} 'b');`, JSON.stringify(`${'a'.repeat(100)}b`), {
    imprecise: 'a text keeps a few dozen parts',
  }),
]);
