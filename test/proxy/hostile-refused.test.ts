/**
 * After an answer with `Connection: close` nothing more of its connection is processed (RFC 9112 §9.6): what stands behind a refused request
 * may be a part of it that somebody before us took for a request of its own.
 */
import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import Fastify from 'fastify';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createMigrationProxy } from '../../src/index.ts';
import { LogLines, type SeenRequest, startRecordingUpstream, startTestProxy } from '../helpers/proxy.ts';
import { connectRaw } from '../helpers/raw.ts';
import { get, head, post } from './faults.ts';

interface Surface {
  readonly port: number;
  readonly seen: SeenRequest[];
}

const standalone = async (): Promise<Surface> => {
  const v2 = await startRecordingUpstream();
  const { port } = await startTestProxy(v2.url, { connections: 1 });
  return { port, seen: v2.seen };
};

/** The handler in a server of somebody's own. */
const library = (mount: (handler: RequestListener) => RequestListener | Promise<RequestListener>) => async (): Promise<Surface> => {
  const v2 = await startRecordingUpstream();
  const handler = await createMigrationProxy({ v2Base: v2.url, logger: new LogLines().logger, store: 'none', connections: 1 });
  const server = createServer(await mount(handler)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, seen: v2.seen };
};

const fastify = async (handler: RequestListener): Promise<RequestListener> => {
  const app = Fastify();
  app.addHook('onRequest', async (request, reply) => {
    reply.hijack();
    handler(request.raw, reply.raw);
  });
  await app.ready();
  return app.routing;
};

const surfaces: Readonly<Record<string, () => Promise<Surface>>> = {
  'the proxy': standalone,
  'the handler in node:http': library((handler) => handler),
  'the handler in Express': library((handler) => express().use(handler)),
  'the handler in Fastify': library(fastify),
};

/** Requests that are refused with the end of their connection, for a path of either version. */
const refused: Readonly<Record<string, (path: string) => string>> = {
  'two Hosts': (path) => get(path, 'Host: a'),
  'two different Hosts': (path) => get(path, 'Host: b'),
  'no Host': (path) => get(path).replace('Host: a\r\n', ''),
  'a Host that is none': (path) => get(path).replace('Host: a', 'Host: a b'),
  'a Host with a path': (path) => get(path).replace('Host: a', 'Host: a/b'),
  'gzip, chunked': (path) => `${post(path, 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`,
  'identity beside chunked': (path) => `${post(path, 'Transfer-Encoding: identity', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  'a coding in HTTP/1.0': (path) =>
    `${post(path, 'Connection: keep-alive', 'Transfer-Encoding: chunked').replace('HTTP/1.1', 'HTTP/1.0')}0\r\n\r\n`,
  'a fragment': (path) => get(`${path}#a`),
  'another host in absolute form': (path) => get(`http://b${path}`),
  'user information in absolute form': (path) => get(`http://user@a${path}`),
  'HTTP/2.0': (path) => get(path, 'Connection: keep-alive').replace('HTTP/1.1', 'HTTP/2.0'),
};
/** In a server of somebody's own Node sees to these, and keeps the connection. */
const refusedByListener: typeof refused = {
  'a 100 that is asked for without a key': (path) =>
    head(`POST ${path} HTTP/1.1`, 'Host: a', 'Content-Type: application/json', 'Content-Length: 0', 'Expect: 100-continue'),
  'an expectation that nobody knows': (path) => post(path, 'Content-Length: 0', 'Expect: 200-ok'),
};

const message = '{"channel":"SMS","to":"+15550100","content":"x"}';
const send = (version: string): string => post(`/${version}/messages/send`, `Content-Length: ${message.length}`) + message;
const behind: Readonly<Record<string, string>> = {
  'a send of v1': send('v1'),
  'a send of v2': send('v2'),
  'a send that is asked about first': post('/v1/messages/send', `Content-Length: ${message.length}`, 'Expect: 100-continue') + message,
  'a handshake': head('GET /v2/events HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket'),
};

describe.each(Object.entries(surfaces))('%s', (name, start) => {
  let surface: Surface;
  beforeAll(async () => {
    surface = await start();
  });

  /** What v2 was asked for, once all that was on its way there has come. */
  async function seenBy(act: () => Promise<void>): Promise<string[]> {
    const { port, seen } = surface;
    const settle = async (): Promise<void> => {
      // With one connection of each kind to v2, what was sent there comes before these. They also make the connections idle ones.
      for (const version of ['v1', 'v2']) {
        const client = await connectRaw(port);
        client.write(get(`/${version}/messages`));
        await client.readAnswer();
        client.socket.destroy();
      }
    };
    await settle();
    seen.length = 0;
    await act();
    await settle();
    return seen.map(({ method, url }) => `${method} ${url}`);
  }
  const nothing = ['GET /v2/messages', 'GET /v2/messages'];

  const vectors = name === 'the proxy' ? { ...refused, ...refusedByListener } : refused;
  const table = Object.entries(vectors).flatMap(([vector, make]) =>
    ['v1', 'v2'].filter((version) => version === 'v1' || vector in refused).map((version) => [vector, version, make] as const),
  );

  it.each(table)('carries out nothing behind %s, for %s', async (_vector, version, make) => {
    for (const request of Object.values(behind)) {
      const seen = await seenBy(async () => {
        const { port } = surface;
        const inOne = await connectRaw(port);
        inOne.write(make(`/${version}/campaigns`) + request);
        expect((await inOne.readToEnd()).bytes.toString()).not.toMatch(/HTTP\/1.1 (?:101|200)/);
        const inTwo = await connectRaw(port);
        inTwo.write(make(`/${version}/campaigns`));
        const answer = await inTwo.readAnswer();
        inTwo.write(request);
        expect([answer.status >= 400, ...answer.values('connection')]).toEqual([true, 'close']);
        expect((await inTwo.readToEnd()).bytes.toString()).toBe('');
      });
      expect(seen).toEqual(nothing);
    }
  });
});

it('carries out nothing behind an answer that a drain made the last one', async () => {
  const asked = Promise.withResolvers<() => void>();
  const v2 = await startRecordingUpstream((_req, res) => asked.resolve(() => res.end()));
  onTestFinished(() => v2[Symbol.asyncDispose]());
  const proxy = await startTestProxy(v2.url, { drainTimeout: 10_000 });
  const client = await connectRaw(proxy.port);
  client.write(get() + send('v1') + send('v2'));
  const answer = await asked.promise;
  const drained = proxy.drain();
  // The drain begins in a timer of its own, which is over once the listener takes no more connections.
  await expect
    .poll(() =>
      fetch(proxy.url).then(
        () => true,
        () => false,
      ),
    )
    .toBe(false);
  answer();
  expect((await client.readAnswer()).values('connection')).toEqual(['close']);
  expect((await client.readToEnd()).bytes.toString()).toBe('');
  await drained;
  expect(v2.seen.map(({ method }) => method)).toEqual(['GET']);
});
