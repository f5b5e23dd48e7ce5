import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock, type Mock } from 'node:test';
import { createMessagingClient } from '../src/messaging/client.ts';

const client = createMessagingClient({ MESSAGING_API_URL: 'https://api.example.com/v1', MESSAGING_API_KEY: 'secret' });

describe('MessagingClient', () => {
  let fetchMock: Mock<typeof fetch>;

  beforeEach(() => {
    fetchMock = mock.method(globalThis, 'fetch', async () => Response.json({ data: { id: 'c1' }, messageId: 'm1' }, { status: 201 }));
  });
  afterEach(() => mock.restoreAll());

  it('sends a message', async () => {
    await client.sendMessage('+15550100001', 'Hi');
    const [url, init] = fetchMock.mock.calls[0]!.arguments;
    assert.equal(url, 'https://api.example.com/v1/messages/send');
    assert.equal((init!.headers as Record<string, string>)['X-Api-Key'], 'secret');
    assert.deepEqual(init!.headers, { Accept: 'application/json', 'Content-Type': 'application/json', 'X-Api-Key': 'secret' });
  });

  it('asks for pages', async () => {
    await client.listContacts({ page: 2 });
    assert.ok(String(fetchMock.mock.calls[0]!.arguments[0]).startsWith('https://api.example.com/v1/contacts?page=2'));
  });

  it('says whether a contact is new', async () => {
    assert.deepEqual(await client.createContact({ phone: '+1' }), { created: true, contact: { id: 'c1' } });
    assert.ok(String(fetchMock.mock.calls[0]!.arguments[0]).includes('/v1/contacts'));
    assert.equal(fetchMock.mock.calls[0]!.arguments[1]!.method, 'POST');
  });

  it('sends campaigns', async () => {
    await client.sendCampaign('spring');
    const { pathname } = new URL(String(fetchMock.mock.calls.at(-1)!.arguments[0]));
    assert.equal(pathname, '/v1/campaigns/spring/send');
  });
});
