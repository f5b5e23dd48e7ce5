import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, onTestFinished, test } from 'vitest';
import { v1Endpoints } from '../../src/contract/endpoints.ts';
import { assume } from '../../src/contract/assumptions.ts';
import { Faults } from '../../src/sandbox/faults/faults.ts';
import { serveVersion, type Version } from '../../src/sandbox/http/serve.ts';
import { createServer } from 'node:http';
import { connect } from 'node:net';
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
