'use strict';

const assert = require('node:assert/strict');
const { after, before, describe, test } = require('node:test');
const { default: nock } = require('nock');
const createApp = require('../app');

describe('routes', () => {
  let server;
  let base;

  before(async () => {
    server = createApp().listen(0);
    await new Promise((resolve) => server.once('listening', resolve));
    base = `http://127.0.0.1:${server.address().port}`;
    nock.enableNetConnect('127.0.0.1');
  });

  after(() => {
    server.close();
    nock.cleanAll();
  });

  test('wants a key of ours', async () => {
    assert.equal((await fetch(`${base}/v1/customers/42`)).status, 401);
    assert.equal((await fetch(`${base}/v1/customers/42`, { headers: { 'x-api-key': 'dev-key' } })).status, 200);
  });

  test('tells a customer about points', async () => {
    nock('https://api.example.com').post('/v1/messages/send').reply(201, { messageId: 'm7' });
    const res = await fetch(`${base}/v1/customers/42/points`, {
      method: 'POST',
      headers: { 'x-api-key': 'dev-key', 'content-type': 'application/json' },
      body: JSON.stringify({ points: 5 }),
    });
    assert.deepEqual(await res.json(), { points: 125, messageId: 'm7' });
  });
});
