/** The proxy, for the tests of what passes through it untranslated. */
import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type FailureId, failures } from '../../proxy/failures.ts';
import { type MigrationProxy, createProxy } from '../../proxy/handler.ts';
import type { ProxyServerOptions } from '../../proxy/options.ts';
import { type LogLines, proxyOptions, startTestProxy } from '../helpers/proxy.ts';
import { type RawConnection, type RawServer, connectRaw, listenRaw } from '../helpers/raw.ts';

export interface TestProxy {
  readonly port: number;
  readonly adminUrl: string;
  readonly log: LogLines;
  /** The failures that it logged, in order. */
  readonly failures: readonly FailureId[];
  connect(): Promise<RawConnection>;
  drain(): Promise<void>;
}

/** Starts a proxy in front of a v2 base until the test ends. */
export async function startPassThrough(v2Base: string, overrides: Partial<ProxyServerOptions> = {}): Promise<TestProxy> {
  const { port, adminUrl, log, drain } = await startTestProxy(v2Base, { forwarded: 'none', connections: 16, queue: 16, ...overrides });
  onTestFinished(drain);
  return {
    port,
    adminUrl,
    log,
    get failures() {
      return log.of('call_failed').flatMap(({ code }) => failureIds.filter((id) => failures[id].code === code));
    },
    connect: () => connectRaw(port),
    drain,
  };
}

const failureIds = Object.keys(failures) as FailureId[];

/**
 * Mounts a proxy on a listener of the test's own, as a program that uses it as a library does, until the test ends.
 * @param listen what becomes of a request
 * @returns the port
 */
export async function mount(
  v2Base: string,
  listen: (proxy: MigrationProxy, req: IncomingMessage, res: ServerResponse) => unknown,
): Promise<number> {
  const proxy = createProxy(proxyOptions(v2Base));
  const server = createServer((req, res) => void listen(proxy, req, res))
    .on('upgrade', proxy.upgrade)
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await proxy.close();
  });
  return (server.address() as AddressInfo).port;
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
