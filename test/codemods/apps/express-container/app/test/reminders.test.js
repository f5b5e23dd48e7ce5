import assert from 'node:assert/strict';
import test from 'node:test';
import { MessagingClient } from '../src/messaging-client.js';
import { Reminders } from '../src/reminders.js';

test('reminds by text message', async (t) => {
  const sent = [];
  t.mock.method(globalThis, 'fetch', async (_url, init) => {
    sent.push(JSON.parse(init.body));
    return new Response('{}');
  });
  const messaging = new MessagingClient({ baseUrl: 'https://api.example.com', apiKey: 'test-key' });

  await new Reminders(messaging).remind({ phone: '+15550100001', at: 'noon' });

  assert.deepEqual(sent, [{ channel: 'SMS', to: '+15550100001', content: 'See you at noon' }]);
});
