/** One call, to v1 or to v2: the request, its answer, and what the record will say about it. */
import { type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorBody } from '../src/contract/errors.ts';
import type { Rule } from '../src/rollout/rules.ts';
import type { Outcome } from '../src/usage/deprecated-use.ts';
import type { Context } from './context.ts';
import { type FailureId, type Failure, failures } from './failures.ts';
import { type Passing, type RequestHead, readHead } from './head.ts';
import { drainRequest } from './drain-request.ts';
import type { KeptBody } from './kept-body.ts';
import type { KeyOwner, RecordedCall } from './recorded-call.ts';
import type { Sent } from './upstream.ts';

/** A call to v2 has its own credentials. */
const toV2: Passing = { credentials: true, origin: false };

/** An answer in JSON. */
export interface Answer {
  readonly status: number;
  /** Undefined where only the head is known, or there is no content: 204. */
  readonly body: object | string | undefined;
  /** Names and values in turn, beside the content and deprecation fields. */
  readonly fields?: readonly string[];
}

export class Call implements RecordedCall {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly head: RequestHead;
  /** What it shares with all other calls. */
  readonly context: Context;
  /** Whether it is a call to v2, which passes as it is, and no use of v1. */
  readonly untranslated: boolean;
  readonly startedAt = performance.now();
  /** What the call is for; undefined where that is no endpoint. */
  route: { readonly label: string } | undefined;
  /** Path under which Express has mounted the proxy; `req.url` begins after it. */
  readonly mount: string;
  /** Path of the successor endpoint with this request's ids. */
  successor: string | undefined;
  key: KeyOwner | undefined;
  outcome: Outcome = 'local';
  /** Requests that v2 was sent for this call. */
  v2Calls = 0;
  /** Whether a request for this call began to go out: what it asks for may have been done. */
  reached = false;
  /** The version that the call is sent to. */
  version: 'v1' | 'v2' = 'v2';
  /** Whether its answer still needs the deprecation fields. */
  announces: boolean;
  /** The rule of the roll-out that it goes by. */
  rule: Rule | undefined;
  /** What was read of its body for v1. */
  kept: KeptBody | undefined;
  code: string | undefined;
  /** What was sent to v2 for this call, as long as it is under way: given up when the client leaves. */
  sent: Sent | undefined;

  constructor(req: IncomingMessage, res: ServerResponse, context: Context, untranslated = false) {
    this.req = req;
    this.res = res;
    this.context = context;
    this.untranslated = untranslated;
    this.announces = !untranslated && context.rollout?.stages.announces !== false;
    this.head = untranslated ? readHead(req.rawHeaders, toV2) : readHead(req.rawHeaders);
    this.mount = 'baseUrl' in req && typeof req.baseUrl === 'string' ? req.baseUrl : '';
    // What follows such a request in its packet is lost where nobody takes the offer up: Node's parser stops there, and begins anew with the
    // next packet, which may be the content of a message. So nothing behind it may be processed (RFC 9112 §9.6).
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false;
    context.underWay.begin();
    res.on('close', () => this.#closed());
    res.on('error', ignore);
  }

  /** Whether the client can no longer be answered. */
  get gone(): boolean {
    return this.res.closed || this.res.destroyed;
  }

  /** Sends the head of a relayed answer; the deprecation fields are added to every one of v1. */
  writeHead(status: number, statusText: string | undefined, fields: string[]): void {
    const all = this.announces ? fields.concat(this.context.deprecation(this.successor, this.mount)) : fields;
    // Always with a text: that of a head that could not be written would still be set. v2's may hold bytes that Node refuses to send.
    const usual = STATUS_CODES[status];
    const text = statusText === undefined || statusText === usual || !reasonPhrase.test(statusText) ? usual : statusText;
    this.res.writeHead(status, text, all);
  }

  /**
   * Ends the answer. The record is told of the call before the last of it can leave.
   * @param rest bytes, or a text with one byte a character
   */
  end(rest?: Buffer | string): void {
    this.context.recorder.answering?.(this);
    if (typeof rest === 'string') this.res.end(rest, 'latin1');
    else this.res.end(rest);
  }

  /** Answers with JSON in v1's shape. Gives nothing, as `fail` does: a pass that answers has nothing to hand on. */
  answer({ status, body, fields = [] }: Answer): undefined {
    if (this.gone || this.res.headersSent) return;
    // Bytes, not text: Node would write the head in the charset of a text, and break what v2's fields hold beyond ASCII.
    const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const content = status === 204 ? [] : ['Content-Type', 'application/json; charset=utf-8'];
    if (bytes !== undefined) content.push('Content-Length', String(bytes.length));
    // A body that was announced and is not read cannot be told from the next request.
    if (!this.req.complete && this.req.headers.expect !== undefined) content.push('Connection', 'close');
    this.writeHead(status, undefined, [...fields, ...content]);
    this.end(this.req.method === 'HEAD' ? undefined : bytes);
    drainRequest(this.req);
  }

  /** Ends a call, and its connection, because its request is broken or was too slow. */
  abandon(id: FailureId): undefined {
    this.sent?.cancel();
    // What follows on this connection cannot be told from the rest of the broken request.
    this.res.shouldKeepAlive = false;
    this.fail(id);
  }

  /** Answers with one of the proxy's own failures; where the answer has begun, breaks the connection instead of cutting it short silently. */
  fail(id: FailureId, cause?: Error): undefined {
    const failure: Failure = failures[id];
    this.code = failure.code;
    if (cause !== undefined) this.context.recorder.failure(this, failure, cause);
    if (this.gone) return;
    if (this.res.headersSent) return void breakConnection(this.res);
    const retry = failure.retryAfter === undefined ? [] : ['Retry-After', String(failure.retryAfter)];
    this.answer({ status: failure.status, body: errorBody(failure.text.replaceAll('v2', this.version), failure.code), fields: retry });
  }

  #closed(): void {
    if (!this.res.writableFinished) {
      // A client that left before it got an answer, or before it got the whole of v2's.
      if (this.version === 'v2' && (!this.res.headersSent || this.outcome === 'translated')) this.outcome = 'failed';
      this.sent?.cancel();
    }
    this.#end();
  }

  /** Ends a call whose connection has switched to another protocol: what follows on it is no answer of this call. */
  switched(socket: Socket): void {
    this.res.detachSocket(socket);
    // For the record; without a socket, nothing is sent.
    this.res.writeHead(101);
    if (this.version === 'v2') this.outcome = 'translated';
    this.#end();
  }

  #end(): void {
    this.sent = undefined;
    this.context.recorder.record(this);
    this.context.rollout?.stages.answered(this);
    this.context.underWay.end();
  }
}

// RFC 9112 §4, without the empty one.
const reasonPhrase = /^[\t\x20-\x7e\x80-\xff]+$/;

const ignore = (): void => undefined;

/**
 * Ends a connection so that the client sees that the answer is not whole: a plain close would look like the end of a body without a length.
 */
export function breakConnection(res: ServerResponse): void {
  // Behind an earlier answer of its connection nothing of this one was sent, and Node would never end that connection.
  if (res.socket === null) {
    res.once('socket', (socket: Socket) => socket.destroySoon());
    return;
  }
  const { socket } = res;
  // resetAndDestroy sends RST; a TLS socket cannot, but its close without close_notify is an error to the client as well. While the end of
  // our side is on its way, the system refuses a reset (EINVAL), and the socket would stay open for ever.
  if (socket !== null && 'resetAndDestroy' in socket && !('encrypted' in socket) && !socket.writableEnded) socket.resetAndDestroy();
  else res.destroy();
}
