import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../codemods/formats/data/json.ts';
import { parseJson5 } from '../../../codemods/formats/data/json5.ts';
import { parseToml } from '../../../codemods/formats/data/toml.ts';
import { type Data, mapsIn } from '../../../codemods/formats/data/tree.ts';
import { parseYaml } from '../../../codemods/formats/data/yaml.ts';
import { runText } from './run.ts';

/** Each entry with what stands at the offsets of its value's characters. */
function entriesIn(source: string, data: Data | undefined): Record<string, string | undefined> {
  const entries = data === undefined ? [] : mapsIn(data).flatMap(({ entries }) => entries);
  return Object.fromEntries(
    entries.flatMap(({ key, value }) =>
      value.kind === 'scalar' ? [[key.value, value.text?.at.map((at) => source.charAt(at)).join('')]] : [],
    ),
  );
}

describe('the characters of a text are found', () => {
  it('in JSON, escapes by their backslash', () => {
    const source = '{ // c\n "a": "x\\/y\\u0041\\n", "b": [{"c": "é🙂"}], }';
    expect(entriesIn(source, parseJson(source).roots[0])).toEqual({ a: 'x\\y\\\\', c: 'é🙂' });
  });

  it('in JSON5, names without quotes and texts in either', () => {
    const source = `{ // c\n a: 'x"y', "b": [{'c-d': "é🙂",},], /* e */ $e: 'it\\'s', f: null, g: +.5, }`;
    expect(entriesIn(source, parseJson5(source).roots[0])).toEqual({ a: 'x"y', 'c-d': 'é🙂', $e: undefined, g: undefined });
  });

  it.each(['', '{a: 1', '{a: 1}}', '{a 1}', '{a: 1 b: 2}', '{: 1}', '[1, 2}', "{a: 'b\n'}", '{a:: 1}', '['.repeat(10_000)])(
    'in no JSON5 that is none: %#',
    (source) => {
      expect(parseJson5(source)).toMatchObject({ roots: [], fault: { at: 0 } });
    },
  );

  it('in YAML, whatever the style', () => {
    const source = `a: plain text\nb: 'it''s'\nc: "x\\ty"\nd: |\n  one\n    two\ne: >-\n  one\n  two\nf: {g: h}\ni: &i\n  - j: 12\nk: *i\n`;
    expect(entriesIn(source, parseYaml(source).roots[0])).toEqual({
      a: 'plain text',
      b: "it's",
      c: 'x\\y',
      d: 'one\n  two\n',
      e: 'one two',
      g: 'h',
      j: '12',
    });
  });

  it('in TOML, tables in parts and dotted keys', () => {
    const source = `a.b = "x"\n[c]\nd = 'y\\z'\n[c.e]\nf = """\none \\\n  two"""\n[[g]]\nh = "\\u0041"\n`;
    expect(entriesIn(source, parseToml(source).roots[0])).toEqual({ b: 'x', d: 'y\\z', f: 'one two', h: '\\' });
  });
});

const request = (headers: string, version: string): string => `{"url": "https://api.example.com/${version}/messages", ${headers}}`;

describe('a request that data describes', () => {
  it.each([
    ['"headers": {"x-api-key": "k"}', '"headers": {"Authorization": "Bearer k"}'],
    ['"headers": [{"name": "x-api-key", "value": "k"}]', '"headers": [{"name": "Authorization", "value": "Bearer k"}]'],
    ['"header": [{"value": "k", "key": "X-API-Key"}]', '"header": [{"value": "Bearer k", "key": "Authorization"}]'],
    ['"headers": ["accept: */*", "x-api-key: k"]', '"headers": ["accept: */*", "Authorization: Bearer k"]'],
    ['"headers": "accept: */*\\nx-api-key: k\\n"', '"headers": "accept: */*\\nAuthorization: Bearer k\\n"'],
    ['"customHeaders": "{\\"x-api-key\\": \\"k\\"}"', '"customHeaders": "{\\"Authorization\\": \\"Bearer k\\"}"'],
    ['"options": {"headers": {"X-Api-Key": "{{k}}"}}', '"options": {"headers": {"Authorization": "Bearer {{k}}"}}'],
    [
      '"authentication": {"type": "apikey", "key": "x-api-key", "value": "k"}',
      '"authentication": {"type": "apikey", "key": "Authorization", "value": "Bearer k"}',
    ],
    [
      '"headerParameters": {"parameters": [{"name": "x-api-key", "value": "={{$k}}"}]}',
      '"headerParameters": {"parameters": [{"name": "Authorization", "value": "=Bearer {{$k}}"}]}',
    ],
  ])('moves with %s', (headers, expected) => {
    expect(runText('json', request(headers, 'v1'))).toMatchObject({ output: request(expected, 'v2'), said: [] });
  });

  it.each([
    ['"headers": {"x-api-key": "k", "authorization": "a"}', 'authorization-present 1'],
    ['"headers": {"x-api-key": null}', 'key-not-text 1'],
    ['"headers": {"x-api-key": ["k"]}', 'key-not-text 1'],
    ['"headers": {"x-api-key": "k"}, "auth": {"type": "basic"}', 'authorization-present 1'],
    ['"headers": {"x-api-key": "k"}, "method": "DELETE"', 'unknown-route 1'],
    ['"headerName": "x-api-key"', 'unconsumed 1'],
    ['"customHeaders": "{\\"x-api-key\\": k}"', 'unconsumed 1'],
    ['"x-api-key": "k"', 'unconsumed 1'],
  ])('stays with %s', (headers, finding) => {
    const { edits, said } = runText('json', request(headers, 'v1'));
    expect(edits).toEqual([]);
    expect(said).toEqual([finding]);
  });

  it('owns no headers of another request within it', () => {
    const text = `{"url": "https://api.example.com/v1/messages", "headers": {"x-api-key": "k"}, "next": {"url": "https://other.example/v1", "headers": {"x-api-key": "o"}}}`;
    expect(runText('json', text).output).toBe(
      text.replace('v1/messages', 'v2/messages').replace('"x-api-key": "k"', '"Authorization": "Bearer k"'),
    );
  });

  it('is left alone where two URLs of different hosts share the headers', () => {
    const text = `{"apiUrl": "https://api.example.com/v1", "mirrorUrl": "https://other.example/v1", "headers": {"x-api-key": "k"}}`;
    expect(runText('json', text)).toMatchObject({ edits: [], said: ['shared-with-other-host 1'] });
  });

  it('counts a callback as no address of its own', () => {
    const text = `{"url": "https://api.example.com/v1/messages", "callbackUrl": "https://other.example", "headers": {"x-api-key": "k"}}`;
    expect(runText('json', text).edits).toHaveLength(3);
  });
});

describe('headers without a URL', () => {
  it('are reported where nothing in the file is ours', () => {
    expect(runText('yaml', 'http:\n  headers:\n    x-api-key: k\n')).toMatchObject({ edits: [], said: ['base-not-proven 3'] });
  });

  it('hold back addresses of ours that have none of their own', () => {
    const text = 'http:\n  headers:\n    x-api-key: k\nmessages: https://api.example.com/v1/messages\n';
    expect(runText('yaml', text)).toMatchObject({ edits: [], said: ['unconsumed 3'] });
  });

  it('stay in lists of what servers allow, beside a base, too, and are told', () => {
    const text = 'cors:\n  headers: [x-api-key]\n  allow_headers: "content-type, x-api-key"\nurl: https://api.example.com/v1\n';
    expect(runText('yaml', text)).toMatchObject({ output: text.replace('v1', 'v2'), said: ['reads-header 2', 'reads-header 3'] });
  });
});

describe('a value that stands alone', () => {
  it.each([
    ['https://api.example.com/v1', 'https://api.example.com/v2'],
    ['https://api.example.com/v1/', 'https://api.example.com/v2/'],
    ['https://api.example.com/v1/messages/send', 'https://api.example.com/v2/messages/send'],
    ['https://api.example.com/v1/contacts/{id}', 'https://api.example.com/v2/contacts/{id}'],
    ['https://api.example.com/v1/contacts/:id?x=1', 'https://api.example.com/v2/contacts/:id?x=1'],
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/v1/contacts/42', 'https://api.example.com/v1/contacts/42'],
    ['https://api.example.com/v1/webhooks', 'https://api.example.com/v1/webhooks'],
    ['call https://api.example.com/v1', 'call https://api.example.com/v1'],
    ['/v1/messages', '/v1/messages'],
  ])('%s becomes %s', (before, after) => {
    for (const write of [(value: string) => `a: '${value}'\n`, (value: string) => `a = "${value}"\n`]) {
      expect(runText(write('').includes(':') ? 'yaml' : 'toml', write(before)).output).toBe(write(after));
    }
  });

  it('moves to the host of v2 with its folders', () => {
    const facts = { v1: ['https://gateway.example.com/messaging'], v2: 'https://v2.example.com' };
    expect(
      runText('json', '{"a": "https://gateway.example.com/messaging/v1", "b": "https://gateway.example.com/other/v1"}', facts).output,
    ).toBe('{"a": "https://v2.example.com/v2", "b": "https://gateway.example.com/other/v1"}');
  });
});

describe('a Postman collection', () => {
  const collection = (auth: string, items: string): string => `{"info": {"_postman_id": "1"}, "auth": ${auth}, "item": [${items}]}`;
  const keyAuth =
    '{"type": "apikey", "apikey": [{"key": "in", "value": "header"}, {"key": "value", "value": "{{k}}"}, {"key": "key", "value": "x-api-key"}]}';
  const bearerAuth = '{"type": "bearer", "bearer": [{"key": "token", "value": "{{k}}"}]}';
  const item = (version: string, rest = ''): string =>
    `{"request": {"method": "GET", "url": "https://api.example.com/${version}/messages"${rest}}}`;

  it('hands down a Bearer token in place of a key', () => {
    expect(runText('json', collection(keyAuth, item('v1'))).output).toBe(collection(bearerAuth, item('v2')));
  });

  it('is overruled by its folders and requests', () => {
    const own = ', "auth": {"type": "noauth"}, "header": [{"key": "x-api-key", "value": "k"}]';
    const moved = ', "auth": {"type": "noauth"}, "header": [{"key": "Authorization", "value": "Bearer k"}]';
    const inFolder = (items: string): string => `{"item": [${items}], "auth": {"type": "basic", "basic": []}}`;
    expect(runText('json', collection('null', inFolder(item('v1', own)))).output).toBe(collection('null', inFolder(item('v2', moved))));
  });

  it.each([
    ['another service inherits the key', `${item('v1')}, {"request": "https://other.example/a"}`, 'shared-with-other-host 1'],
    ['a request sends the key itself as well', item('v1', ', "header": [{"key": "x-api-key", "value": "k"}]'), 'key-not-text 1'],
    [
      'a request has an Authorization header',
      item('v1', ', "header": [{"key": "authorization", "value": "k"}]'),
      'authorization-present 1',
    ],
    ['a request is none of v1', item('v1').replace('/messages', '/webhooks'), 'unknown-route 1'],
  ])('stays where %s', (_what, items, finding) => {
    expect(runText('json', collection(keyAuth, items))).toMatchObject({ edits: [], said: [finding] });
  });

  it('whose key goes into the query has no key in a header', () => {
    expect(runText('json', collection(keyAuth.replace('"header"', '"query"'), item('v1')))).toMatchObject({
      edits: [],
      said: ['key-not-found 1'],
    });
  });

  it('moves to another domain label by label, in the parts of a URL, too', () => {
    const url = (host: string, labels: string, version: string, header: string): string =>
      collection(
        'null',
        `{"request": {"header": [${header}], "url": {"raw": "https://${host}/${version}/messages", "protocol": "https", "host": [${labels}], "path": ["${version}", "messages"]}}}`,
      );
    const before = url('api.example.com', '"api", "example", "com"', 'v1', '{"key": "x-api-key", "value": "k"}');
    const after = url('v2.example.org', '"v2", "example", "org"', 'v2', '{"key": "Authorization", "value": "Bearer k"}');
    expect(runText('json', before, { v1: ['https://api.example.com'], v2: 'https://v2.example.org' }).output).toBe(after);
  });

  it('moves all parts of a URL or none', () => {
    const url = (version: string, path: string): string =>
      `{"request": {"method": "GET", "header": [{"key": "${version === 'v1' ? 'x-api-key' : 'Authorization'}", "value": "${version === 'v1' ? '' : 'Bearer '}k"}], "url": {"raw": "https://api.example.com/${version}/messages?a=b", "host": ["api", "example", "com"], "path": ${path}}}}`;
    expect(runText('json', collection('null', url('v1', '["v1", "messages"]'))).output).toBe(
      collection('null', url('v2', '["v2", "messages"]')),
    );
    expect(runText('json', collection('null', url('v1', '["messages"]')))).toMatchObject({ edits: [], said: ['base-split 1'] });
  });
});
