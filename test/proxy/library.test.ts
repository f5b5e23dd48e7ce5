import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import express from 'express';
import Fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type MigrationHandler, createMigrationProxy } from '../../src/index.ts';
import { LogLines, type SeenRequest, startRawUpstream, startRecordingUpstream, startUpstream } from '../helpers/proxy.ts';
import { connectRaw } from '../helpers/raw.ts';

const key = 'sk_test_0123456789';
const message = JSON.stringify({ channel: 'SMS', to: '+15550100', content: 'Hi' });
const json = { 'x-api-key': key, 'content-type': 'application/json' };
const consumed = { success: false, code: 'PROXY_BODY_CONSUMED' };

/** A call that must be answered: it is given up after a minute, so that a test that hangs says where. */
async function call(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { headers: json, ...init, signal: AbortSignal.timeout(60_000) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}
const post = (url: string): ReturnType<typeof call> => call(url, { method: 'POST', body: message });

/** Serves a listener until the test ends. @returns its base address */
async function host(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Library {
  readonly handler: MigrationHandler;
  readonly seen: readonly SeenRequest[];
  readonly log: LogLines;
}

/** The handler in front of a v2 that remembers, until the test ends. */
async function library(answer?: RequestListener): Promise<Library> {
  const v2 = await startRecordingUpstream(answer);
  const log = new LogLines();
  const handler = await createMigrationProxy({ v2Base: v2.url, logger: log.logger, store: 'none' });
  onTestFinished(async () => {
    await v2[Symbol.asyncDispose]();
    await handler.close();
  });
  return { handler, seen: v2.seen, log };
}

const requests = ({ seen }: Library): string[] => seen.map(({ method, url, body }) => `${method} ${url} ${body}`.trimEnd());

describe('with node:http', () => {
  test('v1 is translated, v2 passes through, and anything else is 404', async () => {
    const proxy = await library();
    const base = await host(proxy.handler);
    expect((await call(`${base}/v1/contacts?page=2`)).status).toBe(200);
    expect((await post(`${base}/v1/messages/send`)).status).toBe(200);
    expect((await post(`${base}/v2/messages/send`)).status).toBe(200);
    expect(await call(`${base}/other`)).toMatchObject({ status: 404, body: { success: false, error: 'Not found' } });
    expect(requests(proxy)).toEqual(['GET /v2/contacts?page=2', `POST /v2/messages/send ${message}`, `POST /v2/messages/send ${message}`]);
  });
});

describe('with the upgrade event of node:http', () => {
  const upgradeOf = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

  type Upgraded = (req: IncomingMessage, socket: Duplex) => unknown;

  /** A server with the handler's listener, and others that see to /app. */
  async function upgrading(...others: readonly Upgraded[]) {
    const v2 = await startRawUpstream((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'));
    });
    const handler = await createMigrationProxy({ v2Base: v2.url, logger: new LogLines().logger, store: 'none' });
    const server = createServer(handler).listen(0, '127.0.0.1');
    server.on('upgrade', handler.upgrade);
    for (const other of others) server.on('upgrade', other);
    await once(server, 'listening');
    onTestFinished(async () => {
      await handler.close();
      server.close();
      await v2[Symbol.asyncDispose]();
    });
    const { port } = server.address() as AddressInfo;
    return { handler, server, connect: () => connectRaw(port) };
  }

  const app: Upgraded = (req, socket) => req.url === '/app' && socket.end('HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\n\r\n');

  test('/v2 is upgraded, /v1 is not, and other paths are left to other listeners', async () => {
    const { connect } = await upgrading(app);
    const [v2, v1, other] = [await connect(), await connect(), await connect()];
    v2.write(upgradeOf('/v2/events'));
    v1.write(upgradeOf('/v1/contacts'));
    other.write(upgradeOf('/app'));
    expect((await v2.readAnswer()).status).toBe(101);
    expect((await v1.readToEnd()).bytes.toString()).toBe('');
    expect((await other.readAnswer()).status).toBe(426);
  });

  test('other paths are closed where nobody else would ever do so', async () => {
    const { connect } = await upgrading();
    const client = await connect();
    client.write(upgradeOf('/other'));
    expect((await client.readToEnd()).bytes.toString()).toBe('');
  });

  test('other paths are left alone where a listener of the app decides what comes to the handler', async () => {
    const { handler, server, connect } = await upgrading();
    server.removeAllListeners('upgrade').on('upgrade', (req, socket, head) => {
      handler.upgrade(req, socket, head);
      app(req, socket);
    });
    const client = await connect();
    client.write(upgradeOf('/app'));
    expect((await client.readAnswer()).status).toBe(426);
  });

  test('a client that breaks the connection of another path does not end the process', async () => {
    const came = Promise.withResolvers<Duplex>();
    const { connect } = await upgrading((_req, socket) => came.resolve(socket));
    const client = await connect();
    client.write(upgradeOf('/other'));
    const socket = await came.promise;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    client.reset();
    // Without a listener, the error would be uncaught, and so a failure of this test.
    await closed;
    expect(socket.errored).toMatchObject({ code: 'ECONNRESET' });
  });

  test.each(['/v2/events', '/v1/contacts', '/other'])(
    '%s behind a call ends the connection behind the answer that is owed',
    async (path) => {
      const asked = Promise.withResolvers<() => void>();
      const body = ' '.repeat(5_000_000);
      const proxy = await library((_req, res) => {
        asked.resolve(() => res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body));
      });
      const server = createServer(proxy.handler).on('upgrade', proxy.handler.upgrade).listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const client = await connectRaw((server.address() as AddressInfo).port);
      client.write(
        `POST /v1/campaigns HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n`,
      );
      const answer = await asked.promise;
      client.write(upgradeOf(path));
      answer();
      expect((await client.readAnswer()).body).toHaveLength(body.length);
      expect((await client.readToEnd()).bytes).toHaveLength(0);
      expect(requests(proxy)).toEqual(['POST /v2/campaigns']);
    },
  );

  test('close() ends what was upgraded and upgrades nothing more', async () => {
    const { handler, connect } = await upgrading();
    const [before, after] = [await connect(), await connect()];
    before.write(upgradeOf('/v2/events'));
    expect((await before.readAnswer()).status).toBe(101);
    await handler.close();
    await before.ending();
    after.write(upgradeOf('/v2/events'));
    expect((await after.readAnswer()).status).toBe(503);
    await after.ending();
  });
});

describe('with Express', () => {
  test('at the root it leaves the paths of neither version to what follows', async () => {
    const proxy = await library();
    const base = await host(
      express()
        .use(proxy.handler)
        .use((req, res) => void res.send(`app ${req.url}`)),
    );
    expect((await post(`${base}/v1/messages/send`)).status).toBe(200);
    for (const path of ['/', '/other', '/v10/contacts', '/v1beta', '/v2x']) {
      expect(await call(base + path)).toMatchObject({ status: 200, text: `app ${path}` });
    }
    expect((await call(`${base}/v1`)).status).toBe(404);
    expect(requests(proxy)).toEqual([`POST /v2/messages/send ${message}`]);
  });

  test('under a prefix, Link and Location stay under the prefix', async () => {
    const proxy = await library((_req, res) => {
      res.writeHead(201, { 'Content-Type': 'application/json', Location: '/v2/messages/m_1' }).end('{}');
    });
    const base = await host(express().use('/legacy/:tenant', proxy.handler));
    const sent = await post(`${base}/legacy/acme/v1/messages/send`);
    expect(sent.status).toBe(201);
    expect(sent.headers.get('link')).toContain('</legacy/acme/v2/messages/send>; rel="successor-version"');
    expect(sent.headers.get('location')).toBe('/legacy/acme/v1/messages/m_1');
    const unlisted = await call(`${base}/legacy/acme/v1/nothing`);
    expect(unlisted.headers.get('link')).toContain('</legacy/acme/v2>; rel="successor-version"');
    expect((await post(`${base}/legacy/acme/v2/messages/send`)).status).toBe(201);
    expect(requests(proxy)).toEqual([`POST /v2/messages/send ${message}`, `POST /v2/messages/send ${message}`]);
  });

  test('repeated fields of v2 stay repeated beside those of Express', async () => {
    const { handler } = await library((_req, res) => {
      res.writeHead(200, ['Content-Type', 'application/json', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']).end('{}');
    });
    const { headers } = await call(`${await host(express().use(handler))}/v1/contacts`);
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(headers.get('x-powered-by')).toBe('Express');
  });

  test.each(['/v1/messages/send', '/v1/contacts', '/v1/campaigns', '/v1/campaigns/c_1/send', '/v2/messages/send'])(
    'after a body parser, POST %s is refused at once',
    async (path) => {
      const proxy = await library();
      const base = await host(express().use(express.json()).use(proxy.handler));
      expect(await post(base + path)).toMatchObject({ status: 500, body: consumed });
      expect(proxy.seen).toEqual([]);
    },
  );

  test('after a body parser, calls without a body and bodies it did not read still work', async () => {
    const proxy = await library();
    const base = await host(express().use(express.json()).use(proxy.handler));
    expect((await call(`${base}/v1/contacts`)).status).toBe(200);
    expect((await call(`${base}/v2/contacts`)).status).toBe(200);
    expect((await call(`${base}/v1/campaigns/c_1/send`, { method: 'POST', headers: { 'x-api-key': key } })).status).toBe(200);
    expect((await call(`${base}/v2/upload`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' })).status).toBe(200);
    expect(requests(proxy)).toEqual(['GET /v2/contacts', 'GET /v2/contacts', 'POST /v2/campaigns/c_1/send', 'POST /v2/upload x']);
  });

  test('a client that left before the handler was called costs no call to v2', async () => {
    const proxy = await library();
    const left = Promise.withResolvers<void>();
    const base = await host(
      express()
        .use((_req, res, next) => {
          res.once('close', () => {
            next();
            left.resolve();
          });
        })
        .use(proxy.handler),
    );
    const client = await connectRaw(Number(new URL(base).port));
    client.write(`GET /v1/contacts HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n\r\n`);
    client.reset();
    await left.promise;
    await proxy.handler.close();
    expect(proxy.seen).toEqual([]);
  });
});

describe('with Fastify', () => {
  const fastify = async (build: (app: FastifyInstance) => void): Promise<string> => {
    const app = Fastify();
    onTestFinished(() => app.close());
    build(app);
    return app.listen({ port: 0, host: '127.0.0.1' });
  };

  test('a route whose body Fastify has parsed is refused at once', async () => {
    const proxy = await library();
    const base = await fastify((app) => {
      app.all('/v1/*', (request, reply) => {
        reply.hijack();
        proxy.handler(request.raw, reply.raw);
      });
    });
    expect(await post(`${base}/v1/messages/send`)).toMatchObject({ status: 500, body: consumed });
    expect((await call(`${base}/v1/contacts`)).status).toBe(200);
    expect(requests(proxy)).toEqual(['GET /v2/contacts']);
  });

  test('an onRequest hook comes before the parser', async () => {
    const proxy = await library();
    const base = await fastify((app) => {
      app.addHook('onRequest', async (request, reply) => {
        if (!/^\/v[12]\//.test(request.url)) return;
        reply.hijack();
        proxy.handler(request.raw, reply.raw);
      });
      app.get('/other', async () => 'app');
    });
    expect((await post(`${base}/v1/messages/send`)).status).toBe(200);
    expect((await post(`${base}/v2/messages/send`)).status).toBe(200);
    expect((await call(`${base}/other`)).text).toBe('app');
    expect(requests(proxy)).toEqual([`POST /v2/messages/send ${message}`, `POST /v2/messages/send ${message}`]);
  });

  test('a parser that leaves the body alone lets routes work', async () => {
    const proxy = await library();
    const base = await fastify((app) => {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', (_request, _payload, done) => done(null));
      app.all('/v1/*', (request, reply) => {
        reply.hijack();
        proxy.handler(request.raw, reply.raw);
      });
    });
    expect((await post(`${base}/v1/messages/send`)).status).toBe(200);
    expect(requests(proxy)).toEqual([`POST /v2/messages/send ${message}`]);
  });
});

describe('close', () => {
  /** A v2 that answers when it is told to, and says when it was asked. */
  async function patient() {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const v2 = await startUpstream((req, res) => {
      req.resume();
      asked.resolve();
      void answer.promise.then(() => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"done":true}'));
    });
    onTestFinished(() => v2[Symbol.asyncDispose]());
    const log = new LogLines();
    const handler = await createMigrationProxy({ v2Base: v2.url, logger: log.logger, store: 'none' });
    return { base: await host(handler), handler, asked: asked.promise, answer: answer.resolve };
  }

  test.each(['/v1/contacts', '/v2/contacts'])('lets a GET %s in flight finish, refuses new calls, and then resolves', async (path) => {
    const { base, handler, asked, answer } = await patient();
    const inFlight = call(base + path);
    await asked;
    let closed = false;
    const closing = handler.close().then(() => (closed = true));
    for (const refused of ['/v1/contacts', '/v2/contacts']) {
      expect(await call(base + refused)).toMatchObject({ status: 503, body: { success: false, code: 'PROXY_DRAINING' } });
    }
    expect(closed).toBe(false);
    answer();
    expect(await inFlight).toMatchObject({ status: 200, body: { done: true } });
    await closing;
  });

  test('lets a call finish whose body is still on its way', async () => {
    const proxy = await library();
    const base = await host(proxy.handler);
    const client = await connectRaw(Number(new URL(base).port));
    const fields = `x-api-key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${message.length}\r\nExpect: 100-continue\r\n`;
    client.write(`POST /v1/messages/send HTTP/1.1\r\nHost: a\r\n${fields}\r\n`);
    expect((await client.readAnswer()).status).toBe(100);
    const closing = proxy.handler.close();
    client.write(message);
    expect((await client.readAnswer()).status).toBe(200);
    client.end();
    await closing;
    expect(requests(proxy)).toEqual([`POST /v2/messages/send ${message}`]);
  });

  test('resolves at once where nothing is under way, and again when called again', async () => {
    const { handler } = await library();
    await handler.close();
    await expect(handler.close()).resolves.toBeUndefined();
  });
});

test('without a secret or a store its hashes differ from those of others', async () => {
  const logs = [new LogLines(), new LogLines()];
  for (const { logger } of logs) {
    const handler = await createMigrationProxy({ v2Base: 'http://127.0.0.1:9', logger, store: 'none' });
    await call(`${await host(handler)}/v1/nothing`);
    await handler.close();
  }
  const [one, other] = logs.map((log) => log.of('deprecated_use')[0]?.['keyHash']);
  expect(one).toMatch(/^[0-9a-f]{16}$/);
  expect(other).not.toBe(one);
});
