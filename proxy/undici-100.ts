/**
 * Lets undici take a `100 Continue` that it did not ask for, as RFC 9110 §15.2 demands of a client. undici takes every other interim
 * answer, but breaks the connection at a 100 (lib/dispatcher/client-h1.js, onHeadersComplete): a call that v2 carried out would fail.
 *
 * So the status of a 100 is changed on its way from the socket to undici, to one that undici hands on. No byte is added, removed or held
 * back: undici's parser alone decides what is valid HTTP, how long a head may be (16 KiB), and where it ends.
 *
 * In the same way undici is kept from taking a Transfer-Encoding from HTTP/1.0, whose framing must be taken for faulty (RFC 9112 §6.1):
 * undici does not tell the version of an answer.
 */
import type { Socket } from 'node:net';

/** What a 100 becomes: a status without a meaning in the registry (RFC 9110 §16.2). An answer that has it from v2 is as meaningless. */
export const standIn = 109;

const opening = Buffer.from('HTTP/1.1 100');
const statusAt = opening.length - 3;
const lastDigit = String(standIn).charCodeAt(2);
const cr = 13;
/** Turns `Connection` into `Xonnection`; no field that undici's parser knows begins like this. */
const unknownLetter = 'X'.charCodeAt(0);
const ending = Buffer.from('\r\n\r\n');
const minorVersionAt = opening.indexOf('1 ');
const zero = '0'.charCodeAt(0);
/** What HTTP/1.0 does not know, and the byte that makes undici's parser refuse it. */
const codingName = Buffer.from('transfer-encoding:');
const nul = 0;

/** Whether a text is a request's head: undici writes nothing else as text but the framing of chunks, which begins with CR or a digit. */
function isRequestHead(text: string): boolean {
  const first = text.charCodeAt(0);
  return first >= 65 && first <= 90;
}

/**
 * Changes every 100 that answers a request into a `standIn`.
 * Only heads are looked at, from when a request's head was written until its final answer begins: bodies, and what comes on an idle
 * connection, reach undici as they are. Relies on one request at a time (`pipelining: 1`).
 *
 * @param socket a connection, TLS or not, that undici has not been given yet; undici reads it by `read()` only
 */
export function admitContinue(socket: Socket): void {
  const { read, write } = socket;
  const interim = new InterimHeads();
  socket.write = (...args: unknown[]): boolean => {
    if (typeof args[0] === 'string' && isRequestHead(args[0])) interim.expect();
    return Reflect.apply(write, socket, args);
  };
  socket.read = (...args) => {
    const chunk: unknown = Reflect.apply(read, socket, args);
    if (interim.expected && chunk instanceof Buffer) interim.admit(chunk);
    return chunk;
  };
}

type Part = 'opening' | 'rest' | 'rest of a 100' | 'rest of HTTP/1.0';

/** Follows the interim heads of one answer, byte by byte, because a packet may end anywhere. */
class InterimHeads {
  expected = false;
  /** The part of a head that comes next. */
  #part: Part = 'opening';
  /** Bytes of the opening, or of the ending, that have come. */
  #matched = 0;
  /** Bytes of `codingName` that the line has so far; -1 once it has others. */
  #named = -1;

  expect(): void {
    this.expected = true;
    this.#begin('opening');
  }

  /** @param bytes what came next; changed in place */
  admit(bytes: Buffer): void {
    for (let i = 0; this.expected && i < bytes.length; i++) {
      const byte = bytes[i] ?? 0;
      bytes[i] = this.#part === 'opening' ? this.#open(byte) : this.#close(byte);
    }
  }

  #begin(part: Part): void {
    this.#part = part;
    this.#matched = 0;
  }

  #open(byte: number): number {
    if (byte !== opening[this.#matched]) {
      // An interim answer of another status, after which a 100 may follow; or the final answer, or no HTTP.
      if (this.#matched > statusAt) this.#begin('rest');
      else if (this.#matched === minorVersionAt && byte === zero) this.#begin('rest of HTTP/1.0');
      else this.expected = false;
      return byte;
    }
    if (++this.#matched < opening.length) return byte;
    this.#begin('rest of a 100');
    return lastDigit;
  }

  // undici's parser takes no bare CR or LF in a head, so both find the same end, or the connection breaks.
  #close(byte: number): number {
    // The first letter of a field's name. The fields of a 100 say nothing, but with `Connection: close` undici takes no answer after it.
    const renames = this.#part === 'rest of a 100' && this.#matched === 2 && isLetter(byte);
    const refuses = this.#part === 'rest of HTTP/1.0' && this.#endsCodingName(byte);
    if (byte === ending[this.#matched]) this.#matched++;
    else this.#matched = byte === cr ? 1 : 0;
    if (this.#matched === ending.length) {
      // HTTP/1.0 has no interim answers.
      if (this.#part === 'rest of HTTP/1.0') this.expected = false;
      this.#begin('opening');
    }
    if (refuses) return nul;
    return renames ? unknownLetter : byte;
  }

  #endsCodingName(byte: number): boolean {
    if (this.#matched === 2) this.#named = 0;
    const expected = codingName[this.#named];
    this.#named = byte === expected || (isLetter(byte) && (byte | 0x20) === expected) ? this.#named + 1 : -1;
    return this.#named === codingName.length;
  }
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
