import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import nock from 'nock';
import { campaigns, contacts, setApiKey } from '../src/api';

afterEach(() => nock.cleanAll());

test('lists contacts with the key of the session', async () => {
  setApiKey('test-key');
  const scope = nock('https://api.example.com', { reqheaders: { 'x-api-key': 'test-key' } })
    .get('/v1/contacts')
    .query({ page: 1, limit: 50 })
    .reply(200, { data: [{ id: 'c1', name: 'Ada' }] });
  assert.deepEqual(await contacts.fetchContacts({ page: 1, limit: 50 }), { data: [{ id: 'c1', name: 'Ada' }] });
  scope.done();
});

test('rejects with what the service says', async () => {
  nock('https://api.example.com/v1').post('/campaigns').reply(403, { code: 'API_KEY_PERMISSION' });
  await assert.rejects(campaigns.create({ name: 'Spring' }), { code: 'API_KEY_PERMISSION' });
});
