import { describe, expect, it } from 'vitest';
import { cacheability } from '../../../proxy/reuse/storable.ts';

const of = (...fields: readonly string[]): ReturnType<typeof cacheability> => cacheability(fields);
const date = 'Sat, 01 Aug 2026 12:00:00 GMT';

describe('an answer of v2', () => {
  it('that says nothing of caches may be shared and kept', () => {
    expect(of('Content-Type', 'application/json')).toEqual({ shared: true, kept: true, lifetime: Infinity, age: 0, date: undefined });
  });

  it.each<[string, readonly string[], boolean, boolean]>([
    ['no-store', ['Cache-Control', 'no-store'], false, false],
    ['no-store among others', ['cache-control', 'private, No-Store'], false, false],
    ['no-store in a second field', ['Cache-Control', 'private', 'Cache-Control', 'no-store'], false, false],
    ['no-cache', ['Cache-Control', 'no-cache'], true, false],
    ['private: an answer stays with its key', ['Cache-Control', 'private'], true, true],
    ['a cookie', ['Set-Cookie', 'a=b'], true, false],
    ['Vary by anything', ['Vary', '*'], false, false],
    ['Vary by what is compared', ['Vary', 'Accept, Accept-Encoding'], true, true],
    ['Vary by what is not compared', ['Vary', 'Accept, User-Agent'], false, false],
    ['chunks', ['Transfer-Encoding', 'chunked'], true, true],
    ['a coding that was not asked for', ['Transfer-Encoding', 'gzip, chunked'], true, false],
  ])('with %s', (_what, fields, shared, kept) => {
    expect(of(...fields)).toMatchObject({ shared, kept });
  });

  it.each<[string, readonly string[], number]>([
    ['max-age', ['Cache-Control', 'max-age=7'], 7_000],
    ['max-age, before Expires', ['Cache-Control', 'max-age=7', 'Date', date, 'Expires', date], 7_000],
    ['Expires', ['Date', date, 'Expires', 'Sat, 01 Aug 2026 12:00:09 GMT'], 9_000],
    ['an Expires that is no date', ['Date', date, 'Expires', '0'], 0],
    ['an Expires of the past', ['Date', date, 'Expires', 'Fri, 31 Jul 2026 12:00:00 GMT'], 0],
    ['a max-age that is no number', ['Cache-Control', 'max-age=ever'], 0],
  ])('is good for as long as %s says', (_what, fields, lifetime) => {
    expect(of(...fields).lifetime).toBe(lifetime);
  });

  it('tells its age and its date', () => {
    expect(of('Age', '4', 'Date', date)).toMatchObject({ age: 4_000, date: Date.parse(date) });
    expect(of('Age', '-4', 'Date', 'today')).toMatchObject({ age: 0, date: undefined });
  });
});
