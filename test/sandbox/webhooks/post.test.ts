import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { getDefaultAutoSelectFamily, setDefaultAutoSelectFamily } from 'node:net';
import { gzipSync } from 'node:zlib';
import { assert, describe, expect, onTestFinished, test } from 'vitest';
import { createAddressRules } from '../../../src/sandbox/webhooks/address.ts';
import { deliveryChannel } from '../../../src/sandbox/webhooks/post.ts';
import { sign } from '../../../src/sandbox/webhooks/signature.ts';
import { body, secret, send, start, startAnswering, startHttp, startRaw } from './attempts.ts';

describe('the request', () => {
  test('is the documented one, byte for byte, with only what HTTP needs besides', async () => {
    const receiver = await startRaw(async (connection) => {
      const request = (await connection.readUntil('\r\n\r\n')) + (await connection.read(body.length)).toString();
      connection.write(`HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(request)}\r\n\r\n`);
      connection.write(Buffer.from(request));
    });
    const host = `hook.example:${receiver.port}`;
    const { request, response } = await send(`http://${host}/path?a=b%20c#part`);
    expect(response?.body).toBe(
      [
        'POST /path?a=b%20c HTTP/1.1',
        `Host: ${host}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'User-Agent: Service-Webhooks/1.0',
        'X-Service-Event: test.ping',
        `X-Service-Signature: sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
        'Connection: close',
        '',
        body.toString(),
      ].join('\r\n'),
    );
    expect(Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)).toEqual(response?.body.split('\r\n').slice(1, 8));
  });

  test('is signed as RFC 4231 has it in its second test', () => {
    expect(sign(Buffer.from('what do ya want for nothing?'), 'Jefe')).toBe(
      'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  test('is told on the diagnostics channel', async () => {
    const port = await startHttp((_req, res) => void res.end());
    const told: unknown[] = [];
    const listener = (message: unknown): unknown => told.push(message);
    deliveryChannel.subscribe(listener);
    onTestFinished(() => void deliveryChannel.unsubscribe(listener));
    const { request } = await send(`http://127.0.0.1:${port}/`);
    expect(deliveryChannel.name).toBe('migrate-v2:sandbox:delivery');
    expect(told).toEqual([{ event: 'test.ping', headers: request.headers, body: body.toString() }]);
  });
});

describe('the way', () => {
  /** Two receivers on one port of two addresses, each of which says its address. */
  async function startTwo(): Promise<number> {
    const port = await startHttp((_req, res) => void res.end('first'), '127.0.0.1');
    await startHttp((_req, res) => void res.end('second'), '127.0.0.2', port);
    return port;
  }

  test('goes to the pinned address, whatever the name resolves to', async () => {
    const port = await startTwo();
    // The machine's resolver says 127.0.0.1.
    const url = `http://localhost:${port}/`;
    expect((await send(url, { addresses: ['127.0.0.2'] })).response?.body).toBe('second');
    expect((await send(url, { addresses: ['127.0.0.1'] })).response?.body).toBe('first');
  });

  test('goes where the check found the name to be, though DNS says otherwise by then', async () => {
    const port = await startTwo();
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    const rules = createAddressRules({ allowPrivate: true, resolve: async () => answers.shift() ?? [] });
    const destination = await rules.check(`http://hook.example:${port}/`);
    assert('url' in destination);
    const { response } = await send(destination.url.href, destination);
    expect([response?.body, answers]).toEqual(['second', [['127.0.0.1']]]);
  });

  test('goes to the pinned address also where the process tries no other families', async () => {
    const port = await startTwo();
    const before = getDefaultAutoSelectFamily();
    setDefaultAutoSelectFamily(false);
    onTestFinished(() => setDefaultAutoSelectFamily(before));
    expect((await send(`http://hook.example:${port}/`, { addresses: ['127.0.0.2'] })).response?.body).toBe('second');
  });

  test('goes on to the next pinned address where nobody listens on one', async () => {
    const port = await startHttp((_req, res) => void res.end('here'));
    expect((await send(`http://hook.example:${port}/`, { addresses: ['::1', '127.0.0.1'] })).response?.body).toBe('here');
  });

  test('goes through no proxy, though the process has one', async () => {
    const proxy = await startHttp((_req, res) => void res.end('proxy'));
    const port = await startHttp((_req, res) => void res.end('receiver'));
    const before = http.globalAgent;
    http.globalAgent = new http.Agent({ proxyEnv: { HTTP_PROXY: `http://127.0.0.1:${proxy}` } });
    onTestFinished(() => {
      http.globalAgent = before;
    });
    expect((await send(`http://hook.example:${port}/`)).response?.body).toBe('receiver');
  });

  test('ends at CONNECT where nobody listens', async () => {
    const server = http.createServer();
    const port = await start(server);
    server.close();
    await once(server, 'close');
    for (const addresses of [['127.0.0.1'], ['127.0.0.1', '127.0.0.2']]) {
      expect(await send(`http://hook.example:${port}/`, { addresses })).toMatchObject({
        error: { code: 'CONNECT', message: 'The receiver could not be connected to (ECONNREFUSED)' },
        delivered: false,
      });
    }
  });
});

describe('the answer', () => {
  test.each([200, 201, 202, 204, 226, 299])('%i is a delivery', async (status) => {
    const port = await startHttp((_req, res) => void res.writeHead(status, { 'X-From': 'receiver' }).end());
    const attempt = await send(`http://127.0.0.1:${port}/`);
    expect(attempt).toMatchObject({ delivered: true, response: { status, headers: { 'x-from': 'receiver' } } });
    expect(attempt.error).toBeUndefined();
  });

  test.each([300, 304, 400, 401, 404, 410, 429, 500, 503])('%i is none', async (status) => {
    const port = await startHttp((_req, res) => void res.writeHead(status).end('no'));
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ delivered: false, response: { status } });
  });

  test.each([301, 302, 303, 307, 308])('%i is none, and is not followed', async (status) => {
    let requests = 0;
    const port = await startHttp((_req, res) => {
      requests++;
      res.writeHead(status, { Location: '/elsewhere' }).end();
    });
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ delivered: false, response: { status } });
    expect(requests).toBe(1);
  });

  test('is the one after any 1xx', async () => {
    const { url } = await startAnswering(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
    );
    expect(await send(url)).toMatchObject({ delivered: true, response: { status: 204, body: '' } });
  });

  test('is kept up to 16 KiB, and what follows is not read', async () => {
    let written = 0;
    const receiver = await startRaw(async ({ socket }) => {
      await once(socket, 'data');
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const chunk = 'x'.repeat(16_384);
      const fill = (): void => {
        while (!socket.destroyed && socket.write(chunk)) written++;
      };
      socket.on('drain', fill);
      fill();
    });
    const { response, delivered } = await send(receiver.url);
    expect(response?.body).toBe('x'.repeat(16_384));
    expect(delivered).toBe(true);
    await (await receiver.connection(0)).ending();
    // Whatever the buffers between the two hold, and no more.
    expect(written * 16_384).toBeLessThan(64 * 1024 * 1024);
  });

  test('is not unzipped', async () => {
    const zipped = gzipSync('hello');
    const port = await startHttp((_req, res) => void res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(zipped));
    expect((await send(`http://127.0.0.1:${port}/`)).response?.body).toBe(zipped.toString());
  });

  test('counts where it comes before the request has been read', async () => {
    const { url } = await startRaw(({ socket }) => void socket.end('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n'));
    expect(await send(url)).toMatchObject({ delivered: true });
  });
});
