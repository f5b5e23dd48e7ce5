/**
 * What is not translated: `/v2/*` of clients that have moved in part, and upgrades. http-proxy-3 carries it; this file and its folder
 * guard against what http-proxy-3 does to a message on the way. A request goes out once: nothing is tried again, no redirect is followed.
 */
import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ProxyServer, type ServerOptions, createProxyServer } from 'http-proxy-3';
import type { FailureId } from './failures.ts';
import { readHead } from './head.ts';
import { hasBody } from './local.ts';
import type { ProxyOptions } from './options.ts';
import { Origins } from './origins.ts';
import { Exchange, type OnFailure } from './passthrough/exchange.ts';
import { requestFields, switchingFields } from './passthrough/heads.ts';
import { createAgent, fixed, isOverloaded, onNativePath } from './passthrough/native.ts';
import { answerOn, closeTogether } from './passthrough/tunnel.ts';

export type PassThroughOptions = Pick<
  ProxyOptions,
  | 'v2Base'
  | 'v2Ca'
  | 'forwarded'
  | 'trustedProxies'
  | 'connections'
  | 'queue'
  | 'connectTimeout'
  | 'headersTimeout'
  | 'bodyTimeout'
  | 'keepAlive'
>;

export interface PassThrough {
  /**
   * Sends a request to v2 as it came: method, target, field names and values, body. Only the fields of this hop differ (RFC 9110 §7.6).
   * The target must be in origin-form; the listener has answered an Expect: 100-continue.
   */
  web(req: IncomingMessage, res: ServerResponse): void;
  /** The same for a WebSocket handshake (a GET without body); other upgrades are refused with 400. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Answers a request that is not to be sent; `onFailure` is told. */
  refuse(req: IncomingMessage, res: ServerResponse, failure: FailureId): void;
  /** Breaks what is under way, upgraded connections included, and closes the connections to v2. */
  close(): void;
}

/**
 * @param onFailure told once for every request that v2 did not answer whole; the client has its answer (see failures.ts) or a broken connection
 */
export function createPassThrough(options: PassThroughOptions, onFailure: OnFailure): PassThrough {
  return new Carrier(options, onFailure);
}

class Carrier implements PassThrough {
  readonly #options: PassThroughOptions;
  readonly #onFailure: OnFailure;
  readonly #host: string;
  readonly #prefix: string;
  readonly #origins: Origins;
  readonly #agent: Agent;
  readonly #server: ProxyServer;
  readonly #exchanges = new WeakMap<IncomingMessage, Exchange>();
  readonly #upgraded = new Set<Socket>();

  constructor(options: PassThroughOptions, onFailure: OnFailure) {
    const target = new URL(options.v2Base);
    this.#options = options;
    this.#onFailure = onFailure;
    this.#host = target.host;
    this.#prefix = target.pathname.replace(/\/+$/, '');
    this.#origins = new Origins(options);
    this.#agent = createAgent(target, options);
    this.#server = createProxyServer({ target, agent: this.#agent });
    this.#server.on('proxyReq', (upstream, req, _res, _options, socket) => {
      const exchange = this.#exchanges.get(req);
      exchange?.sendOn(upstream, socket);
      // A 101 that nobody asked for; without a listener Node would close the connection and tell nobody.
      upstream.once('upgrade', (_answer, switched) => {
        switched.destroy();
        exchange?.fail('invalidAnswer');
      });
    });
    // Once the head is written, http-proxy-3 leaves it alone and only pipes the body.
    this.#server.on('proxyRes', (answer, req) => this.#exchanges.get(req)?.relay(answer));
    this.#server.on('proxyReqWs', (upstream, req, socket) => this.#follow(upstream, req, socket));
    // Failures of v2 come to the callback of each call; these are broken sockets of clients.
    this.#server.on('error', () => undefined);
  }

  web(req: IncomingMessage, res: ServerResponse): void {
    const exchange = new Exchange(req, res, this.#options, this.#onFailure);
    this.#carry(exchange, false, (options) => this.#server.web(req, res, options, (error) => exchange.broke(error)));
  }

  refuse(req: IncomingMessage, res: ServerResponse, failure: FailureId): void {
    new Exchange(req, res, this.#options, this.#onFailure).fail(failure);
  }

  upgrade(req: IncomingMessage, duplex: Duplex, head: Buffer): void {
    const answer = answerOn(req, duplex);
    if (answer === undefined) return;
    const { res, socket } = answer;
    const exchange = new Exchange(req, res, this.#options, this.#onFailure);
    // http-proxy-3 closes the connection on anything else without a word, and sends the length of a body without the body.
    if (!isHandshake(req)) return exchange.fail('badRequest');
    this.#carry(exchange, true, (options) => this.#server.ws(req, socket, head, options, (error) => exchange.broke(error)));
  }

  close(): void {
    for (const socket of this.#upgraded) socket.destroy();
    this.#agent.destroy();
  }

  #carry(exchange: Exchange, switching: boolean, call: (options: ServerOptions) => void): void {
    const { req, signal } = exchange;
    const { url = '', method } = req;
    if (!url.startsWith('/')) return exchange.fail('badRequest');
    // Read by somebody before us: v2 would wait for it until the timeout.
    if (req.readableDidRead && hasBody(readHead(req.rawHeaders))) return exchange.fail('bodyConsumed');
    if (isOverloaded(this.#agent, this.#options)) return exchange.fail('overloaded');
    this.#exchanges.set(req, exchange);
    const headers = requestFields(req, this.#host, switching, this.#origins.fields(req));
    const timeout = this.#options.bodyTimeout;
    // Strict whatever Node was started with: http-proxy-3 writes the fields of a 101 to the socket unchecked.
    const ssl = fixed({ method, path: this.#prefix + url, headers, timeout, signal, insecureHTTPParser: false });
    try {
      onNativePath(() => call({ ssl }));
    } catch (error) {
      // Node refuses to send what a lenient listener let through.
      exchange.fail('badRequest', error as Error);
    }
  }

  /** Sees to a pending upgrade: granted, refused with an ordinary answer, or left by its client. */
  #follow(upstream: ClientRequest, req: IncomingMessage, socket: Socket): void {
    const exchange = this.#exchanges.get(req);
    if (exchange === undefined) return;
    // A client that leaves is only told by the end of what it sends: its half of the connection may stay open.
    const leave = (): void => void socket.destroy();
    socket.once('end', leave);
    upstream.once('socket', (connection) => exchange.sendOn(upstream, connection));
    // This listener is before that of http-proxy-3, which writes these fields and ties the sockets together.
    upstream.once('upgrade', (answer, peer) => {
      socket.off('end', leave);
      answer.headers = switchingFields(answer);
      exchange.switched(socket);
      // Not before http-proxy-3 has set its own timeouts.
      process.nextTick(closeTogether, socket, peer, this.#options.bodyTimeout);
      this.#upgraded.add(socket);
      socket.once('close', () => this.#upgraded.delete(socket));
    });
    // By the next tick http-proxy-3 listens to a refusal; it would relay it without back-pressure and hang when it breaks.
    process.nextTick(() => {
      upstream.removeAllListeners('response').once('response', (answer) => {
        exchange.relay(answer);
        answer.pipe(exchange.res);
      });
    });
  }
}

/** RFC 6455 §4.1; a body would be taken for the first bytes of the protocol switched to. */
function isHandshake(req: IncomingMessage): boolean {
  return req.method === 'GET' && req.headers.upgrade?.toLowerCase() === 'websocket' && !hasBody(readHead(req.rawHeaders));
}
