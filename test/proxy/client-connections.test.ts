import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Server, Socket, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { generate } from 'selfsigned';
import { describe, expect, onTestFinished, test } from 'vitest';
import { limitConnections } from '../../proxy/client-connections.ts';
import { createProxy } from '../../proxy/handler.ts';
import type { ProxyServerOptions } from '../../proxy/options.ts';
import { LogLines, type TestProxy, proxyOptions, startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';
import { bin } from '../helpers/build.ts';
import { listening, start } from '../helpers/process.ts';
import { RawConnection } from '../helpers/raw.ts';
import { get, head, startRawV2 } from './faults.ts';

/** A proxy in front of a v2 that answers, until the test ends. */
async function startLimited(options: Partial<ProxyServerOptions>): Promise<TestProxy> {
  const v2 = await startRecordingUpstream();
  const proxy = await startTestProxy(v2.url, options);
  onTestFinished(async () => {
    await proxy.drain();
    await v2[Symbol.asyncDispose]();
  });
  return proxy;
}

/** Opens a connection from an address of this machine, makes a call and keeps it open. @returns undefined where it was refused */
async function callFrom(localAddress: string, { port }: Pick<TestProxy, 'port'>): Promise<RawConnection | undefined> {
  const client = new RawConnection(connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true }));
  onTestFinished(() => void client.socket.destroy());
  client.write(get());
  return client.readAnswer().then(
    () => client,
    () => undefined,
  );
}

async function metric({ adminUrl }: Pick<TestProxy, 'adminUrl'>, name: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const line = text.split('\n').find((line) => line.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

/** Waits until the proxy has seen that connections were closed. */
async function openAre(proxy: TestProxy, count: number): Promise<void> {
  await expect.poll(() => metric(proxy, 'migrate_v2_client_connections')).toBe(count);
}

describe('connections of clients', () => {
  test('are closed beyond --max-connections, counted and told of once; one that closes makes room', async () => {
    const proxy = await startLimited({ maxConnections: 2, maxConnectionsPerAddress: 2 });
    const [first] = [await callFrom('127.0.0.1', proxy), await callFrom('127.0.0.1', proxy)];
    expect([await callFrom('127.0.0.1', proxy), await callFrom('127.0.0.2', proxy)]).toEqual([undefined, undefined]);
    expect(await metric(proxy, 'migrate_v2_refused_connections_total{reason="total"}')).toBe(2);
    expect(await metric(proxy, 'migrate_v2_client_connections_limit')).toBe(2);
    expect(proxy.log.of('connections_refused')).toMatchObject([{ level: 40, reason: 'total', limit: 2 }]);
    first?.reset();
    await openAre(proxy, 1);
    expect(await callFrom('127.0.0.1', proxy)).toBeDefined();
  });

  test('from one address are closed beyond --max-connections-per-address, and others are served', async () => {
    const proxy = await startLimited({ maxConnections: 10, maxConnectionsPerAddress: 2 });
    const [first] = [await callFrom('127.0.0.1', proxy), await callFrom('127.0.0.1', proxy)];
    expect(await callFrom('127.0.0.1', proxy)).toBeUndefined();
    expect(await callFrom('127.0.0.2', proxy)).toBeDefined();
    expect(await metric(proxy, 'migrate_v2_refused_connections_total{reason="address"}')).toBe(1);
    expect(proxy.log.of('connections_refused')).toMatchObject([{ reason: 'address', limit: 2, network: '127.0.0.0/24' }]);
    first?.end();
    await openAre(proxy, 2);
    expect(await callFrom('127.0.0.1', proxy)).toBeDefined();
  });

  test('from one address never take more than half of all, so that others are served', async () => {
    const proxy = await startLimited({ maxConnections: 5 });
    const clients = [];
    for (let i = 0; i < 5; i++) clients.push(await callFrom('127.0.0.1', proxy));
    expect(clients.filter((client) => client !== undefined)).toHaveLength(3);
    expect(await callFrom('127.0.0.2', proxy)).toBeDefined();
  });

  test('of a trusted proxy are limited in all only', async () => {
    const proxy = await startLimited({ maxConnections: 3, maxConnectionsPerAddress: 1, trustedProxies: ['127.0.0.1'] });
    for (let i = 0; i < 3; i++) expect(await callFrom('127.0.0.1', proxy)).toBeDefined();
    expect(await callFrom('127.0.0.1', proxy)).toBeUndefined();
  });

  test('count while nothing comes on them', async () => {
    const proxy = await startLimited({ maxConnections: 2 });
    const silent = connect({ port: proxy.port, host: '127.0.0.1' });
    await once(silent, 'connect');
    await openAre(proxy, 1);
    expect(await callFrom('127.0.0.1', proxy)).toBeUndefined();
    silent.destroy();
    await openAre(proxy, 0);
    expect(await callFrom('127.0.0.1', proxy)).toBeDefined();
  });

  test('count until they end, though they were upgraded', async () => {
    const v2 = await startRawV2(async (connection) => {
      await connection.readUntil('\r\n\r\n');
      connection.write(head('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket'));
      await connection.ending();
      connection.end();
    });
    const proxy = await startTestProxy(v2.base, { maxConnections: 2 });
    onTestFinished(proxy.drain);
    const client = new RawConnection(connect({ port: proxy.port, host: '127.0.0.1' }));
    client.write(head('GET /v2/events HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket'));
    expect((await client.readAnswer()).status).toBe(101);
    await openAre(proxy, 1);
    expect(await callFrom('127.0.0.1', proxy)).toBeUndefined();
    client.end();
    await openAre(proxy, 0);
  });

  test('count over TLS, from before the handshake until they end', async () => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'test' }], { keyType: 'ec' });
    const folder = mkdtempSync(join(tmpdir(), 'limits-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const tls = { cert: join(folder, 'crt'), key: join(folder, 'key') };
    writeFileSync(tls.cert, cert);
    writeFileSync(tls.key, key);
    const proxy = await startLimited({ tls, maxConnections: 2 });
    const secure = connectTls({ port: proxy.port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(secure, 'secureConnect');
    expect(await new RawConnection(connect({ port: proxy.port, host: '127.0.0.1' })).ending()).toBe('end');
    await openAre(proxy, 1);
    secure.end();
    await openAre(proxy, 0);
  });
});

describe('an address', () => {
  /** Whether each of these connections was taken; without a listener of its own, a server takes what comes to it. */
  function taken(addresses: readonly (string | undefined)[]): boolean[] {
    const options = proxyOptions('http://127.0.0.1:9', { maxConnectionsPerAddress: 1, trustedProxies: ['2001:db8:9::/48'] });
    const seen: Socket[] = [];
    const server = new Server((socket) => seen.push(socket));
    limitConnections(server, createProxy(options).context, options);
    return addresses.map((remoteAddress) => {
      const socket: Socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
      server.emit('connection', socket);
      return seen.includes(socket) && !socket.destroyed;
    });
  }

  test.each<[string, (string | undefined)[], boolean]>([
    ['of IPv4 is one', ['192.0.2.1', '192.0.2.2'], true],
    ['of IPv4 is the same where IPv6 carries it', ['192.0.2.1', '::ffff:192.0.2.1'], false],
    ['of IPv6 is a /64, of which a client has all addresses', ['2001:db8:1:2:3::4', '2001:db8:1:2:ffff::1'], false],
    ['of IPv6 is not the /64 beside it', ['2001:db8:1:2::1', '2001:db8:1:3::1'], true],
    ['of a trusted proxy is not counted', ['2001:db8:9::1', '2001:db8:9::1'], true],
    ['that there is none of, as of a Unix socket, is not counted', [undefined, undefined], true],
  ])('%s', (_name, addresses, both) => {
    expect(taken(addresses)).toEqual([true, both]);
  });
});

describe('the limit in all', () => {
  /** What is in force, and the warnings about it. */
  async function limit(openFiles: number, maxConnections: number | undefined) {
    const log = new LogLines();
    const options = proxyOptions('http://127.0.0.1:9', { logger: log.logger, maxConnections });
    const { context } = createProxy(options);
    limitConnections(new Server(), context, options, openFiles).warn();
    const values = await context.recorder.metrics.registry.getSingleMetric('migrate_v2_client_connections_limit')?.get();
    return [values?.values[0]?.value, log.of('connections_limited').length];
  }

  test.each([
    ['is 10,000', Infinity, undefined, 10_000, 0],
    ['is 10,000 with as many files as most services may open', 524_288, undefined, 10_000, 0],
    ['leaves files for the connections to v2, the admin listener and the store', 1_024, undefined, 1_024 - 2 * 128 - 256 - 96, 0],
    ['is a quarter of very few files', 256, undefined, 64, 0],
    ['is what is given', Infinity, 50_000, 50_000, 0],
    ['is less than what is given, with a warning, where there are too few files', 1_024, 5_000, 1_024 - 2 * 128 - 256 - 96, 1],
  ])('%s', async (_name, openFiles, given, expected, warnings) => {
    expect(await limit(openFiles, given)).toEqual([expected, warnings]);
  });
});

test('a connection that the system cannot hand over ends nothing, and is told of once', () => {
  const log = new LogLines();
  const options = proxyOptions('http://127.0.0.1:9', { logger: log.logger });
  const server = new Server();
  limitConnections(server, createProxy(options).context, options);
  server.emit('listening');
  const error = Object.assign(new Error('accept'), { code: 'ENFILE' });
  expect([server.emit('error', error), server.emit('error', error)]).toEqual([true, true]);
  expect(log.of('accept_failed')).toMatchObject([{ level: 40, cause: 'ENFILE' }]);
});

// Elsewhere than on Linux nobody tells a process how many files it may have.
test.skipIf(process.platform !== 'linux')(
  'a process that may open few files serves others and its admin while one address opens more',
  async () => {
    await using v2 = await startRecordingUpstream();
    const args = [bin, 'proxy', '--v2-base', v2.url, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
    args.push('--max-connections', '200');
    await using running = start('sh', ['-c', 'ulimit -n 300; exec "$0" "$@"', process.execPath, ...args], { cwd: tmpdir() });
    const { url, adminUrl } = await listening(running);
    expect(JSON.parse(await running.line(/connections_limited/))).toMatchObject({ level: 40, limit: 75, openFiles: 300 });
    expect(running.stdout[0]).toMatch('"msg":"listening"');
    const proxy = { adminUrl, port: Number(new URL(url).port) };
    const sockets = Array.from({ length: 400 }, () => connect({ port: proxy.port, host: '127.0.0.1' }).on('error', () => undefined));
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    expect(await callFrom('127.0.0.2', proxy)).toBeDefined();
    expect(await metric(proxy, 'migrate_v2_refused_connections_total{reason="address"}')).toBeGreaterThan(300);
  },
);

test('the admin listener takes 256 connections', async () => {
  const proxy = await startLimited({});
  const port = Number(new URL(proxy.adminUrl).port);
  const sockets = Array.from({ length: 256 }, () => connect({ port, host: '127.0.0.1' }));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const further = new RawConnection(connect({ port, host: '127.0.0.1' }));
  await further.ending();
  sockets[0]?.end(head('GET /healthz HTTP/1.1', 'Host: localhost', 'Connection: close'));
  expect(String(await once(sockets[0] as Socket, 'data'))).toMatch('HTTP/1.1 200 OK');
});
