import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import nock from 'nock';
import { app } from '../src/server.js';

let server;
let url;
before(async () => {
  process.env.SHOP_KEY = 'shop';
  process.env.MESSAGING_KEY = 'test-key';
  server = app.listen(0);
  url = `http://127.0.0.1:${server.address().port}`;
  nock.enableNetConnect('127.0.0.1');
});
after(() => {
  server.close();
  nock.restore();
});
beforeEach(() => nock.cleanAll());

const report = (body, key = 'shop') =>
  fetch(`${url}/v1/orders/1001/status`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ phone: '+15550100003', ...body }),
  });

test('a shipped order is told to its customer', async () => {
  const scope = nock('https://api.example.com', { reqheaders: { 'x-api-key': 'test-key' } })
    .post('/v1/messages/send', { channel: 'WHATSAPP', to: '+15550100003', content: 'Your order 1001 is on its way.' })
    .reply(201, { messageId: 'm1' });

  const response = await report({ status: 'shipped' });

  assert.equal(response.status, 202);
  assert.deepEqual(await response.json(), { messageId: 'm1' });
  scope.done();
});

test('a status that means nothing to customers is refused', async () => {
  assert.equal((await report({ status: 'packed' })).status, 422);
});

test('nobody else may report', async () => {
  assert.equal((await report({ status: 'shipped' }, 'wrong')).status, 401);
});
