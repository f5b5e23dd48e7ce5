import { describe, expect, it } from 'vitest';
import { nextMidnight, retryAfterSeconds, secondsUntilMidnight } from '../../proxy/retry-after.ts';

const now = Date.parse('2026-11-20T10:59:30.500Z');

describe('Retry-After on a 429', () => {
  it.each<[string, Record<string, string>, number]>([
    ["v2's own seconds", { 'retry-after': '17', 'x-ratelimit-reset': '5' }, 17],
    ["v2's own date", { 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }, 30],
    ['a date in the past, as at least one second', { 'retry-after': 'Fri, 20 Nov 2026 10:00:00 GMT' }, 1],
    ['RateLimit with t', { ratelimit: '"default";r=0;t=40' }, 40],
    ['RateLimit in its older form', { ratelimit: 'limit=100, remaining=0, reset=50' }, 50],
    ['RateLimit-Reset', { 'ratelimit-reset': '60' }, 60],
    ['X-RateLimit-Reset in seconds', { 'x-ratelimit-reset': '70' }, 70],
    ['X-RateLimit-Reset as an epoch time', { 'x-ratelimit-reset': String(Math.floor(now / 1000) + 80) }, 80],
    ['X-RateLimit-Reset as an epoch time in milliseconds', { 'x-ratelimit-reset': String(now + 90_000) }, 90],
    ['the end of the hour, where v2 says nothing', {}, 30],
    ['the end of the hour, where v2 says nonsense', { 'retry-after': 'soon', ratelimit: 'x', 'ratelimit-reset': '-3' }, 30],
  ])('is %s', (_name, fields, expected) => {
    expect(retryAfterSeconds((name) => fields[name], now)).toBe(expected);
  });

  it('counts to midnight UTC for the daily limit', () => {
    expect(secondsUntilMidnight(now)).toBe(13 * 3600 + 30);
    expect(nextMidnight(now)).toBe('2026-11-21T00:00:00.000Z');
  });
});
