import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import nock from 'nock';
import { run } from './setup.js';

const { loadContacts } = await import('../src/sagas/contacts');
const { sendCampaign } = await import('../src/sagas/campaigns');
const { loadMessage, loadMessages, sendMessage, createContactFromMessage } = await import('../src/sagas/messages');

const state = { session: { apiKey: 'session-key' } };
const service = () => nock('https://api.example.com', { reqheaders: { 'x-api-key': 'session-key' } });

afterEach(() => nock.cleanAll());

test('loadContacts calls the API', () => {
  const saga = loadContacts({ payload: { page: 2 } });
  assert.deepEqual(saga.next().value.payload.args, [{ page: 2, limit: 50 }]);
  assert.equal(saga.next({ data: [] }).value.payload.action.type, 'contacts/loaded');
});

test('sendCampaign sends, and reads what became of it', async () => {
  nock('https://api.example.com').post('/v1/campaigns/k1/send').reply(200, {});
  nock('https://api.example.com').get('/v1/campaigns/k1').reply(200, { id: 'k1' });
  nock('https://api.example.com').get('/v1/messages').query({ campaign: 'k1' }).reply(200, { data: ['m1'] });
  const [sent] = await run(sendCampaign, { payload: 'k1' });
  assert.deepEqual(sent.payload, { id: 'k1', messages: ['m1'] });
});

test('sendMessage shows the key of the session', async () => {
  service().post('/v1/messages/send', { channel: 'SMS', to: '+15550100001', content: 'Hello' }).reply(200, { messageId: 'm1' });
  const [sent] = await run(sendMessage, { payload: { to: '+15550100001', content: 'Hello' } }, state);
  assert.deepEqual(sent, { type: 'messages/sent', payload: { messageId: 'm1' } });
});

test('loads messages, all and one', async () => {
  service().get('/v1/messages').reply(200, []);
  service().get('/v1/messages/m1').reply(200, { id: 'm1' });
  await run(loadMessages, {}, state);
  const [loaded] = await run(loadMessage, { payload: 'm1' }, state);
  assert.deepEqual(loaded.payload, { id: 'm1' });
});

test('keeps a contact who wrote', async () => {
  const scope = service().post('/v1/contacts', { phone: '+15550100001' }).reply(201, { id: 'c1' });
  await run(createContactFromMessage, { payload: { phone: '+15550100001' } }, state);
  scope.done();
});
