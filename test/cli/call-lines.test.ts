import { describe, expect, it } from 'vitest';
import { type CallLine, callLines } from '../../src/cli/call-lines.ts';

const usual: CallLine = {
  event: 'deprecated_use',
  endpoint: 'GET /v1/messages/:id',
  method: 'GET',
  status: 200,
  outcome: 'translated',
  duration: 1.25,
  key: 'sk_live_',
  keyHash: '0123456789abcdef',
  client: 'acme-crm/4.2.1',
  daysUntilSunset: 37,
  requestId: '01234567-1',
};

const expected = (line: CallLine): string => `${JSON.stringify({ level: 30, time: 5, ...line })}\n`;

describe('the log line of a call', () => {
  it.each<[string, Partial<CallLine>]>([
    ['the same key and another number', { duration: 0, requestId: '01234567-2' }],
    ['another status', { status: 404, outcome: 'local' }],
    ['another endpoint and method', { endpoint: 'POST /v1/messages/send', method: 'POST' }],
    ['another client', { client: 'curl/8.5' }],
    ['a workspace', { workspace: 'Ada "duration":0,"requestId":"" & Söhne\\' }],
    ['a code', { code: 'PROXY_TIMEOUT', outcome: 'failed' }],
    ['a trace', { traceId: '0af7651916cd43dd8448eb211c80319c' }],
    ['no key', { key: undefined, keyHash: undefined }],
    ['another day', { daysUntilSunset: -1 }],
    ['v2 as its version', { event: 'passed_through', daysUntilSunset: undefined }],
  ])('is what JSON makes of it, with %s behind a usual one', (_name, change) => {
    const textOf = callLines(() => 5);
    const other = { ...usual, ...change } as CallLine;
    expect([usual, other, usual, other].map((line) => textOf(line, 30))).toEqual([usual, other, usual, other].map(expected));
  });

  it('is the same for more keys than are remembered', () => {
    const textOf = callLines(() => 5);
    for (let key = 0; key < 5_000; key++) {
      const line = { ...usual, keyHash: String(key % 2_500) };
      expect(textOf(line, 30)).toBe(expected(line));
    }
  });
});
