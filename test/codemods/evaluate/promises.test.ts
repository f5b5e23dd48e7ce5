import { row, table } from '../helpers/values/table.ts';

table('promises that a function settles', [
  row('at once', `ask(await new Promise((resolve) => resolve('a')));`, '"a"'),
  row('by way of another function', `ask(await new Promise((resolve) => setTimeout(() => resolve('a'), 0)));`, '"a"'),
  row(
    'by a function with a body, in a function with this',
    `class S { url = 'a'; start() { return new Promise((resolve, reject) => { if (!this.url) return reject(new Error()); resolve(this); }); } }
     ask((await new S().start()).url);`,
    '"a"',
  ),
  row('with what the function around it is given', `const f = (x) => new Promise((done) => done({ x })); ask((await f('a')).x);`, '"a"'),
  row(
    'in two ways',
    `ask(await new Promise((resolve) => { if (flag) resolve('a'); else setTimeout(() => resolve('b'), 0); }));`,
    '"a" | "b"',
  ),
  row('with nothing', `ask(await new Promise((resolve) => resolve()));`, 'undefined'),
  row('with another promise', `ask(await new Promise((resolve) => resolve(Promise.resolve('a'))));`, '"a"'),
  row('with a pattern', `const { a } = await new Promise((resolve) => resolve({ a: '1' })); ask(a);`, '"1"'),
  row(
    'with what a callback is given that nobody sees called',
    `ask(await new Promise((resolve) => input.read((answer = 'a') => resolve(answer))));`,
    '?',
    { isOnlyRead: true },
  ),
  row('by whoever else has its resolve', `ask(await new Promise((resolve) => { resolve('a'); input.later(resolve); }));`, '"a" | ?', {
    isOnlyRead: true,
  }),
  row(
    'by a resolve under another name',
    `let settle; const p = new Promise((resolve) => { settle = resolve; }); settle('a'); ask(await p);`,
    '"a"',
    {
      imprecise: 'a resolve that is kept is not followed',
    },
  ),
  row('by arguments', `ask(await new Promise(function (resolve) { arguments[0]('a'); resolve('b'); }));`, '"a"', {
    imprecise: 'arguments is not followed',
  }),
  row('by nobody', `ask(new Promise(() => {}));`, '?'),
  row('of a class of the project', `class Promise { constructor(f) { f(() => {}); } } ask(new Promise((resolve) => resolve('a')).x);`, '?'),
  row(
    'and what is written through it',
    `const o = { a: '1' }; const p = new Promise((resolve) => resolve(o)); (await p).a = '2'; ask(o.a);`,
    '"1" | "2"',
  ),
  row(
    'and what is written through a name of it',
    `const o = { a: '1' }; const f = () => new Promise((resolve) => setTimeout(() => resolve(o), 0)); const x = await f(); x.a = '2'; ask(o.a);`,
    '"1" | "2"',
  ),
  row(
    'and what is written to it before',
    `ask(await new Promise((resolve) => { const o = {}; o.a = '1'; resolve(o); }).then((o) => o));
     const { a } = await new Promise((resolve) => { const o = {}; o.a = '1'; resolve(o); }); ask(a);`,
    '?; "1"',
    { isOnlyRead: true },
  ),
]);
