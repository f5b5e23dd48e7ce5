/** Attempts at deliveries to receivers of a test. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import http, { type ClientRequest, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Attempt, type Delivery, post } from '../../../src/sandbox/webhooks/post.ts';
import { listenRaw, type RawConnection, type RawServer } from '../../helpers/raw.ts';

export const secret = 'whsec_test';
/** Not as JSON.stringify would write it, and with characters of several bytes. */
export const body = Buffer.from('{ "event":"test.ping",  "data": {"name": "Zoë ✓"}, "timestamp":"2026-08-01T12:00:00.000Z" }\n');

interface PostOptions extends Partial<Omit<Delivery, 'destination'>> {
  readonly addresses?: readonly string[];
}

/** One attempt. What does not speak of time has more of it than it needs. */
export function send(url: string, { addresses = ['127.0.0.1'], ...rest }: PostOptions = {}): Promise<Attempt> {
  const destination = { url: new URL(url), addresses };
  return post({ destination, event: 'test.ping', body, secret, timeout: 20_000, signal: new AbortController().signal, ...rest });
}

/** Starts a server for one test. @returns its port */
export async function start(server: Server & { closeAllConnections(): void }, host = '127.0.0.1', port = 0): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}

export const startHttp = (answer: RequestListener, host?: string, port?: number): Promise<number> =>
  start(http.createServer(answer), host, port);

/** A receiver on raw TCP for one test. @returns the listener and its URL */
export async function startRaw(serve: (connection: RawConnection) => Promise<void> | void): Promise<RawServer & { readonly url: string }> {
  const server = await listenRaw(serve);
  onTestFinished(() => server.close());
  return { ...server, url: `http://127.0.0.1:${server.port}/` };
}

/** A raw receiver that reads the request and answers with these bytes, and then does something or leaves the connection open. */
export const startAnswering = (answer: string, then?: (connection: RawConnection) => void) =>
  startRaw(async (connection) => {
    await connection.readUntil('}\n');
    connection.write(answer);
    then?.(connection);
  });

/** Has the next connection of this process fail once it is so far, as a network may have it. */
export function failOnce(stage: 'connect' | 'secureConnect'): void {
  const name = 'http.client.request.created';
  const hear = (message: unknown): void => {
    unsubscribe(name, hear);
    const { request } = message as { readonly request: ClientRequest };
    const error = Object.assign(new Error('The network failed'), { code: 'ETIMEDOUT' });
    request.once('socket', (socket) => void socket.once(stage, () => socket.destroy(error)));
  };
  subscribe(name, hear);
  onTestFinished(() => void unsubscribe(name, hear));
}
