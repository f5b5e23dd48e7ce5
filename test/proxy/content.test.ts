import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readText, readableCodings } from '../../proxy/content.ts';

const text = '{"name":"Zoë"}';
const utf8 = Buffer.from(text);
const latin1 = Buffer.from(text, 'latin1');
const json = 'application/json';
const limit = 1_000;

describe('a body is read', () => {
  it.each<[string, Buffer, string | undefined, string]>([
    ['without a coding', utf8, undefined, json],
    ['with the coding identity', utf8, 'identity', json],
    ['with an empty coding', utf8, '', json],
    ['in gzip', gzipSync(utf8), 'gzip', json],
    ['in gzip in capitals', gzipSync(utf8), ' GZIP ', json],
    ['in x-gzip', gzipSync(utf8), 'x-gzip', json],
    ['in two members of gzip', Buffer.concat([gzipSync(utf8.subarray(0, 5)), gzipSync(utf8.subarray(5))]), 'gzip', json],
    ['in deflate', deflateSync(utf8), 'deflate', json],
    ['in deflate of the fastest level', deflateSync(utf8, { level: 1 }), 'deflate', json],
    ['in raw deflate', deflateRawSync(utf8), 'deflate', json],
    ['in raw deflate that is stored', deflateRawSync(utf8, { level: 0 }), 'deflate', json],
    ['in br', brotliCompressSync(utf8), 'br', json],
    ['in zstd', zstdCompressSync(utf8), 'zstd', json],
    ['in gzip twice', gzipSync(gzipSync(utf8)), 'gzip, gzip', json],
    ['in br and then gzip', gzipSync(brotliCompressSync(utf8)), 'br,gzip', json],
    ['in four codings', brotliCompressSync(deflateSync(gzipSync(utf8))), 'identity, gzip, deflate, br', json],
    ['behind a byte order mark', Buffer.from(`\ufeff${text}`), undefined, json],
    ['in a charset', latin1, undefined, `${json}; charset=ISO-8859-1`],
    ['in a quoted charset', latin1, undefined, `${json};charset="iso-8859-1"`],
    ['in UTF-8, where another parameter speaks of a charset', utf8, undefined, `${json}; profile="x; charset=iso-8859-1"`],
    ['in a charset behind such a parameter', latin1, undefined, `${json}; profile="x; charset=utf-8"; Charset = ISO-8859-1`],
    ['in UTF-16 with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le'), undefined, `${json}; charset=utf-16`],
    ['in a charset and a coding', gzipSync(latin1), 'gzip', `${json}; charset=latin1`],
  ])('%s', async (_what, body, contentEncoding, contentType) => {
    expect(await readText(body, { contentEncoding, contentType }, limit)).toEqual({ text });
  });

  it('that is empty, whatever it is said to be in', async () => {
    expect(await readText(Buffer.alloc(0), { contentEncoding: 'gzip', contentType: undefined }, limit)).toEqual({ text: '' });
  });
});

it('in ISO-8859-1 is read byte by byte, and not as in windows-1252', async () => {
  const head = { contentEncoding: undefined, contentType: `${json}; charset=iso-8859-1` };
  expect(await readText(Buffer.from([0x22, 0x80, 0x9f, 0xff, 0x22]), head, limit)).toEqual({ text: '"\u{80}\u{9f}\u{ff}"' });
});

describe('a body is not read', () => {
  it.each<[string, Buffer, string | undefined, string, 'coding' | 'charset']>([
    ['in compress', utf8, 'compress', json, 'coding'],
    ['in a coding of nobody', utf8, 'x', json, 'coding'],
    ['in a coding named like a method of objects', utf8, 'constructor', json, 'coding'],
    ['in gzip, which it is not', utf8, 'gzip', json, 'coding'],
    ['in gzip that is cut', gzipSync(utf8).subarray(0, -9), 'gzip', json, 'coding'],
    ['in gzip, with one coding too many', gzipSync(utf8), 'gzip, gzip', json, 'coding'],
    ['in five codings', utf8, 'identity,identity,identity,identity,identity', json, 'coding'],
    ['longer than the limit in gzip', gzipSync(Buffer.alloc(limit + 1)), 'gzip', json, 'coding'],
    ['longer than the limit behind the first of two codings', gzipSync(gzipSync(Buffer.alloc(limit + 1))), 'gzip, gzip', json, 'coding'],
    ['in another charset without a word of it', latin1, undefined, json, 'charset'],
    ['in another charset than it says', latin1, undefined, `${json}; charset=utf-8`, 'charset'],
    ['in a charset of nobody', utf8, undefined, `${json}; charset=klingon`, 'charset'],
    ['in ASCII, which it is not', utf8, undefined, `${json}; charset=us-ascii`, 'charset'],
    ['in a charset that everybody makes for himself', latin1, undefined, `${json}; charset=x-user-defined`, 'charset'],
    ['cut within a character', utf8.subarray(0, utf8.indexOf(0xc3) + 1), undefined, json, 'charset'],
    ['with half a surrogate pair', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), undefined, json, 'charset'],
    ['with a character in more bytes than it needs', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), undefined, json, 'charset'],
  ])('%s', async (_what, body, contentEncoding, contentType, unreadable) => {
    expect(await readText(body, { contentEncoding, contentType }, limit)).toEqual({ unreadable });
  });
});

it.each([
  ['gzip, deflate, br, zstd', 'gzip, deflate, br, zstd'],
  ['GZIP;q=0.5 , x-gzip,identity;q=0', 'GZIP;q=0.5 , x-gzip,identity;q=0'],
  ['gzip, *;q=0', 'gzip, *;q=0'],
  ['', ''],
  ['compress, gzip;q=0.5', 'gzip;q=0.5'],
  ['gzip, *', 'gzip'],
  ['br, *;q=0.1', 'br'],
  ['dcb, dcz, compress', 'identity'],
  ['*', 'identity'],
])('of Accept-Encoding: %s, v2 is told: %s', (asked, told) => {
  expect(readableCodings(asked)).toBe(told);
});
