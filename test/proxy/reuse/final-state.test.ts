import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { endpointIds, v1Endpoints } from '../../../src/contract/endpoints.ts';
import { isFinal, showsState } from '../../../proxy/reuse/final-state.ts';

const states = ['DELIVERED', 'FAILED'];
const final = (body: string | Buffer, fields: readonly string[] = []): Promise<boolean> =>
  isFinal(Buffer.from(body), { fields, states, longest: 1_000 });

it.each([
  ['bare', '{"messageId":"m","status":"DELIVERED"}'],
  ['in an envelope', '{"success":true,"data":{"status":"FAILED"}}'],
  ['in an envelope with a status of its own', '{"status":"ok","data":{"deliveryStatus":"DELIVERED"}}'],
])('a final state is found %s', async (_where, body) => {
  expect(await final(body)).toBe(true);
});

it('a final state is found in what is coded', async () => {
  expect(await final(gzipSync('{"status":"DELIVERED"}'), ['Content-Encoding', 'gzip'])).toBe(true);
});

it.each([
  ['another state', '{"status":"SENT"}'],
  ['a state in other letters', '{"status":"delivered"}'],
  ['the envelope alone', '{"status":"DELIVERED","data":{"messageId":"m"}}'],
  ['two that differ', '{"status":"DELIVERED","deliveryStatus":"SENT"}'],
  ['a list', '[{"status":"DELIVERED"}]'],
  ['a list in an envelope', '{"data":[{"status":"DELIVERED"}]}'],
  ['a number', '{"status":5}'],
  ['what is cut short', '{"status":"DELIVERED"'],
  ['nothing', ''],
  ['more than is read', JSON.stringify({ status: 'DELIVERED', content: 'x'.repeat(2_000) }).padEnd(1)],
])('no final state is seen in %s', async (what, body) => {
  const coded = what === 'more than is read';
  expect(await final(coded ? gzipSync(body) : body, coded ? ['Content-Encoding', 'gzip'] : [])).toBe(false);
});

it('one message and one campaign show a state', () => {
  expect(endpointIds(v1Endpoints).filter(showsState)).toEqual(['getMessage', 'getCampaign']);
});
