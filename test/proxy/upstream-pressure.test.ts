import { once } from 'node:events';
import { type Socket, createConnection } from 'node:net';
import { expect, it } from 'vitest';
import { memory as residentMemory } from '../../bench/procfs.ts';
import { inTime } from '../helpers/in-time.ts';
import { bin, projectRoot } from '../helpers/build.ts';
import { listening, start } from '../helpers/process.ts';
import { startRawUpstream } from '../helpers/proxy.ts';
import { expectError, get, head, post, startProxy, startRawV2 } from './faults.ts';

const MiB = 1024 * 1024;
const json = 'Content-Type: application/json';

/** Sends zero bytes as fast as the other side takes them. */
async function pour(socket: Socket, size: number): Promise<void> {
  const chunk = Buffer.alloc(MiB);
  for (let left = size; left > 0; left -= MiB) if (!socket.write(chunk)) await once(socket, 'drain');
}

/** Bytes that have left this process. */
const left = ({ bytesWritten, writableLength }: Socket): number => bytesWritten - writableLength;

/** Waits until nothing moves any more: what has not happened by then has no event that would tell. */
async function standstill(socket: Socket): Promise<void> {
  for (let same = 0, last = -1; same < 10; same = left(socket) === last ? same + 1 : 0) {
    last = left(socket);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

it.runIf(process.platform === 'linux')('a body of 128 MiB streams through a proxy whose memory stays flat', async () => {
  const size = 128 * MiB;
  await using v2 = await startRawUpstream(async (socket) => {
    await once(socket, 'data');
    socket.write(head('HTTP/1.1 200 OK', json, `Content-Length: ${size}`));
    await pour(socket, size);
  });
  const flags = ['--v2-base', v2.url, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
  await using proxy = start(process.execPath, [bin, 'proxy', ...flags], { cwd: projectRoot });
  const client = createConnection(Number(new URL((await listening(proxy)).url).port), '127.0.0.1');
  client.write(get('/v1/messages', 'Connection: close'));
  let received = 0;
  const memory: number[] = [];
  for await (const bytes of client) {
    received += (bytes as Buffer).length;
    if (received > (memory.length * size) / 10) memory.push(residentMemory([proxy.child.pid ?? 0]).rss);
  }
  expect(received).toBeGreaterThan(size);
  expect(memory).toHaveLength(11);
  expect(Math.min(...memory)).toBeGreaterThan(0);
  expect(Math.max(...memory)).toBeLessThan(400);
});

const large = 96 * MiB;
/** What the buffers of two connections and of the proxy may hold; the kernel's grow to some MiB each. */
const buffered = 64 * MiB;

it('a client that takes its answer slowly slows v2, and gets all of it', async () => {
  const pouring = Promise.withResolvers<Socket>();
  await using v2 = await startRawUpstream(async (socket) => {
    await once(socket, 'data');
    socket.write(head('HTTP/1.1 200 OK', json, `Content-Length: ${large}`));
    pouring.resolve(socket);
    await pour(socket, large);
  });
  const { url } = await startProxy(v2.url);
  const client = createConnection(Number(new URL(url).port), '127.0.0.1');
  client.pause().write(get('/v1/messages', 'Connection: close'));
  const source = await pouring.promise;
  await standstill(source);
  expect(left(source)).toBeLessThan(buffered);
  let received = 0;
  for await (const bytes of client) received += (bytes as Buffer).length;
  expect(received).toBeGreaterThan(large);
});

it('a v2 that takes a streamed body slowly slows the upload, and gets all of it', async () => {
  const accepted = Promise.withResolvers<Socket>();
  await using v2 = await startRawUpstream((socket) => accepted.resolve(socket.pause()));
  const { url } = await startProxy(v2.url);
  const client = createConnection(Number(new URL(url).port), '127.0.0.1');
  client.write(post('/v1/campaigns', `Content-Length: ${large}`));
  void pour(client, large).catch(() => undefined);
  const sink = await accepted.promise;
  await standstill(client);
  expect(left(client)).toBeLessThan(buffered);
  let received = 0;
  for await (const bytes of sink) {
    received += (bytes as Buffer).length;
    if (received > large) break;
  }
  expect(received).toBeGreaterThan(large);
});

it('a v2 that takes nothing of an upload and says nothing ends in 504', async () => {
  const v2 = await startRawV2(({ socket }) => void socket.pause());
  const proxy = await startProxy(v2.base, { headersTimeout: 100 });
  const client = await proxy.connect();
  client.write(post('/v1/campaigns', `Content-Length: ${large}`));
  void pour(client.socket, large).catch(() => undefined);
  expectError(await client.readAnswer(), 504, { code: 'PROXY_UPSTREAM_TIMEOUT' });
  expect(await proxy.inFlight()).toBe(0);
});

it('a client that takes its answer in time, though slowly, is not given up', () =>
  inTime(400, async (bodyTimeout) => {
    const size = 16 * MiB;
    await using v2 = await startRawUpstream(async (socket) => {
      await once(socket, 'data');
      socket.write(head('HTTP/1.1 200 OK', json, `Content-Length: ${size}`));
      // It fails where the proxy gives the client up, which the client sees as well.
      await pour(socket, size).catch(() => undefined);
    });
    const { url } = await startProxy(v2.url, { bodyTimeout });
    const client = createConnection(Number(new URL(url).port), '127.0.0.1');
    client.write(get('/v1/messages', 'Connection: close'));
    let received = 0;
    for await (const bytes of client) {
      received += (bytes as Buffer).length;
      // 64 KiB at a time, about 250 times: many times the time in which something must move.
      await new Promise((resolve) => setTimeout(resolve, bodyTimeout / 80));
    }
    expect(received).toBeGreaterThan(size);
  }));
