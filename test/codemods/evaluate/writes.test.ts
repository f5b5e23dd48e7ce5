import { row, table } from '../helpers/values/table.ts';

table('writes through names, fields and other names', [
  row('a property is written', `const o = {}; o.a = '1'; ask(o);`, '{ a: "1" }'),
  row('a property is written by brackets', `const h = {}; h['x-api-key'] = 'k'; ask(h);`, '{ "x-api-key": "k" }'),
  row(
    'a property is written by a name in a variable',
    `const name = 'x-api-key'; const h = {}; h[name] = 'k'; ask(h);`,
    '{ "x-api-key": "k" }',
  ),
  row('a property is written by an unknown name', `const o = { a: '1' }; o[input.key] = '2'; ask(o.a);`, '"1" | "2"'),
  row('a write under a condition may be or not be', `const o = { a: '1' }; if (flag) o.a = '2'; ask(o.a);`, '"1" | "2"'),
  row('a write takes the place of what was there', `const o = { a: '1' }; o.a = '2'; ask(o.a);`, '"2"', {
    imprecise: 'the order of writes is not followed',
  }),
  row('two writes may be either', `const o = {}; if (flag) o.a = '1'; else o.a = '2'; ask(o.a);`, '"1" | "2"'),
  row('a write into what is inside', `const o = { headers: {} }; o.headers.a = '1'; ask(o);`, '{ headers: { a: "1" } }'),
  row('a write of a whole object', `const o = {}; o.headers = { a: '1' }; ask(o.headers.a);`, '"1"'),
  row('a write into what was written', `const o = {}; o.headers = { a: '1' }; o.headers.b = '2'; ask(o.headers);`, '{ a: "1", b: "2" }'),
  row('a write above the declaration of a function that reads', `const o = {}; function f() { return o.a; } o.a = '1'; ask(f());`, '"1"'),
  row('a write in a function that is called', `const o = { a: '1' }; function set() { o.a = '2'; } set(); ask(o.a);`, '"1" | "2"'),
  row('a write through a second name', `const o = { a: '1' }; const p = o; p.a = '2'; ask(o.a);`, '"1" | "2"'),
  row('a write through a third name', `const o = { a: '1' }; const p = o; const q = p; q.a = '2'; ask(o.a);`, '"1" | "2"'),
  row('a second name sees what is written through the first', `const o = { a: '1' }; const p = o; o.a = '2'; ask(p.a);`, '"1" | "2"'),
  row(
    'a write through a name that may be the object',
    `const o = { a: '1' }; const q = { a: '3' }; const p = flag ? o : q; p.a = '2'; ask(o.a);`,
    '"1" | "2"',
  ),
  row('a write into a copy is none into the object', `const o = { a: '1' }; const p = { ...o }; p.a = '2'; ask(o.a);`, '"1"'),
  row('a write through a parameter', `const o = { a: '1' }; function set(p) { p.a = '2'; } set(o); ask(o.a);`, '"1" | "2"'),
  row(
    'a write through a parameter of a function that is called at once',
    `const o = { a: '1' }; ((p) => { p.a = '2'; })(o); ask(o.a);`,
    '"1" | "2"',
  ),
  row('a write through a parameter of an arrow', `const o = { a: '1' }; const set = (p) => { p.a = '2'; }; set(o); ask(o.a);`, '"1" | "2"'),
  row(
    'a write through a parameter of a parameter',
    `const o = { a: '1' }; function set(p) { p.a = '2'; } function go(q) { set(q); } go(o); ask(o.a);`,
    '"1" | "2"',
  ),
  row('a write through a pattern', `const o = { in: { a: '1' } }; const { in: p } = o; p.a = '2'; ask(o.in.a);`, '"1" | "2"'),
  row('a write through a property of another object', `const o = { a: '1' }; const h = { o }; h.o.a = '2'; ask(o.a);`, '"1" | "2"'),
  row('a write through a list', `const o = { a: '1' }; [o].forEach((each) => { each.a = '2'; }); ask(o.a);`, '"1" | "2"'),
  row('a write in a loop over a list', `const o = { a: '1' }; for (const each of [o]) each.a = '2'; ask(o.a);`, '"1" | "2"'),
  row('a write through what a function returns', `const o = { a: '1' }; const get = () => o; get().a = '2'; ask(o.a);`, '"1" | "2"'),
  row('a write through a method of the object', `const o = { a: '1', set() { this.a = '2'; } }; o.set(); ask(o.a);`, '"1" | "2"'),
  row(
    'a write in another file',
    { 'o.ts': `export const o = { a: '1' };`, 'main.ts': `import { o } from './o'; o.a = '2'; ask(o.a);` },
    '"1" | "2"',
  ),
  row(
    'a write in a file that a question in a third sees',
    {
      'o.ts': `export const o = { a: '1' };`,
      'set.ts': `import { o } from './o'; o.a = '2';`,
      'main.ts': `import './set'; import { o } from './o'; ask(o.a);`,
    },
    '"1" | "2"',
  ),
  row(
    'a property that is put there later than it is asked for has its default until then',
    `const o = {}; const f = () => { ask(o.a ?? 'd'); }; if (flag) o.a = '1'; f();`,
    '"1" | "d"',
  ),
  row('a property that is put there above has no default', `const o = {}; o.a = '1'; ask(o.a ?? 'd');`, '"1"'),
  row(
    'a field that a method sets has its default until then',
    `class C { f() { ask(this.a ?? 'd'); } use(a) { this.a = a; } } const c = new C(); c.use('1'); c.f();`,
    '"1" | "d"',
  ),
  row('Object.assign writes', `const o = { a: '1' }; Object.assign(o, { b: '2' }); ask(o);`, '{ a: "1", b: "2" }'),
  row('Object.assign writes over', `const o = { a: '1' }; Object.assign(o, { a: '2' }); ask(o.a);`, '"2"', {
    imprecise: 'the order of writes is not followed',
  }),
  row(
    'Object.assign of something unknown may write anything',
    `const o = { a: '1' }; Object.assign(o, input.options); ask(o.a);`,
    '"1" | ?',
  ),
  row(
    'Object.assign into what is inside',
    `const o = { headers: { a: '1' } }; Object.assign(o.headers, { b: '2' }); ask(o.headers);`,
    '{ a: "1", b: "2" }',
  ),
  row('Object.assign through a second name', `const o = { a: '1' }; const p = o; Object.assign(p, { a: '2' }); ask(o.a);`, '"1" | "2"'),
  row('Object.defineProperty writes', `const o = {}; Object.defineProperty(o, 'a', { value: '1' }); ask(o.a);`, '"1"'),
  row('Reflect.set writes', `const o = { a: '1' }; Reflect.set(o, 'a', '2'); ask(o.a);`, '"1" | "2"'),
  row(
    'a copy of all properties in a loop',
    `const o = { a: '1' }; const p = {}; for (const name of Object.keys(o)) p[name] = o[name]; ask(p.a);`,
    '"1"',
  ),
  row('delete takes away', `const o = { a: '1' }; delete o.a; ask(o.a ?? 'none');`, '"none"', {
    imprecise: 'the order of writes is not followed',
  }),
  row('or-assign of a property', `const o = {}; o.a ||= '1'; ask(o.a);`, '"1"'),
  row('plus-assign of a property', `const o = { a: '/v1' }; o.a += '/x'; ask(o.a);`, '"/v1/x"', {
    imprecise: 'what is put after a property is not followed',
  }),
  row('a write of itself with more', `let o = { a: '1' }; o = { ...o, b: '2' }; ask(o);`, '{ a: "1", b: "2" }'),
  row(
    'a property of itself with more',
    `const o = { headers: { a: '1' } }; o.headers = { ...o.headers, b: '2' }; ask(o.headers);`,
    '{ a: "1", b: "2" }',
    { imprecise: 'the order of writes is not followed' },
  ),
  row('a write by a pattern', `const o = { a: '1' }; [o.a] = ['2']; ask(o.a);`, '"1" | "2"', {
    imprecise: 'which part of a value a pattern takes is not followed',
  }),
  row('a write by a pattern of an object', `const o = { a: '1' }; ({ x: o.a } = { x: '2' }); ask(o.a);`, '"1" | "2"', {
    imprecise: 'which part of a value a pattern takes is not followed',
  }),
  row('a write in the head of a loop', `const o = { a: '1' }; for (o.a of ['2']) ask(o.a);`, '"2"', {
    imprecise: 'it counts as one of any',
  }),
  row(
    'a write through a pattern of a parameter',
    `const o = { a: '1' }; function f({ x }) { x.a = '2'; } f({ x: o }); ask(o.a);`,
    '"1" | "2"',
  ),
  row('a write through a rest parameter', `const o = { a: '1' }; function f(...rest) { rest[0].a = '2'; } f(o); ask(o.a);`, '"1" | "2"'),
  row(
    'a write in a function that is called by call',
    `const o = { a: '1' }; function f(p) { p.a = '2'; } f.call(null, o); ask(o.a);`,
    '"1" | "2"',
  ),
  row(
    'a write in a function that is given a spread',
    `const o = { a: '1' }; function f(p) { p.a = '2'; } f(...[o]); ask(o.a);`,
    '"1" | "2"',
    { imprecise: 'spreads of arguments are not followed' },
  ),
  row('a write through a Map', `const o = { a: '1' }; const m = new Map([['k', o]]); m.get('k').a = '2'; ask(o.a);`, '"1" | "2"', {
    imprecise: 'what Maps hold is not followed',
  }),
  row(
    'a write through what a promise gives',
    `const o = { a: '1' }; const p = Promise.resolve(o); p.then((x) => { x.a = '2'; }); await p; ask(o.a);`,
    '"1" | "2"',
  ),
  row('a write through Object.values', `const o = { a: '1' }; Object.values({ o }).forEach((x) => { x.a = '2'; }); ask(o.a);`, '"1" | "2"'),
  row(
    'a write through this of what holds it',
    `const o = { a: '1' }; const t = { o, go() { this.o.a = '2'; } }; t.go(); ask(o.a);`,
    '"1" | "2"',
  ),
  row('a write through a Proxy', `const o = { a: '1' }; const p = new Proxy(o, {}); p.a = '2'; ask(o.a);`, '"1" | "2"', {
    imprecise: 'proxies are not followed',
  }),
  row('a write to a getter with a setter', `const o = { get a() { return '1'; }, set a(x) {} }; o.a = '2'; ask(o.a);`, '"1"'),
  row(
    'a write into an instance through a parameter',
    `class C { a = '1' } function f(c) { c.a = '2'; } const c = new C(); f(c); ask(c.a);`,
    '"1" | "2"',
  ),
  row(
    'a write into an instance by chance',
    `class C { a = '1' } const c = new C(); const d = flag ? c : new C(); d.a = '2'; ask(c.a);`,
    '"1" | "2"',
  ),
  row(
    'a write through an array pattern of a parameter',
    `const o = { a: '1' }; function f([x]) { x.a = '2'; } f([o]); ask(o.a);`,
    '"1" | "2"',
  ),
  row(
    'a write through a pattern in a pattern',
    `const o = { in: { a: '1' } }; function f({ in: x }) { x.a = '2'; } f(o); ask(o.in.a);`,
    '"1" | "2"',
  ),
  row('a write through what a copy holds', `const o = { in: { a: '1' } }; const p = { ...o }; p.in.a = '2'; ask(o.in.a);`, '"1" | "2"'),
  row(
    'a write through what is left by a pattern',
    `const o = { in: { a: '1' } }; const { b, ...p } = o; p.in.a = '2'; ask(o.in.a);`,
    '"1" | "2"',
  ),
  row(
    'a write through a field',
    `const o = { a: '1' }; class C { constructor(p) { this.o = p; } } new C(o).o.a = '2'; ask(o.a);`,
    '"1" | "2"',
  ),
  row(
    'a write through a method of something that is chosen',
    `const o = { a: '1' }; const s = flag ? { set(x) { x.a = '2'; } } : { set() {} }; s.set(o); ask(o.a);`,
    '"1" | "2"',
    { imprecise: 'what is given to a method called set may be kept' },
  ),
  row('a write through what a callback returns', `const o = { a: '1' }; [1].map(() => o)[0].a = '2'; ask(o.a);`, '"1" | "2"'),
  row(
    'a write through a function that is given',
    `const o = { a: '1' }; function f(g) { g(o); } f((x) => { x.a = '2'; }); ask(o.a);`,
    '"1" | "2"',
    { imprecise: 'which function a parameter is, is not followed' },
  ),
  row(
    'a write through a generator',
    `const o = { a: '1' }; function* g() { yield o; } for (const x of g()) x.a = '2'; ask(o.a);`,
    '"1" | "2"',
    { imprecise: 'generators are not followed' },
  ),
  row('a write through what is thrown', `const o = { a: '1' }; try { throw o; } catch (x) { x.a = '2'; } ask(o.a);`, '"1" | "2"', {
    imprecise: 'what is thrown is not followed',
  }),
  ...(
    [
      ['what a pattern tests goes no other way', '/x/.test(o)', '"1"'],
      ['what a pattern by a name tests goes no other way', 'pattern.test(o)', '"1"'],
      ['what a text is asked for goes no other way', '`${input.text}`.match(o)', '"1"'],
      ['what is tested by what was another pattern may be written to', 'second.test(o)', '"1" | ?'],
    ] as const
  ).map(([name, call, value]) =>
    row(
      name,
      `const set = (each, key) => { each[key] = '2'; }; const fields = { test: input, match: input };
       const pattern = /x/; let second = /x/; second = input.second ?? /y/; const o = { a: '1' }; ${call}; ask(o.a);`,
      value,
    ),
  ),
  row(
    'a write elsewhere is none into what is lost',
    `const o = { a: '1' }; const m = new Map([['k', o]]); input.b = '2'; ask(o.a);`,
    '"1"',
  ),
  row('a method that was taken out', `const o = { a: '1' }; const { put } = { put(x) { x.a = '2'; } }; put(o); ask(o.a);`, '"1" | "2"'),
  row(
    'the default of a method that was taken out',
    `const o = { a: '1' }; const { put = (x) => { x.a = '2'; } } = input; put(o); ask(o.a);`,
    '"1" | "2"',
  ),
  row(
    'a method behind a choice',
    `const o = { a: '1' }; const own = { put(x) { x.a = '2'; } }; const put = input.put ?? own.put; put(o); ask(o.a);`,
    '"1" | "2"',
  ),
  row(
    'what asks, and was taken out',
    `const o = { a: '1' }; function f(x) { x.a = '2'; } f(input); const { fetch: load } = input; load?.(o); ask(o.a);`,
    '"1"',
  ),
  row(
    'a name that holds several functions',
    `const o = { a: '1' }; function f(x) { x.a = '2'; } f(input); let { fetch: load } = input; load = input.other; load?.(o); ask(o.a);`,
    '"1" | ?',
  ),
  row(
    'a write of what the object itself holds',
    `const o = { a: 'a', b: 'b' }; o.a = 'x' + o.b; Object.assign(o, { ...o, b: o.a }); ask(o.b);`,
    '"xb"',
    { imprecise: 'the order of writes is not followed' },
  ),
  row(
    'something unknown before what may not be there',
    `const o = { url: '1', ...input.options, ...(flag ? { url: '2' } : {}) }; ask(o.url);`,
    '"1" | "2" | ?',
  ),
  row(
    'a hook that one call gives, and another not',
    `const make = (hook) => { const o = { a: '1' }; hook?.(o); return o.a; }; ask(make() + make((x) => 0) + make((x) => { x.a = '2'; }));`,
    '"111" | "112"',
  ),
  row(
    'a hook of the class that is made',
    `class A { get() { const o = { a: '1' }; this.hook(o); return o.a; } hook() {} } class B extends A { hook(x) { x.a = '2'; } }
     class C extends A { hook(x) { x.a = '3'; } } ask(new A().get() + new B().get());`,
    '"11" | "12"',
  ),
]);
