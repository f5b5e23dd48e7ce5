import { expect, test } from 'vitest';
import { deprecatedUseLine, prettyStream } from '../../src/cli/pretty.ts';
import type { DeprecatedUse } from '../../src/usage/deprecated-use.ts';

const use: DeprecatedUse = {
  event: 'deprecated_use',
  endpoint: 'POST /v1/messages/send',
  method: 'POST',
  status: 200,
  outcome: 'translated',
  duration: 4.23,
  key: 'sk_demo',
  keyHash: '0123456789abcdef',
  client: 'curl/8.5.0',
  daysUntilSunset: 100,
  requestId: 'r-1',
};

test.each<[string, Partial<DeprecatedUse>, string]>([
  ['a translated call', {}, 'POST /v1/messages/send -> 200 translated in 4.2 ms (key sk_demo…, curl/8.5.0)'],
  [
    'a local answer',
    { outcome: 'local', status: 404, endpoint: 'unlisted' },
    'POST unlisted -> 404 answered locally in 4.2 ms (key sk_demo…, curl/8.5.0)',
  ],
  [
    'a failure',
    { outcome: 'failed', status: 504, code: 'PROXY_UPSTREAM_TIMEOUT' },
    'POST /v1/messages/send -> 504 failed PROXY_UPSTREAM_TIMEOUT in 4.2 ms (key sk_demo…, curl/8.5.0)',
  ],
  [
    'a client that left',
    { outcome: 'failed', status: 0 },
    'POST /v1/messages/send -> client left failed in 4.2 ms (key sk_demo…, curl/8.5.0)',
  ],
  ['an answer of v1', { outcome: 'observed', status: 404 }, 'POST /v1/messages/send -> 404 by v1 in 4.2 ms (key sk_demo…, curl/8.5.0)'],
  [
    'an answer of v1 beside that of v2',
    { outcome: 'compared' },
    'POST /v1/messages/send -> 200 by v1, compared in 4.2 ms (key sk_demo…, curl/8.5.0)',
  ],
  [
    'an answer of a brownout',
    { outcome: 'refused', status: 503 },
    'POST /v1/messages/send -> 503 refused in a brownout in 4.2 ms (key sk_demo…, curl/8.5.0)',
  ],
])('%s is one line', (_name, given, line) => {
  expect(deprecatedUseLine({ ...use, ...given })).toBe(line);
});

test('a call without a key says so', () => {
  const { key: _key, ...keyless } = use;
  expect(deprecatedUseLine(keyless)).toContain('(no key, curl/8.5.0)');
});

/** What the stream makes of one line of the log. */
function readable(line: object): string {
  let written = '';
  prettyStream({ write: (text) => (written += text) }, false).write(`${JSON.stringify({ level: 30, time: 0, ...line })}\n`);
  return written;
}

test('the fields of a deprecated use are hidden', () => {
  expect(readable(use)).toMatch(
    /^\[\d\d:\d\d:\d\d\] INFO: POST \/v1\/messages\/send -> 200 translated in 4\.2 ms \(key sk_demo…, curl\/8\.5\.0\)\n$/,
  );
});

test('the fields of other lines are shown', () => {
  expect(readable({ msg: 'listening', url: 'http://127.0.0.1:1' })).toMatch(/INFO: listening {"url":"http:\/\/127\.0\.0\.1:1"}\n$/);
});

test('control characters do not reach the terminal', () => {
  const escape = String.fromCodePoint(27);
  expect(readable({ msg: `a${escape}[2Jb` })).toMatch(/INFO: a\uFFFD\[2Jb\n$/);
});
