import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import nock from 'nock';
import { MessagingAPI } from '../src/datasources/messaging.ts';
import { PaymentsAPI } from '../src/datasources/payments.ts';

afterEach(() => nock.cleanAll());

describe('MessagingAPI', () => {
  it('reads contacts', async () => {
    nock('https://api.example.com', { reqheaders: { 'x-api-key': 'test-key' } })
      .get('/v1/contacts')
      .query({ page: '1', limit: '20' })
      .reply(200, { data: [{ id: 'c1' }] });
    assert.deepEqual(await new MessagingAPI('test-key').contacts(1, 20), [{ id: 'c1' }]);
  });

  it('sends', async () => {
    nock('https://api.example.com').post('/v1/messages/send').reply(200, { messageId: 'm1' });
    assert.deepEqual(await new MessagingAPI('test-key').send('+15550100001', 'Hi'), { messageId: 'm1' });
  });
});

describe('PaymentsAPI', () => {
  it('reads contacts of its own', async () => {
    nock('https://pay.acme-billing.com', { reqheaders: { 'x-api-key': 'pay-key' } }).get('/v1/contacts').reply(200, [{ id: 'p1' }]);
    process.env.PAYMENTS_KEY = 'pay-key';
    assert.deepEqual(await new PaymentsAPI().contacts(), [{ id: 'p1' }]);
  });
});
