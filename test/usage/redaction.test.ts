import { describe, expect, it } from 'vitest';
import { clientProducts } from '../../src/usage/client-product.ts';
import { daysUntil, recordedMethod, traceIdOf } from '../../src/usage/deprecated-use.ts';
import { keyFingerprinter } from '../../src/usage/key-fingerprint.ts';

describe('a key fingerprint', () => {
  it('shows eight characters of a long key', () => {
    expect(keyFingerprinter('s')('sk_live_abcdefghijklmnopqrstuvwxyz').prefix).toBe('sk_live_');
  });

  it('never shows more than a third of a short key', () => {
    expect(keyFingerprinter('s')('abcdef').prefix).toBe('ab');
  });

  it('is the same for the same secret and another for another', () => {
    const hash = keyFingerprinter('s')('key').hash;
    expect(keyFingerprinter('s')('key').hash).toBe(hash);
    expect(keyFingerprinter('t')('key').hash).not.toBe(hash);
  });
});

describe('the client product', () => {
  const product = clientProducts(['acme-crm'], 'secret');

  it.each([
    ['axios/1.7.2', 'axios/1.7.2'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'Mozilla/5.0'],
    ['ACME-CRM/2.1 extra', 'acme-crm/2.1'],
    ['curl/8.1.2-DEV', 'curl/8.1.2'],
    ['axios/sk_live_secret', 'axios'],
    ['node', 'node'],
    [undefined, 'none'],
    ['', 'none'],
  ])('of %s is %s', (userAgent, expected) => {
    expect(product(userAgent)).toBe(expected);
  });

  it('is a hash where the name is not known, equal for equal names', () => {
    expect(product('sk_live_secret/1.0')).toMatch(/^other-[0-9a-f]{8}$/);
    expect(product('sk_live_secret/1.0')).toBe(product('sk_live_secret/2.0'));
  });
});

describe('the other properties of a record', () => {
  it('copies no unknown method', () => {
    expect(recordedMethod('GET')).toBe('GET');
    expect(recordedMethod('SK_LIVE_SECRET')).toBe('OTHER');
  });

  it('takes a trace id only from a well-formed traceparent', () => {
    expect(traceIdOf('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
    expect(traceIdOf('00-00000000000000000000000000000000-00f067aa0ba902b7-01')).toBeUndefined();
    expect(traceIdOf('sk_live_secret')).toBeUndefined();
  });

  it.each([
    ['2026-12-30T23:59:59Z', 0],
    ['2026-12-01T00:00:00Z', 30],
    ['2026-12-31T00:00:00Z', 0],
    ['2026-12-31T00:00:01Z', -1],
  ])('counts the days from %s until the sunset as %i', (now, days) => {
    expect(daysUntil(Date.parse('2026-12-31T00:00:00Z'), Date.parse(now))).toBe(days);
  });
});
