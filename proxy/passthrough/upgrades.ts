/**
 * WebSockets to v2, and to v1 where that answers itself. http-proxy-3 carries them; this file and its neighbours guard against what it does to a message on the way.
 */
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type * as httpProxy from 'http-proxy-3';
import { type Call, breakConnection } from '../call.ts';
import type { FailureId } from '../failures.ts';
import { asItCame, hasBody, readHead } from '../head.ts';
import { interimSize, maxInterim } from '../hop-by-hop.ts';
import type { ProxyOptions } from '../options.ts';
import type { Origins } from '../origins.ts';
import type { Receiver, Sent } from '../upstream.ts';
import { requestFields, switchingFields } from './heads.ts';
import { createAgent, fixed, isOverloaded, onNativePath } from './native.ts';
import { closeTogether } from './tunnel.ts';

/** Asks v2 to switch protocols, and ties the connections together where it does. */
export class Upgrades {
  readonly #options: ProxyOptions;
  readonly #origins: Origins;
  readonly #host: string;
  readonly #prefix: string;
  readonly #agent: Agent;
  readonly #target: URL;
  #server: httpProxy.ProxyServer | undefined;
  readonly #handshakes = new WeakMap<IncomingMessage, Handshake>();
  readonly #upgraded = new Set<Socket>();

  /** @param base of the version that it leads to */
  constructor(options: ProxyOptions, origins: Origins, base = options.v2Base) {
    const target = new URL(base);
    this.#options = options;
    this.#origins = origins;
    this.#host = target.host;
    this.#prefix = target.pathname.replace(/\/+$/, '');
    this.#agent = createAgent(target, options);
    this.#target = target;
  }

  /**
   * Sends a handshake.
   * @param target of the request, in origin-form
   * @param head what the client has sent after its handshake already
   * @param receiver gets the answer of a v2 that does not switch, or the failure
   */
  send(call: Call, target: string, socket: Socket, head: Buffer, receiver: Receiver): Sent {
    const { req } = call;
    const handshake = new Handshake(call, receiver, this.#options);
    if (isOverloaded(this.#agent, this.#options)) {
      handshake.fail('overloaded');
      return handshake;
    }
    this.#handshakes.set(req, handshake);
    const headers =
      call.version === 'v1'
        ? requestFields(call, readHead(req.rawHeaders, asItCame).forward, this.#host, [])
        : requestFields(call, call.head.forward, this.#host, this.#origins.fields(req));
    // Strict whatever Node was started with: http-proxy-3 writes the fields of a 101 to the socket unchecked.
    const ssl = fixed({ method: req.method, path: this.#prefix + target, headers, insecureHTTPParser: false });
    try {
      const server = this.#begun();
      onNativePath(() => server.ws(req, socket, head, { ssl }, (error) => handshake.broke(error)));
    } catch (error) {
      // Node refuses to send what a lenient listener let through.
      handshake.fail('badRequest', error as Error);
    }
    return handshake;
  }

  /** Breaks upgraded connections, and those that are still to be. */
  close(): void {
    for (const socket of this.#upgraded) socket.destroy();
    this.#agent.destroy();
  }

  /** Whoever never upgrades does without http-proxy-3, which takes 12 MiB. */
  #begun(): httpProxy.ProxyServer {
    if (this.#server !== undefined) return this.#server;
    const { createProxyServer }: typeof httpProxy = createRequire(import.meta.url)('http-proxy-3');
    const server = createProxyServer({ target: this.#target, agent: this.#agent });
    server.on('proxyReqWs', (upstream, req, socket) => this.#follow(upstream, req, socket));
    // Failures of v2 come to the callback of each call; these are broken sockets of clients.
    server.on('error', () => undefined);
    return (this.#server = server);
  }

  /** Sees to a pending upgrade: granted, refused with an ordinary answer, or left by its client. */
  #follow(upstream: ClientRequest, req: IncomingMessage, socket: Socket): void {
    const handshake = this.#handshakes.get(req);
    if (handshake === undefined) return;
    handshake.sendBy(upstream);
    // A client that leaves is only told by the end of what it sends: its half of the connection may stay open.
    const leave = (): void => void socket.destroy();
    socket.once('end', leave);
    upstream.once('socket', (connection) => handshake.sendOn(upstream, connection));
    // By the next tick http-proxy-3 listens to an answer. A refusal it would relay without back-pressure, and hang when it breaks.
    process.nextTick(() => {
      upstream.removeAllListeners('response').once('response', (answer) => handshake.relay(answer));
      const switchOver = upstream.listeners('upgrade');
      upstream.removeAllListeners('upgrade').once('upgrade', (answer, peer, head) => {
        // A server must switch to nothing that it was not asked for (RFC 9110 §7.8), and http-proxy-3 does not look.
        if (answer.headers.upgrade?.toLowerCase() !== 'websocket') {
          peer.destroy();
          return handshake.fail('invalidAnswer');
        }
        socket.off('end', leave);
        answer.headers = switchingFields(answer);
        handshake.switched(socket);
        // Not before http-proxy-3 has set its own timeouts.
        process.nextTick(closeTogether, socket, peer, this.#options.bodyTimeout);
        this.#upgraded.add(socket);
        socket.once('close', () => this.#upgraded.delete(socket));
        // These are http-proxy-3's: it writes those fields and ties the sockets together.
        for (const listener of switchOver) Reflect.apply(listener, upstream, [answer, peer, head]);
      });
    });
  }
}

/** RFC 6455 §4.1; a body would be taken for the first bytes of the protocol switched to. */
export function isHandshake({ req, head }: Call): boolean {
  return req.method === 'GET' && req.httpVersion === '1.1' && req.headers.upgrade?.toLowerCase() === 'websocket' && !hasBody(head);
}

/** One handshake that v2 was sent. It ends once: switched, refused by an answer, failed, or given up because its client left. */
class Handshake implements Sent {
  readonly #call: Call;
  readonly #receiver: Receiver;
  readonly #limits: ProxyOptions;
  #upstream: ClientRequest | undefined;
  /** Bounds first the wait for a connection, then the connecting, then the wait for v2's final head. */
  #timer: NodeJS.Timeout;
  #answer: IncomingMessage | undefined;
  #connected = false;
  /** Bytes of interim answers that came. */
  #interim = 0;
  #switched = false;
  #over = false;

  constructor(call: Call, receiver: Receiver, limits: ProxyOptions) {
    this.#call = call;
    this.#receiver = receiver;
    this.#limits = limits;
    this.#timer = setTimeout(() => this.fail('overloaded'), limits.headersTimeout);
  }

  pause(): void {
    this.#answer?.pause();
  }

  resume(): void {
    this.#answer?.resume();
  }

  cancel(): void {
    this.#finish();
    // Not before the client has its answer: http-proxy-3 ends the connection then. Not by an AbortSignal, which Node would tie to the socket
    // for good: it would break the next handshake there, or end the process, as nobody listens to a socket on its way back to the pool.
    process.nextTick(() => this.#upstream?.destroy());
  }

  /** The request to v2, which can be given up from now on, also while it waits for a connection. */
  sendBy(upstream: ClientRequest): void {
    this.#upstream = upstream;
  }

  /** The request has a connection, perhaps one still being made. */
  sendOn(upstream: ClientRequest, socket: Socket): void {
    const { connectTimeout } = this.#limits;
    const secure = socket instanceof TLSSocket;
    upstream.on('information', ({ statusCode, rawHeaders }) => {
      if (this.#over) return;
      if ((this.#interim += interimSize(rawHeaders)) > maxInterim) this.fail('invalidAnswer');
      else if (statusCode !== 100) this.#receiver.onInterim(statusCode, rawHeaders);
    });
    if (secure ? socket.authorized : !socket.connecting) return this.#send();
    this.#wait(connectTimeout, 'connectTimeout');
    socket.once(secure ? 'secureConnect' : 'connect', () => this.#send());
  }

  /** Gives the answer of a v2 that does not switch to the receiver. */
  relay(answer: IncomingMessage): void {
    if (this.#over) return;
    clearTimeout(this.#timer);
    this.#answer = answer;
    const status = answer.statusCode ?? 0;
    // RFC 9112 §6.1: HTTP/1.0 knows no transfer coding.
    const isFaulty = answer.httpVersion === '1.0' && answer.headers['transfer-encoding'] !== undefined;
    if (status < 200 || isFaulty) return this.fail('invalidAnswer');
    answer.on('data', (chunk: Buffer) => !this.#over && this.#receiver.onData(chunk));
    answer.once('close', () => this.#close(answer));
    answer.setTimeout(this.#limits.bodyTimeout, () => this.#silence());
    this.#receiver.onHead(status, answer.statusMessage ?? '', answer.rawHeaders);
  }

  /** v2 granted the upgrade: the socket is no longer the answer's, and what a later failure says goes nowhere. */
  switched(socket: Socket): void {
    this.#switched = true;
    this.#finish();
    this.#call.switched(socket);
  }

  /** The request to v2 broke. */
  broke(error: NodeJS.ErrnoException): void {
    // Nobody can be answered any more, but somebody may want to know.
    if (this.#switched) this.#receiver.onFailure('reset', error);
    // An answer that came whole stays good.
    if (this.#answer?.complete === true) return;
    if (!this.#connected) this.fail('unreachable', error);
    else this.fail(error.code?.startsWith('HPE_') === true ? 'invalidAnswer' : 'reset', error);
  }

  fail(id: FailureId, cause: Error = new Error(id)): void {
    if (this.#over) return;
    this.cancel();
    this.#receiver.onFailure(id, cause);
  }

  #send(): void {
    this.#connected = true;
    this.#receiver.onSending();
    this.#wait(this.#limits.headersTimeout, 'timeout');
  }

  #wait(patience: number, failure: FailureId): void {
    clearTimeout(this.#timer);
    if (!this.#over) this.#timer = setTimeout(() => this.fail(failure), patience);
  }

  #close(answer: IncomingMessage): void {
    if (this.#over) return;
    if (!answer.complete) return this.fail('reset', answer.errored ?? undefined);
    this.#finish();
    this.#receiver.onEnd();
  }

  /** A client that does not read is no failure of v2, and keeps a connection from others. */
  #silence(): void {
    if (!this.#call.res.writableNeedDrain) return this.fail('timeout');
    this.cancel();
    breakConnection(this.#call.res);
  }

  #finish(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }
}
