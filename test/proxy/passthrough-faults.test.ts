import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failures } from '../../proxy/failures.ts';
import { inTime } from '../helpers/in-time.ts';
import { type RawConnection, connectRaw, resetsAfterBytes } from '../helpers/raw.ts';
import { type TestProxy, head, mount, startPassThrough, startRawV2, startV2 } from './passthrough-proxy.ts';

const get = head('GET /v2/contacts HTTP/1.1', 'Host: a');

/** Sends one request to a v2 that answers its head with these bytes, and then does something. */
async function exchange(answer: string, then: (v2: RawConnection) => void = () => undefined, request = get) {
  const v2 = await startRawV2(async (connection) => {
    await connection.readUntil('\r\n\r\n');
    connection.write(answer);
    // What is written must be on its way before a RST drops it.
    connection.socket.write('', () => then(connection));
  });
  const proxy = await startPassThrough(v2.base);
  const client = await proxy.connect();
  client.write(request);
  return { proxy, client };
}

/** A failure as the client sees it. */
async function failureOf(client: RawConnection, method = 'GET') {
  const { status, body, values } = await client.readAnswer(method);
  return { status, body: JSON.parse(body.toString()), retryAfter: values('retry-after')[0] };
}

function answered({ status, text, code, retryAfter }: { status: number; text: string; code: string; retryAfter?: number }) {
  return { status, body: { success: false, error: text, code }, retryAfter: retryAfter?.toString() };
}

/** The address of a port on which nobody listens. */
async function nowhere(): Promise<string> {
  const v2 = await startRawV2(() => undefined);
  await v2.close();
  return v2.base;
}

/** The address of a stopped process whose queue of connections is full: the kernel answers no further one. */
async function deafV2(): Promise<string> {
  const program =
    "const s = require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(s.address().port))";
  const child = spawn(process.execPath, ['--eval', program]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  const port = Number(line);
  child.kill('SIGSTOP');
  const waiting = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  onTestFinished(() => waiting.forEach((socket) => socket.destroy()));
  await Promise.all(waiting.slice(0, 2).map((socket) => once(socket, 'connect')));
  return `http://127.0.0.1:${port}`;
}

describe('framing of requests', () => {
  const smuggled = head('GET /v2/stolen HTTP/1.1', 'Host: b');

  test.each(['DELETE', 'OPTIONS', 'GET', 'POST'])('a chunked %s reaches v2 chunked, and its body not as a request', async (method) => {
    const targets: string[] = [];
    const base = await startV2(async (req, res) => {
      targets.push(`${req.url} ${req.headers['transfer-encoding']} ${req.headers['content-length']}`);
      req.pipe(res);
    });
    const client = await (await startPassThrough(base)).connect();
    const chunked = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
    client.write(head(`${method} /v2/a HTTP/1.1`, 'Host: a', 'Transfer-Encoding: chunked') + chunked);
    expect((await client.readAnswer()).body.toString()).toBe(smuggled);
    client.write(head('GET /v2/b HTTP/1.1', 'Host: a'));
    await client.readAnswer();
    expect(targets).toEqual(['/v2/a chunked undefined', '/v2/b undefined undefined']);
  });

  test.each(['Content-Length', 'Transfer-Encoding', 'Host'])('a Connection field cannot take %s away', async (name) => {
    const targets: string[] = [];
    const base = await startV2((req, res) => {
      targets.push(`${req.url} ${req.headers.host !== undefined}`);
      req.pipe(res);
    });
    const client = await (await startPassThrough(base)).connect();
    const framing = name === 'Transfer-Encoding' ? 'Transfer-Encoding: chunked' : `Content-Length: ${smuggled.length}`;
    const body = name === 'Transfer-Encoding' ? `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n` : smuggled;
    client.write(head('DELETE /v2/a HTTP/1.1', 'Host: a', framing, `Connection: keep-alive, ${name}`) + body);
    expect((await client.readAnswer()).body.toString()).toBe(smuggled);
    expect(targets).toEqual(['/v2/a true']);
  });
});

describe('http-proxy-3', () => {
  test('is kept on its native path when FORCE_FETCH_PATH is set, which stays set', async () => {
    process.env['FORCE_FETCH_PATH'] = 'true';
    onTestFinished(() => void delete process.env['FORCE_FETCH_PATH']);
    const { client } = await exchange(head('HTTP/1.1 200 Fine', 'sET-cookie: a', 'sET-cookie: b', 'Content-Length: 0'));
    const answer = await client.readAnswer();
    expect([answer.statusText, answer.rawFields.slice(0, 4)]).toEqual(['Fine', ['sET-cookie', 'a', 'sET-cookie', 'b']]);
    expect(process.env['FORCE_FETCH_PATH']).toBe('true');
  });
});

describe('before any byte of an answer', () => {
  // Up to and beyond the buffers on the way: what is left of a body must be read for the next request to be seen.
  test.each([0, 10, 64 * 1024, 100 * 1024, 8 * 1024 * 1024])(
    'v2 that cannot be reached is a 502, and the client can go on after %i bytes',
    async (size) => {
      const proxy = await startPassThrough(await nowhere());
      const client = await proxy.connect();
      for (let i = 0; i < 3; i++) {
        client.write(head('POST /v2/a HTTP/1.1', 'Host: a', `Content-Length: ${size}`));
        client.write(Buffer.alloc(size));
        expect(await failureOf(client)).toEqual(answered(failures.unreachable));
      }
      expect(proxy.failures).toEqual(['unreachable', 'unreachable', 'unreachable']);
    },
  );

  test.each([
    ['resets', (v2: RawConnection) => v2.reset()],
    ['closes', (v2: RawConnection) => v2.end()],
  ])('v2 that %s is a 502', async (_, then) => {
    const { proxy, client } = await exchange('', then);
    expect(await failureOf(client)).toEqual(answered(failures.reset));
    expect(proxy.failures).toEqual(['reset']);
  });

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n'],
    ['a status below 100', head('HTTP/1.1 099 What', 'Content-Length: 0')],
    ['a 101 that nobody asked for', head('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket')],
    ['a 101 without a protocol', head('HTTP/1.1 101 Switching Protocols')],
    ['a transfer coding that nobody asked for', head('HTTP/1.1 200 OK', 'Transfer-Encoding: gzip, chunked')],
    ['two lengths', head('HTTP/1.1 200 OK', 'Content-Length: 1', 'Content-Length: 2')],
  ])('%s is a 502', async (_, answer) => {
    const { proxy, client } = await exchange(answer);
    expect(await failureOf(client)).toEqual(answered(failures.invalidAnswer));
    expect(proxy.failures).toEqual(['invalidAnswer']);
  });

  test('a request whose body somebody else has read is a 500 at once', async () => {
    const client = await connectRaw(
      await mount('http://127.0.0.1:9', async (proxy, req, res) => proxy.handler(req, res, void (await text(req)))),
    );
    client.write(`${head('POST /v2/a HTTP/1.1', 'Host: a', 'Content-Length: 2')}{}`);
    expect(await failureOf(client)).toEqual(answered(failures.bodyConsumed));
  });

  test('v2 that completes no TLS handshake in time is a 504', async () => {
    const v2 = await startRawV2(() => undefined);
    const client = await (await startPassThrough(v2.base.replace('http:', 'https:'), { connectTimeout: 50 })).connect();
    client.write(get);
    expect(await failureOf(client)).toEqual(answered(failures.connectTimeout));
  });

  test('v2 that accepts no connection in time is a 504', async () => {
    const client = await (await startPassThrough(await deafV2(), { connectTimeout: 100, keepAlive: 20 })).connect();
    client.write(get);
    expect(await failureOf(client)).toEqual(answered(failures.connectTimeout));
  });

  test('v2 that never answers is a 504, and its connection is closed', async () => {
    const v2 = await startRawV2(() => undefined);
    const client = await (await startPassThrough(v2.base, { headersTimeout: 50 })).connect();
    client.write(get);
    expect(await failureOf(client)).toEqual(answered(failures.timeout));
    await (await v2.connection(0)).ending();
  });

  test('v2 that stops reading the request is a 504', async () => {
    const v2 = await startRawV2(({ socket }) => void socket.pause());
    const client = await (await startPassThrough(v2.base, { headersTimeout: 50 })).connect();
    const size = 32 * 1024 * 1024;
    client.write(head('POST /v2/a HTTP/1.1', 'Host: a', `Content-Length: ${size}`));
    client.write(Buffer.alloc(size));
    expect(await failureOf(client)).toEqual(answered(failures.timeout));
  });

  test('a client that stops sending its request gets a 408', async () => {
    const v2 = await startRawV2(() => undefined);
    const client = await (await startPassThrough(v2.base, { headTimeout: 50, requestTimeout: 50 })).connect();
    client.write(`${head('POST /v2/a HTTP/1.1', 'Host: a', 'Content-Length: 9')}a`);
    expect(await failureOf(client)).toEqual(answered(failures.requestTimeout));
  });

  test('a request that gets no connection in time is refused, and never reaches v2', async () => {
    const v2 = await startRawV2(() => undefined);
    const proxy = await startPassThrough(v2.base, { connections: 1, headersTimeout: 50 });
    const [first, second] = [await proxy.connect(), await proxy.connect()];
    // Its body never comes, so that it keeps the only connection.
    first.write(`${head('POST /v2/a HTTP/1.1', 'Host: a', 'Content-Length: 9')}a`);
    const connection = await v2.connection(0);
    for (const size of [1024 * 1024, 0]) {
      second.write(head('POST /v2/second HTTP/1.1', 'Host: a', `Content-Length: ${size}`));
      second.write(Buffer.alloc(size));
      expect(await failureOf(second)).toEqual(answered(failures.overloaded));
    }
    first.reset();
    const { bytes } = await connection.readToEnd();
    expect(bytes.toString()).not.toMatch('/v2/second');
  });
});

describe('within an answer', () => {
  test.each([
    ['of a known length', head('HTTP/1.1 200 OK', 'Content-Length: 9') + 'cut', get],
    ['in chunks', `${head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}3\r\ncut\r\n`, get],
    ['to the end of the connection', `${head('HTTP/1.1 200 OK')}cut`, head('GET /v2/a HTTP/1.0')],
  ])('a reset by v2 resets the client: %s', async (_, answer, request) => {
    const { proxy, client } = await exchange(answer, (v2) => setImmediate(() => v2.reset()), request);
    const ending = await client.ending();
    expect(resetsAfterBytes).toContain(ending);
    // Where Node sees no reset, an answer without a length is whole to the proxy as well.
    expect(proxy.failures).toEqual(resetsAfterBytes.includes('end') && proxy.failures.length === 0 ? [] : ['reset']);
  });

  test('an end before its length resets the client', async () => {
    const { proxy, client } = await exchange(`${head('HTTP/1.1 200 OK', 'Content-Length: 9')}cut`, (v2) => v2.end());
    expect(await client.ending()).toBe('reset');
    expect(proxy.failures).toEqual(['reset']);
  });

  test('v2 that falls silent resets the client', async () => {
    const v2 = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(`${head('HTTP/1.1 200 OK', 'Content-Length: 9')}cut`);
    });
    const proxy = await startPassThrough(v2.base, { bodyTimeout: 50 });
    const client = await proxy.connect();
    client.write(get);
    expect(await client.ending()).toBe('reset');
    expect(proxy.failures).toEqual(['timeout']);
  });

  test('a client that does not read stops v2 from sending, and is cut off', () =>
    inTime(100, async (bodyTimeout) => {
      const size = 256 * 1024 * 1024;
      let sent = 0;
      const stopped = Promise.withResolvers<void>();
      const base = await startV2((_req, res) => {
        res.writeHead(200, { 'Content-Length': size });
        const chunk = Buffer.alloc(1024 * 1024);
        const send = (): void => {
          while (sent < size && res.write(chunk)) sent += chunk.length;
        };
        res.on('drain', send).on('close', () => stopped.resolve());
        send();
      });
      const proxy = await startPassThrough(base, { bodyTimeout });
      const client = await proxy.connect();
      client.socket.pause();
      client.write(get);
      await stopped.promise;
      expect(sent).toBeLessThan(size / 2);
      expect(proxy.failures).toEqual(['clientTimeout']);
    }));

  test('bytes after its length do not reach the client', async () => {
    const { proxy, client } = await exchange(`${head('HTTP/1.1 200 OK', 'Content-Length: 2')}okHTTP/1.1 200 OK\r\n\r\n`);
    expect((await client.readAnswer()).body.toString()).toBe('ok');
    client.write(get);
    expect((await client.readAnswer()).body.toString()).toBe('ok');
    expect(proxy.failures).toEqual([]);
  });

  test('that comes whole before the end of the request stays good when v2 resets then', async () => {
    const v2 = await startRawV2(async (connection, index) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(index > 0 ? head('HTTP/1.1 204 No Content') : `${head('HTTP/1.1 413 Too Large', 'Content-Length: 2')}no`);
    });
    const proxy = await startPassThrough(v2.base);
    const client = await proxy.connect();
    client.write(`${head('POST /v2/a HTTP/1.1', 'Host: a', `Content-Length: ${1024 * 1024}`)}{`);
    expect((await client.readAnswer()).status).toBe(413);
    v2.connections[0]?.reset();
    client.write(Buffer.alloc(1024 * 1024 - 1));
    client.write(get);
    expect((await client.readAnswer()).status).toBe(204);
    expect(proxy.failures).toEqual([]);
  });

  test('that begins before the end of the request may take as long as any', async () => {
    const v2 = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(head('HTTP/1.1 200 OK', 'Content-Length: 4'));
      await connection.readUntil('request');
      setTimeout(() => connection.write('slow'), 100);
    });
    const client = await (await startPassThrough(v2.base, { headersTimeout: 20 })).connect();
    client.write(`${head('POST /v2/a HTTP/1.1', 'Host: a', 'Content-Length: 7')}r`);
    await client.readUntil('\r\n\r\n');
    client.write('equest');
    expect((await client.read(4)).toString()).toBe('slow');
  });

  test('that comes before the end of the request is relayed, and the client can go on', async () => {
    const v2 = await startRawV2(async (connection, index) => {
      await connection.readUntil('\r\n\r\n');
      if (index > 0) return connection.write(head('HTTP/1.1 204 No Content'));
      connection.write(`${head('HTTP/1.1 413 Too Large', 'Content-Length: 2', 'Connection: close')}no`);
      connection.end();
    });
    const proxy = await startPassThrough(v2.base);
    const client = await proxy.connect();
    client.write(`${head('POST /v2/a HTTP/1.1', 'Host: a', `Content-Length: ${1024 * 1024}`)}{`);
    expect((await client.readAnswer()).status).toBe(413);
    client.write(Buffer.alloc(1024 * 1024 - 1));
    client.write(get);
    expect((await client.readAnswer()).status).toBe(204);
    expect(proxy.failures).toEqual([]);
  });
});

/** What v2 sees of a client that sends this and leaves once v2 has it. */
async function leave(request: string, answer: string, how: (client: RawConnection) => void): Promise<TestProxy> {
  const arrived = Promise.withResolvers<RawConnection>();
  const v2 = await startRawV2(async (connection) => {
    await connection.readUntil('\r\n\r\n');
    connection.write(answer);
    arrived.resolve(connection);
  });
  const proxy = await startPassThrough(v2.base);
  const client = await proxy.connect();
  client.write(request);
  const connection = await arrived.promise;
  if (answer !== '') await client.readUntil('\r\n\r\n');
  how(client);
  await connection.ending();
  return proxy;
}

describe('a client that leaves', () => {
  const upload = `${head('POST /v2/a HTTP/1.1', 'Host: a', 'Content-Length: 9')}a`;
  const half = `${head('HTTP/1.1 200 OK', 'Content-Length: 9')}half`;
  const ways = {
    'by a reset': (client: RawConnection) => client.reset(),
    'by closing': (client: RawConnection) => client.socket.destroy(),
  };
  const moments: [string, string, string][] = [
    ['before the answer', get, ''],
    ['within the answer', get, half],
    ['within the request', upload, ''],
    ['within both', upload, half],
  ];
  const cases = moments.flatMap(([when, request, answer]) =>
    Object.entries(ways).map(([way, how]) => [when, way, request, answer, how] as const),
  );

  test.each(cases)('%s %s ends the request to v2 at once', async (_when, _way, request, answer, how) => {
    expect((await leave(request, answer, how)).failures).toEqual([]);
  });

  test('a thousand times leaves no connection to v2 behind', async () => {
    const v2 = await startRawV2(async (connection) => {
      if ((await connection.readUntil('\r\n\r\n')).includes('/v2/last')) connection.write(head('HTTP/1.1 204 No Content'));
    });
    const proxy = await startPassThrough(v2.base, { connections: 8, queue: 1000 });
    for (let i = 0; i < 1000; i++) {
      const client = await proxy.connect();
      client.write(get);
      if (i % 2 === 0) client.reset();
      else client.socket.destroySoon();
    }
    const last = await proxy.connect();
    last.write(head('GET /v2/last HTTP/1.1', 'Host: a'));
    expect((await last.readAnswer()).status).toBe(204);
    const endings = v2.connections.slice(0, -1).map((connection) => connection.ending());
    expect(await Promise.all(endings)).toHaveLength(v2.connections.length - 1);
    expect(proxy.failures).toEqual([]);
  });
});
