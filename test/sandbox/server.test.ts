import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Agent, get, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { assume } from '../../src/contract/assumptions.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { listenSandbox, type ListenAddress } from '../../src/sandbox/server.ts';
import { connectRaw } from '../helpers/raw.ts';
import { call, startSandbox } from '../helpers/sandbox.ts';

/** A connection on which the head of a request was sent, and what the server said to that; two bytes of body are to come. */
async function startUpload(url: string, key: string, expectation: string): Promise<{ socket: Socket; answer: string }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const fields = `Host: x\r\nx-api-key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 2${expectation}`;
  socket.write(`POST /v1/campaigns HTTP/1.1\r\n${fields}\r\n\r\n`);
  const [answer]: unknown[] = await once(socket, 'data');
  return { socket, answer: String(answer) };
}

/** A connection on which the start of an answer has come that is larger than the buffers of both sides; the rest is not read. */
async function askForMuch({ store, demo }: Sandbox, url: string): Promise<{ socket: Socket; start: string }> {
  const workspace = store.workspace(demo.workspaceId);
  if (workspace === undefined) throw new Error('there is no demo workspace');
  // Not by calls: to send them would take a busy machine longer than these tests may.
  for (let i = 0; i < 4; i++) store.addMessage(workspace, { channel: 'SMS', to: '1', content: 'x'.repeat(8_000_000) });
  const key = demo.readWriteKey;
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`GET /v1/messages HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n\r\n`);
  const [start]: unknown[] = await once(socket, 'data');
  socket.pause();
  return { socket, start: String(start) };
}

/** Lets no time pass until the test ends: neither the grace of a sandbox, nor that for which Node keeps idle connections, ends one. */
function stopTime(): void {
  const keepAll = (message: unknown): void => void ((message as { server: Server }).server.keepAliveTimeout = 0);
  subscribe('http.server.request.start', keepAll);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
    unsubscribe('http.server.request.start', keepAll);
  });
}

const clock = '2026-08-01T12:00:00Z';
/** Of the sandboxes here. */
const parts = { clock: { now: () => Date.parse(clock) }, assumptions: assume() };
const free: ListenAddress = { host: '127.0.0.1', port: 0 };

describe('the admin server', () => {
  test('GET /healthz is 200', async () => {
    await using sandbox = await startSandbox();
    expect(await call(sandbox.adminUrl, 'GET /healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
  test('anything else is 404', async () => {
    await using sandbox = await startSandbox();
    for (const endpoint of ['GET /', 'GET /v1/messages']) {
      expect(await call(sandbox.adminUrl, endpoint)).toMatchObject({ status: 404 });
    }
  });
});

describe('listening', () => {
  test('an IPv6 address is bracketed in the URL', async () => {
    const { url, close } = await listenSandbox(createSandbox({ clock }), { listen: { host: '::1', port: 0 }, admin: free }, parts);
    await close();
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  });
  test('an address that is taken is an error that says so', async () => {
    await using sandbox = await startSandbox();
    const taken = { host: '127.0.0.1', port: Number(new URL(sandbox.url).port) };
    await expect(listenSandbox(createSandbox({ clock }), { listen: taken, admin: free }, parts)).rejects.toMatchObject({
      code: 'SANDBOX_LISTEN',
      message: expect.stringContaining(`127.0.0.1:${taken.port}`),
      cause: { code: 'EADDRINUSE' },
    });
  });
  test('where the admin address is taken, the other one is let go', async () => {
    await using sandbox = await startSandbox();
    const taken = { host: '127.0.0.1', port: Number(new URL(sandbox.url).port) };
    const { url, close } = await listenSandbox(createSandbox({ clock }), { listen: free, admin: free }, parts);
    await close();
    const listen = { host: '127.0.0.1', port: Number(new URL(url).port) };
    await expect(listenSandbox(createSandbox({ clock }), { listen, admin: taken }, parts)).rejects.toMatchObject({
      code: 'SANDBOX_LISTEN',
    });
    const again = await listenSandbox(createSandbox({ clock }), { listen, admin: free }, parts);
    await again.close();
    expect(again.url).toBe(url);
  });
});

describe('closing', () => {
  test('idle connections are closed', async () => {
    const { url, close } = await listenSandbox(createSandbox({ clock }), { listen: free, admin: free }, parts);
    const agent = new Agent({ keepAlive: true });
    const [response] = await once(get(`${url}/v1/messages`, { agent }), 'response');
    response.resume();
    await once(response, 'end');
    await close();
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
  test('a request in flight is finished, and then its connection is closed', async () => {
    stopTime();
    const sandbox = createSandbox({ clock });
    const { url, close } = await listenSandbox(sandbox, { listen: free, admin: free }, parts);
    const { socket } = await startUpload(url, sandbox.demo.readWriteKey, '\r\nExpect: 100-continue');
    const closed = close();
    socket.write('{}');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 201 /);
    await closed;
  });
  test('an answer that a slow client is still reading is finished, and then its connection is closed', async () => {
    stopTime();
    const sandbox = createSandbox({ clock });
    const { url, close } = await listenSandbox(sandbox, { listen: free, admin: free }, parts);
    const { socket, start } = await askForMuch(sandbox, url);
    const closed = close();
    const answer = start + (await text(socket));
    expect(answer.endsWith('"total":4}')).toBe(true);
    await closed;
  });
  test('an answer that came before the end of its request does not keep the connection', async () => {
    stopTime();
    const { url, close } = await listenSandbox(createSandbox({ clock }), { listen: free, admin: free }, parts);
    const { socket, answer } = await startUpload(url, 'ak_nobody', '');
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    await close();
    socket.destroy();
  });
  describe('a connection whose call does not end by itself is cut after the grace', () => {
    const grace = 50;
    test.for([
      ['the API', 'url', 'POST /v1/campaigns'],
      ['the control surface', 'adminUrl', 'POST /faults'],
    ] as const)('a request to %s that stays half-sent', async ([, at, endpoint]) => {
      const sandbox = createSandbox({ clock });
      const { close, ...urls } = await listenSandbox(sandbox, { listen: free, admin: free }, parts, grace);
      const client = await connectRaw(Number(new URL(urls[at]).port));
      const key = at === 'url' ? `x-api-key: ${sandbox.demo.readWriteKey}\r\n` : '';
      const fields = `Host: localhost\r\n${key}Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue`;
      client.write(`${endpoint} HTTP/1.1\r\n${fields}\r\n\r\n`);
      await client.readAnswer();
      client.write('{');
      await close();
      expect((await client.readToEnd()).bytes.toString()).toBe('');
    });
    test('an answer that nobody takes', async () => {
      const sandbox = createSandbox({ clock });
      const { url, close } = await listenSandbox(sandbox, { listen: free, admin: free }, parts, grace);
      const { socket } = await askForMuch(sandbox, url);
      await close();
      expect((await text(socket)).endsWith('"total":4}')).toBe(false);
    });
  });
});
