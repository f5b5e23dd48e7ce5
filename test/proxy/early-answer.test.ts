import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';
import { connectRaw, listenRaw } from '../helpers/raw.ts';

const head = (length: number): string =>
  `POST /v1/campaigns HTTP/1.1\r\nHost: x\r\nx-api-key: sk_test_0123456789\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
const get = 'GET /v1/contacts HTTP/1.1\r\nHost: x\r\nx-api-key: sk_test_0123456789\r\n\r\n';

describe('a v2 that answers before it has the whole request', () => {
  it.each([
    ['200 OK', 200],
    ['400 Bad Request', 400],
  ])('with %s leaves the client a connection that serves its next call', async (status, expected) => {
    const v2 = await listenRaw(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(`HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
    });
    await using proxy = await startTestProxy(`http://127.0.0.1:${v2.port}`);
    const client = await connectRaw(proxy.port);
    client.write(head(500_000));
    client.write('x'.repeat(100_000));
    expect((await client.readAnswer()).status).toBe(expected);
    client.write('x'.repeat(400_000));
    client.write(get);
    expect((await client.readAnswer()).status).toBe(expected);
    client.reset();
    await v2.close();
  });
});

describe('an answer that is given before Node has seen the end of a request without a body', () => {
  it('leaves the client its connection, however long it says nothing more', async () => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url);
    const client = await connectRaw(proxy.port);
    client.write(get.replace('contacts', 'nothing'));
    expect((await client.readAnswer()).status).toBe(404);
    // Longer than the rest of a request is waited for.
    await sleep(5_500);
    client.write(get);
    expect((await client.readAnswer()).status).toBe(200);
  }, 15_000);
});

describe('a refusal of a coding', () => {
  it('reaches its client although Node cannot read the body that comes with it', async () => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url);
    const client = await connectRaw(proxy.port);
    client.write(`${head(0).replace('Content-Length: 0', 'Transfer-Encoding: cow')}{}`);
    expect((await client.readAnswer()).status).toBe(501);
    expect(await client.ending()).toBe('end');
    expect(v2.seen).toEqual([]);
  });
});

describe('a Content-Type that is sent twice', () => {
  it('counts as the first, as it does for servers', async () => {
    await using v2 = await startRecordingUpstream();
    await using proxy = await startTestProxy(v2.url);
    const client = await connectRaw(proxy.port);
    client.write(head(2).replace('Content-Length', 'Content-Type: text/plain\r\nContent-Length') + '{}');
    expect((await client.readAnswer()).status).toBe(200);
  });
});
