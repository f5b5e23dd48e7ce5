/** One request that passes untranslated, and its answer. It ends once: whole, failed, or abandoned by the client. */
import {
  type ClientRequest,
  type IncomingMessage,
  type InformationEvent,
  type OutgoingMessage,
  STATUS_CODES,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { breakConnection } from '../call.ts';
import { type Failure, type FailureId, failures } from '../failures.ts';
import { interimSize, mostInterim } from '../fields.ts';
import { linger } from '../linger.ts';
import type { ProxyOptions } from '../options.ts';
import { answerFields } from './heads.ts';

export type Limits = Pick<ProxyOptions, 'connectTimeout' | 'headersTimeout' | 'bodyTimeout'>;

/** Told once per request that failed; never about clients that left. */
export type OnFailure = (req: IncomingMessage, failure: FailureId, cause?: Error) => void;

export class Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly #limits: Limits;
  readonly #onFailure: OnFailure;
  readonly #abort = new AbortController();
  readonly #turn: NodeJS.Timeout;
  #upstream: ClientRequest | undefined;
  #answer: IncomingMessage | undefined;
  #connected = false;
  #over = false;
  /** Bytes of interim answers that came. */
  #interim = 0;

  constructor(req: IncomingMessage, res: ServerResponse, limits: Limits, onFailure: OnFailure) {
    this.req = req;
    this.res = res;
    this.#limits = limits;
    this.#onFailure = onFailure;
    // All connections may be busy: the wait for one is bounded like the wait for an answer.
    this.#turn = setTimeout(() => this.fail('overloaded'), limits.headersTimeout);
    // A write that comes too late must not end the process.
    res.on('error', ignore);
    res.once('close', () => {
      if (!res.writableFinished) this.abandon();
    });
  }

  /** Aborts the request to v2, also while it waits for a connection. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The request has a connection, perhaps one still being made. */
  sendOn(upstream: ClientRequest, socket: Socket): void {
    const { headersTimeout } = this.#limits;
    this.#upstream = upstream;
    clearTimeout(this.#turn);
    this.#awaitConnection(socket);
    // The timer of silence on the connection was set to bodyTimeout with the request; once v2 has all of that, it owes an answer.
    upstream.once('finish', () => {
      if (this.#answer === undefined) upstream.setTimeout(headersTimeout);
    });
    upstream.on('timeout', () => this.#silence(upstream));
    upstream.on('information', (interim) => this.#relayInterim(interim));
    upstream.once('close', () => this.#dropRest());
    // Node keeps the head back until the first byte of the body; v2 may want to refuse before that.
    if (!this.req.complete && !upstream.writableEnded) sendHead(upstream);
  }

  /** Relays v2's answer up to its body, which the caller pipes. */
  relay(answer: IncomingMessage): void {
    this.#answer = answer;
    this.#upstream?.setTimeout(this.#limits.bodyTimeout);
    answer.once('close', () => {
      if (!answer.complete) this.fail('reset', answer.errored ?? undefined);
    });
    // 101 that nobody asked for, 099; or a coding that the client would have to undo and did not ask for (RFC 9112 §7.4).
    const coding = answer.headers['transfer-encoding']?.toLowerCase() ?? 'chunked';
    const status = answer.statusCode ?? 0;
    if (status < 200 || coding !== 'chunked') return this.fail('invalidAnswer');
    try {
      this.res.writeHead(status, answer.statusMessage, answerFields(answer));
    } catch (error) {
      return this.fail('invalidAnswer', error as Error);
    }
    // The head must not wait for a body that may take its time.
    sendHead(this.res);
  }

  /** v2 granted the upgrade: the socket is no longer the answer's, and what a later failure says goes nowhere. */
  switched(socket: Socket): void {
    this.res.detachSocket(socket);
  }

  /** The request to v2 broke. */
  broke(error: NodeJS.ErrnoException): void {
    // An answer that came whole stays good, although v2 did not want the rest of the request.
    if (this.#answer?.complete === true) return;
    if (!this.#connected) this.fail('unreachable', error);
    else this.fail(error.code?.startsWith('HPE_') === true ? 'invalidAnswer' : 'reset', error);
  }

  /** Answers with a failure; where the answer has begun, breaks the connection instead of cutting it short silently. */
  fail(id: FailureId, cause?: Error): void {
    if (this.#over) return;
    this.#onFailure(this.req, id, cause);
    if (this.res.headersSent) breakConnection(this.res);
    else this.#refuse(failures[id]);
    this.abandon();
    if (this.#upstream === undefined) this.#dropRest();
  }

  /** Ends the request to v2; nothing more is answered. */
  abandon(): void {
    this.#over = true;
    clearTimeout(this.#turn);
    this.#abort.abort();
  }

  #refuse(failure: Failure): void {
    const text = JSON.stringify({ success: false, error: failure.text, code: failure.code });
    const fields = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(text))];
    if (failure.retryAfter !== undefined) fields.push('Retry-After', String(failure.retryAfter));
    // The text too: that of a v2 answer whose head could not be written is still set.
    this.res.writeHead(failure.status, STATUS_CODES[failure.status], fields);
    this.res.end(text);
  }

  #awaitConnection(socket: Socket): void {
    const secure = socket instanceof TLSSocket;
    this.#connected = secure ? socket.authorized : !socket.connecting;
    if (this.#connected) return;
    const timer = setTimeout(() => this.fail('connectTimeout'), this.#limits.connectTimeout);
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      this.#connected = true;
    });
    socket.once('close', () => clearTimeout(timer));
  }

  #silence(upstream: ClientRequest): void {
    // A client that does not read is no failure of v2, and keeps a connection from others.
    if (this.res.writableNeedDrain) {
      breakConnection(this.res);
      this.abandon();
    } else this.fail(upstream.writableFinished || upstream.writableNeedDrain ? 'timeout' : 'requestTimeout');
  }

  /** A client of HTTP/1.0 must get none (RFC 9110 §15.2); the 100 is the listener's. */
  #relayInterim(interim: InformationEvent): void {
    if ((this.#interim += interimSize(interim.rawHeaders)) > mostInterim) return this.fail('invalidAnswer');
    if (this.req.httpVersion === '1.0' || interim.statusCode === 100 || this.res.headersSent) return;
    // Not writeEarlyHints(): it knows few statuses and forgets the case of names. Node's parser lets no line break into a value.
    this.res.socket?.write(headText(`HTTP/1.1 ${interim.statusCode} ${interim.statusMessage}`, answerFields(interim)), 'latin1');
  }

  /** Nobody reads what is left of the request: without this, the client's connection would be stuck for its next one. */
  #dropRest(): void {
    if (this.req.readableEnded || !this.res.shouldKeepAlive) return;
    this.req.unpipe();
    linger(this.req);
  }
}

/** What flushHeaders() is for; but that writes UTF-8, and field values are bytes (RFC 9110 §5.5). */
function sendHead(message: OutgoingMessage): void {
  message.write('', 'latin1');
}

function headText(startLine: string, fields: readonly string[]): string {
  let text = `${startLine}\r\n`;
  for (let i = 0; i < fields.length; i += 2) text += `${fields[i]}: ${fields[i + 1]}\r\n`;
  return `${text}\r\n`;
}

const ignore = (): void => undefined;
