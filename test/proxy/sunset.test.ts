import { describe, expect, it } from 'vitest';
import { sunsetAt } from '../../src/contract/dates.ts';
import { startRecordingUpstream, startTestProxy, type TestProxy } from '../helpers/proxy.ts';

const day = 86_400_000;
const sunset = Date.parse(sunsetAt);
const key = { headers: { 'x-api-key': 'sk_test_0123456789' } };

async function startAt(now: number): Promise<TestProxy & { readonly v2: Awaited<ReturnType<typeof startRecordingUpstream>> }> {
  const v2 = await startRecordingUpstream();
  const proxy = await startTestProxy(v2.url, { now: () => now });
  return {
    ...proxy,
    v2,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await v2[Symbol.asyncDispose]();
    },
  };
}

const warnings = ({ log }: TestProxy): unknown[] =>
  log.lines.flatMap(({ level, event, daysUntilSunset }) => (Number(level) >= 40 ? [[event, daysUntilSunset]] : []));

describe('before the sunset', () => {
  it.each([
    ['30 days before', sunset - 30 * day],
    ['half a year before', sunset - 183 * day],
  ])('nothing is said %s', async (_name, now) => {
    await using proxy = await startAt(now);
    await fetch(`${proxy.url}/v1/contacts`, key);
    expect(warnings(proxy)).toEqual([]);
  });

  it.each([
    ['a millisecond less than 30 days before', sunset - 30 * day + 1, 29],
    ['a day before', sunset - day, 1],
    ['a millisecond before', sunset - 1, 0],
  ])('one warning is given %s, however many calls come', async (_name, now, days) => {
    await using proxy = await startAt(now);
    for (let i = 0; i < 3; i++) await fetch(`${proxy.url}/v1/contacts`, key);
    expect(warnings(proxy)).toEqual([['sunset_near', days]]);
  });
});

describe('after the sunset', () => {
  it.each([
    ['at that instant', sunset, 0],
    ['a year later', sunset + 365 * day, -365],
  ])('%s the proxy says so once and goes on translating', async (_name, now, days) => {
    await using proxy = await startAt(now);
    for (let i = 0; i < 2; i++) {
      const response = await fetch(`${proxy.url}/v1/contacts`, key);
      expect([response.status, response.headers.get('sunset')]).toEqual([200, 'Thu, 31 Dec 2026 00:00:00 GMT']);
    }
    expect(proxy.v2.seen).toHaveLength(2);
    expect(warnings(proxy)).toEqual([['sunset_passed', days]]);
    const [line] = proxy.log.of('sunset_passed');
    expect(line?.['msg']).toContain('goes on translating');
    expect(await proxy.log.waitFor('deprecated_use', 2)).toMatchObject([{ daysUntilSunset: days }, { daysUntilSunset: days }]);
  });
});

it('the sunset that the configuration assumes counts', async () => {
  await using proxy = await startTestProxy('http://127.0.0.1:9', {
    now: () => sunset - 183 * day,
    assume: { sunsetAt: new Date(sunset - 180 * day).toISOString() },
  });
  expect(warnings(proxy)).toEqual([['sunset_near', 3]]);
});

it('a fraction of a second in the configured beginning is left out of Deprecation, which holds whole ones', async () => {
  await using v2 = await startRecordingUpstream();
  await using proxy = await startTestProxy(v2.url, { assume: { deprecatedSince: '2026-06-01T00:00:00.750Z' } });
  const { headers } = await fetch(`${proxy.url}/v1/messages`, key);
  expect(headers.get('deprecation')).toBe('@1780272000');
});
