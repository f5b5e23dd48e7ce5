import { row, table } from '../helpers/values/table.ts';

table('variables and assignments', [
  row('a constant is what it starts with', `const path = '/v1'; ask(path);`, '"/v1"'),
  row('a constant of a constant', `const a = '/v1'; const b = a; const c = b; ask(c);`, '"/v1"'),
  row('several in one declaration', `const a = '/v1', b = a + '/x'; ask(b);`, '"/v1/x"'),
  row('a var is known above its line', `function f() { return path; } var path = '/v1'; ask(f());`, '"/v1"'),
  row('a variable that is never assigned again', `let path = '/v1'; ask(path);`, '"/v1"'),
  row('a variable that is assigned later', `let path; path = '/v1'; ask(path);`, '"/v1"'),
  row('an assignment under a condition may be or not be', `let path = '/a'; if (flag) path = '/b'; ask(path);`, '"/a" | "/b"'),
  row('an assignment after another takes its place', `let path = '/a'; path = '/b'; ask(path);`, '"/b"', {
    imprecise: 'the order of assignments is not followed',
  }),
  row('an assignment after the question does not count', `let path = '/a'; ask(path); path = '/b';`, '"/a"', {
    imprecise: 'the order of assignments is not followed',
  }),
  row('both branches assign', `let path; if (flag) path = '/a'; else path = '/b'; ask(path);`, '"/a" | "/b"'),
  row(
    'a switch assigns',
    `let path; switch (input.id) { case '7': path = '/a'; break; case '8': path = '/b'; break; default: path = '/c'; } ask(path);`,
    '"/a" | "/b" | "/c"',
  ),
  row('try and catch assign', `let path; try { path = '/a'; input.nothing.at(); } catch { path = '/b'; } ask(path);`, '"/a" | "/b"'),
  row(
    'what a name holds at first has no properties, so what is read of it is of what is put there',
    `let kept = null; function settings() { if (kept) return kept; kept = { url: '/v1' }; return kept; } ask(settings().url);`,
    '"/v1"',
  ),
  row(
    'a pattern takes properties of what is put there',
    `let kept = null; function settings() { kept = { url: '/v1' }; return kept; } const { url } = settings(); ask(url);`,
    '"/v1"',
  ),
  row('a function assigns to what is around it', `let path = '/a'; function set() { path = '/b'; } set(); ask(path);`, '"/a" | "/b"'),
  row('an assignment of an assignment', `let a; let b; a = b = '/v1'; ask(a + b);`, '"/v1/v1"'),
  row('an assignment of something unknown may be anything', `let path = '/a'; if (flag) path = input.path; ask(path);`, '"/a" | ?'),
  row('a loop over a known list gives any item', `for (const path of ['/a', '/b']) ask(path);`, '"/a" | "/b"'),
  row(
    'a loop over a known list in a constant',
    `const paths = ['/a', '/b']; for (const path of paths) ask('/v1' + path);`,
    '"/v1/a" | "/v1/b"',
  ),
  row('a loop over something unknown is unknown', `for (const path of input.list) ask(path);`, '?'),
  row('a loop over keys gives them', `for (const name in { a: 1, b: 2 }) ask(name);`, '"a" | "b"', { imprecise: 'keys are not followed' }),
  row('a loop that assigns', `let path = ''; for (const part of ['/a', '/b']) path = part; ask(path);`, '"" | "/a" | "/b"'),
  row('a loop that puts after', `let path = ''; for (const part of ['/a', '/b']) path += part; ask(path);`, '"/a/b"', {
    imprecise: 'how often a loop runs is not followed',
  }),
  row('a loop with a counter', `for (let page = 1; page < 3; page++) ask('?page=' + page);`, '"?page=" + ?'),
  row('an inner name hides an outer', `const path = '/a'; { const path = '/b'; ask(path); }`, '"/b"'),
  row('an outer name is not the inner', `const path = '/a'; { const path = '/b'; } ask(path);`, '"/a"'),
  row('a parameter hides an outer name', `const path = '/a'; function f(path) { return path; } ask(f('/b'));`, '"/b"'),
  row('a name of a catch clause hides an outer', `const error = '/a'; try { throw new Error('x'); } catch (error) { ask(error); }`, '?'),
  row('a name that nothing declares is a global', `ask(fetch);`, 'global.fetch'),
  row('undefined is no name of its own', `ask(undefined ?? '/a');`, '"/a"'),
  row('a var that is declared twice may be either', `var path = '/a'; var path = '/b'; ask(path);`, '"/b"', {
    imprecise: 'the order of assignments is not followed',
  }),
  row('a declaration without a value changes nothing', `var path = '/a'; var path; ask(path);`, '"/a"'),
  row('a variable that is only declared is undefined', `let path; ask(path ?? '/a');`, '"/a"', {
    imprecise: 'what is never assigned counts as unknown',
  }),
  row('an enum gives its texts', `enum Path { Messages = '/v1/messages' } ask(Path.Messages);`, '"/v1/messages"'),
  row('an enum gives its numbers', `enum Kind { A, B } ask(Kind.B);`, '"1"'),
  row('a const enum gives its texts', `const enum Path { A = '/a', B = '/b' } ask(flag ? Path.A : Path.B);`, '"/a" | "/b"'),
  row('a computed enum member is put together', 'enum Path { A = `/v1` + "/x" } ask(Path.A);', '"/v1/x"'),
  row(
    'a namespace gives what it exports',
    `namespace Paths { export const messages = '/v1/messages'; } ask(Paths.messages);`,
    '"/v1/messages"',
  ),
  row('an import alias of TypeScript', `const paths = { a: '/v1' }; namespace N { export const b = '/v1'; } ask(paths.a);`, '"/v1"'),
  row('swapping by a pattern may be either', `let a = '/a', b = '/b'; [a, b] = [b, a]; ask(a);`, '"/b"', {
    imprecise: 'patterns in assignments are not followed',
  }),
  row('assigning by a pattern of an object', `let path; ({ path } = { path: '/a' }); ask(path);`, '"/a"', {
    imprecise: 'patterns in assignments are not followed',
  }),
  row('a label changes nothing', `let path = '/a'; outer: for (const x of ['/b']) { path = x; break outer; } ask(path);`, '"/a" | "/b"'),
]);
