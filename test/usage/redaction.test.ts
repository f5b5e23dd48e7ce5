import { describe, expect, it } from 'vitest';
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
