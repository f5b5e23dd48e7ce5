import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { MappingError, compileMappings } from '../../proxy/mappings.ts';

/** Compiles a configuration as it comes from a file: any value. */
function compile(config: unknown): ReturnType<typeof compileMappings> {
  // The configuration file is only checked in compileMappings; this is where unknown becomes known.
  return compileMappings(config as Parameters<typeof compileMappings>[0]);
}

/** What an expression for request bodies makes of a text. */
function map(expression: string, text: string): Promise<string> {
  const mapping = compile({ createContact: { request: { body: expression } } }).of('createContact');
  return mapping?.requestBody?.(text) ?? Promise.reject(new Error('No mapping'));
}

function mapQuery(expression: string, raw: string): Promise<string> {
  const mapping = compile({ listContacts: { request: { query: expression } } }).of('listContacts');
  return mapping?.query?.(raw) ?? Promise.reject(new Error('No mapping'));
}

async function failure(action: () => unknown): Promise<MappingError> {
  try {
    await action();
  } catch (error) {
    if (error instanceof MappingError) return error;
    throw error;
  }
  throw new Error('It did not fail');
}

describe('the example in the documentation', async () => {
  const source = readFileSync(join(import.meta.dirname, '../../proxy/mappings.ts'), 'utf8');
  const lines = source.split('\n').flatMap((line) => /^ \* {5}(.*)/.exec(line)?.[1] ?? []);
  const mappings = compile(parseYaml(lines.join('\n')).mappings);

  test('renames a field of a message and keeps the others', async () => {
    const mapped = await mappings.of('sendMessage')?.requestBody?.('{"channel":"SMS","to":"+41","content":"Hi"}');
    expect(mapped).toBe('{"channel":"SMS","content":"Hi","recipient":"+41"}');
  });

  test('picks the id of the message out of the answer', async () => {
    expect(await mappings.of('sendMessage')?.responseBody?.('{"data":{"id":"m_1","state":"x"}}')).toBe('{"messageId":"m_1"}');
  });

  test('turns pages into offsets', async () => {
    expect(await mappings.of('listContacts')?.query?.('page=3&limit=20')).toBe('offset=40&limit=20');
  });

  test.each([
    ['[]', '[]'],
    ['[{"id":1,"phone":"+41"}]', '[{"id":1,"phone":"+41"}]'],
    ['[{"id":1},{"id":2}]', '[{"id":1},{"id":2}]'],
  ])('makes the list of contacts %s the list %s', async (items, contacts) => {
    expect(await mappings.of('listContacts')?.responseBody?.(`{"data":{"items":${items}}}`)).toBe(`{"contacts":${contacts}}`);
  });
});

test('an endpoint has the mappings that the configuration gives it, and no others', () => {
  const mappings = compile({ sendMessage: { request: { query: '$' } }, getMessage: { response: {} }, listMessages: undefined });
  expect(Object.keys(mappings.of('sendMessage') ?? {})).toEqual(['query']);
  expect(mappings.of('getMessage')).toEqual({});
  expect(mappings.of('listMessages')).toBeUndefined();
  expect(mappings.of('createContact')).toBeUndefined();
});

describe('at start', () => {
  const invalid: [string, unknown, object, RegExp][] = [
    ['an endpoint that does not exist', { sendMesage: {} }, { endpoint: 'sendMesage' }, /mappings\.sendMesage: .*sendMessage, getMessage/],
    ['an endpoint named like a method of objects', { constructor: {} }, { endpoint: 'constructor' }, /no such endpoint/],
    ['a mapping that is a text', { sendMessage: '$' }, { endpoint: 'sendMessage' }, /request\.body/],
    ['a place that does not exist', { sendMessage: { response: { query: '$' } } }, { endpoint: 'sendMessage' }, /response\.body/],
    ['an expression that is no text', { sendMessage: { request: { body: 1 } } }, { endpoint: 'sendMessage' }, /text/],
    [
      'a request body where there is none',
      { getMessage: { request: { body: '$' } } },
      { endpoint: 'getMessage', place: 'request.body' },
      /mappings\.getMessage\.request\.body: .*remove/,
    ],
    [
      'an expression with a fault',
      { sendMessage: { response: { body: '{"a": b +\n\n}' } } },
      { endpoint: 'sendMessage', place: 'response.body' },
      /mappings\.sendMessage\.response\.body: .*S0211 at character 12.*"}".*correct it/,
    ],
    ['an empty expression', { sendMessage: { request: { query: '' } } }, { place: 'request.query' }, /S0207/],
    [
      'a regular expression with a fault',
      { sendMessage: { request: { body: '$match(to, /+/)' } } },
      { place: 'request.body' },
      /SyntaxError/,
    ],
  ];

  test.each(invalid)('%s is refused', async (_what, config, where, text) => {
    const error = await failure(() => compile(config));
    expect(error).toMatchObject({ code: 'MAPPING_INVALID', ...where });
    expect(error.message).toMatch(text);
    expect(error.message).not.toContain('\n');
  });

  test('the cause of a refused expression is what the engine says', async () => {
    const error = await failure(() => compile({ sendMessage: { response: { body: 'a.(' } } }));
    expect(error.cause).toMatchObject({ code: 'S0203', position: 3 });
  });
});

const huge = '12345678901234567890';
const exact = `{"id":${huge},"big":1e400,"small":1e-400,"long":0.12345678901234567891234,"negative":-${huge}.5}`;

describe('a number that a JS number cannot hold keeps every digit through', () => {
  const text = `{"a":${exact},"list":[${huge}]}`;
  test.each([
    ['the whole', '$', text],
    ['a path', 'a', exact],
    ['a constructor', '{"x": a.id, "y": a.big}', `{"x":${huge},"y":1e400}`],
    ['a list of one', '{"list": list}', `{"list":[${huge}]}`],
    ['an appended list', '$append(list, a.id)', `[${huge},${huge}]`],
    ['$merge', '$merge([a, {"more": 1}])', `${exact.slice(0, -1)},"more":1}`],
    ['the transform operator', '$ ~> | a | {"more": 1} |', `{"a":${exact.slice(0, -1)},"more":1},"list":[${huge}]}`],
    ['$clone', '$clone(a)', exact],
    ['$map', '[$map([a, a], function($v) { $v.big })]', '[1e400,1e400]'],
    ['$filter', '$filter([a, {}], function($v) { $exists($v.id) })', exact],
    ['$reduce', '$reduce([a, {"n": 1}], function($x, $y) { $merge([$x, $y]) })', `${exact.slice(0, -1)},"n":1}`],
    ['a wildcard', 'a.*', `[${huge},1e400,1e-400,0.12345678901234567891234,-${huge}.5]`],
    ['descendants', '**.big', '1e400'],
    ['$lookup', '$lookup(a, "small")', '1e-400'],
    ['$each', '[$each(a, function($v) { $v })][0]', huge],
    ['$sift', '$sift(a, function($v, $k) { $k = "id" })', `{"id":${huge}}`],
    ['$spread', '$spread(a)[1]', '{"big":1e400}'],
    ['a sort by another field', '[{"n": 2, "v": a.id}, {"n": 1, "v": a.big}]^(n).v', `[1e400,${huge}]`],
    ['a group', 'a{"k": $}', `{"k":${exact}}`],
    ['a variable', '($x := a.id; {"id": $x})', `{"id":${huge}}`],
    ['a condition', 'a.id ? a.id : 0', huge],
    ['$string', '$string(a.id)', `"${huge}"`],
    ['joining texts', '"no. " & a.id', `"no. ${huge}"`],
    ['$string of an object', '$string({"big": a.big})', '"{\\"big\\":1e400}"'],
  ])('%s', async (_what, expression, result) => {
    expect(await map(expression, text)).toBe(result);
  });

  test.each([
    ['=', 'a = b', 'true'],
    ['!=', 'a != c', 'true'],
    ['in', 'a in [c, b]', 'true'],
    ['$distinct', '$distinct([a, b, c])', `[${huge},${huge}1]`],
  ])('comparing with %s', async (_what, expression, result) => {
    expect(await map(expression, `{"a":${huge},"b":${huge},"c":${huge}1}`)).toBe(result);
  });

  test.each(['a + 1', '-a', 'a > 5', '$sum([a, 1])', '$max([a, 1])', '$round(a)', '$number(a)', '[a, 1]^($)'])(
    'and calculating with it in %s is an error',
    async (expression) => {
      expect(await failure(() => map(expression, `{"a":${huge}}`))).toMatchObject({ code: 'MAPPING_FAILED' });
    },
  );
});

describe('a number that a JS number can hold', () => {
  test('can be calculated with', async () => {
    expect(await map('{"total": $sum(items.(price * n))}', '{"items":[{"price":1.10,"n":3},{"price":2e1,"n":1}]}')).toBe('{"total":23.3}');
  });

  test.each(['0.1234567890123456', '9007199254740991', '-1.7976931348623e-300'])('keeps %s through a transform', async (digits) => {
    expect(await map('$ ~> | $ | {"x": 1} |', `{"n":${digits}}`)).toBe(`{"n":${digits},"x":1}`);
  });

  test('keeps its value, if not its zeros', async () => {
    expect(await map('$', '[1.10, 1.0, 1E2, -0, 0e5]')).toBe('[1.1,1,100,0,0]');
  });
});

describe('moved as it is', () => {
  test.each(['[1]', '[[1]]', '[]', '[[]]', '{}', '[{}]', 'null', 'false', '0', '""', '"x"', '{"a":[{"b":[null]}]}', '{"a":"\\ud800"}'])(
    '%s stays the same',
    async (text) => {
      expect(await map('$', text)).toBe(text);
      expect(await map('$$', text)).toBe(text);
      expect(await map('{"in": $}', text)).toBe(`{"in":${text}}`);
    },
  );

  test('any JSON stays the same', async () => {
    const mapping = compile({ createContact: { request: { body: '$' } } }).of('createContact');
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        fc.pre(!text.includes('__proto__'));
        expect(await mapping?.requestBody?.(text)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  /** What JSONata and JS give a meaning to, where it is on an object of theirs. */
  const names =
    'sequence cons keepSingleton keepArray thunk body environment arguments input signature implementation position token value then next done length constructor prototype toString valueOf hasOwnProperty toJSON rawJSON 0'.split(
      ' ',
    );
  const reservedNames = ['_jsonata_function', '_jsonata_lambda', 'tupleStream', 'outerWrapper', '__proto__'];
  const identities = ['$', '$$', '{"a": $}.a', '$merge([$])', '[$][0]', '($x := $; $x)', '$map([$], function($v) { $v })', '$clone($)'];
  const poses = (name: string): string[] =>
    ['true', '1', '"x"', '{"a":1}', '[{"a":1}]'].map((value) => `{"0":{"secret":1},${JSON.stringify(name)}:${value},"length":1}`);

  test('an object that poses as a part of the engine stays the same or is refused: 1,240 cases', async () => {
    const cases = identities.flatMap((expression) => [...names, ...reservedNames].flatMap(poses).map((text) => ({ expression, text })));
    const results: string[] = [];
    for (const { expression, text } of cases) {
      results.push(await map(expression, text).catch((error: unknown) => (error instanceof MappingError ? error.code : String(error))));
    }
    const isReserved = (text: string): boolean => reservedNames.some((name) => text.includes(name));
    expect(results).toEqual(cases.map(({ text }) => (isReserved(text) ? 'MAPPING_INPUT' : JSON.stringify(JSON.parse(text)))));
    expect(cases).toHaveLength(1_240);
  });

  test.each(['one', '{"one": one}.one', '$lookup($, "one")', '$merge([$]).one', '($ ~> | $ | {"x": 1} |).one'])(
    'a list of one stays a list in %s',
    async (expression) => {
      expect(await map(expression, '{"one":[5]}')).toBe('[5]');
    },
  );

  test('a list of one at the top stays a list through a transform', async () => {
    expect(await map('$ ~> | $ | {"x": 1} |', '[{"a":2}]')).toBe('[{"a":2,"x":1}]');
  });

  test('of members with one name the last counts, as with JSON.parse', async () => {
    expect(await map('$', '{"a":1,"b":2,"a":3}')).toBe('{"a":3,"b":2}');
  });
});

test('brackets make a list of what an expression produces, however many there are', async () => {
  const expression = '{"ids": [items.{"id": id}]}';
  expect(await map(expression, '{"items":[{"id":1}]}')).toBe('{"ids":[{"id":1}]}');
  expect(await map(expression, '{"items":[]}')).toBe('{"ids":[]}');
});

describe('nothing in a body passes for a part of the engine:', () => {
  test('names of Object.prototype are data', async () => {
    const text = '{"constructor":{"prototype":{"polluted":1}},"toString":"x","hasOwnProperty":1,"then":2,"sequence":true,"length":9}';
    expect(await map('$', text)).toBe(text);
    expect(await map('$merge([$ ~> | $ | $ |])', text)).toBe(text);
    expect(await map('{"c": constructor.prototype.polluted, "n": valueOf}', text)).toBe('{"c":1}');
    expect({}).not.toHaveProperty('polluted');
  });

  test.each([
    ['__proto__', '{"a":[{"__proto__":{"polluted":1}}]}'],
    ['an escaped __proto__', '{"\\u005f_proto__":{"polluted":1}}'],
    ['tupleStream, which would set variables', '{"tupleStream":true,"c":"evil","@":{}}'],
    ['a function', '{"o":{"_jsonata_lambda":true,"thunk":true,"body":{},"environment":{}}}'],
    ['a built-in function', '{"_jsonata_function":true}'],
  ])('%s is refused', async (_what, text) => {
    expect(await failure(() => map('($c := "good"; {"c": $c, "a": a})', text))).toMatchObject({ code: 'MAPPING_INPUT' });
  });

  test('the same names are refused in queries', async () => {
    expect(await failure(() => mapQuery('$', 'tupleStream=1'))).toMatchObject({ code: 'MAPPING_INPUT' });
    expect(await failure(() => mapQuery('$', '__proto__=1'))).toMatchObject({ code: 'MAPPING_INPUT' });
  });

  test('an object like those that carry exact numbers is data', async () => {
    expect(await map('$ ~> | $ | {"n": o} |', '{"o":{"rawJSON":"1e400"}}')).toBe('{"o":{"rawJSON":"1e400"},"n":{"rawJSON":"1e400"}}');
  });
});

describe('what came in is at fault', () => {
  const texts = ['', ' ', '{', '{"a":01}', '{"a":NaN}', "{'a':1}", '[1,]', '{"a":1} x', '[undefined]', '\ufeff{}', '['.repeat(10_000)];
  test.each(texts.map((text) => [text.slice(0, 20), text]))('when it is not JSON but %s', async (_start, text) => {
    const error = await failure(() => map('$', text));
    expect(error).toMatchObject({ code: 'MAPPING_INPUT', endpoint: 'createContact', place: 'request.body' });
  });
});

describe('an expression fails', () => {
  test.each([
    ['nothing', 'none'],
    ['a function', '$sum'],
    ['a function of its own', 'function($x) { $x }'],
    ['a transform', '| $ | {} |'],
    ['a regular expression', '/a/'],
    ['a function inside', '{"a": [$sum]}'],
    ['a lambda inside', '{"a": function($x) { $x }}'],
    ['a number out of range', '1/0'],
    ['no number', '{"a": 0/0}'],
  ])('when it gives %s', async (_what, expression) => {
    const error = await failure(() => map(expression, '{}'));
    expect(error).toMatchObject({ code: 'MAPPING_FAILED', endpoint: 'createContact', place: 'request.body' });
  });

  test('with the engine’s code and position', async () => {
    const error = await failure(() => map('{"n": 1 + name}', '{"name":"x"}'));
    expect(error).toMatchObject({ code: 'MAPPING_FAILED', cause: { code: 'T2002', position: 9 } });
    expect(error.message).toMatch(/^mappings\.createContact\.request\.body: T2002 at character 9; /);
  });

  test.each([
    ['a fault of types', '1 + name'],
    ['an error of its own', '$error(name)'],
    ['an assertion', '$assert(false, name)'],
    ['an evaluated text', '$eval(name)'],
    ['a result that cannot be sent', '{"a": function() { name }}'],
    ['a copy that cannot be made', '$clone({"a": function() { name }})'],
  ])('without a word of the body, on %s', async (_what, expression) => {
    const error = await failure(() => map(expression, '{"name":"SeCrEt"}'));
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('SeCrEt');
  });

  test('without a word of the body that is not JSON', async () => {
    for (const text of ['{"SeCr":1,"SeCr":}', 'SeCr', '{"a":"SeCr', '"\\uSeCr"']) {
      const error = await failure(() => map('$', text));
      expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('SeCr');
    }
  });

  test('instead of running for ever', async () => {
    expect(await failure(() => map('($f := function() { $f() }; $f())', '{}'))).toMatchObject({ cause: { code: 'D1012' } });
  });

  test('instead of nesting for ever', async () => {
    expect(await failure(() => map('($f := function($n) { $f($n) + 1 }; $f(1))', '{}'))).toMatchObject({ cause: { code: 'D1011' } });
  });

  test('instead of filling the memory', async () => {
    expect(await failure(() => map('[1..9999999]', '{}'))).toMatchObject({ cause: { code: 'D2015' } });
  });

  test('for one call only', async () => {
    const mapping = compile({ createContact: { request: { body: '{"n": n + 1}' } } }).of('createContact');
    await failure(() => mapping?.requestBody?.('{"n":"x"}'));
    expect(await mapping?.requestBody?.('{"n":1}')).toBe('{"n":2}');
  });
});

test('calls at the same time do not see one another', async () => {
  const mapping = compile({ createContact: { request: { body: '($n := n; {"n": $n, "root": $$.n, "m": $sum([1..50].$n) / 50})' } } }).of(
    'createContact',
  );
  const results = await Promise.all(Array.from({ length: 20 }, (_, n) => mapping?.requestBody?.(`{"n":${n}}`)));
  expect(results).toEqual(results.map((_, n) => `{"n":${n},"root":${n},"m":${n}}`));
});

/** What an expression makes of a body that may be absent. */
function send(source: string, text: string): Promise<string> | undefined {
  return compile({ sendCampaign: { request: { body: source } } })
    .of('sendCampaign')
    ?.requestBody?.(text);
}

describe('an absent body of an endpoint that may have none', () => {
  test('stays absent where the expression gives nothing', async () => {
    expect(await send('$', '')).toBe('');
  });

  test('can be given a body', async () => {
    expect(await send('$merge([{"audience": "all"}, $])', '')).toBe('{"audience":"all"}');
  });

  test('is not confused with a body that gives nothing', async () => {
    expect(await failure(() => send('audience', '{}'))).toMatchObject({ code: 'MAPPING_FAILED' });
  });

  test('does not excuse an empty answer', async () => {
    const mapping = compile({ sendCampaign: { response: { body: '$' } } }).of('sendCampaign');
    expect(await failure(() => mapping?.responseBody?.(''))).toMatchObject({ code: 'MAPPING_INPUT', place: 'response.body' });
  });
});

describe('a query', () => {
  test.each([
    ['as it is, in its order', '$', 'b=2&a=1', 'b=2&a=1'],
    ['with repeated names', '$', 'a=1&b=2&a=3', 'a=1&a=3&b=2'],
    ['with a renamed parameter', '$ ~> | $ | {"pageSize": limit}, "limit" |', 'limit=5&x=1', 'x=1&pageSize=5'],
    ['with a list', '{"id": $split(ids, ",")}', 'ids=1,2', 'id=1&id=2'],
    ['with numbers and booleans', '{"n": 1.5, "b": true}', '', 'n=1.5&b=true'],
    ['with signs that need encoding', '$', 'q=a%20b%2Bc+d%26%3D%E2%82%AC&%20=%', 'q=a%20b%2Bc%20d%26%3D%E2%82%AC&%20=%25'],
    ['with bytes that are no UTF-8', '{"search": $uppercase(q)}', 'q=gr%fcn%c3%bc', 'search=GR%FCN%C3%BC'],
    ['with bytes that nobody encoded', '$', 'q=\u00e9\u00c3\u00bc&\u00c3\u00bc=', 'q=%E9%C3%BC&%C3%BC='],
    ['with digits that no number holds', '$', `n=${huge}`, `n=${huge}`],
    ['with empty values', '$', 'a&b=', 'a=&b='],
    ['left empty', '$sift($, function($v) { false })', '', ''],
    ['emptied', '{}', 'a=1', ''],
  ])('%s', async (_what, expression, raw, result) => {
    expect(await mapQuery(expression, raw)).toBe(result);
  });

  test.each(['none', '[]', '"a=1"', '{"a": null}', '{"a": {"b": 1}}', '{"a": [[1]]}', '{"a": 1/0}', '{"a": $sum}', 'function() { 1 }'])(
    'cannot be made of %s',
    async (expression) => {
      const error = await failure(() => mapQuery(expression, 'x=1'));
      expect(error).toMatchObject({ code: 'MAPPING_FAILED', endpoint: 'listContacts', place: 'request.query' });
    },
  );
});
