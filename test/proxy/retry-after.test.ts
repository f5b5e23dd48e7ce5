import { describe, expect, it } from 'vitest';
import { nextMidnight, retryAfterSeconds, secondsUntilMidnight } from '../../proxy/retry-after.ts';

const now = Date.parse('2026-11-20T10:59:30.500Z');

const epoch = Math.floor(now / 1000);
const endOfHour = 30;

/** What v2 says, and what it means. */
const vectors: readonly [string, Record<string, string>, number][] = [
  ["v2's own seconds", { 'retry-after': '17', 'x-ratelimit-reset': '5' }, 17],
  ['seconds between spaces', { 'retry-after': ' \t17  ' }, 17],
  ['seconds with decimals, rounded up', { 'retry-after': '17.2' }, 18],
  ['no seconds, as one', { 'retry-after': '0' }, 1],
  ['a day', { 'retry-after': '86400' }, 86_400],
  ['a date', { 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }, 30],
  ['a date with spaces behind it', { 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT ' }, 30],
  ['a date in the form of RFC 850', { 'retry-after': 'Friday, 20-Nov-26 11:00:00 GMT' }, 30],
  ['a date in the form of asctime', { 'retry-after': 'Fri Nov 20 11:00:00 2026' }, 30],
  ['a date in the past, as one second', { 'retry-after': 'Fri, 20 Nov 2026 10:00:00 GMT' }, 1],
  ['a date of ISO 8601', { 'retry-after': '2026-11-20T11:00:00Z' }, 30],
  ['a date of ISO 8601 with an offset', { 'retry-after': '2026-11-20T12:00:10.5+01:00' }, 40],
  ['a date of ISO 8601 without a zone, which is UTC', { 'retry-after': '2026-11-20 11:00:00' }, 30],
  ['a date with an offset', { 'retry-after': 'Fri, 20 Nov 2026 12:00:00 +0100' }, 30],
  ['a date in UTC', { 'retry-after': 'Fri, 20 Nov 2026 11:00:00 UTC' }, 30],
  ['a date in small letters', { 'retry-after': 'fri, 20 nov 2026 11:00:05 gmt' }, 35],
  ['a date of ISO 8601 with hours of an offset', { 'retry-after': '2026-11-20T12:00:00+01' }, 30],
  ['a date of ISO 8601 in its basic form', { 'retry-after': '20261120T110000Z' }, 30],
  ['a date of ISO 8601 in its basic form with an offset', { 'retry-after': '20261120T120000+0100' }, 30],
  ['several numbers of seconds, the longest', { 'retry-after': '30, 60' }, 60],
  ['seconds in quotes', { 'retry-after': '"30"' }, 30],
  ['an epoch time where seconds should be', { 'retry-after': String(epoch + 81) }, 81],
  ['Retry-After-Ms', { 'retry-after-ms': '1500' }, 2],
  ['Retry-After-Ms with decimals', { 'retry-after-ms': '999.5' }, 1],
  ['Retry-After before Retry-After-Ms', { 'retry-after': '3', 'retry-after-ms': '2000' }, 3],
  ['X-Retry-After', { 'x-retry-after': '4' }, 4],
  ['X-Retry-After-Ms', { 'x-retry-after-ms': '4001' }, 5],
  ['RateLimit with t', { ratelimit: '"default";r=0;t=40' }, 40],
  ['RateLimit with the policy of which nothing is left', { ratelimit: '"burst";r=5;t=2, "hour";r=0;t=1800' }, 1_800],
  ['RateLimit with two of them', { ratelimit: '"a";r=0;t=3, "b";r=0;t=60, "c";r=1;t=900' }, 60],
  ['RateLimit with none of them', { ratelimit: '"a";r=1;t=3,"b";r=2;t=60' }, 60],
  [
    'RateLimit with the policy of which nothing is left and that says no time, which no other stands for',
    { ratelimit: '"burst";r=5;t=2, "hour";r=0' },
    endOfHour,
  ],
  ['RateLimit with names that hold its signs', { ratelimit: '"a;t=9, b;r=0;t=7";r=0;t=40' }, 40],
  ['RateLimit with t before r', { ratelimit: '"hour";t=1800;r=0, "burst";t=2;r=5' }, 1_800],
  ['RateLimit with tokens for names', { ratelimit: 'hour;r=0;t=50' }, 50],
  ['RateLimit in its older form', { ratelimit: 'limit=100, remaining=0, reset=50' }, 50],
  ['RateLimit in its older form with a window', { ratelimit: 'limit=100;w=60, remaining=0, reset=51' }, 51],
  ['RateLimit-Reset', { 'ratelimit-reset': '60' }, 60],
  ['X-RateLimit-Reset in seconds', { 'x-ratelimit-reset': '70' }, 70],
  ['X-RateLimit-Reset as an epoch time', { 'x-ratelimit-reset': String(epoch + 80) }, 80],
  ['X-RateLimit-Reset as an epoch time with decimals', { 'x-ratelimit-reset': `${epoch + 80}.75` }, 81],
  ['X-RateLimit-Reset as an epoch time in milliseconds', { 'x-ratelimit-reset': String(now + 90_000) }, 90],
  ['X-RateLimit-Reset as a date', { 'x-ratelimit-reset': '2026-11-20T11:00:00.500Z' }, 30],
  ['X-Rate-Limit-Reset', { 'x-rate-limit-reset': String(epoch + 80) }, 80],
  ['Rate-Limit-Reset', { 'rate-limit-reset': '33' }, 33],
  ['X-RateLimit-Reset-After', { 'x-ratelimit-reset-after': '1.25' }, 2],
  ['X-RateLimit-Reset-After before X-RateLimit-Reset', { 'x-ratelimit-reset-after': '5', 'x-ratelimit-reset': String(epoch + 80) }, 5],
  ['X-Rate-Limit-Reset-After', { 'x-rate-limit-reset-after': '6' }, 6],
  ['X-RateLimit-Retry-After', { 'x-ratelimit-retry-after': '8' }, 8],
  ['what can be read, behind what cannot', { 'retry-after': 'soon', 'x-ratelimit-reset': '70' }, 70],
  ['what can be, behind what is too long', { 'retry-after': '86401', 'x-ratelimit-reset': '70' }, 70],
  ['the end of the hour, where v2 says nothing', {}, endOfHour],
];

/** What says nothing of use, in a field that is read. */
const absurd: readonly [string, string][] = [
  ...['', 'soon', '-1', '-3.5', '+5', '1e3', '0x10', '1,5', '1.', '.5', '17 s', '17;a', 'NaN', 'Infinity', '99999999', '9'.repeat(15)].map(
    (value): [string, string] => ['retry-after', value],
  ),
  ...['9'.repeat(16), '9'.repeat(400), String(epoch + 366 * 86_400), String(epoch - 90_000), 'June', '2026-11', '2026-11-20'].map(
    (value): [string, string] => ['x-ratelimit-reset', value],
  ),
  ...['Sat, 20 Nov 2027 11:00:00 GMT', 'Sun, 06 Nov 1994 08:49:37 GMT', 'Fri, 99 Nov 2026 11:00:00 GMT', '2026-13-41T25:61:61Z'].map(
    (value): [string, string] => ['retry-after', value],
  ),
  ...['x', '"a";r=0', '"a";r=0;t=-5', '"a";r=0;t=x', '"a";r=0;t="5"', '"a";r=0;t=99999999', 't=40', '"a;r=0;t=5', 'reset=-1'].map(
    (value): [string, string] => ['ratelimit', value],
  ),
  ['retry-after-ms', '-5'],
  ['retry-after-ms', '86400001'],
];

describe('Retry-After on a 429', () => {
  it.each(vectors)('is %s', (_name, fields, expected) => {
    expect(retryAfterSeconds((name) => fields[name], now)).toBe(expected);
  });

  it.each(absurd)('is the end of the hour where %s says %j', (field, value) => {
    expect(retryAfterSeconds((name) => (name === field ? value : undefined), now)).toBe(endOfHour);
  });

  it('was tried with 52 values that say something and 38 that do not', () => {
    expect([vectors.length, absurd.length]).toEqual([52, 38]);
  });

  it('counts to midnight UTC for the daily limit', () => {
    expect(secondsUntilMidnight(now)).toBe(13 * 3600 + 30);
    expect(nextMidnight(now)).toBe('2026-11-21T00:00:00.000Z');
  });
});
