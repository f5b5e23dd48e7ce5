import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inTime } from '../helpers/in-time.ts';
import { startTestProxy } from '../helpers/proxy.ts';
import { connectRaw, resetsAfterBytes } from '../helpers/raw.ts';
import { expectError, get, head, post, startProxy, startRawV2, startRecorded } from './faults.ts';

const slow = { code: 'PROXY_REQUEST_TIMEOUT' };
const slowHead = { headTimeout: 150, requestTimeout: 60_000 };
const slowBody = { headTimeout: 300, requestTimeout: 300 };

/** The files of a certificate that signs itself. */
async function certificate(): Promise<{ cert: string; key: string }> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'test' }], { keyType: 'ec' });
  const folder = mkdtempSync(join(tmpdir(), 'handshake-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = { cert: join(folder, 'crt'), key: join(folder, 'key') };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  return files;
}

describe('a client that is too slow', () => {
  it.each([
    ['to send anything', ''],
    ['with its request line', 'GET /v1/mess'],
    ['with its head', get().slice(0, -2)],
  ])('%s is answered with 408, and its connection ends', async (_name, bytes) => {
    const proxy = await startRecorded(slowHead);
    const client = await proxy.connect();
    client.write(bytes);
    expectError(await client.readAnswer(), 408, slow);
    expect(await client.ending()).toBe('end');
    expect(proxy.seen).toEqual([]);
  });

  it('with the head of its second request is answered with 408, and its connection ends', () =>
    inTime(150, async (headTimeout) => {
      const client = await (await startRecorded({ ...slowHead, headTimeout })).connect();
      client.write(get() + get().slice(0, -2));
      expect((await client.readAnswer()).status).toBe(200);
      expectError(await client.readAnswer(), 408, slow);
      expect(await client.ending()).toBe('end');
    }));

  it('to begin its TLS handshake loses its connection', async () => {
    const proxy = await startRecorded({ ...slowHead, tls: await certificate() });
    expect(await (await proxy.connect()).ending()).toBe('end');
    // It is no request that could be answered, or that was refused.
    expect(proxy.log.lines).toEqual([]);
  });

  it('to begin its TLS handshake does not hold up the end of the proxy', async () => {
    const patient = { headTimeout: 60_000, requestTimeout: 60_000 };
    const { port, drain } = await startTestProxy('http://127.0.0.1:1', { ...patient, tls: await certificate() });
    const client = await connectRaw(port);
    await Promise.all([drain(), expect(client.ending()).resolves.toBe('end')]);
  });

  it.each([
    ['a body that is read', '/v1/messages/send'],
    ['a body that is streamed', '/v1/campaigns'],
  ])('with %s is answered with 408, and v2 never gets a whole request', (_name, path) =>
    inTime(300, async (limit) => {
      const v2 = await startRawV2(async (connection) => void (await connection.readToEnd()));
      const proxy = await startProxy(v2.base, { headTimeout: limit, requestTimeout: limit });
      const client = await proxy.connect();
      client.write(`${post(path, 'Content-Length: 20')}{"a":`);
      expectError(await client.readAnswer(), 408, slow);
      expect(await client.ending()).toBe('end');
      for (const connection of v2.connections) await connection.ending();
      expect(v2.connections).toHaveLength(path === '/v1/campaigns' ? 1 : 0);
      expect(await proxy.inFlight()).toBe(0);
    }),
  );

  it('with a body of endless chunks is answered with 408 all the same', async () => {
    const proxy = await startRecorded(slowBody);
    const client = await proxy.connect();
    client.write(post('/v1/contacts', 'Transfer-Encoding: chunked'));
    const dripping = setInterval(() => client.write('1\r\n \r\n'), 10);
    expectError(await client.readAnswer(), 408, slow);
    clearInterval(dripping);
    expect(proxy.seen).toEqual([]);
  });

  it('to take its answer for longer than v2 may pause loses it, so that it cannot hold a connection to v2 for ever', () =>
    inTime(200, async (bodyTimeout) => {
      const v2 = await startRawV2(async (connection) => {
        await connection.readUntil('\r\n\r\n');
        connection.write(head('HTTP/1.1 200 OK', 'Content-Type: application/json', 'Content-Length: 100000000'));
        connection.write(Buffer.alloc(100_000_000, ' '));
        await connection.ending();
      });
      const proxy = await startProxy(v2.base, { bodyTimeout, connections: 1, queue: 0 });
      const client = await proxy.connect();
      client.socket.pause();
      client.write(get());
      await (await v2.connection(0)).ending();
      expect((await proxy.log.waitFor('deprecated_use'))[0]).toMatchObject({ outcome: 'failed', code: 'PROXY_CLIENT_TIMEOUT' });
      expect(await proxy.inFlight()).toBe(0);
      client.socket.resume();
      expect(resetsAfterBytes).toContain(await client.ending());
    }));
});

describe('a client that sends what nobody reads', () => {
  it.each([
    ['too large a body', post('/v1/contacts', 'Content-Length: 8000000'), 413],
    ['a body for an unlisted path', post('/v1/nothing', 'Content-Length: 8000000'), 404],
    ['a body without a key', post('/v1/contacts', 'Content-Length: 8000000').replace(/x-api-key.*\r\n/, ''), 401],
  ])('%s gets its answer, although it reads only after having sent everything', async (_name, bytes, status) => {
    const proxy = await startRecorded({ maxBody: 1_000 });
    const client = await proxy.connect();
    client.socket.pause();
    client.write(bytes);
    await new Promise((sent) => client.socket.write(Buffer.alloc(8_000_000, ' '), sent));
    client.socket.resume();
    expectError(await client.readAnswer(), status);
    client.write(get());
    expect((await client.readAnswer()).status).toBe(200);
  });

  it('without end loses its connection', async () => {
    const proxy = await startRecorded({ maxBody: 1_000 });
    const client = await proxy.connect();
    client.write(post('/v1/contacts', 'Transfer-Encoding: chunked'));
    const sending = setInterval(() => client.write(`100000\r\n${' '.repeat(0x100000)}\r\n`), 1);
    expectError(await client.readAnswer(), 413, { code: 'PROXY_BODY_TOO_LARGE' });
    expect(await client.ending()).toBe('reset');
    clearInterval(sending);
    expect(client.socket.bytesWritten - client.socket.writableLength).toBeLessThan(100_000_000);
  });
});

it('a client that closes its side in the middle of its body is answered with 400', async () => {
  const proxy = await startRecorded();
  const client = await proxy.connect();
  client.write(`${post('/v1/contacts', 'Content-Length: 20')}{"a":`);
  client.end();
  expectError(await client.readAnswer(), 400, { code: 'PROXY_BAD_REQUEST' });
  expect(proxy.seen).toEqual([]);
});
