import { describe, expect, it } from 'vitest';
import { readAsked } from '../../../proxy/reuse/identity.ts';

const base = ['Accept', 'application/json', 'Authorization', 'Bearer sk_1'];
const fieldsOf = (...more: readonly string[]): string | undefined => readAsked([...base, ...more])?.fields;

describe('two reads are identical', () => {
  it.each([
    ['who asks', 'User-Agent', 'curl/8'],
    ['a trace', 'traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
    ['the way it came', 'Via', '1.1 migrate-v2'],
    ['where it came from', 'X-Forwarded-For', '192.0.2.1'],
    ['a request id', 'X-Request-Id', '1'],
    ['what it says to caches', 'Cache-Control', 'max-age=5'],
  ])('but for %s', (_what, name, value) => {
    expect(fieldsOf(name, value)).toBe(fieldsOf());
  });

  it('in whatever case the names of their fields are written', () => {
    expect(readAsked(['ACCEPT', '*/*'])?.fields).toBe(readAsked(['accept', '*/*'])?.fields);
  });
});

describe('two reads differ', () => {
  it.each([
    ['what they accept', ['Accept', 'text/html', 'Authorization', 'Bearer sk_1']],
    ['their key', ['Accept', 'application/json', 'Authorization', 'Bearer sk_2']],
    ['a field that nobody knows', [...base, 'X-Tenant', 'b']],
    ['a field that is there twice', [...base, 'Accept', 'application/json']],
  ])('by %s', (_what, fields) => {
    expect(readAsked(fields)?.fields).not.toBe(fieldsOf());
  });

  it('where a name and a value are the same when written together', () => {
    expect(readAsked(['ab', 'c'])?.fields).not.toBe(readAsked(['a', 'bc'])?.fields);
  });

  it.each(['If-None-Match', 'If-Modified-Since', 'If-Match', 'If-Unmodified-Since', 'If-Range', 'Range'])('always, with %s', (name) => {
    expect(readAsked([...base, name, '"x"'])).toBeUndefined();
  });
});

describe('what a client says to caches', () => {
  it.each<[string, readonly string[], number, number, boolean]>([
    ['nothing', [], Infinity, 0, true],
    ['no-cache', ['Cache-Control', 'No-Cache'], -1, 0, true],
    ['no-store', ['Cache-Control', 'no-store'], -1, 0, false],
    ['max-age', ['Cache-Control', 'max-age=3'], 3_000, 0, true],
    ['max-age that is no number', ['Cache-Control', 'max-age=soon'], 0, 0, true],
    ['max-age in quotes', ['Cache-Control', 'max-age="3"'], 3_000, 0, true],
    ['the stricter of two', ['Cache-Control', 'max-age=3', 'cache-control', 'max-age=1'], 1_000, 0, true],
    ['min-fresh', ['Cache-Control', 'min-fresh=2'], Infinity, 2_000, true],
    ['Pragma', ['Pragma', 'no-cache'], -1, 0, true],
    ['Pragma beside Cache-Control, which counts', ['Pragma', 'no-cache', 'Cache-Control', 'max-age=9'], 9_000, 0, true],
    ['no-cache within the quotes of another', ['Cache-Control', 'x="no-cache"'], Infinity, 0, true],
  ])('is heeded: %s', (_what, fields, maxAge, minFresh, keeps) => {
    expect(readAsked([...base, ...fields])).toMatchObject({ maxAge, minFresh, keeps });
  });
});
