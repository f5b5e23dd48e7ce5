import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inTurn } from '../../proxy/turn.ts';
import { type RawConnection, connectRaw } from '../helpers/raw.ts';
import { expectDeprecated, expectError, get, head, post, startProxy, startRawV2, startRecorded } from './faults.ts';

const answer = (body: string): string => head('HTTP/1.1 200 OK', 'Content-Type: application/json', `Content-Length: ${body.length}`) + body;

/** Answers each request with its own target. */
async function echo(connection: RawConnection): Promise<void> {
  for (;;) connection.write(answer(JSON.stringify((await connection.readUntil('\r\n\r\n')).split(' ')[1])));
}

/** A v2 that holds back its answers until told. */
async function startHeldV2(): Promise<{ base: string; targets: string[]; release: () => void }> {
  const targets: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const { base } = await startRawV2(async (connection) => {
    for (;;) {
      targets.push((await connection.readUntil('\r\n\r\n')).split(' ')[1] ?? '');
      await promise;
      connection.write(answer('{}'));
    }
  });
  return { base, targets, release: resolve };
}

describe('pipelined requests', () => {
  it('are answered in their order', async () => {
    const { base } = await startRawV2(echo);
    const client = await (await startProxy(base)).connect();
    const ids = Array.from({ length: 50 }, (_, i) => `${i}`);
    client.write(ids.map((id) => get(`/v1/messages/${id}`)).join(''));
    for (const id of ids) expect((await client.readAnswer()).body.toString()).toBe(`"/v2/messages/${id}"`);
  });

  it('reach v2 one after the other, so that a read after a write sees what was written (RFC 9112 §9.3.2)', async () => {
    const v2 = await startHeldV2();
    const proxy = await startProxy(v2.base);
    const client = await proxy.connect();
    client.write(`${post('/v1/campaigns', 'Content-Length: 0')}${get('/v1/campaigns/1')}`);
    const other = await proxy.connect();
    other.write(get('/v1/contacts'));
    await expect.poll(() => v2.targets).toContain('/v2/contacts');
    expect(v2.targets).not.toContain('/v2/campaigns/1');
    v2.release();
    await client.readAnswer();
    await client.readAnswer();
    expect(v2.targets).toEqual(['/v2/campaigns', '/v2/contacts', '/v2/campaigns/1']);
  });

  it.each([
    ['because the client wanted so', get('/v1/messages', 'Connection: close'), 200],
    ['because it was refused', get('/v1/messages', 'Host: b'), 400],
    ['because it did not get what it expected', post('/v1/nothing', 'Content-Length: 0', 'Expect: 100-continue'), 404],
  ])('are not served once the answer before them has ended the connection, %s', async (_name, bytes, status) => {
    const proxy = await startRecorded({ connections: 1 });
    await proxy.ask(get('/v1/contacts'));
    const client = await proxy.connect();
    client.write(bytes + post('/v1/campaigns', 'Content-Length: 0'));
    expect((await client.readAnswer()).status).toBe(status);
    expect(await client.ending()).toBe('end');
    // With one connection to v2, whatever was sent there comes before this.
    await proxy.ask(get('/v1/contacts'));
    expect(proxy.seen.map(({ method }) => method)).not.toContain('POST');
  });

  it('are not served once their client has left', async () => {
    const v2 = await startHeldV2();
    const proxy = await startProxy(v2.base);
    const client = await proxy.connect();
    client.write(get('/v1/messages') + get('/v1/contacts'));
    await expect.poll(() => v2.targets).toEqual(['/v2/messages']);
    client.reset();
    await proxy.log.waitFor('deprecated_use');
    v2.release();
    await proxy.ask(get('/v1/campaigns/1'));
    expect(v2.targets).toEqual(['/v2/messages', '/v2/campaigns/1']);
    expect(await proxy.inFlight()).toBe(0);
  });

  it('are all answered, however many they are', async () => {
    const { base } = await startRawV2(echo);
    const client = await (await startProxy(base)).connect();
    const ids = Array.from({ length: 1_000 }, (_, i) => `${i}`);
    client.write(ids.map((id) => get(`/v1/messages/${id}`)).join(''));
    for (const id of ids) expect((await client.readAnswer()).body.toString()).toBe(`"/v2/messages/${id}"`);
  });

  it('are bounded: while a hundred wait, no more are read than have come with them', async () => {
    const waiting: (() => void)[] = [];
    let peak = 0;
    let held = true;
    const server = createServer((req, res) => {
      inTurn(req, res, () => void (held && req.url === '/flood' ? waiting.push(() => res.end()) : res.end()));
      if (req.url === '/flood') peak = Math.max(peak, ++came - answered);
      res.once('finish', () => answered++);
    });
    let came = 0;
    let answered = 0;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const client = await connectRaw(port);
    // As long as to fit into a read of 64 KiB sixty times.
    const flood = get('/flood', `X-Long: ${'x'.repeat(1_000)}`);
    client.write(flood.repeat(3_000));
    await expect.poll(() => came).toBeGreaterThanOrEqual(100);
    // All that others send is read meanwhile.
    const other = await connectRaw(port);
    for (let i = 0; i < 100; i++) {
      other.write(get());
      await other.readAnswer();
    }
    other.socket.destroy();
    held = false;
    for (const answer of waiting) answer();
    for (let i = 0; i < 3_000; i++) expect((await client.readAnswer()).status).toBe(200);
    client.socket.destroy();
    expect(peak).toBeLessThan(200);
  });
});

describe('what is pipelined behind a call', () => {
  it('does not fail the call when it is broken', async () => {
    const proxy = await startRecorded();
    const client = await proxy.connect();
    client.write(`${get()}nonsense\r\n\r\n`);
    const answered = await client.readAnswer();
    expect([answered.status, answered.body.toString()]).toEqual([200, '{"success":true}']);
    expectDeprecated(answered);
    expect((await client.readToEnd()).bytes.toString()).toBe('');
  });

  it('is not served when something broken is between it and the end: only the answer under way is owed', async () => {
    const proxy = await startRecorded({ connections: 1 });
    const client = await proxy.connect();
    client.write(`${get()}${get('/v1/contacts')}nonsense\r\n\r\n`);
    expect((await client.readAnswer()).status).toBe(200);
    expect((await client.readToEnd()).bytes.toString()).toBe('');
    await proxy.ask(get('/v1/campaigns/1'));
    expect(proxy.seen.map(({ url }) => url)).toEqual(['/v2/messages', '/v2/campaigns/1']);
  });

  it('does not cut an answer that is being sent when it is broken', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { base } = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(head('HTTP/1.1 200 OK', 'Content-Type: application/json', 'Content-Length: 100000') + ' '.repeat(50_000));
      await promise;
      connection.write(' '.repeat(50_000));
    });
    const client = await (await startProxy(base)).connect();
    client.write(get());
    await client.readUntil('\r\n\r\n');
    client.write('nonsense\r\n\r\n');
    await client.read(50_000);
    resolve();
    expect((await client.readToEnd()).bytes.length).toBe(50_000);
  });

  const handshake = head('GET /v2/socket HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket');
  const tunnel = head('CONNECT b:80 HTTP/1.1', 'Host: b:80');

  it.each([
    ['a CONNECT', get(), tunnel],
    ['an upgrade of v2', get(), handshake],
    ['a CONNECT behind a POST', post('/v1/campaigns', 'Content-Length: 0'), tunnel],
    ['an upgrade behind a POST to v2', post('/v2/campaigns', 'Content-Length: 0'), handshake],
    ['an upgrade behind a call that is the last', get('/v1/messages', 'Connection: close'), handshake],
  ])('does not take the place of the answer that is owed, nor does it come after it, when it is %s', async (_name, request, bytes) => {
    const v2 = await startHeldV2();
    const client = await (await startProxy(v2.base)).connect();
    client.write(request);
    await expect.poll(() => v2.targets).toHaveLength(1);
    client.write(bytes);
    v2.release();
    expect((await client.readAnswer()).status).toBe(200);
    expect((await client.readToEnd()).bytes.toString()).toBe('');
    expect(v2.targets).toHaveLength(1);
  });

  it.each([tunnel, handshake])('does not stop an answer that the client is slow to take: %s', async (bytes) => {
    const body = ' '.repeat(20_000_000);
    const { base } = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(answer(body));
    });
    const client = await (await startProxy(base)).connect();
    client.write(get());
    await client.readUntil('\r\n\r\n');
    client.socket.pause();
    client.write(bytes);
    client.socket.resume();
    expect((await client.readToEnd()).bytes.length).toBe(body.length);
  });

  it('behind a call whose client leaves does not keep the call', async () => {
    const v2 = await startHeldV2();
    const proxy = await startProxy(v2.base);
    const client = await proxy.connect();
    client.write(get() + handshake);
    await expect.poll(() => v2.targets).toHaveLength(1);
    client.reset();
    await expect.poll(() => proxy.inFlight()).toBe(0);
  });
});

describe('a client of HTTP/1.0', () => {
  it('that asks for it may send its next request on the same connection', async () => {
    const { base } = await startRawV2(echo);
    const client = await (await startProxy(base)).connect();
    for (const id of ['1', '2']) {
      client.write(get(`/v1/messages/${id}`, 'Connection: keep-alive').replace('HTTP/1.1', 'HTTP/1.0'));
      const answered = await client.readAnswer();
      expect([answered.body.toString(), ...answered.values('connection')]).toEqual([`"/v2/messages/${id}"`, 'keep-alive']);
    }
  });

  it('that does not ask for it gets its answer and the end of the connection', async () => {
    const { base } = await startRawV2(echo);
    const client = await (await startProxy(base)).connect();
    client.write(get().replace('HTTP/1.1', 'HTTP/1.0'));
    expect((await client.readAnswer()).values('connection')).toEqual(['close']);
    expect(await client.ending()).toBe('end');
  });

  it('without a Host is served', async () => {
    const proxy = await startRecorded();
    const answered = await proxy.ask(get().replace('HTTP/1.1', 'HTTP/1.0').replace('Host: a\r\n', ''));
    expect(answered.status).toBe(200);
    expectDeprecated(answered);
  });
});

it('a request after a refused one is served where the framing of both is clear', async () => {
  const proxy = await startRecorded();
  const client = await proxy.connect();
  client.write(get('/v1/nothing') + get());
  expectError(await client.readAnswer(), 404, { error: 'Not found' });
  expect((await client.readAnswer()).status).toBe(200);
});
