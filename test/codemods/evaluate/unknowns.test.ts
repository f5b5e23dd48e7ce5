import { row, table } from '../helpers/values/table.ts';

const read = { isOnlyRead: true } as const;

table('what must be unknown', [
  row('what nobody declares', `ask(input);`, '?'),
  row('a property of it', `ask(input.path);`, '?'),
  row('what it returns', `ask(input.list.join('/'));`, '?'),
  row('a parameter of a function that is exported', `export function f(x) { ask(x); }`, '?', read),
  row('a parameter of a function that is exported and called here', `export function f(x) { ask(x); } f('a');`, '"a"', read),
  row('a parameter of a function that is handed to something unknown', `input.list.forEach((x) => ask(x));`, '?'),
  row('a parameter beside those that are known', `import { on } from 'elsewhere'; on((x, y) => ask('/v1' + y));`, '"/v1" + ?', read),
  row('an event', `document.addEventListener('click', (event) => ask(event.target));`, '?', read),
  row('an answer', `const answer = await input.call(); ask(answer.url);`, '?', read),
  row('what is caught', `try { input.x.y.z(); } catch (error) { ask(error.message); }`, '?', read),
  row('what is yielded to', `function* f() { const x = yield 'a'; ask(x); } f().next();`, '?', read),
  row('a new of something unknown', `import { C } from 'elsewhere'; ask(new C());`, '?', read),
  row('a field of it', `import { C } from 'elsewhere'; ask(new C().base);`, '?', read),
  row('a decorated field may be anything', `class C { @input.prop() a = '1'; } ask(new C().a);`, '"1" | ?', read),
  row('a variable that a pattern of a loop assigns', `let a = '1'; for ([a] of input.list) ask(a);`, '"1" | ?', read),
  row('a variable that a loop assigns', `let a = '1'; for (a of input.list) ask('/v1' + a);`, '"/v1" + ?', {
    imprecise: 'the order of assignments is not followed',
  }),
  row('arithmetic on what is known', `let n = 1; n = n + 1; ask('/v' + n);`, '"/v2"'),
  row('eval', `ask(eval('"/v1"'));`, '?'),
  row('with a name of a Proxy', `const p = new Proxy({}, { get: () => '/v1' }); ask(p.a);`, '?'),
  row('a getter that is defined', `const o = {}; Object.defineProperty(o, 'a', { get: () => '/v1' }); ask(o.a);`, '?'),
  row('JSX', { 'main.tsx': `const page = <a href="/v1">x</a>; ask(page);` }, '?', read),
  row('a property of a text that is none', `ask('/v1'.nothing ?? 'none');`, '"none"', {
    imprecise: 'a property of a text counts as a method',
  }),
  row('what a tag makes', 'const sql = input.sql; ask(sql`/v1`);', '?', read),
  row('what an iterator gives', `for (const x of input.list.values()) ask(x);`, '?'),
  row('a promise of something unknown', `ask(await input.nothing);`, '?'),
  row('an instance by its unknown class', `ask(new input.C());`, '?', read),
  row(
    'super of something unknown',
    `import { A } from 'elsewhere'; class B extends A { f() { return super.f(); } } ask(new B().f());`,
    '?',
    read,
  ),
  row('arguments', `function f() { ask(arguments[0]); } f('a');`, '?'),
  row('new.target', `function f() { ask(new.target); } new f();`, '?'),
  row('import.meta', `ask(import.meta.url);`, '?', read),
  row('this at the top', `ask(this);`, '?'),
  row('this of a function that is called', `function f() { return this; } ask(f());`, '?'),
]);
