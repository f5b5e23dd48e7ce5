/** The proxy's own HTTP listener: everything that has to be decided before or without a request object. */
import { type IncomingMessage, type Server, STATUS_CODES, type ServerOptions, type ServerResponse, createServer } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorBody } from '../src/contract/errors.ts';
import type { Call } from './call.ts';
import { limitConnections } from './client-connections.ts';
import { Connections } from './connections.ts';
import { type Failure, type FailureId, failures } from './failures.ts';
import type { MigrationProxy } from './handler.ts';
import type { ProxyServerOptions } from './options.ts';
import { hangUp } from './drain-request.ts';
import { refuse } from './v1-rules.ts';
import { isV1, isV2 } from './route.ts';
import { createReloadingTlsServer } from './tls.ts';

/**
 * What Node reads of target and fields, without telling which is too long: more than request validation lets through of both, which can tell; and less
 * than Node reads at once, so that what is longer still begins with the request line.
 */
const maxHeaderSize = 48 * 1024;
/** Longer than the idle time of common clients and load balancers, so that they close first and no request meets a closing connection. */
const clientKeepAlive = 65_000;

export interface Listener {
  readonly server: Server;
  /** Says in the log where the process may open too few files. */
  warn(): void;
  /** Stops accepting connections; calls on existing ones are answered with Connection: close. Resolves when all are closed. */
  close(timeout: number): Promise<void>;
}

/** Creates the listener for a proxy; it is not listening yet. */
export function createListener(proxy: MigrationProxy, options: ProxyServerOptions): Listener {
  const mayUpgrade = (target: string): boolean => isV2(target) || (proxy.context.rollout !== undefined && isV1(target));
  const serverOptions: ServerOptions = {
    maxHeaderSize,
    headersTimeout: options.headTimeout,
    requestTimeout: options.requestTimeout,
    connectionsCheckingInterval: Math.max(100, Math.min(1_000, Math.floor(Math.min(options.headTimeout, options.requestTimeout) / 4))),
    keepAliveTimeout: clientKeepAlive,
    // Request validation checks Host, so that its absence is answered in v1's shape.
    requireHostHeader: false,
    // A request without a body is no stream that is read and ends: a GET takes a twentieth less CPU (bench/README.md). Its `readableEnded` is true from the start.
    optimizeEmptyRequests: true,
    // Only a WebSocket is an upgrade, to v2 or to a v1 that answers itself. Java's HttpClient offers one to h2c on every plain request; what is
    // not taken up is answered as if it had not been offered, and so is what HTTP/1.0 offers, which does not know it (RFC 9110 §7.8).
    shouldUpgradeCallback: (req: IncomingMessage) =>
      req.httpVersion !== '1.0' && req.method === 'GET' && mayUpgrade(req.url ?? '') && req.headers.upgrade?.toLowerCase() === 'websocket',
  };
  const secureOptions = { ...serverOptions, handshakeTimeout: options.headTimeout };
  const tls = options.tls === undefined ? undefined : createReloadingTlsServer(secureOptions, options.tls, options.logger);
  const server = tls?.server ?? createServer(serverOptions);
  // Node drops fields beyond 2,000 silently; the size above is bound enough.
  server.maxHeadersCount = 0;

  // Otherwise Node ends a connection whose client has ended its side, whatever is owed there; who has left is told by Connections.
  Object.assign(server, { httpAllowHalfOpen: true });

  // http's own list lacks the connections whose TLS handshake is not over.
  const open = new Set<Socket>();
  const follow = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  server.on('connection', follow);
  // Over TLS a connection is two sockets: one of bytes, one of what they say.
  server.on('secureConnection', (socket: Socket) => {
    // As connections without TLS are from their start. Before the handshake is over, who ends a side has left.
    socket.allowHalfOpen = true;
    follow(socket);
  });
  const refuseExpectation = (req: IncomingMessage, res: ServerResponse): Call | undefined => proxy.refuse(req, res, 'expectation');
  const connections = new Connections(options.bodyTimeout);
  server.on('request', (req, res) => connections.serve(proxy.serve, req, res));
  server.on('checkContinue', (req, res) => connections.serve(proxy.checkContinue, req, res));
  server.on('checkExpectation', (req, res) => connections.serve(refuseExpectation, req, res));
  server.on('upgrade', (req, socket, head) => {
    if (!connections.leaveHttp(socket, () => hangUp(socket))) proxy.upgrade(req, socket, head);
  });
  server.on('connect', (_req, socket) => {
    if (connections.leaveHttp(socket, () => hangUp(socket))) return;
    const { status, body } = refuse('notFound', options.assumptions);
    hangUp(socket, rawAnswer(status, body, proxy));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => onClientError(error, socket, connections, proxy));

  const clients = limitConnections(server, proxy.context, options);

  return {
    server,
    warn: () => clients.warn(),
    close: (timeout) => {
      connections.close();
      return closeGently(server, open, connections, timeout).finally(() => tls?.stopWatching());
    },
  };
}

function onClientError(error: NodeJS.ErrnoException, socket: Duplex, connections: Connections, proxy: MigrationProxy): void {
  const code = error.code ?? '';
  const id = isLongTarget(error) ? 'targetTooLong' : (failureByCode[code] ?? (code.startsWith('HPE_') ? 'badRequest' : undefined));
  // The connection itself is broken, or its TLS handshake failed: nobody can be answered.
  if (id === undefined) {
    socket.destroy();
    return;
  }
  // Answered already: what still comes is the rest of what was refused.
  if (!socket.writable || connections.fault(socket, id, () => hangUp(socket))) return;
  const failure: Failure = failures[id];
  proxy.context.recorder.refused(failure, code);
  hangUp(socket, rawAnswer(failure.status, errorBody(failure.text, failure.code), proxy));
}

/**
 * Whether a head is too large for its target, as far as the packet that was one too many shows it: either the request line begins in it, and is not over
 * where Node stopped reading, or Node stopped at its version (RFC 9112 §3). Values of fields end with their line.
 */
function isLongTarget(error: NodeJS.ErrnoException): boolean {
  if (error.code !== 'HPE_HEADER_OVERFLOW' || !('rawPacket' in error && error.rawPacket instanceof Buffer)) return false;
  const packet = error.rawPacket.toString('latin1');
  const stopped = 'bytesParsed' in error && typeof error.bytesParsed === 'number' ? error.bytesParsed : packet.length;
  const [read, rest] = [packet.slice(0, stopped), packet.slice(stopped)];
  if (/[\r\n]/.test(read)) return false;
  return rest === '' ? /^[A-Z-]+ /.test(read) : rest.startsWith(' HTTP/');
}

const failureByCode: Readonly<Record<string, FailureId>> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'bodyTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'requestTimeout',
};

/** A whole answer, for a socket that has no response object; the connection ends after it. */
function rawAnswer(status: number, body: object, proxy: MigrationProxy): string {
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
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${text}`;
}

/** While draining: how often connections that have become idle are closed, and how long idle ones may stay before. */
const sweepInterval = 100;
const idleGrace = 1_000;

/**
 * Closes a server without losing a request: an idle connection may carry one at this very moment, so idle ones are only closed after
 * a grace; until then each answer says Connection: close. After the timeout everything is closed.
 */
function closeGently(server: Server, open: ReadonlySet<Socket>, connections: Connections, timeout: number): Promise<void> {
  // Only http knows on which connections a request has begun, but it would cut off what a slow client is still reading. Idle ones do no
  // harm meanwhile: what comes on them is answered.
  const closeIdle = (): void => {
    // Timers come before what has arrived is read, and this after it: a process that stood still would cut off first requests.
    setImmediate(() => {
      if (!connections.isDelivering) server.closeIdleConnections();
      // Not idle to http before their first request, but waiting for its head: a browser's spare connection, a balancer's check.
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    });
  };
  return new Promise((resolve) => {
    let sweep: NodeJS.Timeout | undefined;
    const grace = setTimeout(() => {
      closeIdle();
      sweep = setInterval(closeIdle, sweepInterval);
    }, idleGrace);
    const end = setTimeout(() => open.forEach((socket) => socket.destroy()), timeout);
    // http's own close() would close the idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(grace);
      clearTimeout(end);
      clearInterval(sweep);
      server.close();
      resolve();
    });
  });
}
