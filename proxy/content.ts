/** From the bytes of a body to its text: content codings (RFC 9110 §8.4) and charsets. What cannot be read is said so, never guessed. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { remembering } from '../src/usage/remembering.ts';

export type BodyText =
  | { readonly text: string }
  /** The coding is not known, its data is broken or too long; or the bytes are not of the charset, or nobody knows it. */
  | { readonly unreadable: 'coding' | 'charset' };

/** What a head says of its body. */
export interface ContentHead {
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
}

/**
 * The text of a body, without a byte order mark (which is none of JSON's, but may be ignored: RFC 8259 §8.1).
 * @param limit bytes at most after each decoding, so that a small body cannot become a large one
 */
export async function readText(body: Buffer, { contentType, contentEncoding }: ContentHead, limit: number): Promise<BodyText> {
  const bytes = await decode(body, contentEncoding, limit);
  if (bytes === undefined) return { unreadable: 'coding' };
  const text = textOf(bytes, contentType);
  return text === undefined ? { unreadable: 'charset' } : { text };
}

type Decoder = (data: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const [zlibFormat, rawDeflate] = [promisify(zlib.inflate), promisify(zlib.inflateRaw)];
/** Many senders mean the deflate format without the zlib format around it, which alone is right (RFC 9110 §8.4.1.2). */
const deflate: Decoder = (data, options) => (hasZlibHeader(data) ? zlibFormat : rawDeflate)(data, options);

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['identity', async (data) => data],
  ['gzip', promisify(zlib.gunzip)],
  ['x-gzip', promisify(zlib.gunzip)],
  ['deflate', deflate],
  ['br', promisify(zlib.brotliDecompress)],
  ['zstd', promisify(zlib.zstdDecompress)],
]);

/** More than anybody applies; each costs as much as the longest text that is read. */
const maxCodings = 4;

/** Undoes the codings, the last one first, as they are listed in the order in which they were applied. */
async function decode(body: Buffer, contentEncoding: string | undefined, limit: number): Promise<Buffer | undefined> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '');
  if (codings.length > maxCodings) return undefined;
  let data = body;
  for (const coding of codings.toReversed()) {
    const decoder = decoders.get(coding);
    if (decoder === undefined) return undefined;
    try {
      // Nothing is nothing, whatever it is said to be.
      data = data.length === 0 ? data : await decoder(data, { maxOutputLength: limit });
    } catch {
      return undefined;
    }
  }
  return data;
}

/** RFC 1950 §2.2: method 8 with a window of at most 32 KiB, and a check of both bytes. */
function hasZlibHeader(data: Buffer): boolean {
  return data.length >= 2 && ((data[0] ?? 0) & 0x0f) === 8 && (data[0] ?? 0) < 0x80 && data.readUInt16BE(0) % 31 === 0;
}

/** JSON is UTF-8 (RFC 8259 §8.1), and yet who says another charset has used it. */
function textOf(bytes: Buffer, contentType: string | undefined): string | undefined {
  const charset = charsetIn(contentType ?? '') ?? 'utf-8';
  // TextDecoder reads both as windows-1252, as browsers do, which has other characters at 0x80 to 0x9f, and x-user-defined is no charset.
  if (latin1.has(charset)) return bytes.toString('latin1');
  if (charset === 'x-user-defined' || (ascii.has(charset) && bytes.some((byte) => byte > 0x7f))) return undefined;
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const latin1: ReadonlySet<string> = new Set([
  'iso-8859-1',
  'iso8859-1',
  'iso_8859-1',
  'iso_8859-1:1987',
  'iso-ir-100',
  'latin1',
  'l1',
  'cp819',
  'ibm819',
]);
const ascii: ReadonlySet<string> = new Set(['us-ascii', 'ascii', 'ansi_x3.4-1968']);

/** The charset of a media type, in small letters; what stands in another parameter's quotes is none (RFC 9110 §5.6.6). */
function charsetIn(contentType: string): string | undefined {
  for (const [, name = '', quoted, token] of contentType.matchAll(/;\s*([^\s;="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g))
    if (name.toLowerCase() === 'charset') return (quoted ?? token ?? '').toLowerCase();
  return undefined;
}

/**
 * An Accept-Encoding that invites nothing but what can be read here: answers are mapped, and errors translated.
 * @returns the same text where nothing has to go
 */
export const readableCodings = remembering((acceptEncoding) => {
  const members = acceptEncoding.split(',');
  const kept = members.filter((member) => {
    const [coding = '', ...weight] = member.trim().toLowerCase().split(';');
    return coding === '' || decoders.has(coding.trim()) || (coding.trim() === '*' && /^\s*q=0(?:\.0*)?\s*$/.test(weight.join(';')));
  });
  if (kept.length === members.length) return acceptEncoding;
  return kept.join(',').trim() || 'identity';
});
