import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exampleText } from '../../../../src/cli/usage/import/example.ts';

test.each([
  ['192.0.2.7 - - [20/Nov/2026:08:00:00 +0000] "GET /v1/contacts HTTP/1.1" 200', undefined],
  ['{"time":"2026-11-20T08:00:00.123Z","uri":"/v1/contacts/4711","status":200}', undefined],
  ['2001:db8::1:4711 garbage 1763625600.123 200 1763625600123', undefined],
  ['GET https://api.example.com:443/v1/contacts', 'GET …/v1/contacts'],
  ['hello \u001B[31m world', String.raw`hello \u{1b}[31m world`],
  ['garbage /v1/contacts Bearer eyJhbGci.eyJzdWI.dozj', 'garbage /v1/contacts Bearer…'],
  ['garbage /v1/contacts x-api-key: KJHG', 'garbage /v1/contacts x-api-key…'],
  ['{"uri":"/v1/contacts","http_x_api_key":"short"}', '{"uri":"/v1/contacts","http_x_api_key…'],
  ['GET /v1/contacts api_key=AB12', 'GET /v1/contacts api_key…'],
  ['GET /v1/contacts?a=b HTTP/1.1', 'GET /v1/contacts?…'],
  ['GET https://user:pass@api.example.com/v1/contacts', 'GET …'],
  [`{"status":200,"uri":"/v1/contacts","size":"${'x'.repeat(300)}`, '{"status":200,"uri":"/v1/contacts","size":"…'],
  ['"https://app.test/cb#access=Zx81kqPq"', '"…/cb#…'],
  ['GET /v1/contacts#Zx81kqPq HTTP/1.1', 'GET /v1/contacts#…'],
  ['"sid=Zx81kqPqabc" 200', '"sid=…" 200'],
  ['sid = abc, status=200 a=/v1/contacts', 'sid = …, status=200 a=/v1/contacts'],
  ['Zx81kqPqabc Zx81kq HTTP/1.1 axios/1.7.0 TLSv1.2 10.5ms h2', '… … HTTP/1.1 axios/1.7.0 TLSv1.2 10.5ms h2'],
  ['garbage aaaaaaaaaav9 SSLv3', 'garbage … SSLv3'],
  ['GET /folder/v1/KJHGFDSAQWERTYUIOPZX', 'GET /…'],
  ['GET /v1/contacts/KJHGFDSAQWERTYUIOPZX/9', 'GET /v1/contacts/…'],
])('of %j so much is shown', (line, shown = line) => {
  expect(exampleText(line)).toBe(shown);
});

const of = (characters: string, minLength: number, maxLength = 64) => {
  const unit = fc.constantFrom(...characters);
  return fc.string({ unit, minLength, maxLength });
};
const small = 'abcdefghijklmnopqrstuvwxyz';
const capitals = small.toUpperCase();
const digits = '0123456789';
const base64url = `${small}${capitals}${digits}_-`;
const mixed = (characters: string) => of(characters, 12).filter((key) => /\d/.test(key) || /[a-z].*[A-Z]|^[A-Z]*$/.test(key));
const key = fc.oneof(
  mixed(capitals + digits),
  mixed(small + capitals),
  mixed(base64url),
  mixed(`${base64url}+.~%!$`),
  of(small, 16),
  of(capitals, 12),
  of(`${digits}abcdef`, 32, 64).filter((hex) => /\d/.test(hex)),
  fc.uuid(),
  fc.tuple(of(small, 2, 4), of(base64url, 12, 32)).map(([prefix, rest]) => `${prefix}_live_${rest}1`),
  fc.uint8Array({ minLength: 24, maxLength: 48 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.tuple(of(base64url, 16), of(base64url, 16), of(base64url, 16)).map((parts) => `eyJ${parts.join('.')}`),
  fc.tuple(of(base64url, 8, 16), of(base64url, 8, 16)).map((parts) => `1${parts.join(':')}`),
);
const anyKey = of(base64url, 4);
const behind = [
  'Bearer ',
  'Basic ',
  'Token ',
  'x-api-key: ',
  'Authorization: ',
  'key=',
  'token=',
  '"secret":"',
  '?',
  'X_API_KEY\t',
  'api%2Dkey%3A',
];
const lines = fc.oneof(
  fc
    .tuple(key, fc.constantFrom('garbage ', '{"a":"', 'GET /v1/contacts/', '[', 'a=', `${'x '.repeat(140)}`, ''))
    .map(([secret, before]) => [secret, before] as const),
  fc.tuple(anyKey, fc.constantFrom(...behind)).map(([secret, before]) => [secret, `garbage /v1/contacts ${before}`] as const),
);

/** So many characters of a key are too many; a record shows as many of them. */
const mostOfKey = 6;

test('no line shows a key, wherever it stands in it and wherever the line is cut', () => {
  fc.assert(
    fc.property(lines, fc.constantFrom('', ' 200', '"}', ' HTTP/1.1" 200 5 "-" "-"', ` ${'x '.repeat(300)}`), ([secret, before], after) => {
      const shown = exampleText(`${before}${secret}${after}`);
      const surroundings = `${before}${after}`;
      for (let at = 0; at + mostOfKey <= secret.length; at++) {
        const piece = secret.slice(at, at + mostOfKey);
        expect(shown.includes(piece) && !surroundings.includes(piece)).toBe(false);
      }
    }),
    { numRuns: 3_000 },
  );
});
