/** The record of a proxy that is mounted in a server of somebody's own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import express from 'express';
import Fastify from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type MigrationHandler, type MigrationProxyOptions, type UsageReport, createMigrationProxy, usageReport } from '../../src/index.ts';
import type { Session } from '../../src/usage/model.ts';
import { openReader } from '../../src/usage/store/open.ts';
import { start } from '../helpers/process.ts';
import { LogLines, startRecordingUpstream, startUpstream } from '../helpers/proxy.ts';
import { logStore } from '../usage/logs/logs.ts';
import { everything, storePath } from '../usage/record.ts';

/** Mounts the proxy beside a page of the app's own, and serves both until the test ends. @returns the base address */
type Mount = (proxy: MigrationHandler) => Promise<string>;

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const servers = {
  'node:http': (proxy) => serve((req, res) => proxy(req, res, () => res.end('app'))),
  Express: (proxy) =>
    serve(
      express()
        .use(proxy)
        .use((_req, res) => void res.send('app')),
    ),
  Fastify: async (proxy) => {
    const app = Fastify();
    onTestFinished(() => app.close());
    app.addHook('onRequest', async (request, reply) => {
      if (!/^\/v[12]\//.test(request.url)) return;
      reply.hijack();
      proxy(request.raw, reply.raw);
    });
    app.get('/app', async () => 'app');
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
} satisfies Record<string, Mount>;

/** Calls by client, by the product of its User-Agent. */
const callsOf = ({ clients }: UsageReport): Record<string, number> =>
  Object.fromEntries(clients.map(({ product, usage }) => [product, usage.calls]));

const [one, two] = ['ak_live_one_0123456789', 'ak_live_two_0123456789'];

async function call(url: string, key = one, fields: Readonly<Record<string, string>> = {}): Promise<number> {
  const response = await fetch(url, { headers: { 'x-api-key': key, 'user-agent': 'axios/1.7.0', ...fields } });
  await response.arrayBuffer();
  return response.status;
}

/** The proxy in front of a v2 that says yes to everything, until the test ends. */
async function library(options: Partial<MigrationProxyOptions>) {
  const v2 = await startRecordingUpstream();
  onTestFinished(() => v2[Symbol.asyncDispose]());
  const log = new LogLines();
  const proxy = await createMigrationProxy({ v2Base: v2.url, logger: log.logger, ...options });
  onTestFinished(() => proxy.close());
  return { proxy, log };
}

const pairsOf = (fields: readonly string[]): [string, string][] =>
  fields.flatMap((name, index) => (index % 2 === 0 ? [[name, fields[index + 1] ?? '']] : []));

async function sessionsOf(store: string): Promise<readonly Session[]> {
  const reader = await openReader(store);
  onTestFinished(() => reader.close());
  return reader.sessions(everything);
}

test.each(Object.entries(servers))(
  'in %s, the report counts each call of each client, also while it is recorded, and none that the app answers itself',
  async (_name, mount) => {
    const store = storePath();
    const { proxy } = await library({ store });
    const base = await mount(proxy);
    const curl = { 'user-agent': 'curl/8.0' };
    for (let calls = 0; calls < 3; calls++) expect(await call(`${base}/v1/contacts`)).toBe(200);
    expect(await call(`${base}/v1/messages`, two, curl)).toBe(200);
    expect(await call(`${base}/v1/nothing`, two, curl)).toBe(404);
    expect(await call(`${base}/app`, two, curl)).toBe(200);
    await expect.poll(async () => callsOf(await usageReport({ store }))).toEqual({ 'axios/1.7.0': 3, 'curl/8.0': 2 });
    expect(await call(`${base}/v1/contacts`)).toBe(200);
    await proxy.close();
    expect(callsOf(await usageReport({ store }))).toEqual({ 'axios/1.7.0': 4, 'curl/8.0': 2 });
  },
);

test("the log of v1 shows which calls are in its record, and no other proxy's", async () => {
  const v1 = await startRecordingUpstream();
  onTestFinished(() => v1[Symbol.asyncDispose]());
  const rollout = { rules: [{ stage: 'observe' as const }] };
  const stores = [storePath(), storePath(), 'none'];
  for (const store of stores) {
    const { proxy } = await library({ store, v1Base: v1.url, rollout });
    await call(`${await serve(proxy)}/v1/contacts`);
    await proxy.close();
  }
  const names = v1.seen.map((seen) => new Map(pairsOf(seen.rawHeaders)).get('Via') ?? '');
  expect(names).toEqual([
    expect.stringMatching(/^1\.1 migrate-v2-[0-9a-f]{16}$/),
    expect.stringMatching(/^1\.1 migrate-v2-[0-9a-f]{16}$/),
    '1.1 migrate-v2',
  ]);
  const line = (via: string): string =>
    `${JSON.stringify({ time: '2026-11-20T08:00:00Z', request: 'GET /v1/contacts HTTP/1.1', status: 200, http_via: via })}\n`;
  const log = [...names, `1.0 cdn (x),  ${names[0]} (ours)`, `1.1 x-${names[0]?.slice(4)}`].map(line).join('');
  expect(await logStore(stores[0]).read(log)).toMatchObject({ calls: 3, ofProxies: 2 });
});

test('whose a key is, the name of a client and what is ignored are recorded as configured', async () => {
  const store = storePath();
  const workspaces = [{ name: 'Acme', keys: ['ak_live_one'] }];
  const { proxy } = await library({ store, workspaces, clientHeader: 'x-client', ignore: [{ reason: 'ours', client: 'our-own-check' }] });
  const base = await serve(proxy);
  await call(`${base}/v1/contacts`, one, { 'x-client': 'billing' });
  await call(`${base}/v1/contacts`, two, { 'user-agent': 'our-own-check' });
  await proxy.close();
  const { clients } = await usageReport({ store });
  expect(clients.map(({ workspace, name, product }) => ({ workspace, name, product }))).toEqual(
    expect.arrayContaining([
      { workspace: 'Acme', name: 'billing', product: 'axios/1.7.0' },
      expect.objectContaining({ name: null, product: 'our-own-check' }),
    ]),
  );
});

test.each<[string, Partial<MigrationProxyOptions>, string]>([
  ['is in no folder', { store: '/nowhere/usage.db' }, 'store: /nowhere/usage.db cannot be used ('],
  ['is of no kind that there is', { store: 'mysql://user:s3cret@host/x' }, 'store: A store cannot be at mysql://…'],
  ['has a slip in its URL', { store: 'postgres:user:s3cret@host/x' }, 'store: is neither a path nor a URL'],
  [
    'is in another place',
    { store: 'env:DATABASE' },
    'store: env: is for the command line and its configuration file; give process.env.DATABASE',
  ],
  ['has its secret in another place', { hashSecret: 'file:secret' }, 'hashSecret: file: is for the command line'],
  ['is kept for too short', { retention: '7d' }, 'retention: is too short'],
])('a record that %s is an error at the start', async (_what, options, message) => {
  const { logger } = new LogLines();
  const starting = createMigrationProxy({ v2Base: 'http://127.0.0.1:9', logger, store: storePath(), ...options });
  await expect(starting).rejects.toMatchObject({ name: 'ConfigError', message: expect.stringContaining(message) });
  await expect(starting).rejects.not.toThrow('s3cret');
});

test('the log says in one line where calls are recorded, or that they are not', async () => {
  const store = storePath();
  expect((await library({ store })).log.of('recording')).toEqual([expect.objectContaining({ level: 30, store })]);
  const { log } = await library({ store: 'none', hashSecret: 'secret' });
  expect(log.lines.map(({ event }) => event).filter((event) => event !== 'sunset_near' && event !== 'sunset_passed')).toEqual([
    'not_recorded',
  ]);
});

test('with a secret of its own it serves while the store is held by another, says so, and records what waited', async () => {
  const store = storePath();
  const other = new DatabaseSync(store);
  other.exec('BEGIN IMMEDIATE');
  const { proxy, log } = await library({ store, hashSecret: 'secret' });
  const base = await serve(proxy);
  expect(await call(`${base}/v1/contacts`)).toBe(200);
  expect(await log.waitFor('usage_store_fails')).toMatchObject([{ level: 40, code: 'STORE_LOCKED' }]);
  expect(log.of('recording')).toEqual([]);
  other.exec('ROLLBACK');
  other.close();
  await log.waitFor('usage_store_works');
  await proxy.close();
  expect((await usageReport({ store })).total.calls).toBe(1);
});

test('proxies of one process that begin one store at once count each call once, and know a key by one hash', async () => {
  const store = storePath();
  const proxies = await Promise.all(Array.from({ length: 4 }, () => library({ store })));
  for (const { proxy } of proxies) await call(`${await serve(proxy)}/v1/contacts`);
  await Promise.all(proxies.map(({ proxy }) => proxy.close()));
  const { total, keys } = await usageReport({ store });
  expect([total.calls, keys.length]).toEqual([4, 1]);
});

test('close() waits for the call that is under way, records it, and says that the record was ended; once for all that call it', async () => {
  const store = storePath();
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using v2 = await startUpstream((_req, res) => {
    asked.resolve();
    void answer.promise.then(() => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
  });
  const { proxy } = await library({ store, v2Base: v2.url });
  const called = call(`${await serve(proxy)}/v1/contacts`);
  await asked.promise;
  const closing = [proxy.close(), proxy.close()];
  answer.resolve();
  expect(await called).toBe(200);
  await closing[1];
  // SQLite takes its log away with the last connection: nothing more can be written.
  expect(existsSync(`${store}-wal`)).toBe(false);
  expect((await usageReport({ store })).total.calls).toBe(1);
  expect(await sessionsOf(store)).toMatchObject([{ ended: true }]);
});

test('where another option is refused, the record that was begun is ended', async () => {
  const store = storePath();
  const mappings = { listContacts: { response: { body: '$(' } } };
  const { logger } = new LogLines();
  await expect(createMigrationProxy({ v2Base: 'http://127.0.0.1:9', logger, store, mappings })).rejects.toThrow('listContacts');
  expect(await sessionsOf(store)).toMatchObject([{ ended: true }]);
});

test('it listens to no signal: that is for the server that it is mounted in', async () => {
  const before = process.listenerCount('SIGTERM');
  await library({ store: storePath() });
  expect(process.listenerCount('SIGTERM')).toBe(before);
});

test('workers of a cluster that begin one store at once, where the library keeps it by itself, count each call once', async () => {
  const cwd = dirname(storePath());
  await using v2 = await startRecordingUpstream();
  const script = join(import.meta.dirname, 'processes/mounted.ts');
  const primary = fork(script, [v2.url, '2'], { stdio: ['inherit', 'ignore', 'inherit', 'ipc'], cwd });
  onTestFinished(() => void primary.kill('SIGKILL'));
  const [base] = await once(primary, 'message');
  for (let calls = 0; calls < 10; calls++) expect(await call(`${base}/v1/contacts`)).toBe(200);
  primary.send('end');
  expect(await once(primary, 'exit')).toEqual([0, null]);
  const store = join(cwd, 'migrate-v2.usage.db');
  expect((await usageReport({ store })).total.calls).toBe(10);
  expect(await sessionsOf(store)).toMatchObject([{ ended: true }, { ended: true }]);
});

describe('in a program that is given to Node', () => {
  const library = JSON.stringify(new URL('../../src/index.ts', import.meta.url).href);
  const program = `
    import { createMigrationProxy } from ${library};
    const proxy = await createMigrationProxy({ v2Base: 'http://127.0.0.1:9', store: 'usage.db' });
    await proxy.close();`;
  /** Runs it with flags of Node. */
  const run = async (...flags: readonly string[]) => {
    const cwd = dirname(storePath());
    await using running = start(process.execPath, [...flags, '--input-type=module', '--eval', program], { cwd });
    await once(running.child, 'close');
    return { cwd, ...running };
  };

  test('by flags, none of them reaches the thread that writes: it would run no file, and preload what the program preloads', async () => {
    const preload = `data:text/javascript,console.log('preloaded')`;
    const { cwd, stdout, stderr } = await run('--import', preload);
    expect(stderr).toEqual([]);
    expect(stdout.filter((line) => line === 'preloaded')).toHaveLength(1);
    expect(await sessionsOf(join(cwd, 'usage.db'))).toMatchObject([{ ended: true }]);
  });

  test('that may start no thread, the record is an error at the start that says so', async () => {
    const { stderr } = await run('--permission', '--allow-fs-read=*', '--allow-fs-write=*');
    expect(stderr.join('\n')).toMatch(
      /ConfigError: store: The thread that writes the usage record does not start \(.*\): .* let Node start threads/,
    );
  });
});
