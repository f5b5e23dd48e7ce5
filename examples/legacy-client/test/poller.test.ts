import nock from 'nock';
import { afterEach, expect, test } from 'vitest';
import { config } from '../src/config.ts';
import { waitForDelivery } from '../src/poller.ts';

const waited: number[] = [];
const wait = async (ms: number): Promise<void> => void waited.push(ms);

afterEach(() => {
  waited.length = 0;
  nock.cleanAll();
});

test('the status is asked for every 10 seconds until the message is delivered', async () => {
  for (const status of ['QUEUED', 'SENT', 'DELIVERED']) {
    nock(config.baseUrl).get('/v1/messages/msg_1').reply(200, { success: true, data: { status } });
  }
  expect(await waitForDelivery('msg_1', 30, wait)).toBe('DELIVERED');
  expect(waited).toEqual([10_000, 10_000, 10_000]);
});

test('past the limit of our key, a minute is waited', async () => {
  nock(config.baseUrl).get('/v1/messages/msg_1').reply(429, { success: false, error: 'Too many', code: 'API_KEY_RATE_LIMITED' });
  nock(config.baseUrl)
    .get('/v1/messages/msg_1')
    .reply(200, { success: true, data: { status: 'READ' } });
  expect(await waitForDelivery('msg_1', 30, wait)).toBe('READ');
  expect(waited[0]).toBe(60_000);
});
