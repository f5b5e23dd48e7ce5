/** A connection to a server of HTTP/1.1: it bears one call at a time, so that where it breaks one call breaks, never its neighbours. */
import type { Socket } from 'node:net';
import { errors } from '../undici.ts';
import { type AnswerEvents, AnswerParser } from './answer-parser.ts';
import { requestHead } from './request-head.ts';
import { writeBody } from './write-body.ts';

/** What goes out, and what is told of what comes back: begun, interim heads, a head, data, the end; or failed at any moment. */
export interface Exchange extends AnswerEvents {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly path: string;
  /** Names and values in turn. */
  readonly fields: readonly string[];
  readonly body: Buffer | AsyncIterable<Buffer> | null;
  /** Its first byte is about to be written. */
  onBegin(): void;
  /** The first bytes of an answer have come, whatever they are. */
  onAnswering(): void;
  onError(error: Error): void;
}

/** In milliseconds. */
export interface Limits {
  /** From the last byte of a request to the head of its final answer. */
  readonly head: number;
  /** Between two parts of a body. */
  readonly body: number;
  /** How long a connection is kept without a call. */
  readonly idle: number;
}

/** Whom a connection belongs to. */
export interface Keeper {
  readonly host: string;
  readonly limits: Limits;
  open(done: (error: Error | null, socket?: Socket | null) => void): void;
  /** Has a connection that was idle write, once what has come on it meanwhile was read. */
  writeSoon(connection: Connection): void;
  /** It may bear another call. */
  release(connection: Connection): void;
  /** @param wasBusy whether it had a call, and was not released since */
  gone(connection: Connection, wasBusy: boolean): void;
}

/** Methods whose requests have a body, also where it is empty (RFC 9110 §8.6). */
const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH']);

/** By so many milliseconds a connection is given up before the server does, so that no request meets its end. */
const slack = 2_000;

export class Connection implements AnswerEvents {
  readonly #keeper: Keeper;
  readonly #parser = new AnswerParser(this);
  #socket: Socket | undefined;
  #exchange: Exchange | undefined;
  /** `waiting`: nothing of the request has been written. */
  #phase: 'idle' | 'waiting' | 'head' | 'body' | 'over' = 'waiting';
  /** Whether the request is still being written. */
  #isWriting = false;
  #isPaused = false;
  #isGone = false;
  /** Whether it is closed after this call. */
  #isLast = false;
  /** How long nothing has happened, as of the last look, in milliseconds; undefined where something has since. */
  #still: number | undefined;
  #idleSince = 0;
  #keptFor = 0;

  constructor(keeper: Keeper, exchange: Exchange) {
    this.#keeper = keeper;
    this.#exchange = exchange;
    keeper.open((error, socket) => {
      if (socket) this.#opened(socket);
      else this.#fail(error ?? new errors.SocketError('no connection'));
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  #opened(socket: Socket): void {
    this.#socket = socket;
    socket
      .on('error', (error: Error) => this.#fail(error))
      .on('close', () => this.#fail(new errors.SocketError('closed')))
      .on('end', () => this.#ended())
      .on('data', (bytes: Buffer) => this.#read(bytes));
    if (this.#isGone) socket.destroy();
    else this.write();
  }

  /** Whether all of its last request has left: what has not, comes before the next one. Over TLS that is known only later in the turn. */
  get isSent(): boolean {
    return this.#socket?.writableLength === 0;
  }

  /** Whether it can bear a call, after having been idle. */
  isUsable(now: number): boolean {
    return !this.#isGone && now - this.#idleSince < this.#keptFor;
  }

  /** Bears another call. */
  carry(exchange: Exchange): void {
    this.#exchange = exchange;
    this.#phase = 'waiting';
    this.#socket?.ref();
    this.#keeper.writeSoon(this);
  }

  /** To be called by the keeper: writes the request. */
  write(): void {
    const [socket, exchange] = [this.#socket, this.#exchange];
    if (this.#isGone || socket === undefined) return;
    // Given up before anything of it was written.
    if (exchange === undefined) return this.#release();
    const { method, body } = exchange;
    const expectsBody = withBody.has(method);
    // A server that does not know HEAD well sends a body, and one that expects none may leave it to be read as a request.
    this.#isLast = method === 'HEAD' || (body !== null && !expectsBody);
    try {
      const head = requestHead(exchange, this.#keeper.host, method !== 'HEAD');
      this.#phase = 'head';
      this.#still = undefined;
      exchange.onBegin();
      if (this.#exchange !== exchange) return;
      const done = writeBody(socket, head, body, {
        expectsBody,
        begins: () => this.#parser.expect(method),
        goesOn: () => this.#exchange === exchange,
        wrote: () => (this.#still = undefined),
      });
      if (done !== undefined) void this.#follow(exchange, done);
    } catch (error) {
      this.#fail(toError(error));
    }
  }

  /** Waits for a body that comes in parts. */
  async #follow(exchange: Exchange, done: Promise<void>): Promise<void> {
    this.#isWriting = true;
    try {
      await done;
      if (this.#exchange !== exchange) return;
      this.#isWriting = false;
      this.#still = undefined;
    } catch (error) {
      if (this.#exchange === exchange) this.#fail(toError(error));
    }
  }

  #read(bytes: Buffer): void {
    // Nobody has asked for them: the connection is out of step, and what is to be sent goes on another one.
    if (!this.#parser.isReading) return this.#fail(new errors.SocketError('bytes without a request'));
    if (this.#phase === 'body') this.#still = undefined;
    else this.#exchange?.onAnswering();
    try {
      this.#parser.read(bytes);
    } catch (error) {
      return this.#fail(toError(error));
    }
    if (this.#phase === 'over') this.#settle();
  }

  /** The server has ended its side. */
  #ended(): void {
    if (this.#parser.close()) return this.#settle();
    // An end that was announced is none that came between: the answer itself is not as long as it says.
    const isAnnounced = this.#phase === 'body' && !this.#parser.keepsAlive;
    this.#fail(isAnnounced ? new errors.ResponseContentLengthMismatchError() : new errors.SocketError('other side closed'));
  }

  onHead(status: number, statusText: string, fields: readonly string[]): void {
    if (status >= 200) {
      this.#phase = 'body';
      this.#still = undefined;
    }
    this.#exchange?.onHead(status, statusText, fields);
  }

  onData(chunk: Buffer): void {
    this.#exchange?.onData(chunk);
  }

  onEnd(): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.#phase = 'over';
    exchange?.onEnd();
  }

  /** After a call: keeps the connection, or closes it. An answer may come before the whole request is sent, whose rest is no next one. */
  #settle(): void {
    const { keepsAlive, keepsFor = Infinity } = this.#parser;
    if (keepsAlive && keepsFor > slack && !this.#isLast && !this.#isWriting) this.#release();
    else this.#fail(new errors.SocketError('over'));
  }

  #release(): void {
    const { keepsFor = Infinity } = this.#parser;
    this.#phase = 'idle';
    this.#keptFor = Math.min(keepsFor - slack, this.#keeper.limits.idle);
    this.#idleSince = performance.now();
    if (this.#isPaused) this.#readOn();
    this.#keeper.release(this);
  }

  /** @param elapsed since the last look, in milliseconds */
  look(elapsed: number, now: number): void {
    const { head, body } = this.#keeper.limits;
    if (this.#phase === 'idle') {
      // Nobody waits for what it may bear.
      this.#socket?.unref();
      if (!this.isUsable(now)) this.#fail(new errors.SocketError('idle'));
      return;
    }
    // How long a connection takes to open, its connector sees to; and how long a client takes to send or to read is not the server's fault.
    const sends = this.#phase === 'head' && this.#isWriting && this.#socket?.writableNeedDrain === false;
    if (this.#phase === 'waiting' || this.#isPaused || sends) return;
    this.#still = this.#still === undefined ? 0 : this.#still + elapsed;
    if (this.#phase === 'head' && this.#still >= head) this.#fail(new errors.HeadersTimeoutError());
    if (this.#phase === 'body' && this.#still >= body) this.#fail(new errors.BodyTimeoutError());
  }

  pause(exchange: Exchange): void {
    if (this.#exchange !== exchange || this.#phase === 'waiting') return;
    this.#isPaused = true;
    this.#socket?.pause();
  }

  resume(exchange: Exchange): void {
    if (this.#exchange === exchange && this.#isPaused) this.#readOn();
  }

  #readOn(): void {
    this.#isPaused = false;
    this.#still = undefined;
    this.#socket?.resume();
  }

  /** Gives a call up: it hears nothing more. */
  abandon(exchange: Exchange): void {
    if (this.#exchange !== exchange) return;
    this.#exchange = undefined;
    // Of what was not written the connection knows nothing: it bears another call.
    if (this.#phase !== 'waiting') this.#fail(new errors.SocketError('abandoned'));
  }

  /** Breaks off a call whose answer cannot be. */
  reject(exchange: Exchange, error: Error): void {
    if (this.#exchange === exchange) this.#fail(error);
  }

  /** Closes it; a call under way fails. */
  async destroy(error: Error): Promise<void> {
    const socket = this.#socket;
    const closed =
      socket === undefined || socket.closed ? undefined : new Promise<void>((resolve) => socket.once('close', () => resolve()));
    this.#fail(error);
    await closed;
  }

  #fail(error: Error): void {
    if (this.#isGone) return;
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.#isGone = true;
    this.#parser.stop();
    this.#socket?.destroy();
    exchange?.onError(error);
    this.#keeper.gone(this, this.#phase !== 'idle');
  }
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
