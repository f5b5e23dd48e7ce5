import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { failures } from '../../proxy/failures.ts';
import { inTime } from '../helpers/in-time.ts';
import { type RawConnection, connectRaw } from '../helpers/raw.ts';
import { head, mount, startPassThrough, startRawV2 } from './passthrough-proxy.ts';

const handshake = head('GET /v2/events HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: k');
const granted = head('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket');

/** Sends one handshake to a v2 that answers with these bytes. */
async function offer(answer: string, overrides = {}, request = handshake) {
  const arrived = Promise.withResolvers<string>();
  const v2 = await startRawV2(async (connection) => {
    arrived.resolve(await connection.readUntil('\r\n\r\n'));
    connection.write(answer);
  });
  const proxy = await startPassThrough(v2.base, overrides);
  const client = await proxy.connect();
  client.write(request);
  return { v2, proxy, client, arrived: arrived.promise };
}

/** Both sides of an upgraded connection. */
async function tunnel(overrides = {}) {
  const { v2, proxy, client } = await offer(granted, overrides);
  await client.readUntil('\r\n\r\n');
  return { proxy, client, peer: await v2.connection(0) };
}

/** Starts a pass-through in a process whose parser lets control characters into fields. */
async function lenientPort(v2Port: number): Promise<number> {
  const program = `
    import { createServer } from 'node:http';
    import { createProxy } from ${JSON.stringify(new URL('../../proxy/handler.ts', import.meta.url))};
    import { proxyOptions } from ${JSON.stringify(new URL('../helpers/proxy.ts', import.meta.url))};
    const server = createServer().on('upgrade', createProxy(proxyOptions('http://127.0.0.1:${v2Port}')).upgrade);
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['--insecure-http-parser', '--input-type=module', '--eval', program]);
  onTestFinished(() => void child.kill());
  const [line] = await once(child.stdout, 'data');
  return Number(line);
}

async function refusal(client: RawConnection) {
  const { status, body, values } = await client.readAnswer();
  return { status, code: JSON.parse(body.toString()).code, connection: values('connection'), ending: await client.ending() };
}

function refused({ status, code }: { status: number; code: string }) {
  return { status, code, connection: ['close'], ending: 'end' };
}

describe('an upgrade that v2 grants', () => {
  test('carries a WebSocket: text, bytes and the closing code', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sockets = new WebSocketServer({ server });
    onTestFinished(() => void server.close());
    sockets.on('connection', (socket) => socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })));
    sockets.on('connection', (socket) => socket.on('close', (code, reason) => closed.resolve(`${code} ${reason.toString()}`)));
    const closed = Promise.withResolvers<string>();
    const proxy = await startPassThrough(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

    const client = new WebSocket(`ws://127.0.0.1:${proxy.port}/v2/events`);
    await once(client, 'open');
    client.send('text');
    expect((await once(client, 'message'))[0].toString()).toBe('text');
    const large = Buffer.alloc(1024 * 1024, 1);
    client.send(large);
    expect(large.equals((await once(client, 'message'))[0])).toBe(true);
    client.close(4000, 'done');
    expect(await closed.promise).toBe('4000 done');
    expect((await once(client, 'close'))[0]).toBe(4000);
    expect(proxy.failures).toEqual([]);
  });

  test('keeps the fields of its handshake, and sends those of this hop anew', async () => {
    const fields = ['aUTHORIZATION: Bearer k', 'Sec-websocket-KEY: k', 'X-A: 1', 'X-A: 2'];
    const request = head('GET /v2/../e?a= HTTP/1.1', 'Host: a', 'Connection: x-own, upgrade', ...fields, 'upgrade: WebSocket', 'X-Own: a');
    const { arrived, v2 } = await offer(granted, {}, request);
    const sent = ['Connection: Upgrade', 'Upgrade: WebSocket'];
    expect(await arrived).toBe(head('GET /v2/../e?a= HTTP/1.1', `Host: 127.0.0.1:${v2.port}`, ...fields, 'Via: 1.1 migrate-v2', ...sent));
  });

  test('keeps the fields of its answer', async () => {
    const fields = ['sEC-WebSocket-Accept: x', 'Set-Cookie: a', 'Set-Cookie: b', '__proto__: p'];
    const answer = head('HTTP/1.1 101 Yes', 'upgrade: websocket', 'connection: x-own, upgrade', 'X-Own: a', 'Content-Length: 3', ...fields);
    const { client } = await offer(answer);
    const kept = [...fields, 'Via: 1.1 migrate-v2', 'Connection: Upgrade', 'Upgrade: websocket'];
    expect(await client.readUntil('\r\n\r\n')).toBe(head('HTTP/1.1 101 Switching Protocols', ...kept));
  });

  test('loses no bytes that either side sends along with its head', async () => {
    const { v2, client } = await offer(`${granted}from v2`, {}, `${handshake}from the client`);
    await client.readUntil('\r\n\r\n');
    expect((await client.read(7)).toString()).toBe('from v2');
    expect((await (await v2.connection(0)).read(15)).toString()).toBe('from the client');
  });

  test('may be silent for longer than an answer', () =>
    inTime(400, async (headersTimeout) => {
      const { client, peer } = await tunnel({ headersTimeout, bodyTimeout: 20 });
      await new Promise((resolve) => setTimeout(resolve, 2 * headersTimeout));
      client.write('still here');
      expect((await peer.read(10)).toString()).toBe('still here');
    }));

  test.each(['end', 'reset'] as const)('closes v2 when the client leaves by %s, after its last bytes', async (how) => {
    const { client, peer, proxy } = await tunnel();
    client.write('bye');
    expect((await peer.read(3)).toString()).toBe('bye');
    client[how]();
    await peer.ending();
    expect(proxy.failures).toEqual([]);
  });

  test('lets v2 answer a client that has sent all it had', async () => {
    const { client, peer } = await tunnel();
    client.write('question');
    client.end();
    expect((await peer.readToEnd()).bytes.toString()).toBe('question');
    peer.write('answer');
    peer.end();
    expect((await client.readToEnd()).bytes.toString()).toBe('answer');
  });

  test('closes the client when v2 ends, after its last bytes', async () => {
    const { client, peer, proxy } = await tunnel();
    peer.write('bye');
    peer.end();
    expect((await client.readToEnd()).bytes.toString()).toBe('bye');
    expect(proxy.failures).toEqual([]);
  });

  test('closes the client when v2 resets, and says nothing', async () => {
    const { client, peer, proxy } = await tunnel();
    peer.reset();
    expect((await client.readToEnd()).bytes).toHaveLength(0);
    expect(proxy.failures).toEqual(['reset']);
  });

  test.each([
    ['client', 'peer'],
    ['peer', 'client'],
  ] as const)('is closed to the %s once the other side has left, though it goes on sending', async (sending, leaving) => {
    const sides = await tunnel();
    sides[leaving].reset();
    expect(await refusesWrites(sides[sending])).toBe(true);
  });

  test.each(['client', 'peer'] as const)('ends when one side has left and the %s takes nothing more', (stuck) =>
    inTime(50, async (bodyTimeout) => {
      const sides = await tunnel({ bodyTimeout });
      const other = stuck === 'client' ? 'peer' : 'client';
      sides[stuck].socket.pause();
      sides[other].write('\0'.repeat(32 * 1024 * 1024));
      sides[other].end();
      expect(await sides[other].ending()).toBe('end');
    }),
  );

  test('ends when the pass-through closes', async () => {
    const { client, peer, proxy } = await tunnel();
    await proxy.drain();
    await Promise.all([client.ending(), peer.ending()]);
    expect(proxy.failures).toEqual([]);
  });
});

/** Writes until the other side answers with a RST. */
async function refusesWrites({ socket }: RawConnection): Promise<boolean> {
  const timer = setInterval(() => socket.write('x'), 5);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(timer);
  return true;
}

describe('an upgrade that v2 refuses', () => {
  test.each([
    ['with a length', `${head('HTTP/1.1 426 Not Here', 'sET-cookie: a', 'Set-Cookie: b', 'Content-Length: 4')}body`],
    ['in chunks', `${head('HTTP/1.1 426 Not Here', 'sET-cookie: a', 'Set-Cookie: b', 'Transfer-Encoding: chunked')}4\r\nbody\r\n0\r\n\r\n`],
  ])('is answered with what v2 says: %s', async (_, answer) => {
    const { client, proxy } = await offer(answer);
    const { status, statusText, rawFields, body, values } = await client.readAnswer();
    expect([status, statusText, body.toString(), values('connection')]).toEqual([426, 'Not Here', 'body', ['close']]);
    expect(rawFields.slice(0, 4)).toEqual(['sET-cookie', 'a', 'Set-Cookie', 'b']);
    expect(await client.ending()).toBe('end');
    expect(proxy.failures).toEqual([]);
  });

  test.each(['204 No Content', '304 Not Modified'])('has no body where there is none: %s', async (status) => {
    const { client } = await offer(head(`HTTP/1.1 ${status}`));
    expect((await client.readAnswer()).status).toBe(Number.parseInt(status, 10));
    expect((await client.readToEnd()).bytes).toHaveLength(0);
  });

  test('is answered with a long body in full', async () => {
    const size = 8 * 1024 * 1024;
    const { client } = await offer(head('HTTP/1.1 403 No', `Content-Length: ${size}`) + '\0'.repeat(size));
    expect((await client.readAnswer()).body).toHaveLength(size);
  });

  test('is answered with a long body no faster than the client reads', () =>
    inTime(100, async (bodyTimeout) => {
      const size = 64 * 1024 * 1024;
      const { client, v2, proxy } = await offer(head('HTTP/1.1 403 No', `Content-Length: ${size}`) + '\0'.repeat(size), { bodyTimeout });
      client.socket.pause();
      const connection = await v2.connection(0);
      await connection.ending();
      expect(connection.socket.bytesWritten - connection.socket.writableLength).toBeLessThan(size / 2);
      expect(proxy.failures).toEqual([]);
    }));

  test('within whose answer v2 breaks resets the client', async () => {
    const { client, v2, proxy } = await offer(`${head('HTTP/1.1 403 No', 'Content-Length: 9')}cut`);
    await client.readUntil('cut');
    (await v2.connection(0)).reset();
    expect(await client.ending()).toBe('reset');
    expect(proxy.failures).toEqual(['reset']);
  });
});

describe('an upgrade that fails', () => {
  test('because it was refused by an answer of doubtful framing does not end the process, although all of that has come', async () => {
    const whole = `${head('HTTP/1.1 200 OK', 'Transfer-Encoding: gzip, chunked')}2\r\n{}\r\n0\r\n\r\n`;
    const { client } = await offer(whole);
    expect(await refusal(client)).toEqual(refused(failures.invalidAnswer));
  });

  test('because v2 cannot be reached is a 502', async () => {
    const v2 = await startRawV2(() => undefined);
    await v2.close();
    const proxy = await startPassThrough(v2.base);
    const client = await proxy.connect();
    client.write(handshake);
    expect(await refusal(client)).toEqual(refused(failures.unreachable));
    expect(proxy.failures).toEqual(['unreachable']);
  });

  test('because v2 resets is a 502', async () => {
    const { client, v2, arrived } = await offer('');
    await arrived;
    (await v2.connection(0)).reset();
    expect(await refusal(client)).toEqual(refused(failures.reset));
  });

  test('because v2 does not answer is a 504', async () => {
    const { client, v2 } = await offer('', { headersTimeout: 50 });
    expect(await refusal(client)).toEqual(refused(failures.timeout));
    // On a busy machine the time may be over before there is one.
    await Promise.all(v2.connections.map((connection) => connection.ending()));
  });

  test.each([
    ['control characters', head('HTTP/1.1 101 Yes', 'Connection: Upgrade', 'Upgrade: websocket', 'X-A: a\x01b')],
    ['a carriage return', head('HTTP/1.1 101 Yes', 'Connection: Upgrade', 'Upgrade: websocket', 'X-A: a\rX-B: b')],
    ['another protocol', `${head('HTTP/1.1 101 Yes', 'Connection: Upgrade', 'Upgrade: h2c')}PRI`],
    ['a status below 100', `${head('HTTP/1.1 099 No', 'Content-Length: 4')}body`],
  ])('because v2 answers with %s is a 502', async (_, answer) => {
    const { client } = await offer(answer);
    expect(await refusal(client)).toEqual(refused(failures.invalidAnswer));
  });

  test('because v2 answers with control characters is a 502 even where Node was started with a lenient parser', async () => {
    const { v2 } = await offer(head('HTTP/1.1 101 Yes', 'Connection: Upgrade', 'Upgrade: websocket', 'X-A: a\x01b'));
    const client = await connectRaw(await lenientPort(v2.port));
    client.write(handshake);
    expect(await refusal(client)).toEqual(refused(failures.invalidAnswer));
  });

  test.each([
    ['to another protocol', head('GET /v2/a HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: tls/1.0')],
    ['by another method', head('POST /v2/a HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket')],
    ['with a body', `${head('GET /v2/a HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket', 'Content-Length: 2')}ab`],
    [
      'with a chunked body',
      `${head('GET /v2/a HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    ],
  ])('because it is %s is a 400, and does not reach v2', async (_, request) => {
    // Our own listener takes nothing else for an upgrade; others do.
    const v2 = await startRawV2(() => undefined);
    const client = await connectRaw(await mount(v2.base, () => undefined));
    client.write(request);
    expect(await refusal(client)).toEqual(refused(failures.badRequest));
    // The proxy would wait for it at its end.
    client.end();
    expect(v2.connections).toEqual([]);
  });

  test('may be one that the client does not wait for', async () => {
    const proxy = await startPassThrough('http://127.0.0.1:9');
    for (let i = 0; i < 20; i++) {
      const client = await proxy.connect();
      client.write(head('GET /v2/a HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: tls/1.0'));
      client.reset();
    }
    const client = await proxy.connect();
    client.write(handshake);
    expect(await refusal(client)).toEqual(refused(failures.unreachable));
  });

  test('because an earlier request of its connection is unanswered ends the connection behind that answer', async () => {
    const earlier = head('GET /v2/a HTTP/1.1', 'Host: a');
    const { client } = await offer(`${head('HTTP/1.1 200 OK', 'Content-Length: 2')}{}`, {}, `${earlier}${handshake}`);
    expect((await client.readAnswer()).body.toString()).toBe('{}');
    expect((await client.readToEnd()).bytes).toHaveLength(0);
  });

  test.each([
    ['by a reset', (client: RawConnection) => client.reset()],
    ['by closing', (client: RawConnection) => client.socket.destroy()],
    ['by a half-close', (client: RawConnection) => client.end()],
  ])('because the client leaves %s ends the request to v2 at once', async (_, leave) => {
    const { client, v2, proxy, arrived } = await offer('');
    await arrived;
    leave(client);
    await (await v2.connection(0)).ending();
    expect(proxy.failures).toEqual([]);
  });
});
