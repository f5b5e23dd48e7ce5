import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  address,
  baseUrl,
  boolean,
  count,
  duration,
  durationOrZero,
  fieldName,
  networks,
  period,
  positive,
  products,
  show,
  size,
} from '../../src/config/types.ts';

const accepted = (type: z.ZodType, rows: readonly (readonly [unknown, unknown])[]) =>
  test.each(rows.map(([given, value]) => ({ given, value })))('$given is accepted', ({ given, value }) => {
    expect(type.parse(given)).toEqual(value);
  });
const refused = (type: z.ZodType, message: string | RegExp, values: readonly unknown[]) =>
  test.each(values.map((given) => ({ given })))('$given is refused', ({ given }) => {
    expect(type.safeParse(given).error?.issues[0]?.message ?? 'accepted').toMatch(message);
  });

describe('a duration', () => {
  accepted(duration, [
    ['15s', 15_000],
    ['500ms', 500],
    ['2m', 120_000],
    ['1.5s', 1_500],
    ['250', 250],
    [250, 250],
    [' 3 s ', 3_000],
  ]);
  accepted(durationOrZero, [
    [0, 0],
    ['0s', 0],
  ]);
  refused(duration, /is not a duration: write 15s, 500ms, 2m or a number of milliseconds/, [
    '0',
    -5,
    '15x',
    '15 S',
    '',
    's',
    '0.5ms',
    '25d',
    '35792m',
    null,
    {},
    NaN,
  ]);
});

describe('a period', () => {
  accepted(period, [
    ['90d', 7_776_000_000],
    ['12h', 43_200_000],
    ['30m', 1_800_000],
    ['2w', 1_209_600_000],
  ]);
  refused(period, 'is not a period: write 90d, 12h, 30m or 2w', ['0d', '90', '90 days', '', 90, null]);
});

describe('the name of a header', () => {
  accepted(fieldName, [['X-Client-Name', 'x-client-name']]);
  refused(fieldName, 'is not the name of a header without credentials', [
    '',
    'x client',
    'x:',
    'ä',
    'x'.repeat(65),
    'X-API-Key',
    'Authorization',
    'Proxy-Authorization',
    'cookie',
  ]);
});

describe('a size', () => {
  accepted(size, [
    ['1MiB', 1_048_576],
    ['512KiB', 524_288],
    ['0.5 KiB', 512],
    [100, 100],
  ]);
  refused(size, /is not a size: write 1MiB, 512KiB or a number of bytes/, ['1MB', '1mib', 0, -1, '1.5', true]);
});

describe('an address', () => {
  accepted(address, [
    ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
    ['[::1]:8080', { host: '::1', port: 8080 }],
    [':8080', { host: '127.0.0.1', port: 8080 }],
    ['8080', { host: '127.0.0.1', port: 8080 }],
    [8080, { host: '127.0.0.1', port: 8080 }],
    ['0.0.0.0:0', { host: '0.0.0.0', port: 0 }],
    ['localhost:1', { host: 'localhost', port: 1 }],
  ]);
  refused(address, /is not an address: write 127\.0\.0\.1:8080/, [
    '::1:8080',
    '[::1]',
    '[nonsense]:80',
    'localhost',
    ':65536',
    ':-1',
    'a b:80',
    'http://x:80',
    '',
  ]);
});

describe('a base address', () => {
  accepted(baseUrl, [
    ['https://api.example.com', 'https://api.example.com'],
    ['HTTP://API.example.com:8080/', 'http://api.example.com:8080'],
    ['https://api.example.com/tenant//', 'https://api.example.com/tenant'],
  ]);
  refused(baseUrl, /is not an http\(s\) URL/, ['htp:/x', 'api.example.com', 'https://', 'ftp://x', 'http:x', 7]);
  refused(baseUrl, 'must not have a query or fragment', ['https://x/?a=b', 'https://x/?', 'https://x/#', 'https://x/#a']);
  refused(baseUrl, 'must not hold a user name or password', ['https://me@x', 'https://me:secret@x']);
  refused(baseUrl, 'must end before /v2', ['https://x/v2', 'https://x/a/v2/']);
});

describe('numbers, truths and lists', () => {
  accepted(positive, [['12', 12]]);
  refused(positive, /is not a whole number of at least 1/, [0, '1.5', '-1', '1e3', 'x']);
  accepted(count, [[0, 0]]);
  accepted(boolean, [
    ['true', true],
    ['1', true],
    ['false', false],
    [0, false],
    [true, true],
  ]);
  refused(boolean, /is not true or false/, ['yes', '', null, 'constructor']);
  accepted(products, [
    ['my-app, other', ['my-app', 'other']],
    [
      ['a', 'b,c'],
      ['a', 'b', 'c'],
    ],
  ]);
  refused(products, /is not a product name such as my-app/, ['my app', ['a', 5.5, ''], 'a/1.0']);
  refused(products, /is not a list of product names/, [5, { a: 1 }]);
  accepted(networks, [
    ['10.0.0.0/8, 192.0.2.7,2001:db8::/32', ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']],
    [
      ['::1', '0.0.0.0/0,10.1.2.3/8'],
      ['::1', '0.0.0.0/0', '10.1.2.3/8'],
    ],
  ]);
  const notNetworks = [
    '10/8',
    '10.0.0.0/33',
    '10.0.0.0/',
    '2001:db8::/129',
    '::ffff:10.0.0.1',
    'fe80::1%eth0',
    'a.example',
    '0x0a.0.0.1',
    [5],
  ];
  refused(networks, /is not an address or a network: write 10\.0\.0\.0\/8/, notNetworks);
});

describe('a value in a message', () => {
  test.each([
    ['stands on one line', 'a\nb', '"a\\nb"'],
    ['is bounded', 'a'.repeat(200), `"${'a'.repeat(78)}…`],
    ['loses the credentials of a URL', 'htp://me:secret@x', '"htp://…@x"'],
    ['shows no key that was given in place of something else', 'sk_live_0123456789abcdef', '"sk_live_…"'],
    ['may be a table', { a: [1, { b: 2 }] }, '{ a: [ 1, [Object] ] }'],
  ])('%s', (_name, value, text) => {
    expect(show(value)).toBe(text);
  });
});
