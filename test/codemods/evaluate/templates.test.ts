import { row, table } from '../helpers/values/table.ts';

const open = { isOnlyRead: true } as const;

table('templates of paths', [
  row('a name that is not known', 'ask("/v1/messages/:id/x".replace(`:${input.name}`, input.id));', '"/v1/messages/" + ? + "/x"', open),
  row('names in braces', `ask('/v1/{a}/x/{b}'.replaceAll('{' + input.name + '}', '7'));`, '"/v1/" + ? + "/x/" + ?', open),
  row('one of two names', `ask('/v1/:a/:b/:c'.replace(flag ? ':a' : ':b', '7'));`, '"/v1/" + ? + "/" + ? + "/:c"', open),
  row(
    'a pattern of a name',
    "ask('/v1/{{ a }}/x'.replace(new RegExp(`\\\\{\\\\{ ${input.name} \\\\}\\\\}`, 'g'), '7'));",
    '"/v1/" + ? + "/x"',
    open,
  ),
  row(
    'a port and a scheme are no placeholders',
    'ask("http://a.test:80/:id".replace(`:${input.name}`, "7"));',
    '"http://a.test:80/" + ?',
    open,
  ),
  row('a word that is not known may be anything', `ask('/v1/messages'.replace(input.word, '7'));`, '?', open),
  row('no name at all', `for (const name of []) ask('/v1/:id'.replace(':' + name, '7'));`, '', {
    ...open,
    imprecise: 'a list that is empty here may be filled elsewhere',
  }),
  row(
    'a fold of known parameters',
    "const fill = (path, values) => Object.entries(values).reduce((p, [k, v]) => p.replace(`:${k}`, v), path); ask(fill('/:a/:b', { a: 'x', b: 'y' }));",
    '"/x/y"',
  ),
  row('a fold of none', `ask([].reduce((p, k) => p.replace(k, ''), '/v1'));`, '"/v1"'),
  row(
    'a fold of parameters that are not known',
    "ask(Object.entries(input.values).reduce((p, [k, v]) => p.replace(`:${k}`, v), '/v1/:a/:b'));",
    '"/v1/" + ? + "/" + ?',
    open,
  ),
  row(
    'a fold that leaves out what it does not fill',
    "ask(Object.keys(input.values).reduce((p, k) => p.replace(`:${k}`, '7'), '/v1'));",
    '"/v1"',
    open,
  ),
  row('a fold that appends', "ask(Object.keys(input.values).reduce((p, k) => p + '/' + k, '/v1'));", '?', open),
  row('a fold that puts something else in its place', "ask(Object.keys(input.values).reduce(() => '/b', '/a'));", '"/a" | "/b"', open),
  row('a fold of what is no text', "ask(['a'].reduce((all, k) => ({ ...all, [k]: 1 }), {}));", '{ a: "1" }', {
    imprecise: 'only texts are folded',
  }),
  row(
    'a loop that fills',
    "let path = '/v1/:a/:b'; for (const [k, v] of Object.entries(input.values)) path = path.replace(`:${k}`, v); ask(path);",
    '"/v1/" + ? + "/" + ? | "/v1/:a/:b"',
    open,
  ),
]);
