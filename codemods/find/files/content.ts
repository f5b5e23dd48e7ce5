/** Looks into one file for literals, without decoding it. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Hits, Literals } from '../words/literals.ts';

/** Bytes; a larger file is data, whatever its name says. */
const largest = 5 * 1024 * 1024;
/** Bytes in which a NUL gives away a binary file, as git does it. */
const binaryHead = 8_000;
/** Bytes that two pieces of a large file share, so that no literal is cut in two. */
const overlap = 1_000;

export interface Content {
  /** The bytes as Latin-1, at most about as many as `largest`; the text of a UTF-16 file. */
  readonly text: string;
  readonly hits: Hits | undefined;
  /** Why it cannot be analysed. */
  readonly skipReason?: 'binary' | 'UTF-16' | 'more than 5 MB';
}

// One for all files: allocating and asking for sizes costs more than reading.
let shared: Buffer | undefined;

/**
 * Reads a file, once and in pieces if it is large.
 * @throws the system's error where it cannot be read
 */
export function lookInto(path: string, literals: Literals): Content {
  shared ??= Buffer.allocUnsafeSlow(largest + 1);
  const descriptor = openSync(path, 'r');
  try {
    const length = fill(descriptor, shared, 0);
    const bytes = shared.subarray(0, length);
    const utf16 = utf16Of(bytes);
    if (utf16 !== undefined) return { text: utf16, hits: literals.hitsIn(utf16), skipReason: 'UTF-16' };
    const text = bytes.toString('latin1');
    const hits = literals.hitsIn(text);
    if (length > largest) return { text, hits: hits ?? hitsInRest(descriptor, shared, literals), skipReason: 'more than 5 MB' };
    return text.lastIndexOf('\0', binaryHead) === -1 ? { text, hits } : { text, hits, skipReason: 'binary' };
  } finally {
    closeSync(descriptor);
  }
}

/** Reads until the buffer is full or the file ends: a network's file system may give less than was asked for. */
function fill(descriptor: number, buffer: Buffer, from: number): number {
  let end = from;
  for (;;) {
    const length = end === buffer.length ? 0 : readSync(descriptor, buffer, end, buffer.length - end, null);
    if (length === 0) return end;
    end += length;
  }
}

function hitsInRest(descriptor: number, buffer: Buffer, literals: Literals): Hits | undefined {
  for (;;) {
    buffer.copyWithin(0, buffer.length - overlap);
    const end = fill(descriptor, buffer, overlap);
    const hits = literals.hitsIn(buffer.toString('latin1', 0, end));
    if (hits !== undefined || end < buffer.length) return hits;
  }
}

/** The text of a file with the byte order mark of UTF-16. */
function utf16Of(bytes: Buffer): string | undefined {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xfffe) return new TextDecoder('utf-16le').decode(bytes);
  return mark === 0xfeff ? new TextDecoder('utf-16be').decode(bytes) : undefined;
}
