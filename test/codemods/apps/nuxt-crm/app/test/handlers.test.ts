import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { calls } from './nitro.ts';

const { messagingFetch } = await import('../server/utils/messaging.ts');
Object.assign(globalThis, { messagingFetch });

beforeEach(() => {
  calls.length = 0;
});

test('lists contacts with the key of the runtime config', async () => {
  const { default: list } = await import('../server/api/contacts/index.get.ts');
  await list({ query: { page: '2' } });

  const [call] = calls;
  assert.equal(call?.url, 'https://api.example.com/v1/contacts?page=2&limit=50');
});

test('asks for one contact', async () => {
  const { default: one } = await import('../server/api/contacts/[id].get.ts');
  await one({ params: { id: 'c1' } });
  assert.equal(calls[0]?.url, 'https://api.example.com/v1/contacts/c1');
});

test('refuses a contact without a phone', async () => {
  const { default: create } = await import('../server/api/contacts/index.post.ts');
  await assert.rejects(create({ body: {} }), /phone is required/);
  assert.equal(calls.length, 0);
});

test('sends a message', async () => {
  const { default: send } = await import('../server/api/messages/send.post.ts');
  assert.deepEqual(await send({ body: { to: '+15550100001', content: 'Hello' } }), { id: 'm1' });
  assert.deepEqual(calls[0]?.body, { channel: 'SMS', to: '+15550100001', content: 'Hello' });
  assert.equal(calls[0]?.url, 'https://api.example.com/v1/messages/send');
});

test('tracks parcels with their own key', async () => {
  const { default: parcels } = await import('../server/api/v1/parcels.get.ts');
  await parcels({ query: {} });
  assert.equal(calls[0]?.url, 'https://api.parcel-tracker.net/v1/shipments');
});
