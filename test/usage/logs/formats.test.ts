import { describe, expect, test } from 'vitest';
import type { LogFormat } from '../../../src/config/log-formats.ts';
import { formatOf, readerOf } from '../../../src/usage/logs/formats/formats.ts';
import { emptyLine, type LogLine } from '../../../src/usage/logs/line.ts';
import { timeReader } from '../../../src/usage/logs/times.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const options = { fields: {}, pattern: undefined, now };

/** What a line tells, without what it does not. */
function read(format: LogFormat, lines: readonly string[], more: { pattern?: RegExp; fields?: Readonly<Record<string, string>> } = {}) {
  const reader = readerOf(format, { ...options, ...more });
  const line = emptyLine();
  const told = lines.flatMap((text) => {
    if (text.startsWith('#')) reader.comment(text);
    return text.startsWith('#') ? [] : [reader.read(text, line) ? { ...line, time: new Date(line.time).toISOString() } : undefined];
  });
  return told.at(-1);
}

const empty = { method: '', target: '', status: 0, address: '', agent: '', host: '', key: '', via: '' };
const lineOf = (told: Partial<Omit<LogLine, 'time'>> & { time: string }) => ({ ...empty, ...told });
const call = { method: 'GET', target: '/v1/messages?key=secret', status: 200, address: '192.0.2.7' };
const time = '2026-11-20T08:30:15.000Z';

const combined = '192.0.2.7 - ada [20/Nov/2026:09:30:15 +0100] "GET /v1/messages?key=secret HTTP/1.1" 200 512';
const json = { time, remote_addr: '192.0.2.7', request_method: 'GET', request_uri: '/v1/messages?key=secret', status: 200 };
const alb =
  '2026-11-20T08:30:15.000000Z app/edge/50dc6c495c0c9188 192.0.2.7:2817 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "GET https://api.example.com:443/v1/messages?key=secret HTTP/1.1" "axios/1.7.0" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:x "Root=1-58337262" "api.example.com" "-" 0';
const albTarget = 'https://api.example.com:443/v1/messages?key=secret';
const w3cFields = '#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent)';
const w3c = '2026-11-20\t08:30:15\tFRA2-C1\t392\t192.0.2.7\tGET\td111.cloudfront.net\t/v1/messages\t200\t-\taxios/1.7.0%2520(x)';
const envoy =
  '[2026-11-20T08:30:15.000Z] "GET /v1/messages?key=secret HTTP/2" 200 - 154 0 226 100 "198.51.100.1,192.0.2.7" "axios/1.7.0" "cc21d9b0" "api.example.com" "tcp://10.0.2.1:80"';
const istio =
  '[2026-11-20T08:30:15.000Z] "GET /v1/messages?key=secret HTTP/1.1" 200 - via_upstream - "-" 0 2 3 2 "192.0.2.7" "axios/1.7.0" "84961386" "api.example.com" "10.1.0.9:80" outbound|80||api 10.1.0.8:1 10.1.0.7:80 192.0.2.7:9 - default';

describe('what each format tells of a line', () => {
  test.each<[string, LogFormat, readonly string[], object]>([
    ['common', 'combined', [combined], call],
    ['combined', 'combined', [`${combined} "-" "axios/1.7.0"`], { ...call, agent: 'axios/1.7.0' }],
    ['combined with more behind it', 'combined', [`${combined} "https://a.b/" "a" "198.51.100.1" 0.004`], { ...call, agent: 'a' }],
    ['combined with quotes in it', 'combined', [`${combined} "a\\"b" "x\\x22 \\"y\\" \\\\" "z"`], { ...call, agent: 'x" "y" \\' }],
    ['combined without a User-Agent', 'combined', [`${combined} "-" "-"`], call],
    ['with the virtual host', 'combined', [`api.example.com:443 ${combined} "-" "a"`], { ...call, host: 'api.example.com', agent: 'a' }],
    ['forwarded addresses', 'combined', [`198.51.100.1, ${combined}`], call],
    ['forwarded addresses in quotes, with the host', 'combined', [`h:80 "198.51.100.1, 10.0.0.1" ${combined}`], { ...call, host: 'h' }],
    ['a client by its name', 'combined', [combined.replace('192.0.2.7', 'monitoring')], { ...call, address: 'monitoring' }],
    ['a name of a user', 'combined', [combined.replace(' - ada', ' ident a [b')], call],
    [
      'of an older ingress-nginx',
      'combined',
      [
        '192.0.2.7 - [192.0.2.7] - - [20/Nov/2026:08:30:15 +0000] "GET /v1/messages?key=secret HTTP/1.1" 200 5 "-" "a" 93 0.002 [api-80] 10.0.0.1:80 5 0.002 200 9f',
      ],
      { ...call, agent: 'a' },
    ],
    ['of IPv6', 'combined', [combined.replace('192.0.2.7', '2001:db8::1')], { ...call, address: '2001:db8::1' }],
    ['what is no request', 'combined', [combined.replace(/"GET.*1"/, '"\\x16\\x03\\x01"')], { ...call, method: '', target: '' }],
    ['nginx in JSON', 'json', [JSON.stringify({ ...json, http_user_agent: 'a"b', host: 'h' })], { ...call, agent: 'a"b', host: 'h' }],
    [
      'JSON with one field for the request',
      'json',
      [JSON.stringify({ ...json, request_uri: undefined, request: 'GET /v1/messages?key=secret HTTP/1.1' })],
      call,
    ],
    [
      'Envoy in JSON',
      'json',
      [
        JSON.stringify({
          start_time: time,
          method: 'GET',
          path: call.target,
          response_code: 200,
          downstream_remote_address: '192.0.2.7:4711',
          user_agent: null,
          authority: 'h',
        }),
      ],
      { ...call, host: 'h' },
    ],
    [
      'Envoy Gateway',
      'json',
      [
        JSON.stringify({
          start_time: time,
          ':authority': 'h',
          method: 'GET',
          'x-envoy-origin-path': call.target,
          response_code: 200,
          'user-agent': 'a',
          'x-forwarded-for': '198.51.100.1, 192.0.2.7',
        }),
      ],
      { ...call, host: 'h', agent: 'a' },
    ],
    [
      'Caddy',
      'json',
      [
        JSON.stringify({
          ts: Date.parse(time) / 1000,
          request: { remote_ip: '192.0.2.7', method: 'GET', host: 'h', uri: call.target, headers: { 'User-Agent': ['a'] } },
          status: 200,
        }),
      ],
      { ...call, host: 'h', agent: 'a' },
    ],
    ["AWS's balancer", 'alb', [`https ${alb}`], { ...call, target: albTarget, agent: 'axios/1.7.0' }],
    ["AWS's classic balancer", 'alb', [alb], { ...call, target: albTarget, agent: 'axios/1.7.0' }],
    [
      'the same over IPv6',
      'alb',
      [`h2 ${alb}`.replace('192.0.2.7:', '2001:db8::1:')],
      { ...call, target: albTarget, agent: 'axios/1.7.0', address: '2001:db8::1' },
    ],
    [
      'CloudFront',
      'cloudfront',
      ['#Version: 1.0', w3cFields, w3c],
      { ...call, target: '/v1/messages', host: 'd111.cloudfront.net', agent: 'axios/1.7.0 (x)' },
    ],
    [
      'CloudFront without its head',
      'cloudfront',
      [w3c],
      { ...call, target: '/v1/messages', host: 'd111.cloudfront.net', agent: 'axios/1.7.0 (x)' },
    ],
    [
      'fields in another order',
      'cloudfront',
      ['#Fields: time c-ip date cs-method cs-uri-stem sc-status cs(User-Agent)', '08:30:15 192.0.2.7 2026-11-20 GET /v1/messages 200 a+b'],
      { ...call, target: '/v1/messages', agent: 'a b' },
    ],
    ['Envoy', 'envoy', [envoy], { ...call, host: 'api.example.com', agent: 'axios/1.7.0' }],
    ['Istio', 'envoy', [istio], { ...call, host: 'api.example.com', agent: 'axios/1.7.0' }],
  ])('%s', (_name, format, lines, told) => {
    expect(read(format, lines)).toEqual(lineOf({ time, ...told }));
    expect(formatOf(lines, options)).toBe(format);
  });

  test('a pattern, by its groups', () => {
    const pattern = /^(?<time>\S+) (?<address>\S+) (?<host>\S+) (?<request>.+) (?<status>\d+) (?<key>\S+) "(?<agent>.*)"$/;
    const text = `${time} [2001:db8::1]:99 h GET /v1/messages HTTP/1.1 503 mk_1 "a"`;
    const told = { method: 'GET', target: '/v1/messages', status: 503, address: '2001:db8::1', host: 'h', key: 'mk_1', agent: 'a' };
    expect(read('pattern', [text], { pattern })).toEqual(lineOf({ time, ...told }));
    expect(read('pattern', [`${text}${' '.repeat(10_000)}`], { pattern })).toBeUndefined();
  });

  test('JSON whose fields are called otherwise, as somebody says', () => {
    const text = JSON.stringify({
      when: time,
      req: { verb: 'GET', where: '/v1/messages', from: '192.0.2.7' },
      status: '200',
      method: 'wrong',
    });
    const fields = { time: 'when', method: 'req.verb', path: 'req.where', address: 'req.from' };
    expect(read('json', [text], { fields })).toEqual(lineOf({ time, ...call, target: '/v1/messages' }));
  });
});

test.each<[LogFormat, string]>([
  ['combined', combined.replace('20/Nov', '20/Foo')],
  ['combined', combined.slice(0, 70)],
  ['combined', combined.replace('200 512', 'abc 512')],
  ['json', '{"time":'],
  ['json', '[]'],
  ['json', JSON.stringify({ time, status: 200, message: 'about /v1/messages' })],
  ['alb', alb.replace(' 34 366', '')],
  ['cloudfront', w3c.replace('2026', 'x')],
  ['envoy', envoy.slice(0, 40)],
])('a line that is none of %s is not read: %s', (format, text) => {
  expect(read(format, [text])).toBeUndefined();
});

test('no format is found where most lines are of none', () => {
  expect(formatOf([combined, 'a', 'b'], options)).toBeUndefined();
  expect(formatOf(['a', combined, combined], options)).toBe('combined');
});

test.each([
  ['20/Nov/2026:09:30:15 +0100', time],
  ['20/Nov/2026:03:00:15 -0530', time],
  ['2026-11-20T09:30:15+01:00', time],
  ['2026-11-20T09:30:15+0100', time],
  ['2026-11-20 08:30:15', time],
  ['2026-11-20 08:30:15,000', time],
  ['1795163415', time],
  ['1795163415.000', time],
  ['1795163415000', time],
  ['1795163415000000', time],
  ['31/Dec/1969:23:59:59 +0000', undefined],
  ['2026-11-24T09:30:15Z', undefined],
  ['20/nov/2026', undefined],
  ['-', undefined],
  ['9'.repeat(2_000), undefined],
])('the time %s', (text, expected) => {
  const read = timeReader(now)(text);
  expect(Number.isNaN(read) ? undefined : new Date(read).toISOString()).toBe(expected);
});
