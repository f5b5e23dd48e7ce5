/**
 * A file that one process writes frames into and another reads, over and over from its beginning. What was written can be read when its writer was
 * killed: the system keeps it. A write costs half a microsecond and wakes nobody, where a message to the other process costs ten.
 */
import { readSync, writeSync } from 'node:fs';

/** Length and check of a frame, before what it holds. */
const headBytes = 8;
/** Holds what is left of the file; the next frame is at its beginning. */
const toTheEnd = -1;
/** The longest frame, with its head. */
const mostOfFrame = 64 * 1024;

/** How large the file of a ring may become, in bytes: a busy process fills it in some seconds. */
export const ringBytes = 16 * 1024 * 1024;

/**
 * Over the words of a frame, and where it stands of all that was ever written: a frame of the round before, or one that is not whole yet, does not fit.
 */
function checkOf(words: Int32Array, from: number, to: number, at: number): number {
  let check = Math.imul((at / headBytes) | 0, 0x9e3779b1);
  for (let index = from; index < to; index++) check = Math.imul(check ^ (words[index] ?? 0), 0x01000193);
  // Never what an empty file holds.
  return check | 1;
}

export class RingWriter {
  readonly #file: number;
  readonly #size: number;
  readonly #bytes = Buffer.alloc(mostOfFrame);
  readonly #words = new Int32Array(this.#bytes.buffer, this.#bytes.byteOffset, mostOfFrame / 4);
  readonly #numbers = new Float64Array(this.#bytes.buffer, this.#bytes.byteOffset, mostOfFrame / 8);
  /** Bytes that were ever written, and of these, that the reader has read. */
  #at = 0;
  #read = 0;

  /** @param file that is open for writing */
  constructor(file: number, size = ringBytes) {
    this.#file = file;
    this.#size = size;
  }

  /** The reader has read so many bytes of all that were ever written. */
  wasRead(bytes: number): void {
    this.#read = bytes;
  }

  /**
   * Writes a frame.
   * @returns false where there is no room before more has been read
   */
  write(numbers: readonly number[], text = ''): boolean {
    const textAt = headBytes + numbers.length * 8;
    const written = text === '' ? 0 : this.#bytes.write(text, textAt);
    // A frame ends with a whole number; a text is followed by spaces.
    const length = Math.ceil((textAt + written) / 8) * 8;
    this.#bytes.fill(' ', textAt + written, length);
    for (const [index, number] of numbers.entries()) this.#numbers[1 + index] = number;
    const room = this.#size - (this.#at % this.#size);
    const skipped = length > room ? room : 0;
    if (this.#at + skipped + length - this.#read > this.#size) return false;
    if (skipped > 0) this.#skip(skipped);
    this.#words[0] = length;
    this.#words[1] = checkOf(this.#words, 2, length / 4, this.#at);
    writeSync(this.#file, this.#bytes, 0, length, this.#at % this.#size);
    this.#at += length;
    return true;
  }

  #skip(bytes: number): void {
    const head = new Int32Array([toTheEnd, checkOf(this.#words, 0, 0, this.#at)]);
    writeSync(this.#file, head, 0, headBytes, this.#at % this.#size);
    this.#at += bytes;
  }
}

/** One frame as it is read; valid until the next one is. */
export interface Frame {
  readonly numbers: Float64Array;
  /** What stands behind so many numbers. */
  text(behind: number): string;
}

export class RingReader {
  readonly #file: number;
  readonly #size: number;
  readonly #bytes = Buffer.alloc(4 * mostOfFrame);
  /** Bytes that were ever read. */
  at = 0;

  /** @param file that is open for reading */
  constructor(file: number, size = ringBytes) {
    this.#file = file;
    this.#size = size;
  }

  /** The frames that were written since. */
  *read(): Generator<Frame> {
    for (let isMore = true; isMore;) {
      const start = this.at % this.#size;
      const got = readSync(this.#file, this.#bytes, 0, Math.min(this.#bytes.length, this.#size - start), start);
      isMore = yield* this.#frames(got);
    }
  }

  /** Those in what was read. @returns whether to read on */
  *#frames(got: number): Generator<Frame, boolean> {
    const { buffer, byteOffset } = this.#bytes;
    const words = new Int32Array(buffer, byteOffset, got >> 2);
    let from = 0;
    while (from + headBytes <= got) {
      const [length = 0, check] = [words[from / 4], words[from / 4 + 1]];
      if (length === toTheEnd && check === checkOf(words, 0, 0, this.at)) {
        this.at += this.#size - (this.at % this.#size);
        return true;
      }
      // The rest of it is behind what was read.
      if (length > got - from && length <= mostOfFrame && from > 0) return true;
      const isWhole = length >= headBytes && length % 8 === 0 && length <= got - from;
      if (!isWhole || check !== checkOf(words, from / 4 + 2, (from + length) / 4, this.at)) return false;
      const numbers = new Float64Array(buffer, byteOffset + from + headBytes, length / 8 - 1);
      const [textAt, end] = [from + headBytes, from + length];
      this.at += length;
      yield { numbers, text: (behind) => this.#bytes.toString('utf8', textAt + behind * 8, end) };
      from += length;
    }
    return from > 0;
  }
}
