import { describe, expect, test } from 'vitest';
import { clientNames } from '../../src/usage/client-name.ts';

const name = clientNames('secret');
const hashed = /^other-[0-9a-f]{8}$/;

describe('the name of a client', () => {
  test.each(['billing', 'billing-service-v2', 'Shop 12 (Berlin)', 'crm/3.4.1', 'invoices-2026-11'])('%s is shown', (value) => {
    expect(name(value, ['ak_live_0123456789'])).toBe(value);
  });

  test.each([
    ['the key of the call', 'secretkey', ['secretkey']],
    ['the key of the call within', 'shop secretkey!', ['secretkey']],
    ['a key of the usual form', 'key sk_live_abcdefghijklmnop1234', []],
    ['a key of the service', 'ak_78486f263949a38c3125c173', []],
    ['a JSON Web Token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dGVzdA', []],
    ['random characters', '9f8e7d6c5b4a39281706f5e4d3', []],
    ['a long text', 'x'.repeat(65), []],
    ['control characters', 'a\u0007b', []],
  ])('%s is only told apart', (_what, value, keys) => {
    expect(name(value, keys)).toMatch(hashed);
    expect(name(value, keys)).toBe(name(value, keys));
  });

  test.each([undefined, ''])('there is none in %s', (value) => {
    expect(name(value, [])).toBeNull();
  });
});
