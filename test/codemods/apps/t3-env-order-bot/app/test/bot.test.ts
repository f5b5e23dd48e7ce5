import assert from 'node:assert/strict';
import { before, mock, test } from 'node:test';

Object.assign(process.env, { MESSAGING_API_KEY: 'test-key', SHOP_API_KEY: 'shop-key' });

const asked: Request[] = [];
const answers: Record<string, unknown> = {
  '/v1/contacts/con_1': { data: { id: 'con_1', phone: '+14155550101' } },
  '/v1/contacts/con_1/orders': [{ id: '#7', state: 'packed' }],
  '/v1/messages/send': { messageId: 'msg_1' },
};

before(() => {
  mock.method(globalThis, 'fetch', async (input: Request | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    asked.push(request);
    return Response.json(answers[new URL(request.url).pathname] ?? {});
  });
});

test('says where orders are', async () => {
  const { answer } = await import('../src/bot/answer');
  assert.equal(await answer('con_1'), 'msg_1');
  assert.deepEqual(
    asked.map(({ url }) => url),
    [
      'https://api.example.com/v1/contacts/con_1',
      'https://shop.example.net/v1/contacts/con_1/orders',
      'https://api.example.com/v1/messages/send',
    ],
  );
  assert.equal(asked[1].headers.get('x-api-key'), 'shop-key');
  assert.equal(asked[2].headers.get('x-api-key'), 'test-key');
});

test('without a number there is nothing to say', async () => {
  const { answer } = await import('../src/bot/answer');
  assert.equal(await answer('con_2'), undefined);
});
