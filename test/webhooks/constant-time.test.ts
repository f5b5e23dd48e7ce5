import * as crypto from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { verifyWebhook } from '../../src/index.ts';

// The real one, watched.
vi.mock('node:crypto', async (actual) => {
  const real = await actual<typeof crypto>();
  return { ...real, timingSafeEqual: vi.fn(real.timingSafeEqual) };
});
afterEach(() => vi.clearAllMocks());

const secret = 'whsec_0123456789abcdef';
const body = Buffer.from('{"event":"test.ping","data":{},"timestamp":"2026-08-01T12:00:00.000Z"}');
const right = crypto.createHmac('sha256', secret).update(body).digest('hex');

const digit = (before: string | undefined): string => (before === '0' ? '1' : '0');

it.each([
  ['first', digit(right[0]) + right.slice(1)],
  ['last', right.slice(0, -1) + digit(right.at(-1))],
])('a signature of the right length is compared as a whole, in constant time, though its %s digit is wrong', (_, hex) => {
  expect(() => verifyWebhook(body, `sha256=${hex}`, secret)).toThrow(expect.objectContaining({ code: 'WEBHOOK_SIGNATURE_MISMATCH' }));
  expect(crypto.timingSafeEqual).toHaveBeenCalledExactlyOnceWith(Buffer.from(hex, 'hex'), Buffer.from(right, 'hex'));
});

it.each([right.slice(0, -2), `${right}00`])('one of another length is refused before that: %s', (hex) => {
  expect(() => verifyWebhook(body, `sha256=${hex}`, secret)).toThrow(expect.objectContaining({ code: 'WEBHOOK_SIGNATURE_MALFORMED' }));
  expect(crypto.timingSafeEqual).not.toHaveBeenCalled();
});
