import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { drainRequest, hangUp } from '../../proxy/drain-request.ts';
import { connectRaw } from '../helpers/raw.ts';
import { head, post } from './faults.ts';

const second = 1_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A client that was answered and goes on sending, and the server's side of its connection. */
async function sendingOn(answered: 'a request' | 'CONNECT') {
  const sockets = Promise.withResolvers<Duplex>();
  const server = createServer((req, res) => {
    res.end();
    drainRequest(req);
    sockets.resolve(req.socket);
  });
  server.on('connect', (_req, socket: Socket) => {
    hangUp(socket, head('HTTP/1.1 404 Not Found'));
    sockets.resolve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const client = await connectRaw((server.address() as AddressInfo).port);
  client.write(answered === 'CONNECT' ? head('CONNECT a:80 HTTP/1.1', 'Host: a') : post('/', 'Content-Length: 100'));
  const socket = await sockets.promise;
  const send = async (): Promise<void> => {
    client.write('x');
    await once(socket, 'data');
  };
  return { socket, send };
}

describe.each(['a request', 'CONNECT'] as const)('a client whose %s was answered before its end', (answered) => {
  it('loses its connection once it sends nothing for five seconds', async () => {
    const { socket, send } = await sendingOn(answered);
    for (let i = 0; i < 3; i++) {
      await send();
      vi.advanceTimersByTime(5 * second);
      expect(socket.destroyed).toBe(false);
    }
    vi.advanceTimersByTime(5 * second);
    expect(socket.destroyed).toBe(true);
  });

  it('loses its connection after half a minute, whatever it sends', async () => {
    const { socket, send } = await sendingOn(answered);
    for (let i = 0; i < 6; i++) {
      expect(socket.destroyed).toBe(false);
      await send();
      vi.advanceTimersByTime(5 * second);
    }
    expect(socket.destroyed).toBe(true);
  });
});
