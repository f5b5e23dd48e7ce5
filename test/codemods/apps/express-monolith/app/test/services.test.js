'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { default: nock } = require('nock');
const campaigns = require('../services/campaigns');
const contacts = require('../services/contacts');
const messaging = require('../services/messaging');
const payments = require('../services/payments');

const api = () => nock('https://api.example.com', { reqheaders: { 'x-api-key': 'test-key' } });

test('sends an SMS', async () => {
  const scope = api()
    .post('/v1/messages/send', { channel: 'SMS', to: '+15550100001', content: 'Hi' })
    .reply(201, { messageId: 'm1' });
  assert.equal(await messaging.sendSms('+15550100001', 'Hi'), 'm1');
  scope.done();
});

test('gives back the contact that there is', async () => {
  nock('https://api.example.com')
    .post('/v1/contacts')
    .reply(409, { existed: true, data: { id: 'c1' } });
  assert.deepEqual(await contacts.create({ phone: '+15550100001' }), { id: 'c1' });
});

test('lists and renames contacts', async () => {
  const scope = api().get('/v1/contacts').query({ page: 2, limit: 10 }).reply(200, []).put('/v1/contacts/c1').reply(200, { id: 'c1' });
  assert.deepEqual(await contacts.list(2, 10), []);
  assert.deepEqual(await contacts.rename('c1', 'Eve'), { id: 'c1' });
  scope.done();
});

test('starts a campaign', async () => {
  nock('https://api.example.com').matchHeader('x-api-key', 'test-key').post('/v1/campaigns/spring/send').reply(202, { ok: true });
  assert.deepEqual(await campaigns.start('spring'), { ok: true });
});

test('charges by the payments service', async () => {
  nock('https://api.payments.example.org', { reqheaders: { 'x-api-key': 'pay-test' } })
    .post('/v1/charges')
    .reply(201, { id: 'p1' });
  assert.deepEqual(await payments.charge('42', 5), { id: 'p1' });
});
