import { once } from 'node:events';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import express from 'express';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { v1Endpoints } from '../../src/contract/endpoints.ts';
import { assume } from '../../src/contract/assumptions.ts';
import { Faults } from '../../src/sandbox/faults/faults.ts';
import { serveVersion, type Version } from '../../src/sandbox/http/serve.ts';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { finish } from '../../src/sandbox/http/finish.ts';
import { connectRaw } from '../helpers/raw.ts';
import { call, startSandbox } from '../helpers/sandbox.ts';

test('an answer carries the time of the sandbox', async () => {
  await using sandbox = await startSandbox({ clock: '2026-08-01T12:00:00Z' });
  expect(await sandbox.call('GET /v1/messages')).toMatchObject({ headers: { date: 'Sat, 01 Aug 2026 12:00:00 GMT' } });
});

test('observers are told of HEAD as it was sent, and of an answer without content', async () => {
  const told: unknown[] = [];
  const hear = (answer: unknown): number => told.push(answer);
  subscribe('migrate-v2:sandbox:answer', hear);
  onTestFinished(() => void unsubscribe('migrate-v2:sandbox:answer', hear));
  await using sandbox = await startSandbox();
  await sandbox.call('HEAD /v2/messages');
  expect(told).toMatchObject([{ method: 'HEAD', path: '/v2/messages', status: 200, content: '' }]);
});

test('a version that cannot even write its errors cuts the connection, says so, and goes on serving', async () => {
  const errors: unknown[] = [];
  const version: Version = {
    handled: [],
    findRoute: () => ({ endpoint: v1Endpoints.listMessages, handler: () => ({ status: 200, body: {} }), id: '' }),
    switchedOff: () => undefined,
    authenticate: () => ({ refused: 'missingKey' }),
    count: () => undefined,
    writeError() {
      throw new Error('no words');
    },
    fields: () => ({}),
  };
  const serve = serveVersion(version, {
    clock: { now: () => 0 },
    assumptions: assume(),
    faults: new Faults('seed'),
    onError: (error) => errors.push(error),
    about: { api: 'v1' },
  });
  const server = createServer((req, res) => void serve(req, res, { path: '/', query: '' }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  for (const _time of [1, 2]) await expect(call(url, 'GET /')).rejects.toThrow('socket hang up');
  expect(errors).toEqual([new Error('no words'), new Error('no words')]);
  server.close();
});

test.for([204, 205])('an assumed status %d has no content, over the wire and in the OpenAPI document', async (deleteStatus) => {
  await using sandbox = await startSandbox({ assumptions: { deleteStatus } });
  const created = await sandbox.call('POST /v2/contacts', { json: { phone: '1' } });
  const { id } = (created.body as { data: { id: string } }).data;
  const deleted = await sandbox.call(`DELETE /v2/contacts/${id}`);
  expect(deleted).toMatchObject({ status: deleteStatus, text: '' });
  expect(deleted.headers['content-type']).toBeUndefined();
  expect(sandbox.describe('v2').paths['/v2/contacts/{id}']?.delete?.responses[deleteStatus]).not.toHaveProperty('content');
});

/** The first line of the answer to a client that sends all of a large body before it reads anything, on a connection that then closes. */
async function sendAllThenRead(url: string, endpoint: string, fields: readonly string[]): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const body = Buffer.alloc(11 * 1024 * 1024, 'y');
  const head = [`${endpoint} HTTP/1.1`, `Host: ${host}`, 'Connection: close', `Content-Length: ${body.length}`, ...fields, '', ''].join(
    '\r\n',
  );
  const socket = connect(Number(port), hostname).pause();
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(head);
    socket.write(body, () => resolve());
  });
  const chunks: Buffer[] = [];
  for await (const chunk of socket.resume()) chunks.push(chunk);
  return Buffer.concat(chunks).toString().split('\r\n', 1)[0] ?? '';
}

describe('a refusal reaches a client that reads only once it has sent everything, and whose connection then closes', () => {
  const json = 'Content-Type: application/json';

  test.for([
    ['a body that is too large', 'POST /v1/messages/send', '413 Payload Too Large'],
    ['a path that is not listed', 'POST /v1/nothing', '404 Not Found'],
    ['no Bearer key', 'POST /v2/messages/send', '401 Unauthorized'],
  ] as const)('%s', async ([, endpoint, status]) => {
    await using sandbox = await startSandbox();
    const key = `x-api-key: ${sandbox.demo.readWriteKey}`;
    expect(await sendAllThenRead(sandbox.url, endpoint, [json, key])).toBe(`HTTP/1.1 ${status}`);
  });

  test('a control route that takes no body so large', async () => {
    await using sandbox = await startSandbox();
    expect(await sendAllThenRead(sandbox.adminUrl, 'POST /faults', [json])).toBe('HTTP/1.1 413 Payload Too Large');
  });
});

describe('a refusal with which the connection closes, of a request that does not come whole', () => {
  const closes = 'Connection: close\r\nContent-Length: 11000000';
  test.for([
    ['the API', 'url', `POST /v1/messages/send HTTP/1.1\r\nHost: x\r\n${closes}`, 401],
    ['the API over HTTP/1.0', 'url', 'POST /v1/messages/send HTTP/1.0\r\nContent-Length: 1000', 401],
    ['the control surface', 'adminUrl', `POST /faults HTTP/1.1\r\nHost: localhost\r\n${closes}`, 415],
  ] as const)('%s: the connection ends when the client ends it', async ([, at, head, status]) => {
    // The connection would end in time by itself, too.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await using sandbox = await startSandbox();
    const client = await connectRaw(Number(new URL(sandbox[at]).port));
    client.write(`${head}\r\n\r\n{`);
    expect(await client.readAnswer()).toMatchObject({ status });
    client.end();
    expect(await client.ending()).toBe('end');
  });
  test('a client that does not end it is cut off after a while, once its turn has come', async () => {
    const server = createServer((req, res) => {
      if (req.method === 'GET') server.once('go', () => res.end('first'));
      else finish(res.writeHead(401, { 'Content-Length': 2 }), 'no', 1);
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const client = await connectRaw((server.address() as AddressInfo).port);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nPOST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 9\r\n\r\n');
    await once(server, 'request');
    setTimeout(() => server.emit('go'), 20);
    expect((await client.readAnswer()).body.toString()).toBe('first');
    expect((await client.readAnswer()).body.toString()).toBe('no');
    await client.ending();
  });
});

test('a call whose body breaks is answered once, and nothing failed', async () => {
  const told: unknown[] = [];
  const errors: unknown[] = [];
  const hear = (answer: unknown): number => told.push(answer);
  subscribe('migrate-v2:sandbox:answer', hear);
  onTestFinished(() => void unsubscribe('migrate-v2:sandbox:answer', hear));
  await using sandbox = await startSandbox({ onError: (error) => errors.push(error) });
  const port = Number(new URL(sandbox.url).port);
  const head = 'POST /v1/contacts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n';
  const client = await connectRaw(port);
  client.write(`${head}\r\nzz\r\n`);
  expect(await client.readAnswer()).toMatchObject({ status: 400 });
  expect((await client.readToEnd()).bytes.toString()).toBe('');
  expect(told).toEqual([]);
  sandbox.faults.add({ route: '*', fault: { kind: 'latency', ms: 600_000 } });
  const waiting = await connectRaw(port);
  waiting.write(`${head}Expect: 100-continue\r\n\r\n`);
  expect(await waiting.readAnswer()).toMatchObject({ status: 100 });
  waiting.write('zz\r\n');
  expect(await waiting.readAnswer()).toMatchObject({ status: 400 });
  // All that still waits is over then.
  await sandbox.close();
  expect(errors).toEqual([]);
});

describe('a body that a parser read before is a failure that says so at once', () => {
  test.for([
    ['v1', 'handler', 'POST /v1/contacts', { success: false, error: expect.any(String) as string }],
    ['v2', 'handler', 'POST /v2/contacts', { success: false, error: expect.any(String) as string }],
    ['the control surface', 'controlHandler', 'POST /faults', { error: { code: 'INTERNAL' } }],
  ] as const)('%s', async ([, handler, endpoint, body]) => {
    const errors: unknown[] = [];
    await using sandbox = createSandbox({ clock: '2026-08-01T12:00:00Z', onError: (error) => errors.push(error) });
    const server = createServer(express().use(express.json()).use(sandbox[handler])).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const key = handler === 'handler' ? sandbox.demo.readWriteKey : null;
    const reply = await call(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, endpoint, { key, json: { phone: '1' } });
    expect(reply).toMatchObject({ status: 500, body });
    expect(errors).toMatchObject([{ code: 'SANDBOX_BODY_CONSUMED', message: expect.stringContaining('before any body parser') }]);
  });
});
