import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openReader } from '../../../src/usage/store/open.ts';
import { startUpstream } from '../../helpers/proxy.ts';
import { connectRaw } from '../../helpers/raw.ts';
import { serve } from '../run.ts';
import { serveWorkers, type Workers } from './serving.ts';

const ok = { 'Content-Type': 'application/json' };
const requestOf = (method: string, path: string, more = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nx-api-key: ak_test_0123456789\r\n${more}\r\n`;
const get = requestOf('GET', '/v1/contacts');
let messages = 0;
/** Asks for another message each time: of what is asked twice at once, v2 is asked once. */
const getAnother = (more?: string): string => requestOf('GET', `/v1/messages/${++messages}`, more);
const closing = requestOf('GET', '/v1/contacts', 'Connection: close\r\n');

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'migrate-v2-workers-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** The calls of a record. */
async function recorded(path: string): Promise<number> {
  const reader = await openReader(path);
  let calls = 0;
  for await (const { counts } of reader.totals({ since: 0, until: Date.now() + 60_000 })) calls += counts.calls;
  await reader.close();
  return calls;
}

/** A call on a connection of its own. @returns its status; undefined where the connection ended before the answer did */
async function call(port: number, request = closing): Promise<number | undefined> {
  try {
    const client = await connectRaw(port);
    client.write(request);
    const { status } = await client.readAnswer();
    client.socket.destroy();
    return status;
  } catch {
    return undefined;
  }
}

test('all workers serve at one port, and metrics, record and log have the calls of all', async () => {
  const cwd = folder();
  await using v2 = await startUpstream((_req, res) => void res.writeHead(200, ok).end('{}'));
  await using proxy = await serveWorkers(['--v2-base', v2.url], cwd);
  expect(proxy.pids()).toHaveLength(2);
  for (let calls = 0; calls < 10; calls++) expect(await call(proxy.port)).toBe(200);
  const metrics = async (): Promise<string> => (await fetch(`${proxy.adminUrl}/metrics`)).text();
  expect(await metrics()).toContain('migrate_v2_deprecated_calls_total{endpoint="GET /v1/contacts",status="200",outcome="translated"} 10');
  // Who calls is counted with the record, which a worker hands on after it has answered.
  await expect.poll(metrics).toContain('migrate_v2_active_clients{window="5m"} 1');
  expect(await (await fetch(`${proxy.adminUrl}/readyz`)).json()).toEqual({ status: 'ready' });
  expect(await proxy.running.stop()).toBe(0);
  const lines = proxy.running.stdout.map((line) => JSON.parse(line)).filter(({ event }) => event === 'deprecated_use');
  expect(lines).toHaveLength(10);
  // Each worker has a beginning of its own for them.
  expect(new Set(lines.map(({ requestId }) => requestId.split('-')[0])).size).toBe(2);
  expect(await recorded(join(cwd, 'usage.db'))).toBe(10);
});

test('a worker that is killed under load is replaced, and every call that was answered is in the record', async () => {
  const cwd = folder();
  await using v2 = await startUpstream((_req, res) => void res.writeHead(200, ok).end('{}'));
  await using proxy = await serveWorkers(['--v2-base', v2.url], cwd);
  let [answered, sent] = [0, 0];
  const over = new AbortController();
  const calling = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) {
      const client = await connectRaw(proxy.port);
      try {
        for (; !over.signal.aborted; answered++) {
          sent++;
          client.write(get);
          await client.readAnswer();
        }
      } catch {
        // Its worker was killed.
      }
      client.socket.destroy();
    }
  });
  const started = (): number => proxy.running.stdout.filter((line) => line.includes('"worker_started"')).length;
  for (let kills = 1; kills <= 2; kills++) {
    const before = answered;
    await expect.poll(() => answered).toBeGreaterThan(before + 50);
    const [pid = 0] = proxy.pids();
    process.kill(pid, 'SIGKILL');
    await proxy.running.line(new RegExp(`"worker_died","pid":${pid},`));
    await expect.poll(started).toBe(kills);
  }
  over.abort();
  await Promise.all(calling);
  await proxy.running.stop();
  const calls = await recorded(join(cwd, 'usage.db'));
  expect(calls).toBeGreaterThanOrEqual(answered);
  expect(calls).toBeLessThanOrEqual(sent);
});

test('SIGHUP replaces all workers, one after the other, and no call fails meanwhile', async () => {
  const cwd = folder();
  let seen = 0;
  await using v2 = await startUpstream((_req, res) => {
    seen++;
    res.writeHead(200, ok).end('{}');
  });
  await using proxy = await serveWorkers(['--v2-base', v2.url], cwd);
  const before = proxy.pids();
  const statuses: (number | undefined)[] = [];
  const over = new AbortController();
  // Some open a connection for each call, others go on as long as they are not told to close.
  const short = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) statuses.push(await call(proxy.port, getAnother('Connection: close\r\n')));
  });
  const long = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) {
      const client = await connectRaw(proxy.port);
      for (let isOpen = true; isOpen && !over.signal.aborted;) {
        client.write(getAnother());
        const answer = await client.readAnswer();
        statuses.push(answer.status);
        isOpen = !answer.values('connection').includes('close');
      }
      client.socket.destroy();
    }
  });
  for (let times = 1; times <= 2; times++) {
    proxy.running.child.kill('SIGHUP');
    await expect.poll(() => proxy.running.stdout.filter((line) => line.includes('"workers_renewed"')).length).toBe(times);
  }
  over.abort();
  await Promise.all([...short, ...long]);
  expect(proxy.pids().filter((pid) => before.includes(pid))).toEqual([]);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(seen).toBe(statuses.length);
  const metrics = await (await fetch(`${proxy.adminUrl}/metrics`)).text();
  expect(metrics).toContain(`outcome="translated"} ${statuses.length}\n`);
  await proxy.running.stop();
  expect(await recorded(join(cwd, 'usage.db'))).toBe(statuses.length);
});

test('SIGTERM lets the calls of all workers end, and takes no others', async () => {
  const asked: (() => void)[] = [];
  await using v2 = await startUpstream((_req, res) => void asked.push(() => res.writeHead(200, ok).end('{}')));
  await using proxy = await serveWorkers(['--v2-base', v2.url, '--drain-timeout', '60s']);
  const calls = [call(proxy.port), call(proxy.port)];
  await expect.poll(() => asked.length).toBe(2);
  const stopped = proxy.running.stop();
  await expect
    .poll(
      async () =>
        (await connectRaw(proxy.port).then(
          (client) => client.socket.destroy(),
          () => undefined,
        )) === undefined,
    )
    .toBe(true);
  for (const answer of asked) answer();
  expect(await Promise.all(calls)).toEqual([200, 200]);
  expect(await stopped).toBe(0);
});

test('a port that is taken is said as with one process, and ends all of them', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await using running = serve(['proxy', '--workers', '2', '--sandbox', '--listen', `127.0.0.1:${port}`, '--admin', '127.0.0.1:0']);
  const line = await running.line(/is in use/, 'stderr');
  expect(line).toContain(`--listen: 127.0.0.1:${port} is in use by another process`);
  await once(running.child, 'close');
  expect(running.child.exitCode).toBe(4);
});

describe('a proxy of two workers', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'migrate-v2-workers-'));
  const map = (v2Key: string): void =>
    writeFileSync(join(cwd, 'keys.yaml'), `keys:\n  - { v1: ak_test_0123456789, v2: ${v2Key} }\ndefault: reject\n`);
  let v2: Awaited<ReturnType<typeof startUpstream>>;
  let proxy: Workers;
  beforeAll(async () => {
    map('first-key-of-v2');
    v2 = await startUpstream((req, res) => void res.writeHead(200, ok).end(JSON.stringify(req.headers.authorization)));
    proxy = await serveWorkers(['--v2-base', v2.url, '--key-map', 'keys.yaml'], cwd);
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await v2[Symbol.asyncDispose]();
    rmSync(cwd, { recursive: true });
  });

  test('hands a WebSocket through', async () => {
    v2.server.on('upgrade', (_req, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      socket.pipe(socket);
    });
    const client = await connectRaw(proxy.port);
    client.write(
      'GET /v2/live HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer k\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    expect(await client.readUntil('\r\n\r\n')).toContain('101 Switching Protocols');
    client.write('hello');
    expect((await client.read(5)).toString()).toBe('hello');
    client.socket.destroy();
  });

  test('has a key map that changes in force in all of them', async () => {
    const clients = await Promise.all([connectRaw(proxy.port), connectRaw(proxy.port)]);
    const shown = (): Promise<string[]> =>
      Promise.all(
        clients.map(async (client) => {
          client.write(get);
          return (await client.readAnswer()).body.toString();
        }),
      );
    expect(await shown()).toEqual(['"Bearer first-key-of-v2"', '"Bearer first-key-of-v2"']);
    map('second-key-of-v2');
    await expect.poll(shown).toEqual(['"Bearer second-key-of-v2"', '"Bearer second-key-of-v2"']);
    for (const client of clients) client.socket.destroy();
  });

  test('ends with all of them where it is killed itself', async () => {
    const pids = proxy.pids();
    expect(pids).toHaveLength(2);
    await proxy.running.stop('SIGKILL');
    const isThere = (pid: number): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(() => pids.some(isThere)).toBe(false);
  });
});
