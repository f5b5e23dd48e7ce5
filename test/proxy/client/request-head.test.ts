import { expect, it } from 'vitest';
import { type RequestHead, requestHead } from '../../../proxy/client/request-head.ts';

const written = (path: string, ...fields: string[]): RequestHead => requestHead({ method: 'POST', path, fields }, 'v2.test:81', true);

it('has every field in its place, byte for byte, and tells the length of the body apart', () => {
  expect(written('/v2/a?b=%20', 'X-A', '', 'X-B', '\xe4 b\t', 'content-length', '007')).toEqual({
    text: 'POST /v2/a?b=%20 HTTP/1.1\r\nhost: v2.test:81\r\nconnection: keep-alive\r\nX-A: \r\nX-B: \xe4 b\t\r\n',
    length: 7,
  });
});

it.each<[string, string[]]>([
  ['/a b', []],
  ['/a\r\nX: b', []],
  ['a', []],
  ['/\u0100', []],
  ['/', ['X-A', 'b\r\nX-B: c']],
  ['/', ['X-A', 'b\nc']],
  ['/', ['X-A', 'b\0']],
  ['/', ['X-A', '\u0100']],
  ['/', ['X-A: b\r\nX-B', 'c']],
  ['/', ['X A', 'b']],
  ['/', ['', 'b']],
  ['/', ['Host', 'a']],
  ['/', ['Connection', 'close']],
  ['/', ['Transfer-Encoding', 'chunked']],
  ['/', ['Content-Length', '1', 'Content-Length', '1']],
  ['/', ['Content-Length', '-1']],
  ['/', ['Content-Length', '1, 1']],
])('is never one that would be read as another: %j with %j', (path, fields) => {
  expect(() => written(path, ...fields)).toThrow(expect.objectContaining({ code: 'UND_ERR_INVALID_ARG' }));
});
