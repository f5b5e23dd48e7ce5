/** From v2's answer to v1's: a success is streamed as it is, an error is translated, a mapped body is read and written anew. */
import { stringify } from 'lossless-json';
import { STATUS_CODES } from 'node:http';
import { Collector } from './body.ts';
import { type BodyText, readText } from './content.ts';
import type { Call, Sending } from './call.ts';
import type { Context } from './context.ts';
import { completeConflict } from './conflict.ts';
import { type V2Error, readV2Error } from './errors/read.ts';
import { translateError } from './errors/translate.ts';
import { type FailureId, failures } from './failures.ts';
import { linger } from './linger.ts';
import { without } from './head.ts';
import { MappingError } from './mappings/error.ts';
import { type ResponseHead, fieldValue, readResponseHead, relocate, withoutRepresentation, withoutValue } from './response-head.ts';
import type { Receiver, Sent } from './upstream.ts';
import { viaName } from './fields.ts';

/** Bodies up to this many bytes leave in one write with their head. */
const oneWrite = 16 * 1024;

const lengthField = new Set(['content-length']);

const noHead: ResponseHead = readResponseHead([]);

const notInCharset = 'what v2 answered is not in UTF-8, nor in the charset that it names';

type Mode = 'waiting' | 'stream' | 'error' | 'map';

export class Relay implements Receiver {
  readonly #sending: Sending;
  readonly #call: Call;
  readonly #context: Context;
  #mode: Mode = 'waiting';
  #status = 0;
  #statusText = '';
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
    this.#statusText = statusText;
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
    else if (this.#mode === 'error') this.#settle(this.#read().then((read) => this.#translate('text' in read ? read.text : undefined)));
    else if (this.#mode === 'map') this.#settle(this.#map());
  }

  onFailure(failure: FailureId, cause?: Error): void {
    // v2 has said that it failed and how; that the rest of the explanation is lost changes nothing.
    if (this.#mode === 'error') this.#settle(this.#translate(undefined));
    else if (this.#mode === 'map') this.#unread(failure, cause);
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

  #read(): Promise<BodyText> {
    return readText(this.#bytes(), this.#head ?? noHead, this.#context.options.maxBody);
  }

  #bytes(): Buffer {
    return this.#collector?.bytes() ?? Buffer.alloc(0);
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
    const body =
      answer.status === 409
        ? await completeConflict(answer.body, { error, fields: head?.forward ?? [] }, this.#sending, this.#context)
        : answer.body;
    const fields = withoutRepresentation(head?.forward ?? []);
    if (answer.retryAfter !== undefined) fields.push('Retry-After', answer.retryAfter);
    // What the body of the answer to the GET would be is not known here.
    call.answer(answer.status, call.req.method === 'HEAD' ? undefined : body, this.#forwarded(fields));
  }

  async #map(): Promise<void> {
    const { call, mapping, route } = this.#sending;
    const read = await this.#read();
    if ('unreadable' in read && read.unreadable === 'coding') return this.#unread('invalidAnswer');
    try {
      if ('unreadable' in read) throw new MappingError('MAPPING_INPUT', { endpoint: route.id, place: 'response.body' }, notInCharset);
      const mapped = read.text === '' ? '' : await mapping?.responseBody?.(read.text);
      call.answer(this.#status, mapped ?? read.text, this.#forwarded(withoutRepresentation(this.#head?.forward ?? [])));
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      // v2 has acted; a failure here would make the client send again. v2's own answer is the lesser surprise.
      this.#context.recorder.mappingFailed(call, error);
      this.#relayAsItCame();
    }
  }

  #relayAsItCame(): void {
    this.#stream(this.#statusText, this.#head ?? noHead);
    this.#pass(this.#bytes());
    this.#endStream();
  }

  /**
   * v2 said that it has done what it was asked, and how it said so cannot be read or mapped. A failure would make the client send again, and
   * v2's bytes would fail in its parser; that it succeeded is all that is known, and so all that is said. Of a read nothing was done.
   */
  #unread(failure: FailureId, cause = new Error(failure)): void {
    const { call, route } = this.#sending;
    if (route.endpoint.access === 'read') return this.#fail(failure, cause);
    this.#context.recorder.answerUnread(call, failures[failure], cause);
    call.answer(this.#status, { success: true }, this.#forwarded(withoutRepresentation(this.#head?.forward ?? [])));
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
