import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import nock from 'nock';
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici';
import { exportContacts } from '../src/main.js';
import { store } from '../src/warehouse.js';

const original = getGlobalDispatcher();
let agent;

beforeEach(() => {
  agent = new MockAgent();
  agent.disableNetConnect();
  setGlobalDispatcher(agent);
});

afterEach(() => {
  setGlobalDispatcher(original);
  nock.cleanAll();
});

test('goes from page to page', async () => {
  const api = nock('https://api.example.com', { reqheaders: { 'x-api-key': 'k' } });
  api
    .get('/v1/contacts')
    .query({ page: 1, limit: 100 })
    .reply(200, { data: [{ id: 'c1' }], next: 'https://api.example.com/v1/contacts?page=2&limit=100' });
  api.get('/v1/contacts').query({ page: 2, limit: 100 }).reply(200, { data: [{ id: 'c2' }] });

  const lines = [];
  const { count } = await exportContacts({ key: 'k', write: (line) => lines.push(line) });

  assert.equal(count, 2);
  assert.deepEqual(lines, ['{"id":"c1"}\n', '{"id":"c2"}\n']);
});

test('tries again, launches and tells', async () => {
  nock('https://api.example.com').get('/v1/contacts').query(true).reply(503).get('/v1/contacts').query(true).reply(200, { data: [] });
  const pool = agent.get('https://api.example.com');
  pool.intercept({ path: '/v1/campaigns/spring/send', method: 'POST' }).reply(202, {});
  pool.intercept({ path: '/v1/campaigns/spring?fields=stats' }).reply(200, { sent: 0 });
  pool
    .intercept({ path: '/v1/messages/send', method: 'POST', headers: { 'x-api-key': 'k' } })
    .reply(201, { messageId: 'm1' });
  pool.intercept({ path: '/v1/messages/m1' }).reply(200, { status: 'SENT' });

  const result = await exportContacts({ key: 'k', campaign: 'spring', notify: '+15550100001', write: () => {} });

  assert.deepEqual(result, { count: 0, status: 'SENT' });
  agent.assertNoPendingInterceptors();
});

test('hands the lines to the warehouse', async () => {
  const warehouse = nock('https://warehouse.example.org', { reqheaders: { 'x-api-key': 'w' } })
    .post('/v1/messages/bulk', 'a\nb')
    .reply(204);
  await store(['a', 'b'], 'w');
  warehouse.done();
});
