import { expect, test } from 'vitest';
import { masked } from '../../src/text/masked.ts';

test.each([
  ['sk_live_0123456789abcdef', 'sk_live_…'],
  ['"ak_78486f263949a38c3125c173"', '"ak_78486…"'],
  ['/etc/proxy/sk_live_0123456789abcdef', '/etc/proxy/sk_live_…'],
  ['sk_live_0123456789abcdef:80', 'sk_live_…:80'],
  ['x-api-key=sk_live_0123456789abcdef', 'x-api-key=sk_live_…'],
])('%s could be a key, and shows eight characters', (text, shown) => {
  expect(masked(text)).toBe(shown);
});

test.each([
  '127.0.0.1:8080',
  'https://api.example.com/v2-of-2026-and-later/x',
  '/srv/migrate-v2-production-2026/keys.json',
  'migrate-v2-production-2026.db',
  'env:MESSAGING_API_V1_KEY',
  'a-file-without-any-number',
  'sk_live_ab…yz',
])('%s is none, and stays', (text) => {
  expect(masked(text)).toBe(text);
});
