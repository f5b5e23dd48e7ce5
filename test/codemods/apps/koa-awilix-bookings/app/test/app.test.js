process.env.MESSAGING_API_KEY = 'test-key';
process.env.ROOMS_API_KEY = 'rooms-key';
process.env.HOTEL_KEY = 'hotel-key';

const assert = require('node:assert/strict');
const { after, before, beforeEach, test } = require('node:test');
const { asValue } = require('awilix');
const createApp = require('../src/app');
const { buildContainer } = require('../src/container');

const calls = [];
const answers = {
  'GET https://api.example.com/v1/contacts/con_1': { data: { id: 'con_1', name: 'Ada', phone: '+14155550101' } },
  'GET https://rooms.example.net/v1/contacts/con_1/bookings': [{ room: 7 }],
  'POST https://api.example.com/v1/messages/send': { messageId: 'msg_1' },
  'POST https://api.example.com/v1/campaigns': { data: { id: 'cmp_1' } },
  'POST https://api.example.com/v1/campaigns/cmp_1/send': { success: true },
};

async function stub(url, { method = 'GET', headers = {}, body } = {}) {
  calls.push({ url, method, headers, body: body && JSON.parse(body) });
  const answer = answers[`${method} ${url}`];
  return answer === undefined ? Response.json({ error: 'Not found' }, { status: 404 }) : Response.json(answer);
}

let server;
let address;

before(async () => {
  const container = buildContainer();
  container.register({ fetch: asValue(stub), logger: asValue({ debug() {}, info() {} }) });
  server = createApp(container).listen(0);
  await new Promise((resolve) => server.once('listening', resolve));
  address = `http://127.0.0.1:${server.address().port}`;
});
beforeEach(() => calls.splice(0));
after(() => server.close());

const asHotel = (method, path) => fetch(address + path, { method, headers: { 'x-api-key': 'hotel-key' } });

test('hotels without a key are refused', async () => {
  const response = await fetch(`${address}/v1/contacts/con_1/bookings`);
  assert.equal(response.status, 401);
});

test('bookings come from the service of rooms', async () => {
  const response = await asHotel('GET', '/v1/contacts/con_1/bookings');
  assert.deepEqual(await response.json(), [{ room: 7 }]);
  assert.equal(calls[0].headers['x-api-key'], 'rooms-key');
});

test('a guest with a booking is reminded', async () => {
  const response = await asHotel('POST', '/v1/contacts/con_1/reminders');
  assert.equal(response.status, 202);
  const sent = calls.find(({ url }) => url.endsWith('/messages/send'));
  assert.equal(sent.url, 'https://api.example.com/v1/messages/send');
  assert.equal(sent.headers['x-api-key'], 'test-key');
  assert.equal(sent.body.to, '+14155550101');
});

test('a campaign is made and sent', async () => {
  const response = await asHotel('POST', '/v1/campaigns?season=spring');
  assert.deepEqual(await response.json(), { id: 'cmp_1' });
  assert.deepEqual(
    calls.map(({ url }) => url),
    ['https://api.example.com/v1/campaigns', 'https://api.example.com/v1/campaigns/cmp_1/send'],
  );
});

test('what the service refuses is a bad gateway', async () => {
  const response = await asHotel('POST', '/v1/contacts/con_9/reminders');
  assert.equal(response.status, 502);
});
