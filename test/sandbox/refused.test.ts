/** What node:http refuses by itself, before there is a call: the listeners of the sandbox answer, in v1’s error shape (api.md §7) or the control surface’s. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test as base } from 'vitest';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { connectRaw, type RawAnswer, type RawConnection } from '../helpers/raw.ts';
import { sandboxFixtures, type TestSandbox } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

const connect = ({ url }: TestSandbox): Promise<RawConnection> => connectRaw(Number(new URL(url).port));
const badRequest = { success: false, error: 'Bad request' };
const date = 'Sat, 01 Aug 2026 12:00:00 GMT';

/** What one looks at. */
const seen = ({ status, statusText, body, values }: RawAnswer) => ({
  status,
  statusText,
  body: JSON.parse(body.toString()) as unknown,
  fields: ['content-type', 'connection', 'date'].flatMap(values),
});
const fields = ['application/json; charset=utf-8', 'close', date];

const requests = [
  ['a raw NUL in the path', 400, 'Bad Request', 'GET /v1/messages/a\0b HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['no Host', 400, 'Bad Request', 'GET /v1/messages HTTP/1.1\r\n\r\n'],
  ['no HTTP', 400, 'Bad Request', 'hello\r\n\r\n'],
  [
    'a length and chunks',
    400,
    'Bad Request',
    'POST /v1/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  ],
  ['a target of 20 kB', 431, 'Request Header Fields Too Large', `GET /v1/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['an expectation that nobody meets', 417, 'Expectation Failed', 'GET /v1/messages HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n'],
] as const;

describe('on the listener of the sandbox', () => {
  test.for(requests)('%s: %i, and the connection ends', async ([, status, statusText, request], { sandbox }) => {
    const client = await connect(sandbox);
    client.write(request);
    expect(seen(await client.readAnswer())).toEqual({ status, statusText, body: badRequest, fields });
    expect(await client.ending()).toBe('end');
  });
  test('CONNECT, which no endpoint takes: 404, and the connection ends', async ({ sandbox }) => {
    const client = await connect(sandbox);
    client.write('CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n');
    expect(seen(await client.readAnswer())).toEqual({
      status: 404,
      statusText: 'Not Found',
      body: { success: false, error: 'Not found' },
      fields,
    });
    expect(await client.ending()).toBe('end');
  });
  test('a body in broken chunks: 400 in place of the answer', async ({ sandbox }) => {
    const client = await connect(sandbox);
    const head = `POST /v1/contacts HTTP/1.1\r\nHost: x\r\nx-api-key: ${sandbox.demo.readWriteKey}\r\nContent-Type: application/json\r\n`;
    client.write(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`);
    expect(seen(await client.readAnswer())).toMatchObject({ status: 400, body: badRequest });
    expect((await client.readToEnd()).bytes.toString()).toBe('');
  });
  test('a body that breaks after its answer: nothing more is said, and the connection ends', async ({ sandbox }) => {
    const client = await connect(sandbox);
    client.write('POST /v1/contacts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    expect(await client.readAnswer()).toMatchObject({ status: 401 });
    client.write('zz\r\n');
    expect(await client.readToEnd()).toEqual({ bytes: Buffer.alloc(0), ending: 'end' });
  });
  test('the answer comes after those to earlier requests', async ({ sandbox }) => {
    const client = await connect(sandbox);
    sandbox.faults.add({ route: '*', fault: { kind: 'slow', bytesPerSecond: 1_000 } });
    client.write(`GET /v1/messages HTTP/1.1\r\nHost: x\r\nx-api-key: ${sandbox.demo.readWriteKey}\r\n\r\nhello\r\n\r\n`);
    expect(seen(await client.readAnswer())).toMatchObject({ status: 200, body: { success: true } });
    expect(seen(await client.readAnswer())).toMatchObject({ status: 400, body: badRequest });
  });
  test('HTTP/1.0 needs no Host', async ({ sandbox }) => {
    const client = await connect(sandbox);
    client.write('GET /v1/messages HTTP/1.0\r\n\r\n');
    expect(await client.readAnswer()).toMatchObject({ status: 401 });
  });
  test('a client that does not hang up does not keep the sandbox from closing', async ({ sandbox }) => {
    const client = await connect(sandbox);
    client.write('hello\r\n\r\n');
    await client.readAnswer();
    await sandbox.close();
    expect(await client.ending()).toBe('end');
  });
  describe('badRequestText told', () => {
    test.override({ options: { assumptions: { badRequestText: 'No' } } });
    test('is what it says', async ({ sandbox }) => {
      const client = await connect(sandbox);
      client.write('hello\r\n\r\n');
      expect(seen(await client.readAnswer())).toMatchObject({ body: { success: false, error: 'No' } });
    });
  });
});

describe('on the listener of the control surface', () => {
  const connectAdmin = ({ adminUrl }: TestSandbox): Promise<RawConnection> => connectRaw(Number(new URL(adminUrl).port));
  const invalid = { error: { code: 'INVALID', message: expect.stringContaining('Host') as string } };

  test.for(requests)('%s: %i in its own shape, and the connection ends', async ([, status, statusText, request], { sandbox }) => {
    const client = await connectAdmin(sandbox);
    client.write(request);
    expect(seen(await client.readAnswer())).toEqual({ status, statusText, body: invalid, fields });
    expect(await client.ending()).toBe('end');
  });
  test('CONNECT: 404, and the connection ends', async ({ sandbox }) => {
    const client = await connectAdmin(sandbox);
    client.write('CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n');
    expect(seen(await client.readAnswer())).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    expect(await client.ending()).toBe('end');
  });
  test('a body in broken chunks: one answer', async ({ sandbox }) => {
    const client = await connectAdmin(sandbox);
    client.write('POST /faults HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
    expect(seen(await client.readAnswer())).toMatchObject({ status: 400, body: invalid });
    expect((await client.readToEnd()).bytes.toString()).toBe('');
  });
});

test('on a server of one’s own nothing of it changes', async () => {
  await using sandbox = createSandbox({ clock: '2026-08-01T12:00:00Z' });
  const server = createServer(sandbox.handler).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const client = await connectRaw((server.address() as AddressInfo).port);
  client.write('GET /v1/messages HTTP/1.1\r\n\r\n');
  const answer = await client.readAnswer();
  expect([answer.status, answer.body.toString()]).toEqual([400, '']);
  server.close();
});
