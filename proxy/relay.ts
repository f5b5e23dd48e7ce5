/** From v2's answer to v1's: a success is streamed as it is, an error is translated, a mapped body is read and written anew. */
import { stringify } from 'lossless-json';
import { STATUS_CODES } from 'node:http';
import { Collector, decodeBody } from './body.ts';
import type { Call, Sending } from './call.ts';
import type { Context } from './context.ts';
import { completeConflict } from './conflict.ts';
import { type V2Error, readV2Error } from './errors/read.ts';
import { translateError } from './errors/translate.ts';
import type { FailureId } from './failures.ts';
import { linger } from './linger.ts';
import { without } from './head.ts';
import { MappingError } from './mappings/error.ts';
import { type ResponseHead, fieldValue, readResponseHead, relocate, withoutRepresentation, withoutValue } from './response-head.ts';
import type { Receiver, Sent } from './upstream.ts';
import { viaName } from './fields.ts';

/** Bodies up to this many bytes leave in one write with their head. */
const oneWrite = 16 * 1024;

const lengthField = new Set(['content-length']);

type Mode = 'waiting' | 'stream' | 'error' | 'map';

export class Relay implements Receiver {
  readonly #sending: Sending;
  readonly #call: Call;
  readonly #context: Context;
  #mode: Mode = 'waiting';
  #status = 0;
  #head: ResponseHead | undefined;
  /** Length of a body that is short enough to leave in one write. */
  #expected = -1;
  #collector: Collector | undefined;

  constructor(sending: Sending, context: Context) {
    this.#sending = sending;
    this.#call = sending.call;
    this.#context = context;
  }

  /** Ties the relay to the call it sent: a client that leaves ends the call to v2, and a slow one slows it. */
  follow(sent: Sent): void {
    this.#call.sent = sent;
    if (this.#call.gone) sent.cancel();
  }

  onSending(): void {
    this.#call.v2Calls++;
  }

  // All of them are forwarded, but never to a client of HTTP/1.0 (RFC 9110 §15.2). Written here, because Node's own methods know only
  // two and throw at a Link they cannot read, which would fail a call that v2 is about to answer.
  onInterim(status: number, fields: readonly Buffer[]): void {
    const { req, res } = this.#call;
    if (req.httpVersion === '1.0' || this.#call.gone) return;
    const forward = this.#withoutV2Key(readResponseHead(fields).forward);
    const lines = forward.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
    res.socket?.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n`, 'latin1');
  }

  onHead(status: number, statusText: string, fields: readonly Buffer[]): void {
    const head = readResponseHead(fields);
    this.#status = status;
    this.#head = head;
    this.#call.outcome = 'translated';
    if (status >= 400) this.#mode = 'error';
    else if (status >= 300 && status !== 304) this.#fail('redirect');
    else if (!this.#isJson(head)) this.#fail('invalidAnswer');
    else if (this.#sending.mapping?.responseBody !== undefined && this.#hasContent()) this.#mode = 'map';
    else this.#stream(statusText, head);
  }

  onData(chunk: Buffer): void {
    if (this.#mode === 'stream') return this.#pass(chunk);
    this.#collector ??= new Collector(this.#context.options.maxBody);
    if (this.#collector.add(chunk)) return;
    // Too long to be an error that says anything, or to be mapped.
    this.#call.sent?.cancel();
    this.onFailure('answerTooLarge');
  }

  onEnd(): void {
    if (this.#mode === 'stream') this.#endStream();
    else if (this.#mode === 'error') this.#settle(this.#decoded().then((text) => this.#translate(text)));
    else if (this.#mode === 'map') this.#settle(this.#map());
  }

  onFailure(failure: FailureId, cause?: Error): void {
    // v2 has said that it failed and how; that the rest of the explanation is lost changes nothing.
    if (this.#mode === 'error') this.#settle(this.#translate(undefined));
    else this.#fail(failure, cause);
  }

  #pass(chunk: Buffer): void {
    const { res } = this.#call;
    // The whole body at once, as nearly always: as a string it leaves in one write with the head, which halves what the answer costs.
    if (chunk.length === this.#expected) res.end(chunk.toString('latin1'), 'latin1');
    else if (!res.write(chunk)) this.#waitForDrain();
  }

  #endStream(): void {
    if (!this.#call.res.writableEnded) this.#call.res.end();
    // v2 may answer before it has the whole request.
    linger(this.#call.req);
  }

  #waitForDrain(): void {
    const { res, sent } = this.#call;
    sent?.pause();
    res.once('drain', () => sent?.resume());
  }

  #isJson(head: ResponseHead): boolean {
    return head.contentType === undefined || !this.#hasContent() || /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(head.contentType);
  }

  #hasContent(): boolean {
    return this.#call.req.method !== 'HEAD' && this.#status !== 204 && this.#status !== 304 && this.#head?.contentLength !== '0';
  }

  /** RFC 9110 §8.6: a 204 has none, and the answer to a HEAD has only that of the answer to the GET, which a mapping would make. */
  #hasLength(): boolean {
    return this.#status !== 204 && (this.#call.req.method !== 'HEAD' || this.#sending.mapping?.responseBody === undefined);
  }

  #stream(statusText: string, head: ResponseHead): void {
    this.#mode = 'stream';
    const fields = this.#hasLength() ? head.forward : without(head.forward, lengthField);
    this.#call.writeHead(
      this.#status,
      this.#mustHide(statusText) ? undefined : statusText,
      this.#forwarded(head.hasLocation ? relocate(fields, this.#context.options.v2Base, this.#call.mount) : fields),
    );
    const length = Number(head.contentLength);
    if (length <= oneWrite) {
      this.#expected = length;
      return;
    }
    // Node holds the head back until the first byte of the body; where that can take its time, the client gets the head alone.
    process.nextTick(() => {
      // Not flushHeaders(), which writes the bytes of v2's fields as if they were UTF-8.
      if (!this.#call.gone && !this.#call.res.writableEnded) this.#call.res.write('', 'latin1');
    });
  }

  #forwarded(fields: string[]): string[] {
    const forwarded = this.#withoutV2Key(fields);
    forwarded.push('Via', `1.1 ${viaName}`);
    return forwarded;
  }

  #withoutV2Key(fields: string[]): string[] {
    const { v1Key, v2Key } = this.#sending;
    return v1Key === v2Key ? fields : withoutValue(fields, v2Key);
  }

  /** With a key map, the client must not learn the v2 key. */
  #mustHide(text: string): boolean {
    const { v1Key, v2Key } = this.#sending;
    return v1Key !== v2Key && text.includes(v2Key);
  }

  #fail(failure: FailureId, cause = new Error(failure)): void {
    this.#call.sent?.cancel();
    this.#call.outcome = 'failed';
    this.#call.fail(failure, cause);
  }

  #decoded(): Promise<string | undefined> {
    return decodeBody(this.#collector?.bytes() ?? Buffer.alloc(0), this.#head?.contentEncoding, this.#context.options.maxBody);
  }

  async #translate(text: string | undefined): Promise<void> {
    const { call, route, v1Key, v2Key } = this.#sending;
    const head = this.#head;
    const error = withoutKeys(readV2Error(text, head?.contentType), v1Key, v2Key);
    const answer = translateError({
      status: this.#status,
      error,
      endpointId: route.id,
      access: route.endpoint.access,
      method: route.endpoint.method,
      field: (name) => fieldValue(head?.forward ?? [], name),
      assumptions: this.#context.assumptions,
      now: this.#context.options.now(),
    });
    const body = answer.status === 409 ? await completeConflict(answer.body, error, this.#sending, this.#context) : answer.body;
    const fields = withoutRepresentation(head?.forward ?? []);
    if (answer.retryAfter !== undefined) fields.push('Retry-After', answer.retryAfter);
    // What the body of the answer to the GET would be is not known here.
    call.answer(answer.status, call.req.method === 'HEAD' ? undefined : body, this.#forwarded(fields));
  }

  async #map(): Promise<void> {
    const { call, mapping } = this.#sending;
    const head = this.#head;
    const text = await this.#decoded();
    const fields = this.#forwarded(withoutRepresentation(head?.forward ?? []));
    if (text === undefined) return this.#fail('invalidAnswer');
    const mapped = text === '' ? text : await mapping?.responseBody?.(text).catch((error: unknown) => this.#unmapped(text, error));
    call.answer(this.#status, mapped ?? text, fields);
  }

  /** v2 has acted; a failure here would make the client send again. v2's own body is the lesser surprise. */
  #unmapped(text: string, error: unknown): string {
    if (!(error instanceof MappingError)) throw error;
    this.#context.recorder.mappingFailed(this.#call, error);
    return text;
  }

  #settle(work: Promise<void>): void {
    work.catch((error: Error) => this.#fail('internal', error));
  }
}

/** What v2's error says as far as it quotes no key: messages end up in logs, and with a key map the client must not learn the v2 key. */
function withoutKeys(error: V2Error, v1Key: string, v2Key: string): V2Error {
  const { message, code, json } = error;
  const quotes = (text: string | undefined): boolean => text !== undefined && (text.includes(v1Key) || text.includes(v2Key));
  const isMapped = v1Key !== v2Key && stringify(json)?.includes(JSON.stringify(v2Key).slice(1, -1)) === true;
  if (!quotes(message) && !quotes(code) && !isMapped) return error;
  return {
    ...(message === undefined || quotes(message) ? {} : { message }),
    ...(code === undefined || quotes(code) ? {} : { code }),
    ...(json === undefined || isMapped ? {} : { json }),
  };
}
