import { describe, expect, it } from 'vitest';
import { expectError, get, head, key, post, startProxy, startRawV2, startRecorded } from './faults.ts';

const withHost = (...hosts: string[]): string =>
  head('GET /v1/messages HTTP/1.1', ...hosts.map((host) => `Host:${host}`), `x-api-key: ${key}`);
const inHead = (text: string): string => get().replace('Host: a\r\n', `Host: a\r\n${text}`);
const badRequest = { code: 'PROXY_BAD_REQUEST' };

describe('a request is refused with 400, and its connection ends, for', () => {
  it.each<[string, string]>([
    ['two Hosts', withHost(' a', ' b')],
    ['two Hosts that agree', withHost(' a', ' a')],
    ['no Host', withHost()],
    ['a Host with a space', withHost(' a b')],
    ['a Host with a path', withHost(' a/b')],
    ['a Host with user information', withHost(' user@a')],
    ['a Host whose port is no number', withHost(' a:x')],
    ['Content-Length and Transfer-Encoding', `${post('/v1/campaigns', 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
    ['Transfer-Encoding and Content-Length', `${post('/v1/campaigns', 'Transfer-Encoding: chunked', 'Content-Length: 5')}0\r\n\r\n`],
    ['two Content-Lengths', `${post('/v1/campaigns', 'Content-Length: 2', 'Content-Length: 3')}{}`],
    ['two Content-Lengths that agree', `${post('/v1/campaigns', 'Content-Length: 2', 'Content-Length: 2')}{}`],
    ['a list as Content-Length', `${post('/v1/campaigns', 'Content-Length: 2, 2')}{}`],
    ['a Content-Length with a sign', `${post('/v1/campaigns', 'Content-Length: +2')}{}`],
    ['a Content-Length beyond counting', `${post('/v1/campaigns', 'Content-Length: 99999999999999999999')}{}`],
    ['an empty Content-Length', `${post('/v1/campaigns', 'Content-Length:')}{}`],
    ['Transfer-Encoding that does not end in chunked', `${post('/v1/campaigns', 'Transfer-Encoding: chunked, gzip')}0\r\n\r\n`],
    ['Transfer-Encoding hidden behind a control character', `${post('/v1/campaigns', 'Transfer-Encoding: \x0bchunked')}0\r\n\r\n`],
    [
      'Transfer-Encoding in HTTP/1.0',
      `${post('/v1/campaigns', 'Connection: keep-alive', 'Transfer-Encoding: chunked').replace('HTTP/1.1', 'HTTP/1.0')}0\r\n\r\n`,
    ],
    ['a space before the colon', inHead('X-A : b\r\n')],
    ['a space before the first field', get().replace('Host', ' Host')],
    ['a folded field', inHead('X-A: b\r\n c\r\n')],
    ['a field folded with a tab', inHead('X-A: b\r\n\tc\r\n')],
    ['bare LFs', get().replaceAll('\r\n', '\n')],
    ['one bare LF', inHead('X-A: b\n')],
    ['a bare CR', inHead('X-A: b\rc\r\n')],
    ['NUL in a value', inHead('X-A: b\0c\r\n')],
    ['NUL in a name', inHead('X\0A: b\r\n')],
    ['NUL in the target', get('/v1/messages/\0')],
    ['a field without a colon', inHead('X-A\r\n')],
    ['a field without a name', inHead(': b\r\n')],
    ['bytes outside ASCII in the target', get('/v1/messages/\xe9')],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a line that is no request', 'nonsense\r\n\r\n'],
    ['an end in the middle of the head', 'GET /v1/messages HTTP/1.1\r\nHost: a\r\n'],
  ])('%s', async (name, bytes) => {
    const proxy = await startRecorded();
    const client = await proxy.connect();
    // What a lenient reader would take for the next request.
    client.write(name.startsWith('an end') ? bytes : bytes + get('/v1/contacts'));
    if (name.startsWith('an end')) client.end();
    expectError(await client.readAnswer(), 400, badRequest);
    expect((await client.readToEnd()).bytes.toString()).toBe('');
    expect(proxy.seen).toEqual([]);
  });
});

describe('a request is refused for', () => {
  it.each(['HTTP/2.0', 'HTTP/0.9'])('the version %s, with 505', async (version) => {
    const proxy = await startRecorded();
    expectError(await proxy.ask(get().replace('HTTP/1.1', version)), 505, { code: 'PROXY_VERSION_NOT_SUPPORTED' });
    expect(proxy.seen).toEqual([]);
  });

  it.each(['gzip, chunked', 'identity', 'chunked, chunked'])(
    'the transfer coding %s, with 501 or 400 and the end of the connection',
    async (coding) => {
      const proxy = await startRecorded();
      const client = await proxy.connect();
      client.write(`${post('/v1/campaigns', `Transfer-Encoding: ${coding}`)}2\r\n{}\r\n0\r\n\r\n${get()}`);
      const answer = await client.readAnswer();
      expectError(answer, answer.status);
      expect(answer.status).toBe(coding === 'chunked, chunked' ? 400 : 501);
      expect((await client.readToEnd()).bytes.toString()).toBe('');
      expect(proxy.seen).toEqual([]);
    },
  );

  it.each([
    ['one field', 'GET', ['X-A: '.padEnd(17 * 1024, 'b')]],
    ['many fields', 'GET', Array.from({ length: 3_000 }, () => 'X-A: 1234')],
    ['a body behind it', 'POST', ['X-A: '.padEnd(17 * 1024, 'b'), 'Content-Length: 5']],
  ])('a head of 17 KiB in %s, with 431', async (_name, method, fields) => {
    const proxy = await startRecorded();
    const client = await proxy.connect();
    client.write(method === 'GET' ? get('/v1/messages', ...fields) : post('/v1/campaigns', ...fields));
    expectError(await client.readAnswer(), 431, { code: 'PROXY_HEADERS_TOO_LARGE' });
    expect(await client.ending()).toBe('end');
    expect(proxy.seen).toEqual([]);
  });

  it('a head of 16 MB, with a 431 that is there for a client that sends everything before it reads', async () => {
    const proxy = await startRecorded();
    const client = await proxy.connect();
    const { socket } = client;
    socket.pause();
    await new Promise((sent) => socket.write(get('/v1/messages', 'X-A: '.padEnd(16 * 1024 * 1024, 'b')), sent));
    socket.resume();
    expectError(await client.readAnswer(), 431, { code: 'PROXY_HEADERS_TOO_LARGE' });
    expect(proxy.seen).toEqual([]);
  });

  it('a head that is too large although its target is short, with 431, in whatever parts', async () => {
    const proxy = await startRecorded();
    for (const rest of ['', ' HTTP/1.1', ' HTTP/1.1\r\n\r\n']) {
      const client = await proxy.connect();
      for (const part of [get().slice(0, -2), `X-A: ${'b'.repeat(30_000)}`, `${'b'.repeat(30_000)}${rest}`]) {
        client.write(part);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expectError(await client.readAnswer(), 431, { code: 'PROXY_HEADERS_TOO_LARGE' });
    }
    expect(proxy.seen).toEqual([]);
  });

  it.each(['/v1/messages', '/v2/messages'])('a target for %s that is too long, with 414 (RFC 9110 §15.5.15)', async (path) => {
    const proxy = await startRecorded();
    // At once and in parts; beyond what Node reads as well.
    for (const [size, part] of [
      [17, 17],
      [40, 5],
      [60, 60],
      [60, 35],
      [70, 70],
      [1_000, 1_000],
    ] as const) {
      const client = await proxy.connect();
      const bytes = get(`${path}?q=${'x'.repeat(size * 1024)}`);
      for (let sent = 0; sent < bytes.length; sent += part * 1024) {
        client.write(bytes.slice(sent, sent + part * 1024));
        await new Promise((resolve) => setImmediate(resolve));
      }
      const answer = await client.readAnswer();
      expect([answer.status, JSON.parse(answer.body.toString()).code]).toEqual([414, 'PROXY_TARGET_TOO_LONG']);
      await client.ending();
    }
    expect(proxy.seen).toEqual([]);
  });

  it.each(['/v1/messages', '/v2/messages'])('other protocols for %s that the parser reads as well, with 505', async (path) => {
    const proxy = await startRecorded();
    const lines = [
      `SOURCE ${path} ICE/1.0`,
      `SOURCE ${path} HTTP/1.1`,
      ...[
        'DESCRIBE',
        'ANNOUNCE',
        'SETUP',
        'PLAY',
        'PAUSE',
        'TEARDOWN',
        'GET_PARAMETER',
        'SET_PARAMETER',
        'REDIRECT',
        'RECORD',
        'FLUSH',
      ].map((method) => `${method} ${path} RTSP/1.0`),
    ];
    const statuses = await Promise.all(lines.map(async (line) => (await proxy.ask(head(line, 'Host: a'))).status));
    expect(statuses).toEqual(lines.map(() => 505));
    expect(proxy.seen).toEqual([]);
  });
});

it('a refused request for v2 ends its connection as well', async () => {
  const proxy = await startRecorded();
  const client = await proxy.connect();
  client.write(head('GET /v2/messages HTTP/1.1', 'Host: a', 'Host: b') + get());
  expect((await client.readAnswer()).status).toBe(400);
  expect((await client.readToEnd()).bytes.toString()).toBe('');
  expect(proxy.seen).toEqual([]);
});

describe('an invalid chunk', () => {
  const chunked = 'Transfer-Encoding: chunked';

  it.each([
    ['/v1/campaigns', 'zz\r\n'],
    ['/v1/campaigns', '-1\r\n'],
    ['/v1/campaigns', '1\nx'],
    ['/v1/messages/send', 'zz\r\n'],
    ['/v1/contacts', 'ffffffffffffffffff\r\n'],
  ])('in a body for %s is answered with 400, and v2 never gets a whole request (%j)', async (path, chunk) => {
    let received = '';
    const v2 = await startRawV2(async (connection) => void (received += (await connection.readToEnd()).bytes.toString()));
    const proxy = await startProxy(v2.base);
    const client = await proxy.connect();
    client.write(`${post(path, chunked)}2\r\n{}\r\n`);
    // Streamed bodies are on their way to v2 by now; the others are read first.
    if (path === '/v1/campaigns') await v2.connection(0);
    client.write(`${chunk}${get()}`);
    expectError(await client.readAnswer(), 400, badRequest);
    expect((await client.readToEnd()).bytes.toString()).toBe('');
    for (const connection of v2.connections) await connection.ending();
    expect(received).not.toContain('0\r\n\r\n');
    expect(v2.connections).toHaveLength(path === '/v1/campaigns' ? 1 : 0);
    expect(await proxy.inFlight()).toBe(0);
  });

  it('does not end the connection of other calls', async () => {
    const proxy = await startRecorded();
    const other = await proxy.connect();
    other.write(`${post('/v1/campaigns', chunked)}2\r\n{}\r\n`);
    await proxy.ask(`${post('/v1/campaigns', chunked)}zz\r\n`);
    other.write('0\r\n\r\n');
    expect((await other.readAnswer()).status).toBe(200);
    expect(proxy.seen).toHaveLength(1);
  });
});

it('a valid request is served after empty lines, which a robust server skips (RFC 9112 §2.2)', async () => {
  const proxy = await startRecorded();
  expect((await proxy.ask(`\r\n\r\n${get()}`)).status).toBe(200);
});

it('an empty Host is valid, as is one with a port or an IPv6 address', async () => {
  const proxy = await startRecorded();
  for (const host of ['', ' a:8080', ' [::1]:80', ' a_b.example']) expect((await proxy.ask(withHost(host))).status).toBe(200);
});
