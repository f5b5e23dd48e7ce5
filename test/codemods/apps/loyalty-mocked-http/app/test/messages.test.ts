import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { messages } from '../src/api/messages.ts';
import { stubFetch } from './support/fetch-stub.ts';

describe('messages', () => {
  let stub: ReturnType<typeof stubFetch>;
  afterEach(() => stub.restore());

  it('sends over WhatsApp', async () => {
    stub = stubFetch({ 'POST /v1/messages/send': { body: { messageId: 'm1' } } });
    assert.deepEqual(await messages.send('+15550100001', 'Hello'), { messageId: 'm1' });
    assert.equal(stub.calls[0]!.headers.get('x-api-key'), 'test-key');
  });

  it('reads one', async () => {
    stub = stubFetch({ 'GET /v1/messages/m1': { body: { data: { status: 'READ' } } } });
    await messages.get('m1');
    assert.equal(stub.calls[0]!.url.href, 'https://api.example.com/v1/messages/m1');
  });
});
