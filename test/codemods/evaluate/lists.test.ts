import { row, table } from '../helpers/values/table.ts';

table('lists', [
  row('a list has its items', `ask(['a', 'b']);`, '["a", "b"]'),
  row('an empty list', `ask([]);`, '[]'),
  row('a unknownPart is undefined', `ask(['a', , 'b']);`, '["a", undefined, "b"]'),
  row('an item is read by its number', `ask(['a', 'b'][1]);`, '"b"'),
  row('an item is read by a number in a variable', `const index = 1; ask(['a', 'b'][index]);`, '"b"'),
  row('an item is read by one of two numbers', `ask(['a', 'b', 'c'][flag ? 0 : 1]);`, '"a" | "b"'),
  row('an item is read by something unknown', `ask(['a', 'b'][input.id]);`, '"a" | "b"'),
  row('an item that is not there is undefined', `ask(['a'][1] ?? 'none');`, '"none"', {
    imprecise: 'items beyond the end count as unknown',
  }),
  row('at reads an item', `ask(['a', 'b'].at(0));`, '"a"'),
  row('at reads from the end', `ask(['a', 'b'].at(-1));`, '"b"'),
  row('a list in a list', `ask([['a', 'b']][0][1]);`, '"b"'),
  row('a spread adds items', `const list = ['b']; ask(['a', ...list, 'c']);`, '["a", "b", "c"]'),
  row('a spread of something unknown opens the list', `ask(['a', ...input.list]);`, '["a", ...]'),
  row('concat adds items', `ask(['a'].concat(['b']));`, '["a", "b"]'),
  row('push adds an item', `const list = ['a']; list.push('b'); ask(list);`, '["a", "b"]'),
  row(
    'push in a loop adds any number',
    `const list = []; for (const x of input.list) list.push('b'); for (const x of list) ask(x);`,
    '"b"',
  ),
  row(
    'a list that is handed on, after a push in a loop',
    `const list = []; for (const x of input.list) list.push('b'); ask(list);`,
    '["b", ...]',
    {
      imprecise: 'whoever is given a list may add to it',
    },
  ),
  row('an item is written', `const list = ['a']; list[0] = 'b'; ask(list[0]);`, '"b"', {
    imprecise: 'a list that is written to counts as unknown',
  }),
  row('an item is written through another name', `const list = ['a']; const same = list; same[0] = 'b'; ask(list[0]);`, '"b"', {
    imprecise: 'a list that is written to counts as unknown',
  }),
  row('unshift puts another first', `const list = ['a']; list.unshift('b'); ask(list[0]);`, '"b"', {
    imprecise: 'a list that is changed counts as unknown',
  }),
  row('reverse turns it round', `const list = ['a', 'b']; list.reverse(); ask(list[0]);`, '"b"', {
    imprecise: 'a list that is changed counts as unknown',
  }),
  row('sort may put any first', `const list = ['b', 'a']; list.sort(); ask(list[0]);`, '"a"', {
    imprecise: 'a list that is changed counts as unknown',
  }),
  row('pop takes the last away', `const list = ['a', 'b']; ask(list.pop());`, '"b"', {
    imprecise: 'a list that is changed counts as unknown',
  }),
  row('map makes of each item', 'ask(["a", "b"].map((x) => `/${x}`));', '["/a", "/b"]'),
  row('map by a function with a name', 'const path = (x) => "/" + x; ask(["a"].map(path));', '["/a"]'),
  row('map of something unknown is an open list', `ask(input.list.map((x) => '/v1' + x));`, '["/v1" + ?, ...]', {
    imprecise: 'a global that is not declared is not looked into',
  }),
  row(
    'a loop has any item of what is mapped',
    `function f(list) { for (const x of list.map((y) => '/v1')) ask(x); } f(input.list);`,
    '"/v1"',
  ),
  row(
    'a loop over what something unknown is pushed into',
    `const list = ['a']; list.push(...input.list); for (const x of list) ask(x);`,
    '?',
  ),
  row(
    'what is pushed in a loop leaves the first where it is',
    `const list = ['a']; for (const x of input.list) list.push('b'); ask(list[0]);`,
    '"a"',
  ),
  row('map of map', `ask(['a'].map((x) => x + 'b').map((x) => x + 'c'));`, '["abc"]'),
  row('filter by Boolean takes what is missing away', `ask(['a', '', undefined, 'b'].filter(Boolean));`, '["a", "b"]'),
  row('filter by Boolean and join', `ask(['https://a.test', '', 'v1'].filter(Boolean).join('/'));`, '"https://a.test/v1"'),
  row('filter by a function may leave any', `ask(['a', 'b'].filter((x) => x === 'a')[0]);`, '"a"', { imprecise: 'filter is not followed' }),
  row('find gives an item', `ask(['a', 'b'].find((x) => x === 'b'));`, '"b"', { imprecise: 'find is not followed' }),
  row('reduce puts together', `ask(['a', 'b'].reduce((all, x) => all + x, ''));`, '"ab"'),
  row('flat opens lists', `ask([['a'], ['b']].flat());`, '["a", "b"]'),
  row(
    'flat opens lists as deep as is written',
    `ask([['a', [['b']]]].flat(2)); ask([[['c']]].flat(Infinity)); ask([['d']].flat(0));`,
    '["a", ["b"]]; ["c"]; [["d"]]',
  ),
  row('flat to a depth that nobody knows opens nothing that is known', `ask([['a']].flat(input.depth));`, '?'),
  row('flat of what may be a list is open', `ask([['a'], input.list].flat());`, '["a", ?, ...]'),
  row('flatMap opens what it makes', `ask(['a', 'b'].flatMap((x) => ['-H', x]));`, '["-H", "a", "-H", "b"]'),
  row(
    'concat adds what is no list, too, and nothing is known of what may be one',
    `ask(['a'].concat('b', ['c'])); ask(['a'].concat(input.list)[1]);`,
    '["a", "b", "c"]; ?',
  ),
  row('at of a list that others are added to', `const list = ['a']; list.push(input.x); ask(list.at(-1));`, '?'),
  row('slice of a list', `ask(['a', 'b'].slice(1));`, '["b"]'),
  row('Array.from of a list', `ask(Array.from(['a']));`, '["a"]'),
  row('Array.of', `ask(Array.of('a'));`, '["a"]'),
  row('forEach gives each item', `['a', 'b'].forEach((x) => ask(x));`, '"a" | "b"'),
  row('forEach gives each item to a function with a name', `function f(x) { ask('/' + x); } ['a', 'b'].forEach(f);`, '"/a" | "/b"'),
  row('map gives each item to what asks', `['a', 'b'].map((x) => ask(x));`, '"a" | "b"'),
  row('a list in a property', `const o = { list: ['a', 'b'] }; ask(o.list[1]);`, '"b"'),
  row('a loop over entries', `for (const [name, value] of Object.entries({ a: '1' })) ask(name + value);`, '"a1"'),
  row('a loop over values', `for (const value of Object.values({ a: '1', b: '2' })) ask(value);`, '"1" | "2"'),
  row('what a Set holds', `for (const x of new Set(['a'])) ask(x);`, '"a"'),
  row(
    'what is added to a Set',
    `const all = new Set(); function add(x) { all.add(x); } add('a'); add('b'); for (const x of all) ask(x);`,
    '"a" | "b"',
  ),
  row('what those who call push', `const all = []; function add(x) { all.push(x); } add('a'); for (const x of all) ask(x);`, '"a"'),
  row(
    'what is pushed by who calls another',
    `const all = []; const add = (x) => all.push(x); const addAll = (xs) => { for (const x of xs) add(x); }; addAll(['a', 'b']); for (const x of all) ask(x);`,
    '"a" | "b"',
  ),
  row(
    'what is pushed by a callback of nobody',
    `const all = ['a']; export const on = (x) => all.push(x); for (const x of all) ask(x);`,
    '?',
  ),
  row(
    'what is put into what was pushed',
    `const all = []; all.push({ x: 'a' }); for (const o of all) o.x = 'b'; for (const o of all) ask(o.x);`,
    '"a" | "b"',
  ),
  row(
    'what is set in a Map',
    `const all = new Map(); function add(o) { all.set(o.name, o.x); } add({ name: 'n', x: 'a' }); for (const x of all.values()) ask(x);`,
    '"a"',
  ),
  row('a pair of a Map', `const all = new Map(); all.set(input.name, 'a'); for (const [, x] of all) ask(x);`, '"a"'),
  row(
    'what is put into what a Map holds',
    `const all = new Map([['n', { x: 'a' }]]); all.get('n').x = 'b'; ask(all.get('n').x);`,
    '"a" | "b"',
  ),
  row(
    'what others set in a Map',
    `const all = new Map(); all.set('n', 'a'); export const add = (name, x) => all.set(name, x); ask(all.get(input));`,
    '?',
  ),
  row('what is found by what nobody knows', `ask(['a', 'b'].map((name) => ({ name })).find((o) => o.name === input)?.name);`, '"a" | "b"'),
  row('Promise.all gives a list', `const [a] = await Promise.all([Promise.resolve('a')]); ask(a);`, '"a"'),
  row('what is put into what Promise.all gives', `const all = await Promise.all(['a']); all[0] = 'b'; ask(all[0]);`, '"b"', {
    imprecise: 'what is written to a list is not told',
  }),
  row(
    'what is pushed to what Promise.all gives',
    `const all = await Promise.all(['a']); all.push('b'); for (const x of all) ask(x);`,
    '"a" | "b"',
  ),
  row(
    'Promise.all leaves the list that it is given',
    `const list = ['a']; const all = await Promise.all(list); all[0] = 'b'; ask(list[0]);`,
    '"a"',
  ),
  row('push to an item', `const list = [['a']]; const [first] = list; first.push('b'); ask(list[0]);`, '["a", "b"]', {
    imprecise: 'what is pushed under another name is not told',
  }),
  row('push to a list in an object', `const o = { list: ['a'] }; o.list.push('b'); ask(o.list);`, '["a", "b"]', {
    imprecise: 'what is pushed under another name is not told',
  }),
  row('a write into an object in a list', `const list = [{ a: '1' }]; list[0].a = '2'; ask(list[0].a);`, '"1" | "2"'),
  row(
    'a write into an object in a list that is gone through',
    `const list = [{ a: '1' }]; for (const x of list) x.a = '2'; ask(list[0].a);`,
    '"1" | "2"',
  ),
]);
