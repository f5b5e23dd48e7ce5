import assert from 'node:assert/strict';
import test from 'node:test';
import nock from 'nock';
import { Messaging } from '../src/messaging.js';

test('adds a contact with the key', async () => {
  const scope = nock('https://api.example.com', { reqheaders: { 'x-api-key': 'test-key' } })
    .post('/v1/contacts', { phone: '+15550100001', firstName: 'Ada' })
    .reply(201, { id: 'c1' });

  assert.deepEqual(await new Messaging({ apiKey: 'test-key' }).addContact({ phone: '+15550100001', firstName: 'Ada' }), { id: 'c1' });
  scope.done();
});
