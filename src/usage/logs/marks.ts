/** Tells the lines of a log from each other: a keyed hash of their bytes, and for lines that are the same to the byte, which of them it is. */
import { createHash } from 'node:crypto';
import { markBits } from './known-lines.ts';

/** Lines that are the same are of one second, and stand close together. */
const remembered = 100_000;
/** Twice as many and more, so that few meet. */
const slots = 2 ** 18;
const marks = 2 ** markBits;
/** Odd, so that the marks of the same lines do not meet. */
const stride = 0x9e3779b97f;

export interface LineMarker {
  /** Marks a line of a file. */
  readonly of: (bytes: Buffer, start: number, end: number) => number;
  /** Whether the line that was marked last stood in the file before. */
  readonly isRepeated: () => boolean;
  /** Another file begins: the same lines in it are no others. */
  readonly begin: () => void;
}

/** @param secret of the store: nobody else can tell what a mark is of */
export function lineMarker(secret: string): LineMarker {
  const seed = createHash('sha256').update(`lines of logs ${secret}`).digest();
  const [seedA, seedB] = [seed.readInt32LE(0), seed.readInt32LE(4)];
  let recent = new Counts();
  let older = new Counts();
  let before = 0;
  const of = (bytes: Buffer, start: number, end: number): number => {
    const mark = hashOf(bytes, start, end, seedA, seedB);
    before = recent.of(mark) || older.of(mark);
    recent.set(mark, before + 1);
    if (recent.size >= remembered) {
      [older, recent] = [recent, older];
      recent.clear();
    }
    return (mark + before * stride) % marks;
  };
  const begin = (): void => {
    recent.clear();
    older.clear();
  };
  return { of, isRepeated: () => before > 0, begin };
}

/** Counts by mark: a Map keeps each of these numbers as an object of its own, which costs more than all else that is done with a line. */
class Counts {
  readonly #marks = new Float64Array(slots).fill(-1);
  readonly #counts = new Uint32Array(slots);
  size = 0;

  of(mark: number): number {
    return this.#counts[this.#slotOf(mark)] ?? 0;
  }

  set(mark: number, count: number): void {
    const slot = this.#slotOf(mark);
    if (this.#counts[slot] === 0) this.size++;
    this.#marks[slot] = mark;
    this.#counts[slot] = count;
  }

  clear(): void {
    if (this.size > 0) this.#counts.fill(0);
    this.size = 0;
  }

  #slotOf(mark: number): number {
    let slot = mark % slots;
    while (this.#marks[slot] !== mark && this.#counts[slot] !== 0) slot = (slot + 1) % slots;
    return slot;
  }
}

/** Two lanes of 32 bits, as MurmurHash3 mixes them; a hash of the library costs five times as much for a line. */
function hashOf(bytes: Buffer, start: number, end: number, seedA: number, seedB: number): number {
  let [a, b] = [seedA, seedB];
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
    const mixed = Math.imul(word, 0xcc9e2d51);
    a = Math.imul(rotated(a ^ mixed, 13), 5) + 0xe6546b64;
    b = Math.imul(rotated(b ^ rotated(mixed, 15), 17), 0x1b873593) + a;
  }
  for (; at < end; at++) {
    a = Math.imul(a ^ (bytes[at] ?? 0), 0x85ebca6b);
    b = Math.imul(rotated(b, 11) ^ a, 0xc2b2ae35);
  }
  a = finished(a ^ (end - start));
  b = finished(b ^ a);
  return (a >>> 0) * 256 + (b & 0xff);
}

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

function finished(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
