/** From v2's answer to v1's: a success is streamed as it is, an error is translated, a mapped body is read and written anew. */
import { Collector } from './body.ts';
import { type BodyText, readText } from './content.ts';
import type { Call } from './call.ts';
import { completeConflict } from './conflict.ts';
import { parseJson, readV2Error } from './errors/read.ts';
import { translateError } from './errors/translate.ts';
import { withoutKeys } from './errors/without-keys.ts';
import { type FailureId, failures } from './failures.ts';
import { MappingError } from './mappings/error.ts';
import {
  type ResponseHead,
  fieldValue,
  isWellFramed,
  readResponseHead,
  relocate,
  withoutRepresentation,
  withoutKey,
} from './response-head.ts';
import { reveals } from './revealing.ts';
import type { Refusal } from './budget/purpose.ts';
import type { PaidReceiver } from './budget/spending.ts';
import { refuse } from './v1-rules.ts';
import { StreamRelay } from './stream-relay.ts';
import type { Translation } from './translation.ts';

const noHead: ResponseHead = readResponseHead([]);

const notInCharset = 'what v2 answered is not in UTF-8, nor in the charset that it names';

type Mode = 'waiting' | 'stream' | 'error' | 'map';

export class Relay extends StreamRelay implements PaidReceiver {
  readonly #translation: Translation;
  #mode: Mode = 'waiting';
  #status = 0;
  #statusText = '';
  #head: ResponseHead | undefined;
  #collector: Collector | undefined;

  constructor(call: Call, translation: Translation) {
    super(call);
    this.#translation = translation;
  }

  protected interimFields(fields: readonly string[]): string[] {
    return this.#forwarded(readResponseHead(fields).forward);
  }

  onHead(status: number, statusText: string, fields: readonly string[]): void {
    const head = readResponseHead(fields);
    this.#status = status;
    this.#statusText = statusText;
    this.#head = head;
    this.call.outcome = 'translated';
    if (!isWellFramed(head)) this.fail('invalidAnswer');
    else if (status >= 400) this.#mode = 'error';
    else if (status >= 300 && status !== 304) this.fail('redirect');
    else if (!this.#isJson(head)) {
      // What was only read may be read again. What v2 says that it has carried out (RFC 9110 §15.3) it has, in whatever words.
      if (this.#onlyReads()) this.fail('invalidAnswer');
      else this.#mode = 'map';
    } else if (this.#translation.mapping?.responseBody !== undefined && this.#hasContent()) this.#mode = 'map';
    else this.#stream(statusText, head);
  }

  onData(chunk: Buffer): void {
    if (this.#mode === 'stream') return this.pass(chunk);
    this.#collector ??= new Collector(this.call.context.options.maxBody);
    if (this.#collector.add(chunk)) return;
    // Too long to be an error that says anything, or to be mapped.
    this.call.sent?.cancel();
    this.onFailure('answerTooLarge');
  }

  onEnd(): void {
    if (this.#mode === 'stream') this.end();
    else if (this.#mode === 'error') this.#settle(this.#read().then((read) => this.#translate('text' in read ? read.text : undefined)));
    else if (this.#mode === 'map') this.#settle(this.#map());
  }

  onFailure(failure: FailureId, cause?: Error): void {
    // v2 has said that it failed and how; that the rest of the explanation is lost changes nothing.
    if (this.#mode === 'error') this.#settle(this.#translate(undefined));
    else if (this.#mode === 'map') this.#unread(failure, cause);
    else this.fail(failure, cause);
  }

  /** The budget has no place for the call: v1's answer to a key that has called too often, before v2 could say the same. */
  onRefused({ retryAfter }: Refusal): void {
    const { call } = this;
    call.code = failures.hourUsedUp.code;
    call.answer({ ...refuse('rateLimited', call.context.assumptions), fields: ['Retry-After', String(retryAfter)] });
  }

  #isJson(head: ResponseHead): boolean {
    return head.contentType === undefined || !this.#hasContent() || /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(head.contentType);
  }

  #onlyReads(): boolean {
    return this.#translation.route.endpoint.access === 'read';
  }

  #hasContent(): boolean {
    return this.call.req.method !== 'HEAD' && this.#status !== 204 && this.#status !== 304 && this.#head?.contentLength !== '0';
  }

  #stream(statusText: string, head: ResponseHead): void {
    this.#mode = 'stream';
    const { forward, hasLocation } = head;
    const fields = this.#forwarded(hasLocation ? relocate(forward, this.call.context.options.v2Base, this.call.mount) : forward);
    // The answer to a HEAD has only the length of the answer to the GET (RFC 9110 §8.6), which a mapping would make.
    const hasLength = this.call.req.method !== 'HEAD' || this.#translation.mapping?.responseBody === undefined;
    this.start(this.#status, this.#mustHide(statusText) ? undefined : statusText, head, fields, hasLength);
  }

  #forwarded(fields: string[]): string[] {
    return this.forwarded(this.#withoutV2Key(fields));
  }

  #withoutV2Key(fields: string[]): string[] {
    const { v1Key, v2Key } = this.#translation;
    return v1Key === v2Key ? fields : withoutKey(fields, v2Key);
  }

  /** With a key map, the client must not learn the v2 key. */
  #mustHide(text: string): boolean {
    const { v1Key, v2Key } = this.#translation;
    return v1Key !== v2Key && reveals(text, v2Key);
  }

  #read(): Promise<BodyText> {
    return readText(this.#bytes(), this.#head ?? noHead, this.call.context.options.maxBody);
  }

  #bytes(): Buffer {
    return this.#collector?.bytes() ?? Buffer.alloc(0);
  }

  async #translate(text: string | undefined): Promise<void> {
    const { call } = this;
    const { route, v1Key, v2Key } = this.#translation;
    const head = this.#head;
    const error = withoutKeys(readV2Error(text, head?.contentType), v1Key, v2Key);
    const answer = translateError({
      status: this.#status,
      error,
      endpoint: route.endpoint,
      field: (name) => fieldValue(head?.forward ?? [], name),
      assumptions: this.call.context.assumptions,
      now: this.call.context.options.now(),
    });
    const body =
      answer.status === 409
        ? await completeConflict(call, this.#translation, answer.body, { error, fields: head?.forward ?? [] })
        : answer.body;
    const fields = withoutRepresentation(head?.forward ?? []);
    if (answer.retryAfter !== undefined) fields.push('Retry-After', answer.retryAfter);
    // What the body of the answer to the GET would be is not known here.
    const known = call.req.method === 'HEAD' ? undefined : body;
    call.answer({ status: answer.status, body: known, fields: this.#forwarded(fields) });
  }

  async #map(): Promise<void> {
    const { mapping, route } = this.#translation;
    const read = await this.#read();
    if ('unreadable' in read && read.unreadable === 'coding') return this.#unread('invalidAnswer');
    if (!this.#isJson(this.#head ?? noHead) && !isObject(read)) return this.#unread('invalidAnswer');
    try {
      if ('unreadable' in read) throw new MappingError('MAPPING_INPUT', { endpoint: route.id, place: 'response.body' }, notInCharset);
      const mapped = read.text === '' ? '' : await mapping?.responseBody?.(read.text);
      this.#answerAnew(mapped ?? read.text);
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      // v2 has acted; a failure here would make the client send again. v2's own answer is the lesser surprise.
      this.call.context.recorder.mappingFailed(this.call, error);
      this.#relayAsItCame();
    }
  }

  #relayAsItCame(): void {
    this.#stream(this.#statusText, this.#head ?? noHead);
    this.pass(this.#bytes());
    this.end();
  }

  /**
   * v2 said that it has done what it was asked, and how it said so cannot be read or mapped. A failure would make the client send again, and
   * v2's bytes would fail in its parser; that it succeeded is all that is known, and so all that is said. Of a read nothing was done.
   */
  #unread(failure: FailureId, cause = new Error(failure)): void {
    if (this.#onlyReads()) return this.fail(failure, cause);
    this.call.context.recorder.answerUnread(this.call, failures[failure], cause);
    this.#answerAnew({ success: true });
  }

  /** v2's status and fields with another body. */
  #answerAnew(body: object | string): void {
    this.call.answer({ status: this.#status, body, fields: this.#forwarded(withoutRepresentation(this.#head?.forward ?? [])) });
  }

  #settle(work: Promise<void>): void {
    work.catch((error: Error) => this.fail('internal', error));
  }
}

/** Whether a body is what v1 answers with, whatever its type says: an object in JSON. */
function isObject(read: BodyText): boolean {
  return 'text' in read && /^\s*\{/.test(read.text) && parseJson(read.text) !== undefined;
}
