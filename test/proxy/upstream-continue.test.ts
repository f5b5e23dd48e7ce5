import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RawAnswer, RawConnection } from '../helpers/raw.ts';
import { type ProxyUnderTest, expectDeprecated, expectError, get, head, post, startProxy, startRawV2 } from './faults.ts';

const json = 'Content-Type: application/json';
const proceed = head('HTTP/1.1 100 Continue');
const hints = head('HTTP/1.1 103 Early Hints', 'Link: </a>');
const whole = `${head('HTTP/1.1 200 OK', json, 'Content-Length: 2')}{}`;
const calls = { GET: get(), HEAD: get().replace('GET', 'HEAD'), POST: `${post('/v1/campaigns', 'Content-Length: 2')}{}` };

interface Behind extends ProxyUnderTest {
  readonly requests: string[];
  readonly connections: readonly RawConnection[];
}

/** Writes packets, each after the proxy has read the one before: both run in this process, and so take turns. */
async function writeApart(connection: RawConnection, packets: Iterable<string>): Promise<void> {
  connection.socket.setNoDelay(true);
  for (const packet of packets) {
    connection.write(packet);
    await turn();
    await turn();
  }
}

/** A proxy in front of a v2 that answers the nth request with the packets for n. */
async function startAnswering(
  packetsFor: (n: number) => Iterable<string>,
  options: Parameters<typeof startProxy>[1] = {},
): Promise<Behind> {
  const requests: string[] = [];
  const { base, connections } = await startRawV2(async (connection) => {
    for (;;) {
      const received = await connection.readUntil('\r\n\r\n');
      if (received.startsWith('POST')) await connection.read(2);
      requests.push(received.slice(0, received.indexOf(' ')));
      await writeApart(connection, packetsFor(requests.length - 1));
    }
  });
  return { ...(await startProxy(base, options)), requests, connections };
}

/** The statuses and the content that a client gets for one call, up to the final answer. */
async function answersTo(client: RawConnection, call: keyof typeof calls): Promise<{ statuses: number[]; last: RawAnswer }> {
  client.write(calls[call]);
  const statuses: number[] = [];
  for (;;) {
    const last = await client.readAnswer(call);
    statuses.push(last.status);
    if (last.status >= 200) return { statuses, last };
  }
}

describe('100 (Continue), which nobody asked for,', () => {
  it.each<[string, string[], number[]]>([
    ['in one packet with the final answer', [proceed + whole], [200]],
    ['in a packet of its own', [proceed, whole], [200]],
    ['several times', [proceed + proceed, proceed + whole], [200]],
    ['with fields', [head('HTTP/1.1 100 Continue', 'Date: Sun, 01 Nov 2026 00:00:00 GMT', 'Content-Length: 5', 'X-A: 100') + whole], [200]],
    ['with Connection: close', [head('HTTP/1.1 100 Continue', 'Connection: close') + whole], [200]],
    ['with another reason', [head('HTTP/1.1 100 Go on: HTTP/1.1 100') + whole], [200]],
    ['with no reason', [head('HTTP/1.1 100 ') + head('HTTP/1.1 100') + whole], [200]],
    ['before another interim answer', [proceed + hints + whole], [103, 200]],
    ['between other interim answers', [hints + proceed + hints, proceed, whole], [103, 103, 200]],
    ['one byte at a time', [...(proceed + hints + proceed + whole)], [103, 200]],
  ])('%s is taken and not forwarded, and the connection goes on', async (_name, packets, statuses) => {
    for (const call of ['GET', 'POST'] as const) {
      const proxy = await startAnswering(() => packets);
      const client = await proxy.connect();
      for (let i = 0; i < 2; i++) {
        const answer = await answersTo(client, call);
        expectDeprecated(answer.last);
        expect([answer.statuses, answer.last.body.toString()]).toEqual([statuses, '{}']);
      }
      expect(proxy.requests).toEqual([call, call]);
      expect(proxy.connections).toHaveLength(1);
    }
  });

  it('is taken wherever a packet ends', async () => {
    const bytes = proceed + hints + whole;
    const proxy = await startAnswering((n) => [bytes.slice(0, n + 1), bytes.slice(n + 1)]);
    const client = await proxy.connect();
    for (let i = 1; i < bytes.length; i++) {
      const { statuses, last } = await answersTo(client, 'POST');
      expect([i, statuses, last.body.toString()]).toEqual([i, [103, 200], '{}']);
    }
    expect(proxy.connections).toHaveLength(1);
  });

  it('is taken by a HEAD', async () => {
    const proxy = await startAnswering(() => [proceed, head('HTTP/1.1 200 OK', json, 'Content-Length: 2')]);
    expect((await answersTo(await proxy.connect(), 'HEAD')).statuses).toEqual([200]);
  });

  it('is taken over TLS', async () => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'test' }], {
      keyType: 'ec',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    });
    const v2 = createServer({ cert, key }, (socket) => {
      socket.on('error', () => undefined).on('data', () => socket.write(proceed + hints + proceed, () => socket.write(whole)));
    }).listen(0, '127.0.0.1');
    await once(v2, 'listening');
    onTestFinished(() => void v2.close());
    const proxy = await startProxy(`https://127.0.0.1:${(v2.address() as AddressInfo).port}`, { v2Ca: cert });
    const client = await proxy.connect();
    for (let i = 0; i < 2; i++) expect((await answersTo(client, 'GET')).statuses).toEqual([103, 200]);
  });

  it.each(['GET', 'POST'] as const)('and then silence is 504 for a %s', async (call) => {
    const proxy = await startAnswering(() => [proceed], { headersTimeout: 100 });
    expectError(await proxy.ask(calls[call]), 504, { code: 'PROXY_UPSTREAM_TIMEOUT' });
    expect(await proxy.connections[0]?.ending()).toBe('end');
    expect(proxy.requests).toEqual([call]);
  });

  it.each(['GET', 'POST'] as const)('and then a reset is 502 for a %s, which is not sent again', async (call) => {
    const requests: string[] = [];
    const v2 = await startRawV2(async (connection) => {
      requests.push((await connection.readUntil('\r\n\r\n')).split(' ')[0] ?? '');
      await writeApart(connection, [proceed]);
      connection.reset();
    });
    const proxy = await startProxy(v2.base);
    expectError(await proxy.ask(calls[call]), 502, { code: 'PROXY_UPSTREAM_RESET' });
    expect(requests).toEqual([call]);
    expect(await proxy.inFlight()).toBe(0);
  });

  it.each([
    ['longer than 16 KiB', head('HTTP/1.1 100 Continue', `X-A: ${'a'.repeat(17 * 1024)}`)],
    ['with a bare LF', 'HTTP/1.1 100 Continue\n\n'],
    ['with a bare CR', 'HTTP/1.1 100 Continue\r\nX-A: a\rb\r\n\r\n'],
    ['with a fourth digit', head('HTTP/1.1 1000 Continue')],
  ])('%s is 502, and its connection is not used again', async (_name, bytes) => {
    const proxy = await startAnswering(() => [bytes + whole]);
    expectError(await proxy.ask(calls.POST), 502, { code: 'PROXY_UPSTREAM_INVALID' });
    await proxy.connections[0]?.ending();
    expect(proxy.requests).toHaveLength(1);
  });

  it('that comes between two calls breaks the connection, and the next call has a new one', async () => {
    const proxy = await startAnswering((n) => (n === 0 ? [whole, proceed] : [whole]));
    const client = await proxy.connect();
    expect((await answersTo(client, 'POST')).statuses).toEqual([200]);
    await proxy.connections[0]?.ending();
    expect((await answersTo(client, 'POST')).statuses).toEqual([200]);
    expect(proxy.connections).toHaveLength(2);
  });
});

describe('a body that looks like 100 (Continue)', () => {
  const body = proceed + proceed + hints;
  const answerHead = head('HTTP/1.1 200 OK', json, `Content-Length: ${body.length}`);

  it.each([
    ['in one packet with its head', [answerHead + body]],
    ['in a packet of its own', [answerHead, body]],
    ['after a 100', [proceed + answerHead, body]],
    ['one byte at a time', [...(proceed + answerHead + body)]],
    ['in chunks', [head('HTTP/1.1 200 OK', json, 'Transfer-Encoding: chunked'), `${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n']],
  ])('arrives whole %s', async (_name, packets) => {
    const proxy = await startAnswering(() => packets);
    const client = await proxy.connect();
    for (let i = 0; i < 2; i++) expect((await answersTo(client, 'POST')).last.body.toString()).toBe(body);
  });

  it.each([
    ['of a known length', `Content-Length: ${3 * body.length}`, (bytes: string): string => bytes],
    ['in chunks', 'Transfer-Encoding: chunked', (bytes: string): string => `${bytes.length.toString(16)}\r\n${bytes}\r\n`],
  ])('arrives whole while an upload %s goes on that looks like a request', async (_name, framing, frame) => {
    const { base } = await startRawV2(async (connection) => {
      await connection.readUntil('PART-1');
      await writeApart(connection, [proceed + answerHead]);
      client.write(part(2));
      await connection.readUntil('PART-2');
      await writeApart(connection, [body]);
      await connection.ending();
    });
    const part = (n: number): string => frame(`PART-${n}GET / HTTP/1.1\r\n\r\n`.padEnd(body.length));
    const client = await (await startProxy(base)).connect();
    client.write(post('/v1/campaigns', framing) + part(1));
    expect((await client.readAnswer()).body.toString()).toBe(body);
  });
});
