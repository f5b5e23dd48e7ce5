/** Classes under and beside each other, and what sets their fields. */
import { ask, base, type Grown, main, times } from './pieces.ts';

export const classes: Readonly<Record<string, Grown>> = {
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
  'methods of one class that are called each': (size) =>
    main(
      `class C { ask(path) { ${ask('path')} }`,
      times(size, (index) => `m${index}(id) { return this.ask('/v1/messages/' + id + '?page=${index}'); }`),
      '}',
      base,
      'export const c = new C();',
      times(size, (index) => `c.m${index}(${index});`),
    ),
  'methods of one name in many classes': (size) =>
    main(
      base,
      times(size, (index) => `class C${index} { get() { return '/v1/p${index}'; } }`),
      times(size, (index) => ask(`new C${index}().get()`)),
    ),
  'methods of one name that are called on what they are given': (size) =>
    main(
      base,
      times(size, (index) => `export class C${index} { run(next, id) { return next.run(this, id).map((x) => x.run(next)); } }`),
      times(size, (index) => `new C${index}().run(new C${(index + 1) % size}(), ${index});`),
      `class Last { run(by, id) { ${ask("'/v1/messages/' + id")} } }`,
      'new C0().run(new Last(), 1);',
    ),
};
