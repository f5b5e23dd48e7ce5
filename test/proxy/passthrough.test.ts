import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { head, startPassThrough, startRawV2, startV2 } from './passthrough-proxy.ts';

/** What v2 gets from us alone, as its first fields. */
const ofThisHop = ['host: V2', 'connection: keep-alive'];
const noContent = head('HTTP/1.1 204 No Content');

/** Sends one request and returns its head as v2 got it. */
async function headAtV2(request: string, basePath = ''): Promise<string> {
  let received = '';
  const v2 = await startRawV2(async (connection) => {
    received = await connection.readUntil('\r\n\r\n');
    connection.write(noContent);
  });
  const client = await (await startPassThrough(v2.base + basePath)).connect();
  client.write(request);
  await client.readAnswer();
  return received.replace(`127.0.0.1:${v2.port}`, 'V2');
}

/** Answers one request with these bytes and returns what the client got. */
async function answerAtClient(bytes: string | Buffer, request = head('GET /v2/contacts HTTP/1.1', 'Host: a'), method = 'GET') {
  const v2 = await startRawV2(async (connection) => {
    await connection.readUntil('\r\n\r\n');
    connection.write(bytes);
  });
  const client = await (await startPassThrough(v2.base)).connect();
  client.write(request);
  return client.readAnswer(method);
}

describe('a request', () => {
  test('keeps every byte of its target, dot segments, encodings and an empty query included', async () => {
    const target = '/v2/../v1/./a%2Fb%2e%7e//c;d=!?x=%20&&y=?&z=a+b?';
    expect(await headAtV2(head(`GET ${target} HTTP/1.1`, 'Host: a'))).toMatch(`GET ${target} HTTP/1.1\r\n`);
    expect(await headAtV2(head('GET /v2? HTTP/1.1', 'Host: a'))).toMatch('GET /v2? HTTP/1.1\r\n');
  });

  test('has the path of the v2 base before its own', async () => {
    expect(await headAtV2(head('GET /v2/a HTTP/1.1', 'Host: a'), '/api/x/')).toMatch('GET /api/x/v2/a HTTP/1.1\r\n');
  });

  test('keeps names, order, duplicates and bytes of its fields, credentials included', async () => {
    const fields = [
      'aUTHORIZATION: Bearer k',
      'X-b: 1',
      'Cookie: a=1',
      'x-B: 2',
      'X-A: \xe9',
      'x-api-key: k',
      '__proto__: p',
      'Cookie: b=2',
    ];
    const received = await headAtV2(head('GET /v2/a HTTP/1.1', ...fields.slice(0, 2), 'hOST: a', ...fields.slice(2)));
    expect(received).toBe(head('GET /v2/a HTTP/1.1', ...ofThisHop, ...fields, 'Via: 1.1 migrate-v2'));
  });

  test('loses the fields of this hop and those that Connection nominates', async () => {
    const gone = [
      'Keep-Alive: a',
      'Proxy-Connection: a',
      'Proxy-Authorization: a',
      'TE: trailers',
      'Trailer: a',
      'Upgrade: h2c',
      'X-Own: a',
    ];
    const received = await headAtV2(
      head('GET /v2/a HTTP/1.1', 'Host: a', 'Connection: x-own, Upgrade', ...gone, 'X-Kept: a', 'Connection: x-more', 'X-More: a'),
    );
    expect(received).toBe(head('GET /v2/a HTTP/1.1', ...ofThisHop, 'X-Kept: a', 'Via: 1.1 migrate-v2'));
  });

  test('is appended to the Via of the proxies before', async () => {
    expect(await headAtV2(head('GET /v2/a HTTP/1.0', 'Via: 1.1 front'))).toBe(
      head('GET /v2/a HTTP/1.1', ...ofThisHop, 'Via: 1.1 front', 'Via: 1.0 migrate-v2'),
    );
  });

  test('without a body is not given a chunked one', async () => {
    expect(await headAtV2(head('POST /v2/a HTTP/1.1', 'Host: a'))).toMatch(/content-length: 0\r\n/);
  });

  test('is streamed: v2 has the first bytes before the client sends the last', async () => {
    const v2 = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      expect((await connection.read(5)).toString()).toBe('first');
      connection.write(head('HTTP/1.1 200 OK', 'Content-Length: 3') + 'yes');
      await connection.read(4);
    });
    const client = await (await startPassThrough(v2.base)).connect();
    client.write(`${head('POST /v2/a HTTP/1.1', 'Host: a', 'Content-Length: 9')}first`);
    expect((await client.readAnswer()).body.toString()).toBe('yes');
    client.write('last');
  });

  test('that waits for 100 Continue is sent whole', async () => {
    let expected: string | undefined;
    const base = await startV2((req, res) => {
      expected = req.headers.expect;
      req.pipe(res);
    });
    const client = await (await startPassThrough(base)).connect();
    client.write(head('POST /v2/a HTTP/1.1', 'Host: a', 'Content-Length: 4', 'Expect: 100-continue'));
    expect((await client.readAnswer()).status).toBe(100);
    client.write('body');
    const answer = await client.readAnswer();
    expect([answer.status, answer.body.toString(), expected]).toEqual([200, 'body', undefined]);
  });
});

describe('an answer', () => {
  test('keeps its status text and the names, order and duplicates of its fields', async () => {
    const fields = [
      'sET-cookie: a=1',
      'X-b: 1',
      'Date: now',
      'Set-Cookie: b=2',
      'x-B: 2',
      'X-A: \xe9',
      'Content-Length: 2',
      'Age: 1',
      'Age: 2',
    ];
    const gone = ['Keep-Alive: timeout=9', 'Upgrade: h2c', 'X-Own: a', 'Trailer: b'];
    const answer = await answerAtClient(`${head('HTTP/1.1 207 As You Like', ...fields, 'Connection: x-own', ...gone)}ok`);
    expect([answer.status, answer.statusText, answer.body.toString()]).toEqual([207, 'As You Like', 'ok']);
    const expected = [...fields, 'Via: 1.1 migrate-v2', 'Connection: keep-alive', 'Keep-Alive: timeout=65'];
    expect(answer.rawFields).toEqual(expected.flatMap((field) => field.split(': ')));
  });

  test('keeps its gzip bytes', async () => {
    const body = gzipSync('{"a":1}');
    const bytes = Buffer.concat([Buffer.from(head('HTTP/1.1 200 OK', 'Content-Encoding: gzip', `Content-Length: ${body.length}`)), body]);
    expect((await answerAtClient(bytes)).body.equals(body)).toBe(true);
  });

  test('keeps the bytes of a file name', async () => {
    const name = 'attachment; filename="\xc3\xa9.csv"';
    const answer = await answerAtClient(`${head('HTTP/1.1 200 OK', 'Content-Length: 2', `Content-Disposition: ${name}`)}ok`);
    expect(answer.values('content-disposition')).toEqual([name]);
  });

  test('that redirects is not followed', async () => {
    const answer = await answerAtClient(head('HTTP/1.1 307 Temporary Redirect', 'Location: /v2/b', 'Content-Length: 0'));
    expect([answer.status, answer.values('location')]).toEqual([307, ['/v2/b']]);
  });

  test('to HEAD keeps its length and has no body', async () => {
    const request = head('HEAD /v2/a HTTP/1.1', 'Host: a', 'Connection: close');
    const answer = await answerAtClient(head('HTTP/1.1 200 OK', 'Content-Length: 5'), request, 'HEAD');
    expect([answer.status, answer.values('content-length')]).toEqual([200, ['5']]);
  });

  test('without a length is framed for the client: chunked, or to the end of the connection in HTTP/1.0', async () => {
    const v2 = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(`${head('HTTP/1.1 200 OK')}all of it`);
      connection.end();
    });
    const proxy = await startPassThrough(v2.base);
    const [current, old] = [await proxy.connect(), await proxy.connect()];
    current.write(head('GET /v2/a HTTP/1.1', 'Host: a'));
    old.write(head('GET /v2/a HTTP/1.0'));
    const answers = [await current.readAnswer(), await old.readAnswer()];
    expect(answers.map(({ body }) => body.toString())).toEqual(['all of it', 'all of it']);
    expect(answers.map(({ values }) => values('transfer-encoding'))).toEqual([['chunked'], []]);
  });

  test('is streamed: the client has the head before v2 sends the body, and the first bytes before the last', async () => {
    const v2 = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked'));
      await connection.readUntil('got head');
      connection.write('5\r\nfirst\r\n');
      await connection.readUntil('got first');
      connection.write('4\r\nlast\r\n0\r\n\r\n');
    });
    const client = await (await startPassThrough(v2.base)).connect();
    client.write(`${head('POST /v2/a HTTP/1.1', 'Host: a', 'Content-Length: 18')}:`);
    expect(await client.readUntil('\r\n\r\n')).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    client.write('got head');
    await client.readUntil('first');
    client.write('got first');
    await client.readUntil('last\r\n0\r\n\r\n');
  });

  test('may be preceded by 1xx, which only clients of HTTP/1.1 get', async () => {
    const interim =
      head('HTTP/1.1 103 Early Hints', 'lINK: </a>; rel=preload', 'Connection: x-own', 'X-Own: a') + head('HTTP/1.1 100 Continue');
    const v2 = await startRawV2(async (connection) => {
      for (;;) {
        await connection.readUntil('\r\n\r\n');
        connection.write(interim + noContent);
      }
    });
    const proxy = await startPassThrough(v2.base);
    const [current, old] = [await proxy.connect(), await proxy.connect()];
    current.write(head('GET /v2/a HTTP/1.1', 'Host: a'));
    const hints = await current.readAnswer();
    expect([hints.status, hints.rawFields]).toEqual([103, ['lINK', '</a>; rel=preload', 'Via', '1.1 migrate-v2']]);
    expect((await current.readAnswer()).status).toBe(204);
    old.write(head('GET /v2/a HTTP/1.0'));
    expect((await old.readAnswer()).status).toBe(204);
  });
});

describe('connections to v2', () => {
  test('are used again, one request after the other', async () => {
    const v2 = await startRawV2(async (connection) => {
      for (;;) {
        await connection.readUntil('\r\n\r\n');
        connection.write(noContent);
      }
    });
    const client = await (await startPassThrough(v2.base)).connect();
    for (let i = 0; i < 3; i++) {
      client.write(head('GET /v2/a HTTP/1.1', 'Host: a'));
      await client.readAnswer();
    }
    expect(v2.connections).toHaveLength(1);
  });

  test('are closed when they have been idle', async () => {
    const v2 = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(noContent);
    });
    const client = await (await startPassThrough(v2.base, { keepAlive: 20 })).connect();
    client.write(head('GET /v2/a HTTP/1.1', 'Host: a'));
    await client.readAnswer();
    expect(await (await v2.connection(0)).ending()).toBe('end');
  });

  test('are limited: further requests wait in turn, and beyond the queue are refused', async () => {
    const arrived = Promise.withResolvers<void>();
    const v2 = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      arrived.resolve();
      await connection.readUntil('go');
      connection.write(head('HTTP/1.1 200 OK', 'Content-Length: 5') + 'first');
      await connection.readUntil('\r\n\r\n');
      connection.write(head('HTTP/1.1 200 OK', 'Content-Length: 6') + 'second');
    });
    const proxy = await startPassThrough(v2.base, { connections: 1, queue: 1 });
    const [first, second, third] = [await proxy.connect(), await proxy.connect(), await proxy.connect()];
    first.write(`${head('POST /v2/a HTTP/1.1', 'Host: a', 'Content-Length: 2')}g`);
    await arrived.promise;
    for (const client of [second, third]) client.write(head('GET /v2/a HTTP/1.1', 'Host: a'));
    const others = [second.readAnswer(), third.readAnswer()];
    // One of them is refused at once, so both have arrived.
    await Promise.race(others);
    first.write('o');
    const answers = [await first.readAnswer(), ...(await Promise.all(others)).toSorted((a, b) => a.status - b.status)];
    expect(answers.map(({ status, values }) => [status, ...values('retry-after')])).toEqual([[200], [200], [503, '1']]);
    expect(answers[1]?.body.toString()).toBe('second');
    expect(proxy.failures).toEqual(['overloaded']);
    expect(v2.connections).toHaveLength(1);
  });
});
