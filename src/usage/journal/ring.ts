/**
 * A file that one process writes frames into and another reads, over and over from its beginning. What was written can be read when its writer was
 * killed: the system keeps it. A write costs one to two microseconds and wakes nobody, where a message to the other process costs ten.
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
  readonly #bytes = Buffer.alloc(2 * mostOfFrame);
  readonly #words = new Int32Array(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length / 4);
  readonly #numbers = new Float64Array(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length / 8);
  /** Bytes that were ever added, those of them that are not in the file yet, and those that the reader has read. */
  #at = 0;
  #waiting = 0;
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
   * Puts a frame behind those that wait to be written: one write for several costs as much as for one.
   * @returns false where there is no room before more has been read
   */
  add(numbers: readonly number[], text = ''): boolean {
    if (this.#waiting > mostOfFrame) this.flush();
    let from = this.#waiting;
    const textAt = from + headBytes + numbers.length * 8;
    const written = text === '' ? 0 : this.#bytes.write(text, textAt, mostOfFrame - headBytes - numbers.length * 8);
    // A frame ends with a whole number; a text is followed by spaces.
    const length = Math.ceil((textAt + written - from) / 8) * 8;
    this.#bytes.fill(' ', textAt + written, from + length);
    for (let index = 0; index < numbers.length; index++) this.#numbers[from / 8 + 1 + index] = numbers[index] ?? NaN;
    const room = this.#size - (this.#at % this.#size);
    const skipped = length > room ? room : 0;
    if (this.#at + skipped + length - this.#read > this.#size) return false;
    if (skipped > 0) {
      this.#skip(skipped);
      this.#bytes.copyWithin(0, from, from + length);
      from = 0;
    }
    this.#words[from / 4] = length;
    this.#words[from / 4 + 1] = checkOf(this.#words, from / 4 + 2, (from + length) / 4, this.#at);
    this.#at += length;
    this.#waiting += length;
    return true;
  }

  /** Writes what waits. */
  flush(): void {
    if (this.#waiting > 0) writeSync(this.#file, this.#bytes, 0, this.#waiting, (this.#at - this.#waiting) % this.#size);
    this.#waiting = 0;
  }

  #skip(bytes: number): void {
    this.flush();
    const head = new Int32Array([toTheEnd, checkOf(this.#words, 0, 0, this.#at)]);
    writeSync(this.#file, head, 0, headBytes, this.#at % this.#size);
    this.#at += bytes;
  }
}

/** One frame as it is read; valid until the next one is. */
export interface Frame {
  /** The number at an index; where there is none, NaN or what stands there. */
  number(index: number): number;
  /** What stands behind so many numbers. */
  text(behind: number): string;
}

export class RingReader implements Frame {
  readonly #file: number;
  readonly #size: number;
  readonly #bytes = Buffer.alloc(4 * mostOfFrame);
  readonly #words = new Int32Array(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length / 4);
  readonly #numbers = new Float64Array(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length / 8);
  /** Bytes that were ever read. */
  at = 0;
  /** Where in what was read the frame stands that is taken, without its head, and where it ends. */
  #from = 0;
  #end = 0;

  /** @param file that is open for reading */
  constructor(file: number, size = ringBytes) {
    this.#file = file;
    this.#size = size;
  }

  /** Hands on the frames that were written since. */
  read(take: (frame: Frame) => void): void {
    let isMore = true;
    while (isMore) {
      const start = this.at % this.#size;
      isMore = this.#take(readSync(this.#file, this.#bytes, 0, Math.min(this.#bytes.length, this.#size - start), start), take);
    }
  }

  number(index: number): number {
    return this.#numbers[this.#from / 8 + index] ?? NaN;
  }

  text(behind: number): string {
    return this.#bytes.toString('utf8', this.#from + behind * 8, this.#end);
  }

  /** Those in what was read. @returns whether to read on */
  #take(got: number, take: (frame: Frame) => void): boolean {
    const words = this.#words;
    let from = 0;
    while (from + headBytes <= got) {
      const length = words[from / 4] ?? 0;
      const check = words[from / 4 + 1];
      if (length === toTheEnd && check === checkOf(words, 0, 0, this.at)) {
        this.at += this.#size - (this.at % this.#size);
        return true;
      }
      // The rest of it is behind what was read.
      if (length > got - from && length <= mostOfFrame && from > 0) return true;
      const isWhole = length >= headBytes && length % 8 === 0 && length <= got - from;
      if (!isWhole || check !== checkOf(words, from / 4 + 2, (from + length) / 4, this.at)) return false;
      this.#from = from + headBytes;
      this.#end = from + length;
      this.at += length;
      take(this);
      from += length;
    }
    return from > 0;
  }
}
