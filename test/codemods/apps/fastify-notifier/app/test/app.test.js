import assert from 'node:assert/strict';
import test from 'node:test';
import nock from 'nock';
import { buildApp } from '../src/app.js';

const config = { ownKey: 'own', messaging: { baseUrl: 'https://api.example.com', apiKey: 'test-key' }, geocoder: { apiKey: 'geo' } };
const headers = { 'x-own-key': 'own' };

test('notifies of an order', async (t) => {
  const app = buildApp(config);
  t.after(() => app.close());
  const scope = nock('https://api.example.com', { reqheaders: { 'x-api-key': 'test-key' } })
    .post('/v1/messages/send', { channel: 'SMS', to: '+15550100001', content: 'Hi' })
    .reply(200, { messageId: 'm1' });

  const answer = await app.inject({ method: 'POST', url: '/v1/orders/o1/notify', headers, payload: { to: '+15550100001', text: 'Hi' } });

  assert.equal(answer.statusCode, 202);
  scope.done();
});

test('keeps others out', async (t) => {
  const app = buildApp(config);
  t.after(() => app.close());
  assert.equal((await app.inject('/v1/contacts')).statusCode, 401);
});

test('lists contacts', async (t) => {
  const app = buildApp(config);
  t.after(() => app.close());
  const scope = nock('https://api.example.com', { reqheaders: { 'x-api-key': 'test-key' } })
    .get('/v1/contacts?limit=20')
    .reply(200, [{ id: 'c1' }]);
  assert.deepEqual((await app.inject({ url: '/v1/contacts', headers })).json(), { contacts: [{ id: 'c1' }] });
  scope.done();
});
