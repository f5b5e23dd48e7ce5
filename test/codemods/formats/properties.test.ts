import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextFile } from '../../../codemods/formats/reader.ts';
import { endpointIds, v1Endpoints } from '../../../src/contract/endpoints.ts';
import { runText } from './run.ts';

type Kind = TextFile['kind'];

const ours = 'https://api.example.com';
const others = [
  'https://api.example.com.evil.example',
  'https://api.example.com@evil.example',
  'https://api.example.org',
  'https://example.com',
  'https://api.example.com:8443',
  'https://xapi.example.com',
  'http://localhost:3000',
  'https://evil.example/https://api.example.com',
];
const endpoint = fc.constantFrom(...endpointIds(v1Endpoints).map((id) => v1Endpoints[id]));
const id = fc.constantFrom('42', '$ID', '${ID}', 'a%2Fb');
const name = fc.constantFrom('x-api-key', 'X-API-Key', 'X-Api-Key', 'X-API-KEY');
const key = fc.constantFrom('abc', '$KEY', '${KEY}', 'a.b-c_d');
const eol = fc.constantFrom('\n', '\r\n');
const around = fc.constantFrom('', '🙂 ünïcode', 'tab\there');

interface Call {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly name: string;
  readonly key: string;
}

const call = (host: fc.Arbitrary<string>): fc.Arbitrary<Call> =>
  fc
    .record({ host, endpoint, id, name, key })
    .map(({ host, endpoint, id, name, key }) => ({ host, method: endpoint.method, path: endpoint.path.replace(':id', id), name, key }));

/** One request in each format, in lines. */
const forms: readonly { readonly kind: Kind; readonly write: (call: Call, comment: string) => readonly string[] }[] = [
  {
    kind: 'shell',
    write: ({ host, method, path, name, key }, comment) => [`# ${comment}`, `curl -X ${method} -H "${name}: ${key}" "${host}${path}"`],
  },
  {
    kind: 'shell',
    write: ({ host, method, path, name, key }, comment) => [
      `B=${host}/v1`,
      `H='${name}: ${key}' # ${comment}`,
      `curl --request ${method} \\`,
      `  -H "$H" "$B${path.slice(3)}"`,
    ],
  },
  {
    kind: 'http',
    write: ({ host, method, path, name, key }, comment) => [
      `@base = ${host}`,
      `### ${comment}`,
      `${method} {{base}}${path}`,
      `${name}: ${key}`,
    ],
  },
  {
    kind: 'bruno',
    write: ({ host, method, path, name, key }, comment) => [
      'docs {',
      `  ${comment}`,
      '}',
      `${method.toLowerCase()} {`,
      `  url: ${host}${path}`,
      '}',
      'headers {',
      `  ${name}: ${key}`,
      '}',
    ],
  },
  {
    kind: 'json',
    write: ({ host, method, path, name, key }, comment) => [
      '{',
      `"note": "${comment.replace('\t', ' ')}",`,
      `"method": "${method}", "url": "${host}${path}",`,
      `"headers": {"${name}": "${key}"}}`,
    ],
  },
  {
    kind: 'yaml',
    write: ({ host, method, path, name, key }, comment) => [
      `# ${comment}`,
      `url: ${host}${path}`,
      `method: ${method}`,
      'headers:',
      `  ${name}: '${key}'`,
    ],
  },
  {
    kind: 'yaml',
    write: ({ host, method, path, name, key }, comment) => [
      `# ${comment}`,
      'run: |',
      `  curl -H '${name}: ${key}' \\`,
      `    -X ${method} "${host}${path}"`,
    ],
  },
  {
    kind: 'toml',
    write: ({ host, method, path, name, key }, comment) => [
      `# ${comment}`,
      `url = "${host}${path}"`,
      `method = '${method}'`,
      `headers = { ${name} = "${key}" }`,
    ],
  },
  {
    kind: 'markdown',
    write: ({ host, method, path, name, key }, comment) => [
      comment,
      '',
      '```sh',
      `curl -X ${method} -H "${name}: ${key}" ${host}${path}`,
      '```',
    ],
  },
];
const form = fc.constantFrom(...forms);
const frame = fc.record({ eol, bom: fc.constantFrom('', '\u{FEFF}'), last: fc.boolean(), comment: around });

interface Frame {
  readonly eol: string;
  readonly bom: string;
  readonly last: boolean;
  readonly comment: string;
}

const written = (lines: readonly string[], { eol, bom, last }: Frame): string => bom + lines.join(eol) + (last ? eol : '');

describe('whatever the format', () => {
  it('moves path and header of a call of ours, leaves every other byte, and finds nothing to do a second time', () => {
    fc.assert(
      fc.property(form, call(fc.constant(ours)), frame, ({ kind, write }, call, frame) => {
        const text = written(write(call, frame.comment), frame);
        const moved = { ...call, path: call.path.replace('/v1', '/v2'), name: 'Authorization', key: `Bearer ${call.key}` };
        const expected = written(write(moved, frame.comment), frame).replace(
          'B=https://api.example.com/v1',
          'B=https://api.example.com/v2',
        );

        const { output, said, calls } = runText(kind, text);

        expect(output).toBe(expected);
        expect(said).toEqual([]);
        expect(calls).toHaveLength(1);
        expect(runText(kind, output).edits).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('never edits a call of another host', () => {
    fc.assert(
      fc.property(form, call(fc.constantFrom(...others)), frame, ({ kind, write }, call, frame) => {
        expect(runText(kind, written(write(call, frame.comment), frame)).edits).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('tells the state of each literal once, and no key', () => {
    fc.assert(
      fc.property(form, call(fc.constantFrom(ours, ...others)), frame, ({ kind, write }, call, frame) => {
        const secret = { ...call, key: 'sk_live_0123456789' };
        const { ledger, findings, calls, envs } = runText(kind, written(write(secret, frame.comment), frame));

        expect(new Set(ledger.map(({ start }) => start)).size).toBe(ledger.length);
        expect(ledger.length).toBeGreaterThanOrEqual(1);
        expect(JSON.stringify({ ledger, findings, calls, envs })).not.toContain('sk_live');
      }),
      { numRuns: 200 },
    );
  });

  it('reads any text without a fault, and edits nothing where our base is not written', () => {
    const kinds: readonly Kind[] = ['env', 'json', 'yaml', 'toml', 'http', 'bruno', 'shell', 'markdown', 'markup'];
    const piece = fc.constantFrom(
      'curl ',
      '-H ',
      '"',
      "'",
      '`',
      '$(',
      ')',
      '<<E',
      '\n',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ':',
      '- ',
      '&a ',
      '*a',
      '#',
      '---',
      '```',
      'get {\n',
      '\n}\n',
      '<script>',
      'x-api-key',
      '=',
      'https://',
      '/v1/messages',
      '${A}',
      '{{a}}',
      ' ',
      '\u{FEFF}',
      'é',
    );
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.array(piece, { maxLength: 30 }), (kind, pieces) => {
        expect(runText(kind, pieces.join('')).edits).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });
});
