import { row, table } from '../helpers/values/table.ts';

const byCase = `switch (n) { case 'a': case 'b': return 'x'; case 'c': String(n); case 'd': return 'y'; default: return 'z'; }`;

table('what a function returns for the name that it is given', [
  row('one of two', `const f = (n) => (n === 'url' ? 'a' : 'b'); ask(f('url')); ask(f('key'));`, '"a"; "b"'),
  row('the other way round', `const f = (n) => ('url' !== n ? 'a' : 'b'); ask(f('url')); ask(f('key'));`, '"b"; "a"'),
  row(
    'behind a statement that leaves',
    `function f(n) { if (n === 'url') { return 'a'; } return 'b'; } ask(f('url')); ask(f('key'));`,
    '"a"; "b"',
  ),
  row(
    'of one that does not leave',
    `function f(n) { if (n === 'url') { String(n); } else return 'a'; return 'b'; } ask(f('url')); ask(f('key'));`,
    '"b"; "a" | "b"',
  ),
  row('by cases', `function f(n) { ${byCase} } ask(f('a')); ask(f('b')); ask(f('d')); ask(f('e'));`, '"x"; "x"; "y"; "z"'),
  row('by a case that goes on into the next', `function f(n) { ${byCase} } ask(f('c'));`, '"y"'),
  row(
    'by a case that is not written there',
    `function f(n) { switch (n) { case input.one: return 'x'; default: return 'y'; } } ask(f('a'));`,
    '"x" | "y"',
  ),
  row('anything for what is not known', `const f = (n) => (n === 'url' ? 'a' : 'b'); ask(f(input.name));`, '"a" | "b"'),
  row(
    'anything where the parameter is written to',
    `function f(n) { n = input.n ?? n; return n === 'url' ? 'a' : 'b'; } ask(f('url'));`,
    '"a" | "b"',
  ),
  row('anything where a version is asked about', `const f = (n) => (n === 'v1' ? 'a' : 'b'); ask(f('v1'));`, '"a" | "b"'),
]);
