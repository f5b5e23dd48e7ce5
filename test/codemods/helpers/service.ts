/** The sandbox behind TLS, under the names that fixtures give it, with a record of all that it was asked and answered. */
import { createServer as createTlsServer } from 'node:https';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';

/** One call, in words that both versions share: no version in the path, nothing that authenticates. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
  readonly answer: string;
}

export interface Recorded {
  readonly version: string;
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
  readonly exchange: Exchange;
}

export interface Service extends AsyncDisposable {
  readonly port: number;
  readonly key: string;
  /** Forgets everything, and answers the same calls with the same ids as before. */
  restart(): void;
  /** What it was asked since it started. */
  recorded(): readonly Recorded[];
}

export interface Identity {
  readonly key: string;
  readonly cert: string;
}

/** A certificate that holds for all these names, and is its own authority. */
export async function createIdentity(hosts: readonly string[]): Promise<Identity> {
  const names = hosts.map((value) => ({ type: 2 as const, value }));
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'fixtures' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: names },
    ],
  });
  return { key, cert };
}

/** Starts a service on a free port of 127.0.0.1. */
export async function startService(identity: Identity): Promise<Service> {
  const sandbox = createSandbox({ clock: '2026-08-01T12:00:00.000Z' });
  const { url } = await sandbox.listen();
  const recorded: Recorded[] = [];
  // Connections are kept: one that the service ends just as a busy machine's client asks on it again looks like a fault of the client.
  const server = createTlsServer({ ...identity, keepAliveTimeout: 0 }, (req, res) => {
    relay(url, req, res).then(
      (exchange) => recorded.push(exchange),
      () => res.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server's address is no string.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    key: sandbox.demo.readWriteKey,
    restart() {
      recorded.length = 0;
      sandbox.reset();
    },
    recorded: () => [...recorded],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await sandbox.close();
    },
  };
}

async function relay(base: string, req: IncomingMessage, res: ServerResponse): Promise<Recorded> {
  const body = await textOf(req);
  const { method = '', url = '', rawHeaders } = req;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // A connection each, for the same reason: the sandbox ends those that rest.
  request(base + url, { method, headers: rawHeaders, agent: false })
    .on('response', resolve)
    .on('error', reject)
    .end(body);
  const answered = await promise;
  const answer = await textOf(answered);
  const { statusCode: status = 0 } = answered;
  const [, version = '', path = url] = /^\/(v\d+)(\/.*)$/.exec(url) ?? [];
  const { 'x-api-key': apiKey, authorization, ...headers } = req.headers;
  const exchange = { method, path, headers: shared(headers), body, status, answer };
  // Before the client sees the end of the answer: what it asks next is recorded after this.
  queueMicrotask(() => res.writeHead(status, answered.rawHeaders).end(answer));
  return { version, apiKey: apiKey?.toString(), authorization, exchange };
}

/** Names and values of the fields, but for those that say how a message travels. */
function shared(headers: IncomingMessage['headers']): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return Object.fromEntries(named.filter(([name]) => !['host', 'connection', 'date'].includes(name)).toSorted());
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
