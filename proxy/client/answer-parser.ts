/**
 * Reads answers of HTTP/1.1 from the bytes of a connection, one at a time (RFC 9112). What can be read in more than one way is refused:
 * another reader, before or behind this one, could find another end, and take for an answer what is part of this one.
 */
import { errors } from '../undici.ts';

/** What is told of an answer, in this order: interim heads, a head, data, the end. */
export interface AnswerEvents {
  /** @param fields names and values in turn; each character is a byte */
  onHead(status: number, statusText: string, fields: readonly string[]): void;
  onData(chunk: Buffer): void;
  onEnd(): void;
}

/** Bytes of all names and values of a head, or of a trailer section; and of all that is kept of what has no end yet. */
const maxFields = 16 * 1024;
const maxPending = 32 * 1024;

// RFC 9112 §§4, 5: no line but of CR LF, none that goes on in the next one, no space before a colon. Status texts may hold anything.
const headShape = /^HTTP\/1\.[01] \d{3}(?: [^\r\n]*)?(?:\r\n[!#$%&'*+\-.^_`|~\dA-Za-z]+:[\t\x20-\x7e\x80-\xff]*)*$/;
const httpName = 'HTTP/1.';
const trailerShape = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+:[\t\x20-\x7e\x80-\xff]*$/;
// RFC 9112 §7.1.1: a reader that knows quoted texts may take what seems to end within one for longer than the line.
const chunkShape =
  /^([\da-f]+)(?:;[\t ]*[!#$%&'*+\-.^_`|~\da-z]+(?:[\t ]*=[\t ]*(?:[!#$%&'*+\-.^_`|~\da-z]+|"(?:[\t\x20!\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*"))?)*$/i;

type Part = 'nothing' | 'head' | 'length' | 'rest' | 'chunk size' | 'chunk' | 'end of chunk' | 'trailers';

const none = Buffer.alloc(0);

export class AnswerParser {
  readonly #events: AnswerEvents;
  #part: Part = 'nothing';
  #method = '';
  /** Of a head that is not whole yet. */
  #head: Buffer | undefined;
  /** Of a line that is not whole yet. */
  #line = '';
  /** Bytes of the body, or of the chunk, that are still to come. */
  #left = 0;
  #trailers = 0;
  #framing = new Framing();

  constructor(events: AnswerEvents) {
    this.#events = events;
  }

  /** Whether the connection can bear another call after the answer. */
  get keepsAlive(): boolean {
    return this.#framing.keepsAlive;
  }

  /** Whether an answer is expected, or not at its end yet. */
  get isReading(): boolean {
    return this.#part !== 'nothing';
  }

  /** For how long v2 says that it keeps the connection, in milliseconds. */
  get keepsFor(): number | undefined {
    const [, seconds] = /timeout=(\d+)/.exec(this.#framing.keepAlive) ?? [];
    return seconds === undefined ? undefined : Number(seconds) * 1_000;
  }

  /** An answer to a request of this method is to come. */
  expect(method: string): void {
    this.#method = method;
    this.#part = 'head';
    this.#head = undefined;
  }

  /** Reads no more. */
  stop(): void {
    this.#part = 'nothing';
  }

  /**
   * Reads what came.
   * @throws where it is no answer
   */
  read(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0 && this.isReading) rest = this.#take(rest);
    // What follows an answer belongs to none: the connection is out of step.
    if (rest.length > 0) this.#framing.keepsAlive = false;
  }

  /** The connection has ended: for a body without a length that is its end. @returns whether it is */
  close(): boolean {
    if (this.#part !== 'rest') return false;
    this.#end();
    return true;
  }

  /** @returns what follows what was read */
  #take(bytes: Buffer): Buffer {
    switch (this.#part) {
      case 'head':
        return this.#takeHead(bytes);
      case 'length':
      case 'chunk':
        return this.#takeData(bytes);
      case 'rest':
        this.#events.onData(bytes);
        return none;
      default:
        return this.#takeLine(bytes);
    }
  }

  #takeHead(bytes: Buffer): Buffer {
    const all = this.#head === undefined ? bytes : Buffer.concat([this.#head, bytes]);
    const end = all.indexOf('\r\n\r\n', 0, 'latin1');
    if (end > maxPending || (end < 0 && all.length > maxPending)) throw new errors.HeadersOverflowError();
    this.#head = end < 0 ? all : undefined;
    if (end < 0) {
      if (all.length - bytes.length < httpName.length || bytes.includes(10)) checkBegun(all.toString('latin1'));
      return none;
    }
    this.#readHead(all.toString('latin1', 0, end));
    return all.subarray(end + 4);
  }

  #readHead(text: string): void {
    if (!headShape.test(text)) throw notHttp('A head that is not of HTTP/1.1');
    const statusEnd = text.indexOf('\r\n');
    const status = Number(text.slice(9, 12));
    const statusText = text.slice(13, statusEnd < 0 ? text.length : statusEnd);
    const framing = new Framing();
    const fields = statusEnd < 0 ? [] : readFields(text, statusEnd + 2, framing);
    const isOld = text.charAt(7) === '0';
    this.#framing = framing;
    if (status < 200) {
      if (isOld) throw notHttp('An interim answer of HTTP/1.0, which has none');
      return this.#events.onHead(status, statusText, fields);
    }
    framing.decide(isOld);
    this.#part = this.#partAfter(status, framing);
    this.#events.onHead(status, statusText, fields);
    if (this.#part === 'length' && this.#left === 0) this.#end();
  }

  /** RFC 9112 §6.3. */
  #partAfter(status: number, framing: Framing): Part {
    this.#left = 0;
    if (this.#method === 'HEAD' || status === 204 || status === 304) {
      // It may be sent all the same, and is nobody's answer then.
      if (this.#method !== 'HEAD' && (framing.isChunked || (framing.length ?? 0) > 0)) framing.keepsAlive = false;
      return 'length';
    }
    if (framing.isChunked) return 'chunk size';
    this.#left = framing.length ?? 0;
    if (framing.length !== undefined) return 'length';
    framing.keepsAlive = false;
    return 'rest';
  }

  #takeData(bytes: Buffer): Buffer {
    const isLast = bytes.length >= this.#left;
    const data = isLast ? bytes.subarray(0, this.#left) : bytes;
    const rest = isLast ? bytes.subarray(this.#left) : none;
    this.#left -= data.length;
    this.#events.onData(data);
    // Whoever was told may have given the answer up.
    if (this.#left > 0 || !this.isReading) return rest;
    if (this.#part === 'length') this.#end();
    else this.#part = 'end of chunk';
    return rest;
  }

  #takeLine(bytes: Buffer): Buffer {
    const end = bytes.indexOf(10);
    this.#line += bytes.toString('latin1', 0, end < 0 ? bytes.length : end);
    if (this.#line.length > maxFields) throw new errors.HeadersOverflowError();
    if (end < 0) return none;
    const line = this.#line;
    this.#line = '';
    if (!line.endsWith('\r')) throw notHttp('A line that does not end in CR LF');
    this.#readLine(line.slice(0, -1));
    return bytes.subarray(end + 1);
  }

  #readLine(line: string): void {
    if (this.#part === 'end of chunk') {
      if (line !== '') throw notHttp('A chunk longer than its size');
      this.#part = 'chunk size';
    } else if (this.#part === 'chunk size') {
      const size = Number.parseInt(chunkShape.exec(line)?.[1] ?? '', 16);
      if (!Number.isSafeInteger(size)) throw notHttp('A chunk without a size');
      this.#left = size;
      this.#trailers = 0;
      this.#part = size === 0 ? 'trailers' : 'chunk';
    } else if (line === '') this.#end();
    else {
      if (!trailerShape.test(line)) throw notHttp('A trailer that is no field');
      if ((this.#trailers += line.length) > maxFields) throw new errors.HeadersOverflowError();
    }
  }

  #end(): void {
    this.#part = 'nothing';
    this.#events.onEnd();
  }
}

/** What the head of an answer says of its end, and of its connection. */
class Framing {
  /** Undefined without a Content-Length. */
  length: number | undefined;
  coding: string | undefined;
  connection = '';
  keepAlive = '';
  keepsAlive = false;

  get isChunked(): boolean {
    return this.coding !== undefined;
  }

  /** Takes note of one field. Its length first: most are none of these. */
  note(name: string, value: string): void {
    if (name.length === 10) {
      const lower = name.toLowerCase();
      if (lower === 'connection') this.connection += `,${value.toLowerCase()}`;
      else if (lower === 'keep-alive') this.keepAlive += `,${value}`;
    } else if (name.length === 14 && name.toLowerCase() === 'content-length') {
      // One in two fields, or in a list, is what two readers take for two lengths.
      if (this.length !== undefined || !/^\d+$/.test(value) || !Number.isSafeInteger(Number(value))) throw notHttp('No length');
      this.length = Number(value);
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding')
      this.coding = this.coding === undefined ? value.toLowerCase() : `${this.coding}, ${value.toLowerCase()}`;
  }

  /** @param isOld whether the answer is of HTTP/1.0, which has no transfer codings and closes its connections (RFC 9112 §§6.1, 9.3) */
  decide(isOld: boolean): void {
    if (this.coding !== undefined && (isOld || this.length !== undefined || this.coding !== 'chunked'))
      throw notHttp('A transfer coding that leaves its end in doubt');
    const options = this.connection === '' ? [] : this.connection.split(',').map((option) => option.trim());
    this.keepsAlive = !options.includes('close') && (!isOld || options.includes('keep-alive'));
  }
}

/** Whoever speaks another protocol may wait for an answer, and say no more: it is refused as soon as it shows. */
function checkBegun(text: string): void {
  const lines = text.lastIndexOf('\r\n');
  const isHttp = lines < 0 ? httpName.startsWith(text.slice(0, httpName.length)) : headShape.test(text.slice(0, lines));
  // A line that ends in LF alone.
  if (!isHttp || text.includes('\n', lines + 2)) throw notHttp('What begins like no answer of HTTP/1.1');
}

/** Reads the lines of a head that has been found to be well formed. */
function readFields(text: string, start: number, framing: Framing): string[] {
  const fields: string[] = [];
  let size = 0;
  for (let at = start; at < text.length;) {
    const colon = text.indexOf(':', at);
    const lineEnd = text.indexOf('\r\n', colon);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const [name, value] = [text.slice(at, colon), trimmed(text, colon + 1, end)];
    if ((size += name.length + value.length) >= maxFields) throw new errors.HeadersOverflowError();
    fields.push(name, value);
    framing.note(name, value);
    at = end + 2;
  }
  return fields;
}

/** Without the spaces and tabs around it (RFC 9110 §5.5); String's own would take other bytes, too. */
function trimmed(text: string, start: number, end: number): string {
  let [from, to] = [start, end];
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

const isSpace = (code: number): boolean => code === 32 || code === 9;

function notHttp(message: string): Error {
  return new errors.HTTPParserError(message);
}
