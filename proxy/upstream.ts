/** The way to v2: how many calls are on it at once, what its errors mean, and when a call may be tried again. */
import { isIPv6 } from 'node:net';
import { trustedCa } from './ca.ts';
import type { Connection, Exchange } from './client/connection.ts';
import { ConnectionPool, type Open, type PoolOptions } from './client/pool.ts';
import type { FailureId } from './failures.ts';
import { interimSize, maxInterim } from './hop-by-hop.ts';
import type { ProxyOptions } from './options.ts';
import { buildConnector } from './undici.ts';
import { UpstreamHealth } from './upstream-health.ts';

export interface UpstreamRequest {
  readonly method: string;
  /** Path and query, percent-encoded as they go on the wire. */
  readonly path: string;
  /** Names and values in turn. */
  readonly fields: readonly string[];
  /** Bytes, a stream of bytes that can be read only once, or nothing. */
  readonly body: Buffer | AsyncIterable<Buffer> | null;
}

/** What a v2 answer is given to, in this order: sending, interim*, head, data*, then end; or failed at any moment. */
export interface Receiver {
  /** The request begins to go out: once, or twice where it is tried again. Each may cost a call of v2's quota. */
  onSending(): void;
  onInterim(status: number, fields: readonly string[]): void;
  onHead(status: number, statusText: string, fields: readonly string[]): void;
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
  readonly #pool: ConnectionPool;
  readonly #prefix: string;
  readonly #connections: number;
  readonly #queue: number;
  readonly health: UpstreamHealth;
  /** How long v2 may take to begin its final answer, in ms; and how long a call may wait for a connection. */
  readonly patience: number;
  /**
   * Calls that wait for a connection, in the order of their coming, and the end of their patience: the answers before them may take for
   * ever, as long as each goes on.
   */
  readonly #waiting = new Map<Attempt, NodeJS.Timeout>();
  #running = 0;

  /** @param version the one that it leads to, at `base` */
  constructor(options: ProxyOptions, version: 'v1' | 'v2' = 'v2', base = options.v2Base) {
    const { host, pathname } = new URL(base);
    this.#prefix = pathname.replace(/\/+$/, '');
    this.#connections = options.connections;
    this.#queue = options.queue;
    this.patience = options.headersTimeout;
    const limits = { head: options.headersTimeout, body: options.bodyTimeout, idle: options.keepAlive };
    const shared = { host, limits, open: opener(options, base) };
    this.#pool = new ConnectionPool({ ...shared, freed: () => this.#finished() });
    this.health = new UpstreamHealth(options, () => answers(shared, `${this.#prefix}/${version}`, options.connectTimeout));
  }

  /** Calls that wait for v2 or for a connection to it. */
  get inFlight(): number {
    return this.#running + this.#waiting.size;
  }

  /** Sends a request; beyond connections + queue it fails at once as `overloaded`, and after `headersTimeout` in the queue as well. */
  send(request: UpstreamRequest, receiver: Receiver): Sent {
    const attempt = new Attempt(request, receiver, this, this.#prefix);
    if (this.#running < this.#connections) this.carry(attempt);
    else if (this.#waiting.size < this.#queue)
      this.#waiting.set(
        attempt,
        setTimeout(() => this.#giveUp(attempt), this.patience),
      );
    else attempt.refuse('overloaded');
    return attempt;
  }

  /**
   * Gives an attempt a connection.
   * @param isFresh whether it is to be a new one: where v2 or something before it has closed one, it mostly has closed others as well (RFC 9112 §9.3.1)
   */
  carry(attempt: Attempt, isFresh = false): void {
    this.#running++;
    attempt.connection = this.#pool.carry(attempt, isFresh);
  }

  /** Gives the place of a finished attempt to the one that has waited longest. */
  #finished(): void {
    this.#running--;
    if (this.#running >= this.#connections) return;
    for (const next of this.#waiting.keys()) {
      this.withdraw(next);
      return this.carry(next);
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

  /** Closes the connections; calls in flight break. Those that wait do first: each would be given the place of the one before it. */
  close(): Promise<void> {
    const waiting = new Set(this.#waiting.keys());
    for (const attempt of waiting) {
      this.withdraw(attempt);
      attempt.refuse('draining');
    }
    return this.#pool.close();
  }
}

/** One call, tried at most twice. */
class Attempt implements Exchange, Sent {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
  readonly body: UpstreamRequest['body'];
  readonly #receiver: Receiver;
  readonly #upstream: Upstream;
  connection: Connection | undefined;
  #started = false;
  /** Bytes of interim answers that came. */
  #interim = 0;
  #answered = false;
  #retried = false;
  #done = false;

  /** @param prefix of v2's paths */
  constructor({ method, path, fields, body }: UpstreamRequest, receiver: Receiver, upstream: Upstream, prefix: string) {
    this.method = method;
    this.path = prefix + path;
    this.fields = fields;
    this.body = body;
    this.#receiver = receiver;
    this.#upstream = upstream;
  }

  pause(): void {
    this.connection?.pause(this);
  }

  resume(): void {
    this.connection?.resume(this);
  }

  cancel(): void {
    if (this.#done) return;
    this.#done = true;
    if (!this.#upstream.withdraw(this)) this.connection?.abandon(this);
  }

  refuse(failure: FailureId): void {
    this.#done = true;
    this.#receiver.onFailure(failure, new Error(failure));
  }

  onBegin(): void {
    this.#started = true;
    this.#receiver.onSending();
  }

  onAnswering(): void {
    this.#answered = true;
  }

  onHead(status: number, statusText: string, fields: readonly string[]): void {
    // Neither is an interim answer: the first is no status, and nobody asked for another protocol (RFC 9110 §§15, 15.2.2).
    if (status < 100 || status === 101) return this.connection?.reject(this, invalidStatus);
    this.#upstream.health.answered();
    if (status < 200 && (this.#interim += interimSize(fields)) > maxInterim) return this.connection?.reject(this, endlessInterim);
    // Not forwarded: whether to send its body, a client has been told by the proxy (RFC 9110 §10.1.1), and others do not expect a 100.
    if (status === 100) return;
    if (status < 200) this.#receiver.onInterim(status, fields);
    else this.#receiver.onHead(status, statusText, fields);
  }

  onData(chunk: Buffer): void {
    this.#receiver.onData(chunk);
  }

  onEnd(): void {
    this.#done = true;
    this.#receiver.onEnd();
  }

  onError(error: NodeJS.ErrnoException): void {
    if (this.#mayRetry(error)) {
      this.#retried = true;
      this.#started = false;
      return this.#upstream.carry(this, true);
    }
    this.#done = true;
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
    const harmless = (this.method === 'GET' || this.method === 'HEAD') && this.body === null;
    return (this.#started ? harmless && !this.#answered : true) && this.#receiver.mayRepeat?.() !== false;
  }
}

/** Opens connections to a server. Its certificate is verified, whatever the environment says. */
function opener({ connectTimeout, v2Ca }: ProxyOptions, base: string): Open {
  const connect = buildConnector({ timeout: connectTimeout, allowH2: false, rejectUnauthorized: true, ...trustedCa(v2Ca) });
  const { protocol, host, hostname, port } = new URL(base);
  const address = hostname.slice(1, -1);
  const to = { protocol, host, port, hostname: isIPv6(address) ? address : hostname };
  return (done) => void connect(to, (...[error, socket]) => done(error, socket));
}

/** Time for the answer to a probe beyond that for its connection. */
const probeTimeout = 2_000;

/**
 * Whether v2 answers at all, with whatever status: that it takes a connection says little, a load balancer without servers does so too.
 * The request names no key, so that it spends no quota; its connection is its own, so that no queue of calls stands before it.
 */
async function answers(to: Omit<PoolOptions, 'freed'>, path: string, connectTimeout: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const pool = new ConnectionPool({ ...to, freed: ignore });
  const patience = setTimeout(() => resolve(false), connectTimeout + probeTimeout);
  pool.carry({
    method: 'HEAD',
    path,
    fields: [],
    body: null,
    onBegin: ignore,
    onAnswering: ignore,
    onHead: (status) => void (status >= 200 && resolve(true)),
    onData: ignore,
    onEnd: ignore,
    onError: () => resolve(false),
  });
  const isThere = await promise;
  clearTimeout(patience);
  await pool.close();
  return isThere;
}

const ignore = (): void => undefined;

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

/** What a failure of a connection means to the client. */
function failureOf(error: NodeJS.ErrnoException, started: boolean): FailureId {
  const code = error.code ?? '';
  const known = byCode[code];
  if (known !== undefined) return known === 'reset' && !started ? 'unreachable' : known;
  // What v2 sent is not HTTP.
  if (error.name === 'HTTPParserError') return 'invalidAnswer';
  // UND_ERR_INVALID_ARG and the like, or a fault of ours; anything else before the first byte is the connection's (DNS, refused, TLS).
  if (code.startsWith('UND_ERR_') || code === '') return 'internal';
  return started ? 'reset' : 'unreachable';
}
