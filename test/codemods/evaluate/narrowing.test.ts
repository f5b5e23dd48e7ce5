import { row, table } from '../helpers/values/table.ts';

const order = 'the order of assignments is not followed';

table('questions about the ends of a text', [
  row(
    'a slash is put before what has none',
    `const f = (p) => (p.startsWith('/') ? p : '/' + p); ask(f('a')); ask(f('/b'));`,
    '"/a"; "/b"',
  ),
  row(
    'a slash is taken from what has one',
    `const f = (p) => (p.endsWith('/') ? p.slice(0, -1) : p); ask(f('a/')); ask(f('b'));`,
    '"a"; "b"',
  ),
  row('each alternative by itself', `const p = flag ? '/a' : 'b'; ask(p.startsWith('/') ? p : '/' + p);`, '"/a" | "/b"'),
  row('what is not known may be either', `ask(input.path.startsWith('/') ? input.path : '/' + input.path);`, '"/" + ? | ?'),
  row('what begins with a known text', 'const p = `/a/${input.id}`; ask(p[0] === "/" ? p : "/" + p);', '"/a/" + ?'),
  row('what ends in something unknown', 'const p = `/a/${input.id}`; ask(p.endsWith("/") ? p : p + "/");', '"/a/" + ? | "/a/" + ? + "/"'),
  row('the other way round', `const p = 'a'; ask(!p.endsWith('/') ? p + '/' : p);`, '"a/"'),
  row(
    'a pattern for a scheme',
    `const f = (p) => (/^https?:\\/\\//.test(p) ? p : 'https://h' + p); ask(f('/a')); ask(f('http://o/b'));`,
    '"https://h/a"; "http://o/b"',
  ),
  row(
    'what is written in another way',
    `const p = 'a'; ask(p.indexOf('http') === 0 ? p : 'b'); ask(p.slice(-1) !== '/' ? p + '/' : p); ask(p.charAt(0) === '/' ? p : '/' + p);`,
    '"b"; "a/"; "/a"',
  ),
  row(
    'the scheme of a URL, by a name of the question',
    `const f = (a) => { const u = new URL(a); const isSecure = u.protocol === 'https:'; return isSecure ? 's' : 'p'; };
     ask(f('https://h/a')); ask(f('http://h/a'));`,
    '"s"; "p"',
  ),
  row(
    'a name of a question that something else is put into',
    `const u = new URL('https://h/a'); let isSecure = u.protocol === 'https:'; if (flag) isSecure = false; ask(isSecure ? 's' : 'p');`,
    '"p" | "s"',
  ),
  row(
    'the scheme of a URL that is not known',
    `const u = new URL(flag ? 'https://h/a' : 'http://h/a'); ask(u.protocol !== 'https:' ? 'p' : 's');`,
    '"p" | "s"',
  ),
  row('a property', `const o = { p: flag ? '/a' : 'b' }; ask(o.p.startsWith('/') ? o.p : '/' + o.p);`, '"/a" | "/b"'),
  row(
    'a statement that leaves',
    `function f(p) { if (p.startsWith('http')) return p; return 'https://h' + p; } ask(f('/a')); ask(f('http://o'));`,
    '"https://h/a"; "http://o"',
  ),
  row('a statement that mends', `let p = flag ? '/a' : 'b'; if (!p.startsWith('/')) p = '/' + p; ask(p);`, '"/a" | "/b"'),
  row('a statement that puts something behind', `let p = 'a'; if (!p.endsWith('/')) { p += '/'; } const g = () => p; ask(g());`, '"a/"'),
  row('what is mended to something that still asks for it', `let p = '/a'; if (p.startsWith('/')) p = '/b' + p; ask(p);`, '"/b/a"', {
    imprecise: order,
  }),
  row('another value that is put in within', `let p = '/a'; if (p.startsWith('/')) { p = 'b'; ask(p); }`, '"b"', { imprecise: order }),
  row('a function that is called later', `let p = '/a'; let g; if (p.startsWith('/')) { g = () => ask(p); } p = 'b'; g();`, '"b"', {
    imprecise: order,
  }),
  row('another name of that spelling', `const p = '/a'; ask(p.startsWith('/') ? ((p) => p)('b') : p);`, '"b"'),
  row('what would be moved is not asked', `const p = '/v1/a'; ask(p.startsWith('/v1') ? p : '/b');`, '"/v1/a"', {
    imprecise: 'an edit would change the answer',
  }),
]);
