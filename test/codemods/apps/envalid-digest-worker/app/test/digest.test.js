import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createMessaging } from '../src/clients/messaging.js';
import { createWeather } from '../src/clients/weather.js';
import { readEnv } from '../src/env.js';
import { sendDigests } from '../src/jobs/digest.js';

const real = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = real;
});

function stubFetch(answers) {
  const calls = [];
  globalThis.fetch = async (url, init = {}) => {
    calls.push({ url, ...init });
    return Response.json(answers[calls.length - 1]);
  };
  return calls;
}

const env = readEnv({ NODE_ENV: 'test', DIGEST_LIMIT: '2' });

test('defaults are for the service itself', () => {
  assert.equal(env.MESSAGING_API_URL, 'https://api.example.com/v1');
  assert.equal(env.WEATHER_URL, 'https://weather.example.net/v1');
});

test('whoever has an address gets a digest', async () => {
  const calls = stubFetch([{ data: [{ id: 'con_1', email: 'ada@example.org' }, { id: 'con_2' }] }, { summary: 'sunny' }, { messageId: 'msg_1' }]);
  const sent = await sendDigests({ messaging: createMessaging(env), weather: createWeather(env), env });
  assert.deepEqual(sent, ['msg_1']);
  assert.deepEqual(
    calls.map(({ url }) => url),
    [
      'https://api.example.com/v1/contacts?page=1&limit=2',
      'https://weather.example.net/v1/contacts/con_1/weather',
      'https://api.example.com/v1/messages/send',
    ],
  );
  assert.equal(calls[1].headers['x-api-key'], 'weather-key');
});

test('the key goes along', async () => {
  const calls = stubFetch([{ messageId: 'msg_2' }]);
  await createMessaging(env).send('ada@example.org', 'Hello');
  assert.equal(calls[0].headers['x-api-key'], 'test-key');
});

test('another address of the service is taken from the environment', async () => {
  const calls = stubFetch([{ id: 'msg_3' }]);
  await createMessaging(readEnv({ NODE_ENV: 'test', MESSAGING_API_URL: 'http://127.0.0.1:4010/v1' })).message('msg_3');
  assert.equal(calls[0].url, 'http://127.0.0.1:4010/v1/messages/msg_3');
});
