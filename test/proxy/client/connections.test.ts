/** What the connections to v2 are used for, and when they are given up. */
import { expect, it, onTestFinished } from 'vitest';
import { setImmediate as turn } from 'node:timers/promises';
import { Upstream, type UpstreamRequest } from '../../../proxy/upstream.ts';
import { proxyOptions } from '../../helpers/proxy.ts';
import { expectError, get, head, post, startProxy, startRawV2 } from '../faults.ts';

const json = 'Content-Type: application/json';
const whole = `${head('HTTP/1.1 200 OK', json, 'Content-Length: 2')}{}`;
const body = '{"channel":"SMS","to":"+15550100","content":"x"}';
const send = post('/v1/messages/send', `Content-Length: ${body.length}`) + body;

/** How a send ends: `end`, or the failure. */
function outcome(upstream: Upstream, body: UpstreamRequest['body'], fields: readonly string[] = []): Promise<string> {
  const ignore = (): void => undefined;
  const { promise, resolve } = Promise.withResolvers<string>();
  const receiver = { onSending: ignore, onInterim: ignore, onHead: ignore, onData: ignore };
  upstream.send({ method: 'POST', path: '/v2/a', fields, body }, { ...receiver, onEnd: () => resolve('end'), onFailure: resolve });
  return promise;
}

async function* inTurn(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  for await (const part of parts) yield part;
}

it('a request and its body leave in one piece', async () => {
  const pieces: string[] = [];
  const { base } = await startRawV2((connection) => {
    connection.socket.on('data', (bytes: Buffer) => {
      pieces.push(bytes.toString('latin1'));
      connection.write(whole);
    });
  });
  const proxy = await startProxy(base);
  for (let i = 0; i < 3; i++) expect((await proxy.ask(send)).status).toBe(200);
  expect(pieces).toHaveLength(3);
  for (const piece of pieces) expect(piece.endsWith(`\r\ncontent-length: ${body.length}\r\n\r\n${body}`)).toBe(true);
});

const bytes = Buffer.from(Array.from({ length: 3 * 1024 * 1024 }, (_, at) => at % 251));

it.each([1, 256, 16 * 1024, 16 * 1024 + 1, bytes.length])(
  'a body of %i bytes arrives byte for byte, whole and in parts',
  async (length) => {
    const content = bytes.subarray(0, length);
    const arrived: Buffer[] = [];
    const { base, connections } = await startRawV2(async (connection) => {
      for (;;) {
        const isChunked = (await connection.readUntil('\r\n\r\n')).includes('\r\ntransfer-encoding: chunked\r\n');
        arrived.push(isChunked ? await connection.readChunked() : await connection.read(length));
        connection.write(whole);
      }
    });
    const upstream = new Upstream(proxyOptions(base));
    onTestFinished(() => upstream.close());
    const parts = [content.subarray(0, length / 3), content.subarray(length / 3, length / 2), content.subarray(length / 2)];
    const known = ['Content-Length', String(length)];
    for (const [sent, fields] of [[content], [inTurn(parts), known], [inTurn(parts)]] as const) {
      expect(await outcome(upstream, sent, fields)).toBe('end');
      await turn();
    }
    expect(arrived.map((each) => each.equals(content))).toEqual([true, true, true]);
    expect(connections).toHaveLength(1);
  },
);

it.each([
  ['closed', 'Keep-Alive: timeout=2, max=100', 2],
  ['closed', 'Connection: close', 2],
  ['kept', 'Keep-Alive: timeout=60', 1],
  ['kept', 'X-A: b', 1],
])('a connection is %s after an answer with %s', async (_what, field, connections) => {
  const v2 = await startRawV2(async (connection) => {
    for (;;) {
      await connection.readUntil('\r\n\r\n');
      connection.write(`${head('HTTP/1.1 200 OK', json, field, 'Content-Length: 2')}{}`);
    }
  });
  const proxy = await startProxy(v2.base);
  for (let i = 0; i < 2; i++) expect((await proxy.ask(get())).status).toBe(200);
  expect(v2.connections).toHaveLength(connections);
});

it('a connection without calls is closed once it was kept for as long as it may be', async () => {
  const v2 = await startRawV2(async (connection) => {
    await connection.readUntil('\r\n\r\n');
    connection.write(whole);
    await connection.ending();
  });
  const proxy = await startProxy(v2.base, { keepAlive: 50 });
  expect((await proxy.ask(get())).status).toBe(200);
  expect(await (await v2.connection(0)).ending()).toBe('end');
});

it.each<[string, (connection: { write(text: string): void; end(): void }) => void]>([
  ['brings bytes', (connection) => connection.write(whole)],
  ['ends', (connection) => connection.end()],
])('a send is not lost on a connection that %s meanwhile, and is sent once', async (_what, meddle) => {
  const sent: string[] = [];
  const { base, connections } = await startRawV2(async (connection, index) => {
    for (;;) {
      const request = await connection.readUntil('\r\n\r\n');
      if (request.startsWith('POST')) sent.push((await connection.read(body.length)).toString());
      connection.write(whole);
      if (index === 0) await turn().then(() => meddle(connection));
    }
  });
  const proxy = await startProxy(base);
  expect((await proxy.ask(get())).status).toBe(200);
  expect((await proxy.ask(send)).status).toBe(200);
  expect(sent).toEqual([body]);
  expect(connections).toHaveLength(2);
});

it('what comes before the first byte of a request is no answer to it, however long its client takes to send its body', async () => {
  const v2 = await startRawV2(async (connection) => {
    await connection.readUntil('\r\n\r\n');
    connection.write(whole);
    await connection.ending();
  });
  const proxy = await startProxy(v2.base);
  expect((await proxy.ask(get())).status).toBe(200);
  const client = await proxy.connect();
  client.write(post('/v1/campaigns', 'Content-Length: 2', 'Expect: 100-continue'));
  expect((await client.readAnswer()).status).toBe(100);
  (await v2.connection(0)).write(whole);
  expectError(await client.readAnswer(), 502, { code: 'PROXY_UPSTREAM_RESET' });
});

it('a connection is not used again while a part of its last request has not left', async () => {
  const { base, connections } = await startRawV2(async (connection, index) => {
    if (index === 0) connection.socket.pause();
    else await connection.readUntil('\r\n\r\n');
    connection.write(whole);
  });
  const upstream = new Upstream(proxyOptions(base, { headersTimeout: 500 }));
  onTestFinished(() => upstream.close());
  // More than the system takes for one connection.
  for (const length of [64 * 1024 * 1024, 1]) {
    expect(await outcome(upstream, Buffer.alloc(length))).toBe('end');
    await turn();
  }
  expect(connections).toHaveLength(2);
});

it('every call that waits for a connection is told when there are to be none, however many wait', async () => {
  const { base } = await startRawV2(async (connection) => void (await connection.ending()));
  const upstream = new Upstream(proxyOptions(base, { connections: 1, queue: 20_000 }));
  const outcomes = Array.from({ length: 20_000 }, () => outcome(upstream, null));
  await upstream.close();
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['draining']));
});

it('an answer that pauses for longer than it may ends its call also while its request is still being sent', async () => {
  const { base } = await startRawV2(async (connection) => {
    await connection.readUntil('\r\n\r\n');
    connection.write(`${head('HTTP/1.1 200 OK', json, 'Content-Length: 100000')}{`);
    await connection.ending();
  });
  const proxy = await startProxy(base, { bodyTimeout: 100 });
  const client = await proxy.connect();
  client.write(`${post('/v1/campaigns', 'Content-Length: 21')}{"a":`);
  expect(await client.ending()).toBe('reset');
});

it('an upload whose client breaks off is given up, and its connection with it', async () => {
  const v2 = await startRawV2(async (connection) => void (await connection.ending()));
  const proxy = await startProxy(v2.base);
  const client = await proxy.connect();
  client.write(`${post('/v1/campaigns', 'Content-Length: 21')}{"a":`);
  await (await v2.connection(0)).readUntil('{"a":');
  client.reset();
  await (await v2.connection(0)).ending();
  await expect.poll(() => proxy.inFlight()).toBe(0);
});

it('a base that nobody can be asked at is a failure of its own for each call', async () => {
  const proxy = await startProxy('http://[::1]:1');
  for (let i = 0; i < 2; i++) expectError(await proxy.ask(get()), 502, { code: 'PROXY_UPSTREAM_UNREACHABLE' });
  expect(await proxy.inFlight()).toBe(0);
});
