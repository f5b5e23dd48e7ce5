/**
 * The one place that knows undici: a pool of connections to v2, what its errors mean, and when a call may be tried again.
 */
import type { Socket } from 'node:net';
import type * as undici from 'undici';
import { trustedCa } from './ca.ts';
import { admitContinue, standIn } from './undici-100.ts';
import type { FailureId } from './failures.ts';
import { joinWrites } from './one-write.ts';
import { interimSize, maxInterim } from './hop-by-hop.ts';
import type { ProxyOptions } from './options.ts';
import { Client, Pool, buildConnector, errors } from './undici.ts';
import { UpstreamHealth } from './upstream-health.ts';

export interface UpstreamRequest {
  readonly method: string;
  /** Path and query, percent-encoded as they go on the wire. */
  readonly path: string;
  /** Names and values in turn. */
  readonly fields: string[];
  /** Bytes, a stream of bytes that can be read only once, or nothing. */
  readonly body: Buffer | AsyncIterable<Buffer> | null;
}

/** What a v2 answer is given to, in this order: sending, interim*, head, data*, then end; or failed at any moment. */
export interface Receiver {
  /** The request begins to go out: once, or twice where it is tried again. Each may cost a call of v2's quota. */
  onSending(): void;
  onInterim(status: number, fields: readonly Buffer[]): void;
  onHead(status: number, statusText: string, fields: readonly Buffer[]): void;
  onData(chunk: Buffer): void;
  onEnd(): void;
  /** Whether what broke before it was answered may go out once more, where that does no harm; without an answer it may. */
  mayRepeat?(): boolean;
  /** @param cause the error underneath; its message may hold what the client sent, so only its code may be logged */
  onFailure(failure: FailureId, cause: Error): void;
}

/** The handle on a call that was sent. */
export interface Sent {
  pause(): void;
  resume(): void;
  /** Gives the call up: its connection is closed, and the receiver hears nothing more. */
  cancel(): void;
}

/** Where requests go. It throws nothing: every failure is given to the receiver. */
export interface Sender {
  send(request: UpstreamRequest, receiver: Receiver): Sent;
}

export class Upstream implements Sender {
  readonly #origin: string;
  readonly #clientOptions: undici.Client.Options;
  readonly #pool: undici.Pool;
  /** Connections that bear the second attempt of one call each. */
  readonly #fresh = new Set<undici.Client>();
  readonly #prefix: string;
  readonly #connections: number;
  readonly #queue: number;
  readonly health: UpstreamHealth;
  /** How long v2 may take to begin its final answer, in ms; and how long a call may wait for a connection. */
  readonly patience: number;
  /**
   * Calls that wait for a connection, in the order of their coming, and the end of their patience: the answers before them may take for
   * ever, as long as each goes on. Not undici's queue: what waits there cannot leave it.
   */
  readonly #waiting = new Map<Attempt, NodeJS.Timeout>();
  #running = 0;

  /** @param version the one that it leads to, at `base` */
  constructor(options: ProxyOptions, version: 'v1' | 'v2' = 'v2', base = options.v2Base) {
    const { origin, pathname } = new URL(base);
    this.#prefix = pathname.replace(/\/+$/, '');
    this.#connections = options.connections;
    this.#queue = options.queue;
    this.patience = options.headersTimeout;
    const connect = connector(options);
    this.#origin = origin;
    this.health = new UpstreamHealth(options, () => answers(origin, `${this.#prefix}/${version}`, connect, options.connectTimeout));
    this.#clientOptions = {
      // One request per connection at a time: a broken connection then breaks one call, never its neighbours.
      pipelining: 1,
      headersTimeout: options.headersTimeout,
      bodyTimeout: options.bodyTimeout,
      keepAliveTimeout: options.keepAlive,
      keepAliveMaxTimeout: options.keepAlive,
      connect,
    };
    this.#pool = new Pool(origin, { ...this.#clientOptions, connections: options.connections });
  }

  /** Calls that wait for v2 or for a connection to it. */
  get inFlight(): number {
    return this.#running + this.#waiting.size;
  }

  /** Sends a request; beyond connections + queue it fails at once as `overloaded`, and after `headersTimeout` in the queue as well. */
  send(request: UpstreamRequest, receiver: Receiver): Sent {
    const attempt = new Attempt(request, receiver, this);
    if (this.#running < this.#connections) this.#start(attempt);
    else if (this.#waiting.size < this.#queue)
      this.#waiting.set(
        attempt,
        setTimeout(() => this.#giveUp(attempt), this.patience),
      );
    else attempt.refuse('overloaded');
    return attempt;
  }

  #start(attempt: Attempt): void {
    this.#running++;
    this.dispatch(attempt);
  }

  /** Hands an attempt that has the place of a connection to undici. */
  dispatch(attempt: Attempt, dispatcher: undici.Dispatcher = this.#pool): void {
    const { method, path, fields, body } = attempt.request;
    dispatcher.dispatch(
      { method, path: this.#prefix + path, headers: fields, body: body as undici.Dispatcher.DispatchOptions['body'] },
      attempt,
    );
  }

  /**
   * The same again, on a connection of its own that takes the place of the broken one: where v2 or something before it has closed one connection
   * of the pool, it mostly has closed others as well (RFC 9112 §9.3.1).
   */
  dispatchAgain(attempt: Attempt): void {
    const client = new Client(this.#origin, this.#clientOptions);
    this.#fresh.add(client);
    this.dispatch(attempt, client);
    // Once the call is over.
    void client.close().finally(() => this.#fresh.delete(client));
  }

  /** Gives the place of a finished attempt to the one that has waited longest. */
  finished(): void {
    this.#running--;
    for (const next of this.#waiting.keys()) {
      this.withdraw(next);
      return this.#start(next);
    }
  }

  /** @returns whether the attempt was still waiting, and so never was sent */
  withdraw(attempt: Attempt): boolean {
    clearTimeout(this.#waiting.get(attempt));
    return this.#waiting.delete(attempt);
  }

  #giveUp(attempt: Attempt): void {
    this.#waiting.delete(attempt);
    attempt.refuse('overloaded');
  }

  /** Closes the connections; calls in flight break. */
  async close(): Promise<void> {
    await Promise.all([this.#pool, ...this.#fresh].map((dispatcher) => dispatcher.destroy()));
  }
}

/** One call, tried at most twice. */
class Attempt implements undici.Dispatcher.DispatchHandler, Sent {
  readonly request: UpstreamRequest;
  readonly #receiver: Receiver;
  readonly #upstream: Upstream;
  #controller: undici.Dispatcher.DispatchController | undefined;
  #started = false;
  #lastWrite = 0;
  /** Bytes of interim answers that came. */
  #interim = 0;
  #answered = false;
  #retried = false;
  #done = false;

  constructor(request: UpstreamRequest, receiver: Receiver, upstream: Upstream) {
    this.request = request;
    this.#receiver = receiver;
    this.#upstream = upstream;
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  cancel(): void {
    if (this.#done) return;
    this.#done = true;
    if (this.#upstream.withdraw(this)) return;
    // Without a controller its connection is still being opened; onRequestStart gives it up.
    this.#controller?.abort(cancelled);
  }

  refuse(failure: FailureId): void {
    this.#done = true;
    this.#receiver.onFailure(failure, new Error(failure));
  }

  // undici calls this immediately before it writes the first byte of the request.
  onRequestStart(controller: undici.Dispatcher.DispatchController): void {
    if (this.#done) return controller.abort(cancelled);
    this.#started = true;
    this.#lastWrite = performance.now();
    this.#controller = controller;
    this.#receiver.onSending();
  }

  onBodySent(): void {
    this.#lastWrite = performance.now();
  }

  onRequestSent(): void {
    this.#lastWrite = performance.now();
  }

  onResponseStarted(): void {
    this.#answered = true;
  }

  onResponseStart(controller: undici.Dispatcher.DispatchController, status: number, _fields: unknown, statusText?: string): void {
    if (this.#done) return;
    // Neither is an interim answer: the first is no status, and nobody asked for another protocol (RFC 9110 §§15, 15.2.2).
    if (status < 100 || status === 101) return controller.abort(invalidStatus);
    // undici starts its headersTimeout anew at each interim answer, so that v2 could go on with them for ever.
    if (status < 200 && performance.now() - this.#lastWrite > this.#upstream.patience)
      return controller.abort(new errors.HeadersTimeoutError());
    this.#upstream.health.answered();
    // undici gives Buffers on HTTP/1.1, the only version the pool speaks.
    const fields = controller.rawHeaders as readonly Buffer[];
    if (status < 200 && (this.#interim += interimSize(fields)) > maxInterim) return controller.abort(endlessInterim);
    // Not forwarded: whether to send its body, a client has been told by the proxy (RFC 9110 §10.1.1), and others do not expect a 100.
    if (status === standIn) return;
    if (status < 200) this.#receiver.onInterim(status, fields);
    else this.#receiver.onHead(status, statusText ?? '', fields);
  }

  onResponseData(_controller: undici.Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#done) this.#receiver.onData(chunk);
  }

  onResponseEnd(): void {
    if (this.#done) return;
    this.#finish();
    this.#receiver.onEnd();
  }

  onResponseError(_controller: undici.Dispatcher.DispatchController | null, error: NodeJS.ErrnoException): void {
    if (this.#done) return this.#upstream.finished();
    if (this.#mayRetry(error)) {
      this.#retried = true;
      this.#started = false;
      this.#controller = undefined;
      return this.#upstream.dispatchAgain(this);
    }
    this.#finish();
    const failure = failureOf(error, this.#started);
    if (failure !== 'internal') this.#upstream.health.failed();
    this.#receiver.onFailure(failure, error);
  }

  /**
   * Never twice: once more only where v2 provably cannot have acted on the request (not one byte of it was written), or where acting
   * twice does no harm (GET and HEAD, RFC 9110 §9.2.2) and no byte of an answer has come.
   */
  #mayRetry(error: NodeJS.ErrnoException): boolean {
    if (this.#retried || !brokenConnection.has(error.code ?? '')) return false;
    const harmless = (this.request.method === 'GET' || this.request.method === 'HEAD') && this.request.body === null;
    return (this.#started ? harmless && !this.#answered : true) && this.#receiver.mayRepeat?.() !== false;
  }

  #finish(): void {
    this.#done = true;
    this.#upstream.finished();
  }
}

/**
 * Opens connections that may bear a 100 (Continue), and whose reset is an error at any time. undici takes ECONNRESET for the end of a body that has no length of its own
 * (macOS reports it after a whole body), and so would cut such a body short without anybody noticing.
 */
function connector({ connectTimeout, v2Ca }: ProxyOptions): undici.buildConnector.connector {
  // HTTP/1.1 keeps the case and the order of fields; HTTP/2 does not have them. Certificates are verified, whatever the environment says.
  const connect = buildConnector({ timeout: connectTimeout, allowH2: false, rejectUnauthorized: true, ...trustedCa(v2Ca) });
  return (target, done) =>
    connect(target, (...result) => {
      // Absent, and not null as its type says, where the connection failed.
      const socket: Socket | null | undefined = result[1];
      if (socket) {
        // Before undici's own listener, which is added by done().
        socket.on('error', (error: NodeJS.ErrnoException) => {
          if (error.code === 'ECONNRESET') error.code = 'UND_ERR_SOCKET';
        });
        joinWrites(socket);
        admitContinue(socket);
      }
      done(...result);
    });
}

/** Time for the answer to a probe beyond that for its connection. */
const probeTimeout = 2_000;

/**
 * Whether v2 answers at all, with whatever status: that it takes a connection says little, a load balancer without servers does so too.
 * The request names no key, so that it spends no quota; its connection is its own, so that no queue of calls stands before it.
 */
async function answers(origin: string, path: string, connect: undici.buildConnector.connector, connectTimeout: number): Promise<boolean> {
  const client = new Client(origin, { connect });
  try {
    const { body } = await client.request({ method: 'HEAD', path, signal: AbortSignal.timeout(connectTimeout + probeTimeout) });
    await body.dump();
    return true;
  } catch {
    return false;
  } finally {
    await client.destroy();
  }
}

const cancelled = new Error('The client left');
const invalidStatus = Object.assign(new Error('v2 answered with a status that it must not send'), { code: 'INVALID_STATUS' });
const endlessInterim = Object.assign(new Error('v2 answered with interim answers only'), { code: 'ENDLESS_INTERIM' });

/** Codes of a connection that broke, for example a pooled one that v2 had closed meanwhile. */
const brokenConnection = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

const byCode: Readonly<Record<string, FailureId>> = {
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connectTimeout',
  INVALID_STATUS: 'invalidAnswer',
  ENDLESS_INTERIM: 'invalidAnswer',
  UND_ERR_HEADERS_OVERFLOW: 'invalidAnswer',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalidAnswer',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'badRequest',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  UND_ERR_SOCKET: 'reset',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_DESTROYED: 'draining',
  UND_ERR_CLOSED: 'draining',
};

/** What a failure of undici or of the connection means to the client. */
function failureOf(error: NodeJS.ErrnoException, started: boolean): FailureId {
  const code = error.code ?? '';
  // A 101 that nobody asked for; undici breaks the connection then, as if that were all.
  if (error.message === 'bad upgrade') return 'invalidAnswer';
  const known = byCode[code];
  if (known !== undefined) return known === 'reset' && !started ? 'unreachable' : known;
  // What v2 sent is not HTTP. (undici gives these errors no code.)
  if (error.name === 'HTTPParserError') return 'invalidAnswer';
  // UND_ERR_INVALID_ARG and the like, or a fault of ours; anything else before the first byte is the connection's (DNS, refused, TLS).
  if (code.startsWith('UND_ERR_') || code === '') return 'internal';
  return started ? 'reset' : 'unreachable';
}
