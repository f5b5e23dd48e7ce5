import { describe, expect, it } from 'vitest';
import { AnswerParser } from '../../../proxy/client/answer-parser.ts';
import { head } from '../faults.ts';

/** What a parser tells of bytes that come in these pieces, with what comes in several pieces joined; `refused` where it throws. */
function told(pieces: readonly Buffer[], { method = 'GET', ends = false } = {}): string[] {
  const events: string[] = [];
  let body = '';
  const flush = (): void => {
    if (body !== '') events.push(`data ${body}`);
    body = '';
  };
  const parser = new AnswerParser({
    onHead: (status, text, fields) => events.push(`head ${status} ${text} ${JSON.stringify(fields)}`),
    onData: (chunk) => void (body += chunk.toString('latin1')),
    onEnd: () => {
      flush();
      events.push(`end, ${parser.keepsAlive ? 'kept' : 'closed'}`);
    },
  });
  parser.expect(method);
  try {
    for (const piece of pieces) if (parser.isReading) parser.read(piece);
    if (ends) parser.close();
    flush();
  } catch {
    flush();
    events.push('refused');
  }
  return events;
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const json = 'Content-Type: application/json';

const whole: [string, string, string[]][] = [
  [
    'a body of a known length',
    `${head('HTTP/1.1 200 OK', json, 'Content-Length:  2\t')}{}`,
    ['head 200 OK ["Content-Type","application/json","Content-Length","2"]', 'data {}', 'end, kept'],
  ],
  ['no fields', `${head('HTTP/1.1 204')}`, ['head 204  []', 'end, kept']],
  [
    'interim answers before it',
    `${head('HTTP/1.1 100 Continue', 'Content-Length: 5')}${head('HTTP/1.1 103 Hints', 'Link: </a>')}${head('HTTP/1.1 200 OK', 'Content-Length: 0')}`,
    ['head 100 Continue ["Content-Length","5"]', 'head 103 Hints ["Link","</a>"]', 'head 200 OK ["Content-Length","0"]', 'end, kept'],
  ],
  [
    'chunks, an extension and trailers',
    `${head('HTTP/1.1 200 OK', 'Transfer-Encoding: Chunked')}2;a="b;\\"\\\\";c; d = e\r\n{}\r\n0A\r\n0123456789\r\n0\r\nX-A: b\r\nX-B:\r\n\r\n`,
    ['head 200 OK ["Transfer-Encoding","Chunked"]', 'data {}0123456789', 'end, kept'],
  ],
  [
    'a connection that is to close',
    `${head('HTTP/1.1 200 OK', 'connection: Foo, Close', 'Content-Length: 1')}x`,
    ['head 200 OK ["connection","Foo, Close","Content-Length","1"]', 'data x', 'end, closed'],
  ],
  ['HTTP/1.0', `${head('HTTP/1.0 200 OK', 'Content-Length: 1')}x`, ['head 200 OK ["Content-Length","1"]', 'data x', 'end, closed']],
  [
    'HTTP/1.0 that keeps its connection',
    `${head('HTTP/1.0 200 OK', 'Connection: keep-alive', 'Content-Length: 1')}x`,
    ['head 200 OK ["Connection","keep-alive","Content-Length","1"]', 'data x', 'end, kept'],
  ],
  [
    'bytes beyond ASCII',
    `${head('HTTP/1.1 200 \xe4', 'X-A: \xff', 'Content-Length: 0')}`,
    ['head 200 \xe4 ["X-A","\xff","Content-Length","0"]', 'end, kept'],
  ],
];

describe('an answer', () => {
  it.each(whole)('with %s is the same wherever a packet ends', (_name, text, events) => {
    const all = bytes(text);
    expect(told([all])).toEqual(events);
    expect(told([...all].map((byte) => Buffer.of(byte)))).toEqual(events);
    for (let cut = 1; cut < all.length; cut++) expect(told([all.subarray(0, cut), all.subarray(cut)])).toEqual(events);
  });

  it.each(whole)('with %s is not over before its last byte', (_name, text) => {
    const all = bytes(text);
    for (let cut = 0; cut < all.length; cut++)
      expect(told([all.subarray(0, cut)], { ends: true }).filter((event) => event.startsWith('end'))).toEqual([]);
  });

  it('without a length has its end where the connection ends', () => {
    expect(told([bytes(`${head('HTTP/1.1 200 OK')}{}`)])).toEqual(['head 200 OK []', 'data {}']);
    expect(told([bytes(`${head('HTTP/1.1 200 OK')}{}`)], { ends: true })).toEqual(['head 200 OK []', 'data {}', 'end, closed']);
  });

  it('to HEAD has no body, whatever it says', () => {
    for (const field of ['Content-Length: 5', 'Transfer-Encoding: chunked'])
      expect(told([bytes(head('HTTP/1.1 200 OK', field))], { method: 'HEAD' }).at(-1)).toBe('end, kept');
  });

  it.each(['Content-Length: 5', 'Transfer-Encoding: chunked'])(
    'of 204 has no body, and with %s its connection is not used again',
    (field) => {
      expect(told([bytes(head('HTTP/1.1 204 No Content', field))]).at(-1)).toBe('end, closed');
    },
  );

  it.each([
    ['SSH-2.0-OpenSSH'],
    ['H'.repeat(3)],
    ['HTTP/2'],
    ['HTTP/1.1 200 OK\n'],
    ['HTTP/1.1 200 OK\r\nX-A : b\r\n'],
    ['HTTP/1.1 200 OK\r\n X-A: b\r\n'],
    [head('HTTP/1.1 200 OK', 'Content-Length: 2', 'Content-Length: 2')],
    [head('HTTP/1.1 200 OK', 'Content-Length: 2, 2')],
    [head('HTTP/1.1 200 OK', 'Content-Length: 9007199254740993')],
    [head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', 'Content-Length: 2')],
    [head('HTTP/1.1 200 OK', 'Transfer-Encoding: \x0bchunked')],
    [head('HTTP/1.1 200 OK', 'X-A: \x7f')],
    [head('HTTP/1.0 103 Early Hints')],
    [`${head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}2 \r\n`],
    [`${head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}+2\r\n`],
    [`${head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}2\r\n{}0\r\n`],
    [`${head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}2;a\rb\r\n`],
    [`${head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}2;a="\r\n`],
    [`${head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}2;a="\\"\r\n`],
    [`${head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}2;a="b"c\r\n`],
    [`${head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}2;\r\n`],
    [`${head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}0\r\n X: a\r\n`],
  ])('%j is refused as soon as it shows, wherever a packet ends', (text) => {
    const all = bytes(text);
    expect(told([all]).at(-1)).toBe('refused');
    expect(told([...all].map((byte) => Buffer.of(byte))).at(-1)).toBe('refused');
  });

  it.each([
    ['fields', `${'X-A: b\r\n'.repeat(5_000)}`],
    ['one field', `X-A: ${'b'.repeat(20_000)}\r\n`],
    ['a field without an end', `X-A: ${'b'.repeat(40_000)}`],
  ])('with too long %s is refused', (_name, fields) => {
    expect(told([bytes(`HTTP/1.1 200 OK\r\n${fields}\r\n`)])).toEqual(['refused']);
  });

  it('with a line of a chunk, or trailers, without end is refused', () => {
    const begun = head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked');
    expect(told([bytes(`${begun}1;${'a'.repeat(20_000)}`)]).at(-1)).toBe('refused');
    expect(told([bytes(`${begun}0\r\n${'X-A: b\r\n'.repeat(4_000)}`)]).at(-1)).toBe('refused');
  });
});
