import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { http, HttpResponse } from 'msw';
import { contacts } from '../src/api/contacts.ts';
import { server } from './msw/server.ts';

describe('contacts', () => {
  before(() => server.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => server.resetHandlers());
  after(() => server.close());

  it('lists members', async () => {
    assert.deepEqual((await contacts.list()).data, [{ phone: '+15550100001' }]);
  });

  it('gets one', async () => {
    const requests: Request[] = [];
    server.events.on('request:start', ({ request }) => void requests.push(request));
    await contacts.get('c1');
    server.events.removeAllListeners();
    assert.equal(new URL(requests[0]!.url).pathname, '/v1/contacts/c1');
    assert.equal(requests[0]!.headers.get('x-api-key'), 'test-key');
  });

  it('takes one who is there for no error', async () => {
    assert.equal(await contacts.ensure({ phone: '+15550100009' }), false);
  });

  it('fails when the service does', async () => {
    server.use(http.get('https://api.example.com/v1/contacts', () => HttpResponse.json({ error: 'down' }, { status: 500 })));
    await assert.rejects(contacts.list(2), { status: 500 });
  });
});
