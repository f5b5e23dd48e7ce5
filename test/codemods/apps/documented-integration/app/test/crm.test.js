import assert from 'node:assert/strict';
import test from 'node:test';
import nock from 'nock';
import { createMessaging } from '../src/index.js';
import { createCrm, syncPeople } from '../src/crm.js';

test('compares the people of the CRM with the contacts', async () => {
  nock('https://crm.example.net').get('/v1/people').matchHeader('x-api-key', 'crm-key').reply(200, { people: [1, 2, 3] });
  nock('https://api.example.com', { reqheaders: { 'x-api-key': 'test-key' } })
    .get('/v1/contacts')
    .query({ limit: 100 })
    .reply(200, { data: [1] });

  const missing = await syncPeople(createCrm({ apiKey: 'crm-key' }), createMessaging({ apiKey: 'test-key' }));

  assert.equal(missing, 2);
});
