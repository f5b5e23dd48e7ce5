import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { createHandler } from '../src/api/handler';
import { ledger } from '../src/clients/ledger';
import { createMessaging } from '../src/clients/messaging';
import { Invitations } from '../src/services/invitations';
import { sendNewsletter } from '../src/services/newsletter';

afterEach(() => mock.restoreAll());

function answering(...answers: [status: number, body: unknown][]) {
  return mock.method(globalThis, 'fetch', async (_url: string, _init?: RequestInit) => {
    const [status, body] = answers.shift() ?? [500, {}];
    return Response.json(body, { status });
  });
}

test('a new contact is greeted', async () => {
  const fetched = answering([201, { data: { id: 'con_1' } }], [200, { messageId: 'msg_1' }]);
  const id = await new Invitations(createMessaging('test-key')).invite('Ada', '+14155550101');
  assert.equal(id, 'con_1');
  const [url, init] = fetched.mock.calls[0]!.arguments;
  assert.equal(url, 'https://api.example.com/v1/contacts');
  assert.equal((init!.headers as Record<string, string>)['x-api-key'], 'test-key');
  assert.equal(fetched.mock.calls[1]!.arguments[0], 'https://api.example.com/v1/messages/send');
});

test('contacts come by page', async () => {
  const fetched = answering([200, { data: [{ name: 'Ada' }] }]);
  assert.deepEqual(await new Invitations(createMessaging('test-key')).names(3), ['Ada']);
  assert.equal(fetched.mock.calls[0]!.arguments[0], 'https://api.example.com/v1/contacts?page=1&limit=3');
});

test('a newsletter is a campaign', async () => {
  const fetched = answering([201, { data: { id: 'cmp_1' } }], [202, {}]);
  await sendNewsletter(createMessaging('test-key'), 'June');
  assert.deepEqual(
    fetched.mock.calls.map((call) => call.arguments[0]),
    ['https://api.example.com/v1/campaigns', 'https://api.example.com/v1/campaigns/cmp_1/send'],
  );
});

test('partners need their key', async () => {
  const handle = createHandler(new Invitations(createMessaging('test-key')), 'partner');
  const refused = await handle(new Request('https://portal.example.net/v1/contacts', { method: 'POST', body: '{}' }));
  assert.equal(refused.status, 401);
  answering([201, { data: { id: 'con_2' } }], [200, { messageId: 'msg_2' }]);
  const body = JSON.stringify({ name: 'Bob', phone: '+14155550102' });
  const added = await handle(new Request('https://portal.example.net/v1/contacts', { method: 'POST', body, headers: { 'x-api-key': 'partner' } }));
  assert.deepEqual([added.status, await added.json()], [201, { id: 'con_2' }]);
});

test('the ledger has a key of its own', async () => {
  process.env.LEDGER_KEY = 'ledger-key';
  const fetched = answering([200, { balance: 7 }]);
  await ledger.contact({ params: { id: 'con_1' } });
  const [url, init] = fetched.mock.calls[0]!.arguments;
  assert.equal(url, 'https://ledger.example.net/v1/contacts/con_1');
  assert.equal((init!.headers as Record<string, string>)['x-api-key'], 'ledger-key');
});
