import { row, table } from '../helpers/values/table.ts';

table('writes that a call does not come to', [
  row(
    'a write behind a question of what the object has not',
    `function f(o = {}) { if (o.body) o.method = 'POST'; ask(o.method); } f(); f({ query: '1' });`,
    'undefined',
  ),
  row('… of what it has', `function f(o) { if (o.body) o.method = 'POST'; ask(o.method); } f({ body: '1' });`, '"POST"'),
  row(
    'a write behind a question that one of two has the answer to',
    `function f(o) { if (o.body && o.method === undefined) o.method = 'POST'; ask(o.method); } f({ body: '1', method: 'PUT' });`,
    '"PUT"',
  ),
  row(
    'a write behind what leaves before',
    `function f(o) { if (!o.body) return; o.method = 'POST'; } const p = {}; f(p); ask(p.method);`,
    'undefined',
  ),
  row(
    'a write in another case',
    `function f(o) { if (o.body == null) o.method = 'GET'; else o.method = 'POST'; ask(o.method); } f({});`,
    '"GET"',
  ),
  row(
    'a write into what is made in the call, behind a question of what that is given',
    `function f(body) { const o = {}; if (body) o.method = 'POST'; return o.method; } ask(f());`,
    'undefined',
    { imprecise: 'what writes into the literal in any call is looked for, too' },
  ),
  row(
    'what calls write into what they all have is there in the next',
    `const o = {}; function f(body) { if (body) o.method = 'POST'; return o.method; } f('1'); ask(f());`,
    '"POST"',
  ),
  row(
    'what is asked about may be put in before',
    `function f(o) { o.body = input.body; if (o.body) o.method = 'POST'; ask(o.method); } f({});`,
    '"POST"',
  ),
  row(
    'what is asked about is put in in the loop that asks again',
    `function f(o) { for (const each of [1, 2]) { if (o.again) o.method = 'POST'; o.again = true; ask(o.method); } } f({});`,
    '"POST"',
  ),
  row(
    'what is asked about is assigned in a function',
    `function f(body) { const set = () => { body = '1'; }; set(); const o = {}; if (body) o.method = 'POST'; return o.method; } ask(f());`,
    '"POST"',
  ),
  row(
    'what has it by one of two ways may have it not',
    `function f(o) { if (!o.body) o.method = 'GET'; ask(o.method); } f(flag ? { body: '1' } : {});`,
    '"GET"',
  ),
  row(
    'what is put together of something that is not known may have it',
    `function f(o) { if (o.body) o.method = 'POST'; ask(o.method); } f({ ...input });`,
    '"POST"',
  ),
]);
