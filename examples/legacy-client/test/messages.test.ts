import nock from 'nock';
import { afterEach, expect, test } from 'vitest';
import { config } from '../src/config.ts';
import { deliveryStatus, sendMessage } from '../src/messages.ts';

const service = nock(config.baseUrl, { reqheaders: { 'x-api-key': config.apiKey } });

afterEach(() => {
  expect(nock.pendingMocks()).toEqual([]);
  nock.cleanAll();
});

test('a message is sent, and its id is returned', async () => {
  const message = { channel: 'SMS', to: '+15550100', content: 'Your table is ready' } as const;
  service.post('/v1/messages/send', message).reply(200, { success: true, messageId: 'msg_1' });
  expect(await sendMessage(message)).toBe('msg_1');
});

test('the delivery status is read', async () => {
  service.get('/v1/messages/msg_1').reply(200, { success: true, data: { messageId: 'msg_1', status: 'SENT' } });
  expect(await deliveryStatus('msg_1')).toBe('SENT');
});

test('what the service refuses is an error', async () => {
  service.get('/v1/messages/msg_2').reply(404, { success: false, error: 'Not found' });
  await expect(deliveryStatus('msg_2')).rejects.toThrow('404');
});
