/** The proxy's own HTTP listener: everything that has to be decided before or without a request object. */
import { type IncomingMessage, type Server, STATUS_CODES, type ServerOptions, type ServerResponse, createServer } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Call } from './call.ts';
import { type Failure, type FailureId, failures } from './failures.ts';
import type { MigrationProxy } from './handler.ts';
import type { ProxyServerOptions } from './options.ts';
import { refuse } from './local.ts';
import { isV2 } from './route.ts';
import { createReloadingTlsServer } from './tls.ts';

/** Bytes of request line and fields at most; beyond it the answer is 431. */
const maxHeaderSize = 16 * 1024;
/** Longer than the idle time of common clients and load balancers, so that they close first and no request meets a closing connection. */
const clientKeepAlive = 65_000;

export interface Listener {
  readonly server: Server;
  /** Stops accepting connections; calls on existing ones are answered with Connection: close. Resolves when all are closed. */
  close(timeout: number): Promise<void>;
}

/** What a connection is serving, for errors that come with the connection only, and for its end. One per connection. */
interface Slot {
  response: ServerResponse;
  call?: Call | undefined;
}

/** Creates the listener for a proxy; it is not listening yet. */
export function createListener(proxy: MigrationProxy, options: ProxyServerOptions): Listener {
  const serverOptions: ServerOptions = {
    maxHeaderSize,
    headersTimeout: options.headTimeout,
    requestTimeout: options.requestTimeout,
    connectionsCheckingInterval: Math.max(100, Math.min(1_000, Math.floor(Math.min(options.headTimeout, options.requestTimeout) / 4))),
    keepAliveTimeout: clientKeepAlive,
    // The gate checks Host, so that its absence is answered in v1's shape.
    requireHostHeader: false,
    // Java's HttpClient offers an upgrade to h2c on every plain request; what is not for v2 is answered as if it had not (RFC 9110 §7.8).
    shouldUpgradeCallback: (req: IncomingMessage) => isV2(req.url ?? '') && req.headers.upgrade?.toLowerCase() !== 'h2c',
  };
  const tls = options.tls === undefined ? undefined : createReloadingTlsServer(serverOptions, options.tls, options.logger);
  const server = tls?.server ?? createServer(serverOptions);
  // Node drops fields beyond 2,000 silently; the size above is bound enough.
  server.maxHeadersCount = 0;

  let closing = false;
  // Not a WeakMap: its entries are dear to the garbage collector.
  const slots = new Map<Duplex, Slot>();
  const serve = (handle: MigrationProxy['checkContinue']) => (req: IncomingMessage, res: ServerResponse) => {
    if (closing) res.shouldKeepAlive = false;
    const { socket } = req;
    let slot = slots.get(socket);
    if (slot === undefined) {
      slots.set(socket, (slot = { response: res }));
      socket.once('close', () => slots.delete(socket));
    }
    slot.response = res;
    slot.call = handle(req, res);
  };
  server.on('request', serve(proxy.handler));
  server.on('checkContinue', serve(proxy.checkContinue));
  server.on(
    'checkExpectation',
    serve((req, res) => proxy.refuse(req, res, 'expectation')),
  );
  server.on('upgrade', proxy.upgrade);
  server.on('connect', (_req: IncomingMessage, socket: Duplex) => {
    const { status, body } = refuse('notFound', options.assumptions);
    endRaw(socket, status, body, proxy);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => onClientError(error, socket, slots.get(socket), proxy));

  return {
    server,
    close: (timeout) => {
      closing = true;
      for (const { response } of slots.values()) if (!response.headersSent) response.shouldKeepAlive = false;
      return closeGently(server, timeout).finally(() => tls?.stopWatching());
    },
  };
}

function onClientError(error: NodeJS.ErrnoException, socket: Duplex, slot: Slot | undefined, proxy: MigrationProxy): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const id = failureByCode[error.code ?? ''] ?? 'badRequest';
  const busy = slot !== undefined && !slot.response.writableFinished;
  if (busy && slot.call !== undefined && !slot.call.res.headersSent) return slot.call.abandon(id);
  // Anything written now would land in the middle of another answer.
  if (busy) {
    socket.destroy();
    return;
  }
  const failure: Failure = failures[id];
  proxy.context.recorder.refused(failure, error.code ?? 'unknown');
  endRaw(socket, failure.status, { success: false, error: failure.text, code: failure.code }, proxy);
}

const failureByCode: Readonly<Record<string, FailureId>> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'bodyTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'requestTimeout',
};

/** Writes a whole answer to a socket that has no response object, and closes it. */
function endRaw(socket: Duplex, status: number, body: object, proxy: MigrationProxy): void {
  const text = JSON.stringify(body);
  const fields = [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(text)),
    'Connection',
    'close',
    ...proxy.context.deprecation(undefined, ''),
  ];
  const lines = fields.flatMap((value, i) => (i % 2 === 0 ? [`${value}: ${fields[i + 1]}`] : []));
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}

/** While draining: how often connections that have become idle are closed, and how long idle ones may stay before. */
const sweepInterval = 100;
const idleGrace = 1_000;

/**
 * Closes a server without losing a request: an idle connection may carry one at this very moment, so idle ones are only closed after
 * a grace; until then each answer says Connection: close. After the timeout everything is closed.
 */
function closeGently(server: Server, timeout: number): Promise<void> {
  return new Promise((resolve) => {
    let sweep: NodeJS.Timeout | undefined;
    const grace = setTimeout(() => {
      server.closeIdleConnections();
      sweep = setInterval(() => server.closeIdleConnections(), sweepInterval);
    }, idleGrace);
    const end = setTimeout(() => server.closeAllConnections(), timeout);
    // http's own close() would close the idle connections at once.
    NetServer.prototype.close.call(server, () => {
      for (const timer of [grace, sweep, end]) clearTimeout(timer);
      server.close();
      resolve();
    });
  });
}
