import { row, table } from '../helpers/values/table.ts';

table('classes and their fields', [
  row('a class itself', `class C {} ask(C);`, 'class C'),
  row('an instance', `class C {} ask(new C());`, 'new C'),
  row('a field has what it starts with', `class C { a = '1'; } ask(new C().a);`, '"1"'),
  row('a field is set by the constructor', `class C { constructor(a) { this.a = a; } } ask(new C('1').a);`, '"1"'),
  row('each instance has its own', `class C { constructor(a) { this.a = a; } } ask(new C('1').a + new C('2').a);`, '"12"'),
  row('a parameter that is a field', `class C { constructor(public a: string) {} } ask(new C('1').a);`, '"1"'),
  row('a parameter that is a field with a default', `class C { constructor(readonly a = '1') {} } ask(new C().a);`, '"1"'),
  row('a private field', `class C { #a = '1'; get() { return this.#a; } } ask(new C().get());`, '"1"'),
  row(
    'a private field that the constructor sets',
    `class C { #a; constructor(a) { this.#a = a; } get() { return this.#a; } } ask(new C('1').get());`,
    '"1"',
  ),
  row('a field of another field', `class C { a = '/v1'; b = this.a + '/x'; } ask(new C().b);`, '"/v1/x"'),
  row('a field of a parameter', `class C { b = this.a + '/x'; constructor(private a) {} } ask(new C('/v1').b);`, '"/v1/x"', {
    isOnlyRead: true,
  }),
  row('a field is declared and set', `class C { a: string; constructor(a) { this.a = a; } } ask(new C('1').a);`, '"1"'),
  row('a field starts with one and is set to another', `class C { a = '1'; constructor(a) { this.a = a; } } ask(new C('2').a);`, '"2"', {
    imprecise: 'the order of assignments is not followed',
  }),
  row('a field is set under a condition', `class C { a = '1'; constructor() { if (flag) this.a = '2'; } } ask(new C().a);`, '"1" | "2"'),
  row('a field is set in a method', `class C { a = '1'; set() { this.a = '2'; } } const c = new C(); c.set(); ask(c.a);`, '"1" | "2"'),
  row(
    'a field is set in a method to what is given',
    `class C { a = '1'; set(x) { this.a = x; } } const c = new C(); c.set('2'); ask(c.a);`,
    '"1" | "2"',
    { imprecise: 'what was made outside of a call knows nothing of its arguments' },
  ),
  row('a field is set from outside', `class C { a = '1'; } const c = new C(); c.a = '2'; ask(c.a);`, '"1" | "2"'),
  row('a field is set through another name', `class C { a = '1'; } const c = new C(); const d = c; d.a = '2'; ask(c.a);`, '"1" | "2"'),
  row(
    'a field is set by Object.assign',
    `class C { a = '1'; constructor(o) { Object.assign(this, o); } } ask(new C({ a: '2' }).a);`,
    '"1" | "2"',
  ),
  row(
    'a field is set by Object.assign from outside',
    `class C { a = '1'; } const c = new C(); Object.assign(c, { a: '2' }); ask(c.a);`,
    '"1" | "2"',
  ),
  row(
    'a field is set by brackets',
    `class C { a = '1'; set(name, x) { this[name] = x; } } const c = new C(); c.set('a', '2'); ask(c.a);`,
    '"1" | "2"',
    { imprecise: 'what was made outside of a call knows nothing of its arguments' },
  ),
  row(
    'a field is set by a loop over options',
    `class C { a = '1'; constructor(o) { for (const name in o) this[name] = o[name]; } } ask(new C({ a: '2' }).a);`,
    '"1" | "2"',
  ),
  row(
    'a field that is an object is written into',
    `class C { h = { a: '1' }; constructor() { this.h.b = '2'; } } ask(new C().h);`,
    '{ a: "1", b: "2" }',
  ),
  row(
    'a field that is an object is written into from outside',
    `class C { h = { a: '1' }; } const c = new C(); c.h.b = '2'; ask(c.h);`,
    '{ a: "1", b: "2" }',
  ),
  row('a field by a default of an option', `class C { constructor(o = {}) { this.a = o.a || '1'; } } ask(new C().a);`, '"1"'),
  row('a field by an option', `class C { constructor(o = {}) { this.a = o.a || '1'; } } ask(new C({ a: '2' }).a);`, '"2"'),
  row(
    'a field by a pattern',
    `class C { constructor({ a, b = '2' }) { this.a = a; this.b = b; } } const c = new C({ a: '1' }); ask(c.a + c.b);`,
    '"12"',
  ),
  row('a field by ??=', `class C { a; get() { return (this.a ??= '1'); } } ask(new C().get());`, '"1"'),
  row('a method gives what it returns', `class C { url() { return '/v1'; } } ask(new C().url());`, '"/v1"'),
  row('a method knows its fields', `class C { base = '/v1'; url(x) { return this.base + x; } } ask(new C().url('/a'));`, '"/v1/a"'),
  row(
    'a method knows what the constructor was given',
    `class C { constructor(base) { this.base = base; } url(x) { return this.base + x; } } ask(new C('/v1').url('/a'));`,
    '"/v1/a"',
  ),
  row(
    'a method calls a method',
    `class C { base() { return '/v1'; } url(x) { return this.base() + x; } } ask(new C().url('/a'));`,
    '"/v1/a"',
  ),
  row('a method that is an arrow', `class C { base = '/v1'; url = (x) => this.base + x; } ask(new C().url('/a'));`, '"/v1/a"'),
  row(
    'a method is taken off and bound',
    `class C { base = '/v1'; url() { return this.base; } } const c = new C(); const url = c.url.bind(c); ask(url());`,
    '"/v1"',
  ),
  row('a method with a computed name', `class C { ['url']() { return '/v1'; } } ask(new C().url());`, '"/v1"', {
    imprecise: 'computed names of members are not followed',
  }),
  row(
    'a method reads what its own class has',
    `class A { static p = '/a'; at() { return this.constructor.p; } } class B extends A { static p = '/b'; } ask(new B().at()); ask(new A().at());`,
    '"/b"; "/a"',
  ),
  row('a getter gives what it returns', `class C { get url() { return '/v1'; } } ask(new C().url);`, '"/v1"'),
  row('a getter knows its fields', `class C { #base = '/v1'; get url() { return this.#base + '/x'; } } ask(new C().url);`, '"/v1/x"'),
  row(
    'a pattern reads a getter',
    `class C { #base = '/v1'; get url() { return this.#base + '/x'; } } const { url } = new C(); ask(url);`,
    '"/v1/x"',
  ),
  row(
    'a method reads its own getter by a pattern',
    `class C { get url() { return input.base + '/x'; } path() { const { url: found } = this; return found; } } ask(new C().path());`,
    '? + "/x"',
  ),
  row('a setter sets a field', `class C { a = '1'; set x(v) { this.a = v; } } const c = new C(); c.x = '2'; ask(c.a);`, '"1" | "2"'),
  row('a static field', `class C { static a = '1'; } ask(C.a);`, '"1"'),
  row('a static field is set from outside', `class C { static a = '1'; } C.a = '2'; ask(C.a);`, '"1" | "2"'),
  row('a static method', `class C { static make(x) { return new C(x); } constructor(a) { this.a = a; } } ask(C.make('1').a);`, '"1"'),
  row(
    'a static method knows static fields',
    `class C { static base = '/v1'; static url(x) { return C.base + x; } } ask(C.url('/a'));`,
    '"/v1/a"',
  ),
  row(
    'this of a static method is the class',
    `class C { static base = '/v1'; static url(x) { return this.base + x; } } ask(C.url('/a'));`,
    '"/v1/a"',
  ),
  row('a static block sets', `class C { static a; static { C.a = '1'; } } ask(C.a);`, '"1"'),
  row('a static block sets by this', `class C { static a; static { this.a = '1'; } } ask(C.a);`, '"1"'),
  row('one of a class by a static field', `class C { static one = new C('1'); constructor(a) { this.a = a; } } ask(C.one.a);`, '"1"'),
  row('a class as a value', `const C = class { a = '1'; }; ask(new C().a);`, '"1"'),
  row('a class as a parameter', `class C { a = '1'; } const make = (K) => new K(); ask(make(C).a);`, '"1"'),
  row('one of two classes', `class A { a = '1'; } class B { a = '2'; } ask(new (flag ? A : B)().a);`, '"1" | "2"'),
  row('a class that a function makes', `const make = (a) => class { a = a; }; ask(new (make('1'))().a);`, '"1"'),
  row('an instance in a field', `class A { a = '1'; } class B { x = new A(); } ask(new B().x.a);`, '"1"'),
  row(
    'an instance that is given to another',
    `class A { constructor(a) { this.a = a; } } class B { constructor(x) { this.x = x; } } ask(new B(new A('1')).x.a);`,
    '"1"',
  ),
  row(
    'a question in a method',
    `class C { constructor(a) { this.a = a; } get() { ask(this.a); } } new C('1').get(); new C('2').get();`,
    '"1" | "2"',
  ),
  row(
    'a question in a method with an argument',
    `class C { base = '/v1'; get(x) { ask(this.base + x); } } new C().get('/a'); new C().get('/b');`,
    '"/v1/a" | "/v1/b"',
  ),
  row('a question in a class that nobody makes', `export class C { base = '/v1'; get(x) { ask(this.base + x); } }`, '"/v1" + ?'),
  row(
    'a question in a class with parameters that nobody makes',
    `export class C { constructor(private base) {} get() { ask(this.base); } }`,
    '?',
  ),
  row('what methods that chain return', `class C { a = '1'; self() { return this; } } ask(new C().self().self().a);`, '"1"'),
  row('a builder', `class C { with(a) { this.a = a; return this; } } ask(new C().with('1').a);`, '"1"'),
]);

table('functions with prototypes', [
  row(
    'a function is made by new',
    `function C(a) { this.a = a; } C.prototype.get = function () { return this.a; }; ask(new C('1').get());`,
    '"1"',
  ),
  row('a prototype has a field', `function C() {} C.prototype.base = '/v1'; ask(new C().base);`, '"/v1"'),
  row(
    'a prototype that is an object',
    `function C(a) { this.a = a; } C.prototype = { get() { return this.a; } }; ask(new C('1').get());`,
    '"1"',
  ),
  row(
    'a prototype that Object.assign fills',
    `function C(a) { this.a = a; } Object.assign(C.prototype, { get() { return this.a; } }); ask(new C('1').get());`,
    '"1"',
  ),
  row(
    'a prototype of a prototype',
    `function A() {} A.prototype.base = '/v1'; function B() { A.call(this); } B.prototype = Object.create(A.prototype); ask(new B().base);`,
    '"/v1"',
  ),
  row('a class with something put on its prototype', `class C {} C.prototype.base = '/v1'; ask(new C().base);`, '"/v1"', {
    imprecise: 'what is put on the prototype of a class is not followed',
  }),
]);
