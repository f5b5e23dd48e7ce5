/** A listener that passes everything through, for the tests of proxy/passthrough. */
import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { FailureId } from '../../proxy/failures.ts';
import { type PassThrough, type PassThroughOptions, createPassThrough } from '../../proxy/passthrough.ts';
import { type RawConnection, type RawServer, connectRaw, listenRaw } from '../helpers/raw.ts';

export interface TestProxy {
  readonly port: number;
  readonly passThrough: PassThrough;
  /** What the pass-through reported, in order. */
  readonly failures: readonly FailureId[];
  connect(): Promise<RawConnection>;
}

/**
 * Starts a pass-through in front of a v2 base until the test ends.
 * @param before what happens to a request before the pass-through gets it
 */
export async function startPassThrough(
  v2Base: string,
  overrides: Partial<PassThroughOptions> = {},
  before?: (req: IncomingMessage) => Promise<unknown>,
): Promise<TestProxy> {
  const failures: FailureId[] = [];
  const origin = { forwarded: 'none', trustedProxies: [] } as const;
  const options = { connections: 16, queue: 16, connectTimeout: 3000, headersTimeout: 15_000, bodyTimeout: 60_000, keepAlive: 4000 };
  const passThrough = createPassThrough({ v2Base, ...origin, ...options, ...overrides }, (_req, failure) => failures.push(failure));
  const server = createServer({ shouldUpgradeCallback: asksForMoreThanH2c }, async (req, res) => {
    await before?.(req);
    passThrough.web(req, res);
  });
  server.on('upgrade', (req, socket, head) => passThrough.upgrade(req, socket, head));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(async () => {
    passThrough.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { port, passThrough, failures, connect: () => connectRaw(port) };
}

/** Java's HttpClient offers h2c with every request; listeners ignore it. */
function asksForMoreThanH2c({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== 'h2c';
}

/** Starts a v2 of raw bytes until the test ends. */
export async function startRawV2(
  serve: (connection: RawConnection, index: number) => Promise<void> | void,
): Promise<RawServer & { readonly base: string }> {
  const server = await listenRaw(serve);
  onTestFinished(() => server.close());
  return { ...server, base: `http://127.0.0.1:${server.port}` };
}

/** Starts a v2 on Node's HTTP server until the test ends. @returns its base address */
export async function startV2(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A head: lines joined as they go on the wire. */
export function head(...lines: string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}
