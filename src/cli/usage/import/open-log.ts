/** Opens a log as it lies there: a file or stdin, as it is or compressed, whatever its name says. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

export interface OpenLog {
  readonly chunks: AsyncIterable<Buffer>;
  /** What is compressed grows no more. */
  readonly isWhole: boolean;
}

export const stdinName = '-';
const chunkSize = 1_048_576;

const gzip = Buffer.from([0x1f, 0x8b]);
const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/**
 * @param onRead so many more bytes were read, before any decompression
 * @throws Error of the file system
 */
export async function openLog(name: string, onRead: (bytes: number) => void): Promise<OpenLog> {
  const source: AsyncIterable<Buffer> = name === stdinName ? process.stdin : createReadStream(name, { highWaterMark: chunkSize });
  const chunks = source[Symbol.asyncIterator]();
  let begin: Buffer = Buffer.alloc(0);
  for (let isOver = false; begin.length < zstd.length && !isOver;) {
    const { done, value } = await chunks.next();
    isOver = done === true;
    if (!isOver) begin = Buffer.concat([begin, value]);
  }
  const bytes = counted(begin, chunks, onRead);
  const starts = (mark: Buffer): boolean => begin.subarray(0, mark.length).equals(mark);
  const unpack = starts(gzip)
    ? createGunzip({ chunkSize: chunkSize / 4 })
    : starts(zstd)
      ? createZstdDecompress({ chunkSize: chunkSize / 4 })
      : undefined;
  if (unpack === undefined) return { chunks: bytes, isWhole: false };
  // What goes wrong is told where it is read.
  return { chunks: pipeline(Readable.from(bytes, { objectMode: false }), unpack, () => undefined), isWhole: true };
}

async function* counted(begin: Buffer, chunks: AsyncIterator<Buffer, unknown>, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  onRead(begin.length);
  if (begin.length > 0) yield begin;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    onRead(next.value.length);
    yield next.value;
  }
}

/** How much there is to be read; undefined where nobody knows. */
export async function sizeOf(names: readonly string[]): Promise<number | undefined> {
  let sum = 0;
  for (const name of names) {
    const found = name === stdinName ? undefined : await stat(name).catch(() => undefined);
    if (found?.isFile() !== true) return undefined;
    sum += found.size;
  }
  return sum;
}
