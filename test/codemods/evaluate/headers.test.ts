import { row, table } from '../helpers/values/table.ts';

const key = '{ "x-api-key": "k" }';

table('headers', [
  row('an object', `ask({ 'x-api-key': 'k' });`, key),
  row('Headers of an object', `ask(new Headers({ 'x-api-key': 'k' }));`, key),
  row('Headers of a list of pairs', `ask(new Headers([['x-api-key', 'k']]));`, key),
  row('Headers of Headers', `ask(new Headers(new Headers({ 'x-api-key': 'k' })));`, key),
  row('Headers of nothing', `ask(new Headers());`, '{}'),
  row('Headers of undefined', `ask(new Headers(undefined));`, '{}'),
  row('Headers of something unknown', `ask(new Headers(input.options));`, '{ ... }'),
  row(
    'Headers of something unknown with one that is set',
    `const h = new Headers(input.options); h.set('x-api-key', 'k'); ask(h);`,
    '{ "x-api-key": "k", ... }',
  ),
  row('set', `const h = new Headers(); h.set('x-api-key', 'k'); ask(h);`, key),
  row('append', `const h = new Headers(); h.append('x-api-key', 'k'); ask(h);`, key),
  row('set under a condition', `const h = new Headers(); if (flag) h.set('x-api-key', 'k'); ask(h);`, key),
  row('set twice', `const h = new Headers(); h.set('a', '1'); h.set('b', '2'); ask(h);`, '{ a: "1", b: "2" }'),
  row('set over what was there', `const h = new Headers({ a: '1' }); h.set('a', '2'); ask(h.get('a'));`, '"2"', {
    imprecise: 'the order of writes is not followed',
  }),
  row('set by a name in a variable', `const name = 'x-api-key'; const h = new Headers(); h.set(name, 'k'); ask(h);`, key),
  row(
    'set in a loop over pairs',
    `const h = new Headers(); for (const [name, value] of [['a', '1']]) h.set(name, value); ask(h);`,
    '{ a: "1" }',
  ),
  row('set in a function that is given it', `const h = new Headers(); function sign(x) { x.set('x-api-key', 'k'); } sign(h); ask(h);`, key),
  row('set through another name', `const h = new Headers(); const g = h; g.set('x-api-key', 'k'); ask(h);`, key),
  row('delete', `const h = new Headers({ a: '1' }); h.delete('a'); ask(h.get('a') ?? 'none');`, '"none"', {
    imprecise: 'the order of writes is not followed',
  }),
  row('get', `ask(new Headers({ a: '1' }).get('a'));`, '"1"'),
  row('get in other letters', `ask(new Headers({ 'X-Api-Key': 'k' }).get('x-api-key'));`, '"k"'),
  row('a spread of headers', `const h = { 'x-api-key': 'k' }; ask({ ...h, accept: 'json' });`, '{ accept: "json", "x-api-key": "k" }'),
  row('a spread of Headers', `ask({ ...Object.fromEntries(new Headers({ a: '1' })) });`, '{ a: "1" }'),
  row(
    'a list of headers that is folded into one',
    `const join = (...all) => all.reduce((a, b) => ({ ...a, ...(b ?? {}) }), {}); ask(join({ 'x-api-key': 'k' }, undefined));`,
    key,
  ),
  row(
    'a list that is folded by what is asked of it',
    `const join = (...all) => all.reduce((a, b) => ('a' in b ? a : { ...a, ...b }), {}); ask(join({ 'x-api-key': 'k' }));`,
    key,
    { imprecise: 'it is followed where it joins and does nothing else' },
  ),
  row(
    'what is made of the pairs of Headers with something unknown',
    `const h = new Headers({ ...input.options }); h.set('x-api-key', 'k'); ask(Object.fromEntries(h.entries()));`,
    '{ "x-api-key": "k", ... }',
  ),
  row(
    'what is made of pairs that have a value',
    `ask(Object.fromEntries(Object.entries({ 'x-api-key': 'k' }).filter(([, value]) => value != null)));`,
    key,
  ),
  row('headers by a function', `const headers = (key) => ({ 'x-api-key': key }); ask(headers('k'));`, key),
  row('headers by an async function', `const headers = async () => ({ 'x-api-key': 'k' }); ask(await headers());`, key),
  row('headers by a getter', `class C { get headers() { return { 'x-api-key': 'k' }; } } ask(new C().headers);`, key),
  row(
    'headers with one more',
    `const base = { accept: 'json' }; const h = { ...base }; h['x-api-key'] = 'k'; ask(h);`,
    '{ accept: "json", "x-api-key": "k" }',
  ),
  row('headers in two spellings are two', `ask({ 'x-api-key': 'a', 'X-Api-Key': 'b' });`, '{ "X-Api-Key": "b", "x-api-key": "a" }'),
  row('a name that a function makes lower case', `const h = {}; h['X-API-KEY'.toLowerCase()] = 'k'; ask(h);`, '{ "x-api-key": "k" }'),
  row('headers of the environment', `ask({ 'x-api-key': process.env.API_KEY });`, '{ "x-api-key": env API_KEY }'),
  row('headers with a Bearer', 'ask({ authorization: `Bearer ${process.env.TOKEN}` });', '{ authorization: "Bearer " + env TOKEN }'),
]);
