/**
 * Answers of v2 that are not what HTTP wants, to a v1 call and to one that passes untranslated: the client gets the right answer, an error
 * of the proxy's own, or a broken connection; never nothing, never less than what v2 meant without noticing, never what belongs to another.
 */
import { describe, expect, it } from 'vitest';
import { onTestFinished } from 'vitest';
import type { RawAnswer, RawConnection } from '../helpers/raw.ts';
import { connectRaw, listenRaw } from '../helpers/raw.ts';
import { startTestProxy } from '../helpers/proxy.ts';
import { get, head, startProxy, startRawV2 } from './faults.ts';

const json = 'Content-Type: application/json';
const requests = { '/v1': get(), '/v2': head('GET /v2/messages HTTP/1.1', 'Host: a') };
const body = '{"whole":true}';
const length = `Content-Length: ${body.length}`;
const chunked = 'Transfer-Encoding: chunked';
const chunks = `e\r\n${body}\r\n0\r\n\r\n`;
const status = 'HTTP/1.1 200 OK';

/** An answer with one line more in its head. */
function withField(field: string): string {
  return `${head(status, json, field, length)}${body}`;
}

function withLengths(...values: string[]): string {
  return `${head(status, json, ...values.map((value) => `Content-Length:${value}`))}${body}`;
}

function inChunks(rest: string): string {
  return head(status, json, chunked) + rest;
}

/** What a client must not take for an answer: a 502, or where the head has gone to it already, a broken connection. */
const refused: [string, string][] = [
  ['a status line without a version', `${head('HTTP 200 OK', length)}${body}`],
  ['a status line of another version', `${head('HTTP/3.1 200 OK', length)}${body}`],
  ['a status line with two digits', `${head('HTTP/1.1 20 OK', length)}${body}`],
  ['a status line with four digits', `${head('HTTP/1.1 2000 OK', length)}${body}`],
  ['a status line with letters for a status', `${head('HTTP/1.1 2OO OK', length)}${body}`],
  ['a status line in lower case', `${head('http/1.1 200 OK', length)}${body}`],
  ['a status line behind a space', ` ${head(status, length)}${body}`],
  ['a request instead of an answer', `${head('GET / HTTP/1.1', 'Host: a', length)}${body}`],
  ['lengths that differ', withLengths(' 14', ' 3')],
  ['lengths that differ in one field', withLengths(' 14, 3')],
  ['a negative length', withLengths(' -14')],
  ['a length with a plus sign', withLengths(' +14')],
  ['a length in hexadecimal', withLengths(' 0xe')],
  ['a length with a fraction', withLengths(' 14.0')],
  ['a length with a space within', withLengths(' 1 4')],
  ['a length of letters', withLengths(' many')],
  ['a length of more than 64 bits', withLengths(' 99999999999999999999999')],
  ['a length without a value', withLengths('')],
  ['a field name with a space before its colon', withField('X-A : b')],
  ['a field without a name', withField(': b')],
  ['a field without a colon', withField('X-A')],
  ['a field name with a control character', withField('X-\x01A: b')],
  ['a field value with NUL', withField('X-A: a\0b')],
  ['a field value with a bare CR', withField('X-A: a\rb')],
  ['a line that ends in a bare LF', withField('X-A: b\nX-B: c')],
  ['a folded field', withField('X-A: a\r\n b')],
  ['a head of 64 KB', withField(`X-A: ${'a'.repeat(64 * 1024)}`)],
  ['a length and chunks', `${head(status, json, length, chunked)}${chunks}`],
  ['chunks and a length', `${head(status, json, chunked, length)}${chunks}`],
  ...[
    'gzip, chunked',
    'xchunked',
    'chunked, identity',
    'identity',
    'chunked, chunked',
    'gzip',
    'chunked;q=1',
    ', chunked',
    '"chunked"',
  ].map((coding): [string, string] => [`the transfer coding ${coding}`, `${head(status, json, `Transfer-Encoding: ${coding}`)}${chunks}`]),
  ['two transfer codings in two fields', `${head(status, json, chunked, chunked)}${chunks}`],
  ['the transfer coding gzip in a field of its own', `${head(status, json, 'Transfer-Encoding: gzip', chunked)}${chunks}`],
  ['a transfer coding with a length', `${head(status, json, 'Transfer-Encoding: identity', length)}${body}`],
  ['chunks in HTTP/1.0', `${head('HTTP/1.0 200 OK', json, chunked)}${chunks}`],
  [
    'chunks in HTTP/1.0 that is to stay open',
    `${head('HTTP/1.0 200 OK', json, 'Connection: keep-alive', 'tRANSFER-eNCODING: chunked')}${chunks}`,
  ],
  ['a chunk size of letters', inChunks(`x\r\n${body}\r\n0\r\n\r\n`)],
  ['a negative chunk size', inChunks(`-e\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk size with 0x', inChunks(`0xe\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk size of more than 64 bits', inChunks(`fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk size that is empty', inChunks(`\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk shorter than its size', inChunks(`f\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk longer than its size', inChunks(`d\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk that ends in a bare LF', inChunks(`e\n${body}\n0\n\n`)],
  ['a trailer without a colon', inChunks(`e\r\n${body}\r\n0\r\nX\r\n\r\n`)],
];

/** What is odd and can be read in one way only. */
const understood: [string, string][] = [
  ['HTTP/1.0', `${head('HTTP/1.0 200 OK', json, length)}${body}`],
  ['no status text', `${head('HTTP/1.1 200 ', json, length)}${body}`],
  ['a status text with a control character', `${head('HTTP/1.1 200 O\x01K', json, length)}${body}`],
  ['a length with spaces around it', withLengths('  14  ')],
  ['a length with zeros before it', withLengths(' 000014')],
  ['a field without a value', withField('X-A:')],
  ['a field value beyond ASCII', withField('X-A: \xe9')],
  ['chunks', inChunks(chunks)],
  ['chunks in capitals', `${head(status, json, 'TRANSFER-ENCODING: Chunked')}${chunks}`],
  ['chunks of one byte', inChunks(`${[...body].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`)],
  ['a chunk size with zeros before it', inChunks(`00000e\r\n${body}\r\n0\r\n\r\n`)],
  ['a chunk extension', inChunks(`e;a=b\r\n${body}\r\n0\r\n\r\n`)],
  ['a trailer', inChunks(`e\r\n${body}\r\n0\r\nX-A: b\r\n\r\n`)],
];

/** What the client sees: the body of a whole answer with 200, the status of another, or `broken`. */
async function outcome(client: RawConnection): Promise<string> {
  const answer = await client.readAnswer().catch((): undefined => undefined);
  if (answer === undefined) return 'broken';
  return answer.status === 200 ? answer.body.toString() : String(answer.status);
}

const versions = ['/v1', '/v2'] as const;

describe.each(versions)('an answer to %s', (version) => {
  it.each(refused)('with %s is none, and nothing more is sent on its connection', async (_name, bytes) => {
    const v2 = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(bytes);
      await connection.ending();
    });
    const proxy = await startProxy(v2.base);
    const client = await proxy.connect();
    client.write(requests[version]);
    expect(['502', 'broken']).toContain(await outcome(client));
    await (await v2.connection(0)).ending();
    expect(v2.connections).toHaveLength(1);
  });

  it.each(understood)('with %s is relayed', async (_name, bytes) => {
    const v2 = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(bytes);
    });
    const client = await (await startProxy(v2.base)).connect();
    client.write(requests[version]);
    expect(await outcome(client)).toBe(body);
  });

  it.each([`${head('HTTP/1.1 204 No Content', 'Content-Length: 0')}`, `${head('HTTP/1.1 204 No Content', 'Content-Length: 5')}hello`])(
    'without content tells no length (RFC 9110 §8.6), and what follows it is nobody’s: %j',
    async (bytes) => {
      const v2 = await startRawV2(async (connection) => {
        for (;;) {
          await connection.readUntil('\r\n\r\n');
          connection.write(bytes);
        }
      });
      const client = await (await startProxy(v2.base)).connect();
      for (let i = 0; i < 3; i++) {
        client.write(requests[version]);
        const { status: got, values }: RawAnswer = await client.readAnswer();
        expect([got, values('content-length'), values('transfer-encoding')]).toEqual([204, [], []]);
      }
    },
  );

  it.each([
    ['of a known length', `${head(status, json, length)}${body}`],
    ['in chunks', inChunks(chunks)],
  ])('%s, cut at every byte, is never taken for whole', async (_name, whole) => {
    const { port, drain } = await startTestProxy(
      (
        await startRawV2(async (connection) => {
          const [, at = ''] = /cut=(\d+)/.exec(await connection.readUntil('\r\n\r\n')) ?? [];
          connection.write(whole.slice(0, Number(at)));
          connection.end();
        })
      ).base,
    );
    onTestFinished(drain);
    const seen = new Set<string>();
    for (let cut = 0; cut < whole.length; cut++) {
      const client = await connectRaw(port);
      client.write(requests[version].replace('/messages', `/messages?cut=${cut}`));
      seen.add(await outcome(client));
      client.reset();
    }
    expect([...seen].toSorted()).toEqual(['502', 'broken']);
  });
});

it('never gets to another request: what comes on an idle connection is nobody’s answer', async () => {
  const stray = `${head(status, json, 'Content-Length: 5')}stray`;
  const v2 = await listenRaw(async (connection) => {
    for (;;) {
      await connection.readUntil('\r\n\r\n');
      connection.write(`${head(status, json, length)}${body}${stray}`);
    }
  });
  onTestFinished(() => v2.close());
  const client = await (await startProxy(`http://127.0.0.1:${v2.port}`)).connect();
  for (const request of [...Object.values(requests), ...Object.values(requests)]) {
    client.write(request);
    expect(await outcome(client)).toBe(body);
  }
});
