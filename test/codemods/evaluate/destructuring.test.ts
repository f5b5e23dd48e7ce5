import { row, table } from '../helpers/values/table.ts';

table('destructuring', [
  row('a property by its name', `const { a } = { a: '1' }; ask(a);`, '"1"'),
  row('a property under another name', `const { a: b } = { a: '1' }; ask(b);`, '"1"'),
  row('a property by a name in quotes', `const { 'x-a': b } = { 'x-a': '1' }; ask(b);`, '"1"'),
  row('a property by a computed name', `const name = 'a'; const { [name]: b } = { a: '1' }; ask(b);`, '"1"', {
    imprecise: 'computed names in patterns are not followed',
  }),
  row('a property far inside', `const { a: { b: { c } } } = { a: { b: { c: '1' } } }; ask(c);`, '"1"'),
  row('a default for what is missing', `const { a = '2' } = {}; ask(a);`, '"2"'),
  row('a default for undefined', `const { a = '2' } = { a: undefined }; ask(a);`, '"2"'),
  row('no default for what is there', `const { a = '2' } = { a: '1' }; ask(a);`, '"1"'),
  row('a default for what may be missing', `const { a = '2' } = flag ? { a: '1' } : {}; ask(a);`, '"1" | "2"'),
  row('a default beside something unknown', `const { base = '2' } = input.options; ask(base);`, '"2" | ?', {
    imprecise: 'what comes from elsewhere counts as there',
  }),
  row(
    'a default for the environment',
    `const { API_URL = 'https://a.test' } = process.env; ask(API_URL);`,
    '"https://a.test" | env API_URL',
  ),
  row('a default that is a name', `const b = '2'; const { a = b } = {}; ask(a);`, '"2"'),
  row('a default that is a name of the same pattern', `const { a, b = a + '!' } = { a: '1' }; ask(b);`, '"1!"'),
  row('a default far inside', `const { a: { b = '2' } = {} } = {}; ask(b);`, '"2"'),
  row('the rest without what was taken', `const { a, ...rest } = { a: '1', b: '2', c: '3' }; ask(rest);`, '{ b: "2", c: "3" }'),
  row('the rest of something open stays open', `const { a, ...rest } = { a: '1', ...input.options }; ask(rest);`, '{ ... }'),
  row('an item by its place', `const [a, b] = ['1', '2']; ask(a + b);`, '"12"'),
  row('an item after a unknownPart', `const [, b] = ['1', '2']; ask(b);`, '"2"'),
  row('an item with a default', `const [a = '1'] = []; ask(a);`, '"1"', { imprecise: 'items beyond the end count as unknown' }),
  row('the rest of a list', `const [a, ...rest] = ['1', '2', '3']; ask(rest);`, '["2", "3"]', {
    imprecise: 'the rest of a list is not followed',
  }),
  row('a list in an object', `const { a: [b] } = { a: ['1'] }; ask(b);`, '"1"'),
  row('an object in a list', `const [{ a }] = [{ a: '1' }]; ask(a);`, '"1"'),
  row('a pattern of something unknown', `const { a } = input; ask(a);`, '?'),
  row('a pattern of a parameter', `function f({ a }) { ask(a); } f({ a: '1' }); f({ a: '2' });`, '"1" | "2"'),
  row('a pattern of a parameter far inside', `function f({ o: { a } }) { return a; } ask(f({ o: { a: '1' } }));`, '"1"'),
  row('the rest of a parameter', `function f({ a, ...rest }) { return rest; } ask(f({ a: '1', b: '2' }));`, '{ b: "2" }'),
  row(
    'the rest is spread on',
    `function f({ a, ...rest }) { return { ...rest, c: '3' }; } ask(f({ a: '1', b: '2' }));`,
    '{ b: "2", c: "3" }',
  ),
  row('a pattern in the head of a loop', `for (const { a } of [{ a: '1' }, { a: '2' }]) ask(a);`, '"1" | "2"'),
  row('a pattern of a list in the head of a loop', `for (const [a, b] of [['1', '2'], ['3', '4']]) ask(a + b);`, '"12" | "34"', {
    imprecise: 'the items of a pair are not kept together',
  }),
  row('a pattern of an instance', `class C { a = '1'; } const { a } = new C(); ask(a);`, '"1"'),
  row(
    'a pattern of a namespace',
    { 'p.ts': `export const a = '1';`, 'main.ts': `import * as p from './p'; const { a } = p; ask(a);` },
    '"1"',
  ),
  row('a pattern of what a function returns', `const f = () => ({ a: '1' }); const { a } = f(); ask(a);`, '"1"'),
  row('a pattern of what an async function returns', `const f = async () => ({ a: '1' }); const { a } = await f(); ask(a);`, '"1"'),
  row('a method by a pattern', `const { url } = { url: (x) => '/v1' + x }; ask(url('/a'));`, '"/v1/a"'),
  row('what a pattern names is written to later', `let { a } = { a: '1' }; if (flag) a = '2'; ask(a);`, '"1" | "2"'),
]);
