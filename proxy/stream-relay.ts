/** What every relay of an answer does alike, translated or not: ties the call to v2 to the client, and streams a body as it comes. */
import { STATUS_CODES } from 'node:http';
import type { Call } from './call.ts';
import type { FailureId } from './failures.ts';
import { viaName } from '../src/usage/via-name.ts';
import { without } from './head.ts';
import { drainRequest } from './drain-request.ts';
import type { ResponseHead } from './response-head.ts';
import type { Receiver, Sent } from './upstream.ts';

/** Bodies up to this many bytes leave in one write with their head. */
const oneWrite = 16 * 1024;

const lengthField = new Set(['content-length']);

export abstract class StreamRelay implements Receiver {
  protected readonly call: Call;
  /** Length of a body that is short enough to leave in one write. */
  #expected = -1;

  constructor(call: Call) {
    this.call = call;
  }

  abstract onHead(status: number, statusText: string, fields: readonly string[]): void;
  abstract onData(chunk: Buffer): void;
  abstract onEnd(): void;
  abstract onFailure(failure: FailureId, cause?: Error): void;
  /** The fields of an interim answer as they go on; names and values in turn. */
  protected abstract interimFields(fields: readonly string[]): string[];

  /** Ties the relay to the call it sent: a client that leaves ends the call to v2, and a slow one slows it. */
  follow(sent: Sent): void {
    this.call.sent = sent;
    if (this.call.gone) sent.cancel();
  }

  onSending(): void {
    this.call.reached = true;
    if (this.call.version === 'v2') this.call.v2Calls++;
  }

  // All of them are forwarded, but never to a client of HTTP/1.0 (RFC 9110 §15.2). Written here, because Node's own methods know only
  // two and throw at a Link they cannot read, which would fail a call that v2 is about to answer.
  onInterim(status: number, fields: readonly string[]): void {
    const { req, res } = this.call;
    if (req.httpVersion === '1.0' || this.call.gone) return;
    const lines = this.interimFields(fields).map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`));
    res.socket?.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`, 'latin1');
  }

  /**
   * Sends the head of an answer whose body follows as it comes.
   * @param fields the fields of the head as they go on, names and values in turn
   * @param hasLength whether its Content-Length holds for the body that the client gets; never that of a 204, which has none (RFC 9110 §8.6)
   */
  protected start(status: number, statusText: string | undefined, head: ResponseHead, fields: string[], hasLength = true): void {
    this.call.writeHead(status, statusText, hasLength && status !== 204 ? fields : without(fields, lengthField));
    const length = Number(head.contentLength);
    // A client that has still to send may wait for the head.
    if (length <= oneWrite && this.call.req.complete) {
      this.#expected = length;
      return;
    }
    // Node holds the head back until the first byte of the body; where that can take its time, the client gets the head alone.
    process.nextTick(() => {
      // Not flushHeaders(), which writes the bytes of v2's fields as if they were UTF-8.
      if (!this.call.gone && !this.call.res.writableEnded) this.call.res.write('', 'latin1');
    });
  }

  protected pass(chunk: Buffer): void {
    const { res, sent } = this.call;
    // The whole body at once, as nearly always: as a string it leaves in one write with the head, which halves what the answer costs.
    if (chunk.length === this.#expected) this.call.end(chunk.toString('latin1'));
    else if (!res.write(chunk)) {
      sent?.pause();
      res.once('drain', () => sent?.resume());
    }
  }

  protected end(): void {
    if (!this.call.res.writableEnded) this.call.end();
    // v2 may answer before it has the whole request.
    drainRequest(this.call.req);
  }

  /** The fields with our name among those of the proxies on the way (RFC 9110 §7.6.3). */
  protected forwarded(fields: string[]): string[] {
    fields.push('Via', `1.1 ${viaName}`);
    return fields;
  }

  protected fail(failure: FailureId, cause: Error = new Error(failure)): void {
    this.call.sent?.cancel();
    this.call.outcome = 'failed';
    this.call.fail(failure, cause);
  }
}
