import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Call, Plan } from '../../../codemods/model.ts';
import { explain } from '../../../codemods/report/explain.ts';
import { keysIn, provenKeys, withoutKeys, withoutKeysIn } from '../../../codemods/report/secrets.ts';
import { readPlaces } from '../../../codemods/report/places.ts';
import { reporters } from '../../../codemods/report/reporters.ts';
import { call, candidate, finding, reportOf, spanOf } from './results.ts';

const none: ReadonlySet<string> = new Set();
const secret = 'tk-51c2';

describe('a key is seen', () => {
  test.each([
    `headers: { 'x-api-key': '${secret}' }`,
    `headers["X-API-Key"] = "${secret}";`,
    `headers.set('x-api-key', \`${secret}\`)`,
    `[['x-api-key', '${secret}']]`,
    `{ "key": "x-api-key", "value": "${secret}" }`,
    `curl -H 'x-api-key: ${secret}' https://a.test`,
    `x-api-key: ${secret}`,
    `+  'Authorization': 'Bearer ${secret}',`,
    `Authorization: Bearer ${secret}`,
    `const API_KEY = '${secret}';`,
    `apiKey: "${secret}",`,
    `+API_KEY=${secret}`,
    ` export MESSAGING_API_TOKEN=${secret}`,
    `-  api_key: ${secret}`,
    `const k = process.env.API_KEY ?? 'x', secret = '${secret}';`,
    `apiKey: 'test-key', secret: '${secret}'`,
    `['-H', 'x-api-key: ${secret}', 'https://a.test/v1']`,
  ])('in %j', (text) => {
    expect(keysIn(text, none)).toContain(secret);
    expect(withoutKeys(text, none)).not.toContain(secret);
  });

  test.each([
    '      MSG_KEY: ak_78486f263949a38c3125c173',
    '      value: ak_78486f263949a38c3125c173',
    ' key: 78486f263949a38c',
    'API_KEY=ak_test_51H8xK2eZvKY',
    'API_KEY=ak_test_2024123456',
    '+MSG_KEY=SECRETenv123456',
    'x-api-key: secret_of_acme',
    'API_KEY=secret2024acme',
    'API_KEY=secret_1234',
  ])('by its form or under another name in %j', (text) => {
    const [value = ''] = /[A-Za-z0-9_]+$/.exec(text) ?? [];
    expect(keysIn(text, none)).toContain(value);
    expect(withoutKeys(text, none)).not.toContain(value);
  });

  test.each([
    `headers: { 'x-api-key': key }`,
    `headers: { 'x-api-key': process.env.API_KEY }`,
    "'Authorization': `Bearer ${key}`",
    `const apiKey = process.env.API_KEY;`,
    `const KEY_HEADER = 'x-api-key';`,
    `expect(headers).toEqual({ 'x-api-key': 'ab_1' })`,
    `curl -H "x-api-key: $API_KEY" https://a.test`,
    `x-api-key: {{apiKey}}`,
    `x-api-key: <your key>`,
    `headers: { 'x-api-key': '{{apiKey}}' }`,
    `headers: { 'x-api-key': '={{$credentials.apiKey}}' }`,
    `headers: { 'Authorization': '=Bearer {{ $env.MESSAGING_API_KEY }}' }`,
    `headers: { 'x-api-key': 'YOUR_KEY' }`,
    `apiKey: '<your key>'`,
    `headers: { 'x-api-key': 'test-key' }`,
    `apiKey: 'fake_api_key_2'`,
    `security: { apiKey: 'header', token: 'cookie', secret: 'query' }`,
    `matchHeader('x-api-key', 'ak_test_1234')`,
    `API_KEY=ak_replace_me`,
    `const apiKey = 'myTestKey';`,
    `API_KEY=changeme`,
    `new Client({ apiKey: 'secret' })`,
    `expect(headers).toEqual({ 'x-api-key': 'my-secret-key' })`,
    `'Authorization': 'Bearer secret'`,
    "apiKey: '${ssm:/messaging/key}'",
    `api_key: $(MESSAGING_KEY)`,
    `const apiKey = '***';`,
    `{ "key": "x-api-key", "value": "{{apiKey}}" }`,
    `API_KEY=\${OTHER}`,
    `// Send it as a Bearer token`,
    `tokenUrl: 'https://a.test/token'`,
    `if (!apiKey) throw new Error('no key');`,
    `{ key: 'name', value: 'x' }`,
    `['-H', 'x-api-key: ' + key, 'https://a.test/v1']`,
    `['-H', 'x-api-key: ' + config.key], { encoding: 'utf8' }`,
    `'curl -H "x-api-key: ' + key + '" https://a.test/v1'`,
    `['-H', 'x-api-key: '.concat(key), 'https://a.test/v1']`,
  ])('and none in %j', (text) => {
    expect(keysIn(text, none)).toEqual([]);
    expect(withoutKeys(text, none)).toBe(text);
  });

  test('and none in a path of the service beside its header', () => {
    expect(keysIn(`{ 'x-api-key': '/v1/messages/send' }`, none)).toEqual([]);
    expect(keysIn(`{ 'x-api-key': '/v1/8Kx2eZvKY51H' }`, none)).not.toEqual([]);
  });

  test('and none in the words that a test has for a key, of what it tests among others', () => {
    const text = `expect(headers['x-api-key']).toBe('test-acme-key'); const apiKey = 'fake_acme_token';`;
    expect(keysIn(text, none, true)).toEqual([]);
    expect(keysIn(text, none)).not.toEqual([]);
    for (const key of ['acme-key', 'ak_e2e', 'am_test_key_1', 'am_dev_1']) {
      expect(keysIn(`'x-api-key': '${key}'`, none, true)).toEqual([]);
      expect(keysIn(`'x-api-key': '${key}'`, none)).toContain(key);
    }
    for (const key of [
      'test-acme-51h8xk2e',
      'acme-key-4711',
      'ak_live_dev_kqzjx',
      'key-abcdefghij-klmnopqrst-uvwx',
      'secret_of_acme',
      'test-qwertyuiopasdfghjkl',
      'Test-Acme-Key',
    ])
      expect(keysIn(`'x-api-key': '${key}'`, none, true)).toContain(key);
  });

  test.each([
    (key: string) => `new Api('${key}').go();`,
    (key: string) => `new sdk.Client("https://a.test", '${key}')`,
    (key: string) => `const api = createClient(\`${key}\`, { retries: 3 });`,
  ])('where a client is made with what looks like one: %s', (code) => {
    const long = 'tk51c2literal0000zz';
    expect(withoutKeys(code(long), none)).toBe(code('***'));
  });

  test.each([
    `new URL('/v1/messages/send', base)`,
    `new Client('https://api2.example.com/some/path')`,
    `new Error('a sentence with 16 letters and 2 digits')`,
    `new Date('2024-01-01T00:00:00')`,
    `getMessage('msg_1234567890abcdef')`,
    `new Map([['contact-list-2024-v1', 1]])`,
  ])('and none where something else is made: %s', (text) => {
    expect(withoutKeys(text, none)).toBe(text);
  });

  test.each([
    `const pod = '78486f26-3949-4a38-9112-5c173abcdef0';`,
    `  zone: "a1b2c3d4e5f6g7h8i9j0",`,
    ` ZONE=78486f263949a38c3125c173`,
    `const id = \`q3Zx9/Lm2+Vt7Rk1Yw8Pb4==\`;`,
  ])('where letters and digits take turns, under whatever name: %s', (text) => {
    expect(withoutKeys(text, none)).toMatch(/^[^\d]*\*{3}\W*$/);
  });

  test.each([
    `import { a } from './messages-v1/contacts2/index.js';`,
    `const name = 'contact-list-2024-v1-eu-west-1';`,
    `const at = '2026-11-20T12:00:00.000Z';`,
    `const sha256Base64Utf8Md5Es2024 = 1;`,
    `fetch('https://api2.example.com/v1/contacts/c1a2b3c4d5e6f7a8b9c0');`,
  ])('and none where they do not: %s', (text) => {
    expect(withoutKeys(text, none)).toBe(text);
  });

  test('where a proof says so, whatever it looks like', async () => {
    const text = `const K = 'plainword';\nfetch(u, { headers: { 'x-api-key': process.env['API_NAME'] ?? 'otherword' } });\n`;
    const steps = [
      { step: 'key' as const, ...spanOf('a.js', text, "'plainword'"), text: '…' },
      { step: 'header' as const, ...spanOf('a.js', text, "'x-api-key': process.env['API_NAME'] ?? 'otherword'"), text: 'x-api-key' },
    ];
    const calls: readonly Call[] = [{ ...call, proof: steps }];
    const places = await readPlaces(
      { changed: [{ file: 'a.js', before: text, after: text }], plan: { calls, edits: [], keys: [] } },
      '/nowhere',
    );
    expect([...provenKeys({ calls, keys: [] }, places)]).toEqual(['plainword', 'otherword']);
  });

  test.each([
    [`config.get('MESSAGING_API_KEY')`, []],
    [`config.get<string>('messaging.apiKey')`, []],
    [`getSecret('messaging/api-key')`, []],
    [`String('plainword')`, ['plainword']],
    [`decode('MSG_KEY_7F3A9')`, ['MSG_KEY_7F3A9']],
    // What a key is put in behind, and the rest of such a command.
    ['`curl -sS -X POST -H x-api-key:${key} --retry 3`', []],
    ['`curl -H "Authorization: Bearer ${key}" --retry 3`', []],
    [`'curl -H "x-api-key: '`, []],
    ['`x-api-key: ${kind}plainword -X POST`', ['plainword']],
    // A login that a client adds by itself is shown as all that the call is given.
    [`{ headers: { 'Content-Type': 'application/json; charset=utf-8' }, auth: { username, password: 'plainword' } }`, ['plainword']],
  ])('a name that a key is asked for by, or a media type, is none, in %j', async (expression, keys) => {
    const before = `fetch(u, { headers: { 'x-api-key': ${expression} } });`;
    const calls = [{ ...call, proof: [{ step: 'key' as const, ...spanOf('a.js', before, expression), text: 'x-api-key' }] }];
    const plan = { calls, edits: [], keys: [] };
    const places = await readPlaces({ changed: [{ file: 'a.js', before, after: before }], plan }, '/nowhere');
    expect([...provenKeys(plan, places)]).toEqual(keys);
  });
});

test('what may hold a key withholds a line, where only a name of one does not', () => {
  expect(keysIn(`['-H', 'x-api-key: ' + (key ?? 'plainword'), 'https://a.test/v1']`, none)).not.toEqual([]);
  expect(keysIn(`apiKey: '+name,x'`, none)).toEqual(['+name,x']);
});

describe('no output shows a key', () => {
  const anyKey = fc.stringMatching(/^[A-Za-z0-9_.~+/-]{8,40}$/).filter((key) => /\d/.test(key));
  const file = 'src/keys.js';
  const code = (key: string): string => `const K = '${key}';\nfetch(u, { headers: { 'x-api-key': '${key}' } });\n`;

  test('even where whoever found it left it in texts and details', async () => {
    await fc.assert(
      fc.asyncProperty(anyKey, async (key) => {
        const before = code(key);
        const header = `'x-api-key': '${key}'`;
        const proof = [
          { step: 'call' as const, ...spanOf(file, before, 'fetch('), text: `fetch(u, { headers: { ${header} } })` },
          { step: 'reference' as const, ...spanOf(file, before, 'K'), text: `K = '${key}'` },
          { step: 'header' as const, ...spanOf(file, before, header), text: 'x-api-key' },
        ];
        const report = await reportOf({
          plan: {
            calls: [{ ...call, ...spanOf(file, before, 'fetch('), proof }],
            edits: [{ ...spanOf(file, before, 'x-api-key'), text: 'Authorization', what: 'header name', group: 'g1' }],
            findings: [finding('escapes', { name: `send('${key}')` }, { file, line: 2 })],
          },
          result: { changed: [{ file, before, after: before }] },
        });
        const outputs = [...Object.values(reporters).map(({ render }) => render(report)), explain(report, { file, line: 2 })];
        for (const output of outputs) expect(output).not.toContain(key);
        expect(outputs.at(-1)).toContain('called with fetch');
      }),
      { numRuns: 200 },
    );
  });
});

describe('a plan as it is reported', () => {
  const shown = (base: string): string | undefined => {
    const plan: Plan = { edits: [], calls: [], findings: [], ledger: [], keys: [], candidates: [{ ...candidate, base }] };
    return withoutKeysIn(plan, new Set(['newest'])).candidates[0]?.base;
  };

  test.each(['https://newest.example.net', 'https://newest.example.net:8080/', 'https://api.newest.example.net/v1'])(
    'has the host of %s though a word of it is a key',
    (base) => {
      expect(shown(base)).toBe(base);
    },
  );

  test.each(['https://a.test/newest/v1', 'https://newest:12newest@a.test/', 'https://me:1newest/2@newest.test'])(
    'has no key of %s',
    (base) => {
      expect(shown(base)).not.toContain('newest');
    },
  );
});
