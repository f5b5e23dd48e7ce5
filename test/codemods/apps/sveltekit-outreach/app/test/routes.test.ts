import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMessaging } from '../src/lib/server/messaging';
import { actions, load } from '../src/routes/(app)/contacts/+page.server';
import { GET } from '../src/routes/api/status/[id]/+server';

process.env['MESSAGING_API_KEY'] = 'test-key';

function recorder(answer: unknown) {
  const calls: { url: string; init: RequestInit }[] = [];
  const fetcher = async (url: string, init: RequestInit = {}) => {
    calls.push({ url, init });
    return Response.json({ success: true, data: answer });
  };
  return { calls, fetcher: fetcher as typeof fetch };
}

test('the page of contacts asks for twenty, and for the parcels of the first', async () => {
  const { calls, fetcher } = recorder([{ id: 'con_1' }]);
  await load({ locals: { messaging: createMessaging(fetcher) }, fetch: fetcher });
  assert.equal(calls[0].url, 'https://api.example.com/v1/contacts?limit=20');
  assert.equal(calls[1].url, 'https://api.parcels.example/v1/contacts/con_1/parcels');
});

test('a contact is added with our key', async () => {
  const { calls, fetcher } = recorder({ id: 'con_2' });
  const form = new FormData();
  form.set('phone', '+14155550102');
  form.set('name', 'Ada');
  await actions.add({ request: new Request('http://localhost/', { method: 'POST', body: form }), locals: { messaging: createMessaging(fetcher) } });
  assert.equal(calls[0].url, 'https://api.example.com/v1/contacts');
  assert.deepEqual(JSON.parse(String(calls[0].init.body)), { phone: '+14155550102', name: 'Ada' });
});

test('the state of a message is handed on', async () => {
  const { calls, fetcher } = recorder({ id: 'msg_1', status: 'delivered' });
  const answer = await GET({ params: { id: 'msg_1' }, locals: { messaging: createMessaging(fetcher) } });
  assert.deepEqual(await answer.json(), { status: 'delivered' });
  assert.equal(calls[0].url, 'https://api.example.com/v1/messages/msg_1');
});
