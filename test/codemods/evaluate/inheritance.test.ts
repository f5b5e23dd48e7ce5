import { row, table } from '../helpers/values/table.ts';

table('inheritance', [
  row('a field of the superclass', `class A { a = '1'; } class B extends A {} ask(new B().a);`, '"1"'),
  row('a field that the subclass has, too', `class A { a = '1'; } class B extends A { a = '2'; } ask(new B().a);`, '"2"'),
  row('the superclass keeps its own', `class A { a = '1'; } class B extends A { a = '2'; } ask(new A().a);`, '"1"'),
  row('a method of the superclass', `class A { url() { return '/v1'; } } class B extends A {} ask(new B().url());`, '"/v1"'),
  row(
    'a method of the superclass with a field of the subclass',
    `class A { url() { return this.base; } } class B extends A { base = '/b'; } ask(new B().url());`,
    '"/b"',
  ),
  row(
    'a method of the superclass with a method of the subclass',
    `class A { url() { return this.base(); } base() { return '/a'; } } class B extends A { base() { return '/b'; } } ask(new B().url());`,
    '"/b"',
  ),
  row(
    'super gives the method of the superclass',
    `class A { url() { return '/a'; } } class B extends A { url() { return super.url() + '/b'; } } ask(new B().url());`,
    '"/a/b"',
  ),
  row(
    'a static method of the superclass gets the class that it is called on',
    `class A { static made() { return this.base; } } class B extends A { static base = '/b'; static made() { return super.made(); } } ask(B.made());`,
    '"/b"',
  ),
  row(
    'new.target is the class that is made',
    `class A { static base = '/a'; constructor() { this.base = new.target.base; } } class B extends A { static base = '/b'; } ask(new B().base);`,
    '"/b"',
  ),
  row(
    'super gives arguments to the constructor',
    `class A { constructor(a) { this.a = a; } } class B extends A { constructor() { super('1'); } } ask(new B().a);`,
    '"1"',
  ),
  row(
    'super gives what the subclass was given',
    `class A { constructor(a) { this.a = a; } } class B extends A { constructor(x) { super('/v1' + x); } } ask(new B('/x').a);`,
    '"/v1/x"',
  ),
  row(
    'without a constructor all arguments are given on',
    `class A { constructor(a) { this.a = a; } } class B extends A {} ask(new B('1').a);`,
    '"1"',
  ),
  row('three deep', `class A { a = '1'; } class B extends A {} class C extends B {} ask(new C().a);`, '"1"'),
  row(
    'three deep with arguments',
    `class A { constructor(a) { this.a = a; } } class B extends A { constructor(b) { super(b + '/a'); } } class C extends B { constructor(c) { super(c + '/b'); } } ask(new C('/c').a);`,
    '"/c/b/a"',
  ),
  row(
    'a field of the superclass is set by the subclass',
    `class A { a = '1'; } class B extends A { constructor() { super(); this.a = '2'; } } ask(new B().a);`,
    '"2"',
  ),
  row(
    'a question in the superclass knows its subclasses',
    `class A { get() { ask(this.base); } } class B extends A { base = '/b'; } class C extends A { base = '/c'; } new B().get(); new C().get();`,
    '"/b" | "/c"',
  ),
  row(
    'a question in an abstract class that nobody makes',
    `export abstract class A { abstract base: string; get() { ask(this.base); } } export class B extends A { base = '/b'; }`,
    '"/b"',
  ),
  row(
    'a getter of the superclass',
    `class A { get url() { return this.base + '/a'; } } class B extends A { base = '/b'; } ask(new B().url);`,
    '"/b/a"',
  ),
  row(
    'what a class in the middle leaves to those below it',
    `class A { f() {} } class B extends A { list() { return ask(this.path); } } class C extends B { path = '/c'; }`,
    '"/c"',
  ),
  row(
    'what a class in the middle may have from one of the platform',
    `class A extends EventTarget {} class B extends A { list() { return ask(this.path); } } class C extends B { path = '/c'; }`,
    '"/c" | ?',
  ),
  row('a static member of the superclass', `class A { static a = '1'; } class B extends A {} ask(B.a);`, '"1"'),
  row('a static method of the superclass', `class A { static make() { return '1'; } } class B extends A {} ask(B.make());`, '"1"'),
  row('new this in a static method', `class A { a = '1'; static make() { return new this(); } } ask(A.make().a);`, '"1"'),
  row(
    'a mixin',
    `const M = (Base) => class extends Base { url() { return this.base; } }; class A { base = '/v1'; } ask(new (M(A))().url());`,
    '"/v1"',
  ),
  row(
    'a superclass that is one of two',
    `class A { a = '1'; } class B { a = '2'; } class C extends (flag ? A : B) {} ask(new C().a);`,
    '"1" | "2"',
    { imprecise: 'a superclass is followed where it is one only' },
  ),
  row(
    'a superclass of a package',
    `import { Base } from 'elsewhere'; class C extends Base { base = '/v1'; get() { ask(this.base); } } new C().get();`,
    '"/v1"',
    { isOnlyRead: true },
  ),
  row(
    'what a superclass of a package has is unknown',
    `import { Base } from 'elsewhere'; class C extends Base {} ask(new C().base);`,
    '?',
    { isOnlyRead: true },
  ),
  row(
    'a superclass of another file',
    {
      'a.ts': `export class A { base = '/v1'; url(x) { return this.base + x; } }`,
      'main.ts': `import { A } from './a'; class B extends A {} ask(new B().url('/b'));`,
    },
    '"/v1/b"',
  ),
  row(
    'a question in a superclass of another file',
    {
      'a.ts': `export class A { get(x) { ask(this.base + x); } }`,
      'main.ts': `import { A } from './a'; class B extends A { base = '/v1'; } new B().get('/b');`,
    },
    '"/v1/b"',
  ),
  row(
    'a class that extends what a function makes',
    `const make = (base) => class { base = base; }; class B extends make('/v1') {} ask(new B().base);`,
    '"/v1"',
  ),
  row('a class that extends itself comes to an end', `class A extends A {} ask(new A().a);`, '?', {
    isOnlyRead: true,
  }),
  row('classes that extend each other come to an end', `class A extends B {} class B extends A {} ask(new A().a);`, '?', {
    isOnlyRead: true,
  }),
]);
