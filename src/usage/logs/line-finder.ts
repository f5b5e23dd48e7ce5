/**
 * Finds the lines of a log that may be of v1, in the bytes as they come: all others are counted and not looked at. It holds one chunk, and of a
 * line that is longer than any request nothing.
 */
import { v1Endpoints } from '../../contract/endpoints.ts';
import { areFar } from './stretches.ts';

/** What every path of v1 begins with. */
export const v1Folder = `/${Object.values(v1Endpoints)[0]?.path.split('/')[1] ?? ''}`;
const needle = Buffer.from(v1Folder);

/** Of a longer line nobody could say what it is. */
export const longestLine = 65_536;

const newline = 0x0a;
const carriageReturn = 0x0d;
const hash = 0x23;

/** What takes the lines: a part of a buffer, without its end of line, that is only there during the call. */
export interface LineTaker {
  /** One that may be of v1. */
  readonly take: (bytes: Buffer, start: number, end: number) => void;
  /** One that begins with `#`. */
  readonly comment: (text: string) => void;
  /** One that may be of v1, and is too long to be read. */
  readonly tooLong: () => void;
  /** The first and the last line of a chunk, and those between where these two are far apart; of anything. Says its time, NaN where it has none. */
  readonly timeOf: (text: string) => number;
}

export class LineFinder {
  readonly #to: LineTaker;
  #rest: Buffer = Buffer.alloc(0);
  /** Whether the beginning of the line that comes was too long to be kept, and whether it may be of v1. */
  #skips: 'no' | 'yes' | 'v1' = 'no';
  /** Lines that have ended, without empty ones and those that begin with `#`. */
  lines = 0;

  constructor(to: LineTaker) {
    this.#to = to;
  }

  /** Whether something stands behind the last end of a line. */
  get hasRest(): boolean {
    return this.#rest.length > 0 || this.#skips !== 'no';
  }

  write(chunk: Buffer): void {
    let bytes = this.#skips === 'no' ? joined(this.#rest, chunk) : this.#skip(chunk);
    const end = bytes.lastIndexOf(newline) + 1;
    if (end > 0) this.#read(bytes, end);
    bytes = bytes.subarray(end);
    if (bytes.length > longestLine) {
      this.#skips = bytes.includes(needle) ? 'v1' : 'yes';
      bytes = bytes.subarray(0, 0);
    }
    // What it is a part of is not needed any more, and may be used again.
    this.#rest = Buffer.from(bytes);
  }

  /** Ends the last line, which no end of line has ended. */
  end(): void {
    if (this.hasRest) this.write(Buffer.from('\n'));
  }

  /** What stands behind a line that is too long. */
  #skip(chunk: Buffer): Buffer {
    const end = chunk.indexOf(newline);
    const isV1 = this.#skips === 'v1' || (end === -1 ? chunk : chunk.subarray(0, end)).includes(needle);
    this.#skips = isV1 ? 'v1' : 'yes';
    if (end === -1) return chunk.subarray(0, 0);
    this.lines++;
    if (isV1) this.#to.tooLong();
    this.#skips = 'no';
    return chunk.subarray(end + 1);
  }

  /** Reads whole lines. */
  #read(bytes: Buffer, end: number): void {
    let next = bytes.indexOf(needle);
    let [edges, firstTime] = [0, NaN];
    let [lastStart, lastStop] = [0, 0];
    for (let start = 0; start < end;) {
      const line = bytes.indexOf(newline, start);
      const stop = line > start && bytes[line - 1] === carriageReturn ? line - 1 : line;
      if (bytes[start] === hash) this.#to.comment(textOf(bytes, start, stop));
      else if (stop > start) {
        this.lines++;
        if (edges++ === 0) firstTime = this.#to.timeOf(textOf(bytes, start, stop));
        [lastStart, lastStop] = [start, stop];
        if (next !== -1 && next < stop) {
          if (stop - start > longestLine) this.#to.tooLong();
          else this.#to.take(bytes, start, stop);
        }
      }
      start = line + 1;
      if (next !== -1 && next < start) next = bytes.indexOf(needle, start);
    }
    if (edges > 1 && areFar(firstTime, this.#to.timeOf(textOf(bytes, lastStart, lastStop)))) this.#readTimes(bytes, end);
  }

  /** Looks at the time of every line. */
  #readTimes(bytes: Buffer, end: number): void {
    for (let start = 0; start < end;) {
      const stop = bytes.indexOf(newline, start);
      const text = textOf(bytes, start, bytes[stop - 1] === carriageReturn ? stop - 1 : stop);
      if (bytes[start] === hash) this.#to.comment(text);
      else if (text !== '') this.#to.timeOf(text);
      start = stop + 1;
    }
  }
}

const joined = (rest: Buffer, chunk: Buffer): Buffer => (rest.length === 0 ? chunk : Buffer.concat([rest, chunk]));
const textOf = (bytes: Buffer, start: number, stop: number): string => bytes.toString('latin1', start, Math.min(stop, start + longestLine));
