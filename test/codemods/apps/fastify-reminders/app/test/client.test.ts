import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fastify from 'fastify';
import { MessagingClient } from '../src/messaging/client.ts';

const fake = fastify();
let baseUrl: string;
let lastKey: unknown;

before(async () => {
  fake.addHook('onRequest', async (request, reply) => {
    lastKey = request.headers['x-api-key'];
    if (lastKey !== 'k') return reply.code(401).send({ error: 'unauthorized' });
  });
  fake.get('/v1/contacts/:id', async (request) => ({ data: { id: (request.params as { id: string }).id } }));
  fake.post('/v1/messages/send', async () => ({ messageId: 'm1' }));
  baseUrl = await fake.listen({ port: 0, host: '127.0.0.1' });
});
after(() => fake.close());

test('asks for a contact with its key', async () => {
  const client = new MessagingClient({ baseUrl, apiKey: 'k' });
  assert.deepEqual(await client.contact('c9'), { data: { id: 'c9' } });
  assert.equal(lastKey, 'k');
});

test('fails with another key', async () => {
  await assert.rejects(new MessagingClient({ baseUrl, apiKey: 'wrong' }).send('+15550100001', 'Hi'), { statusCode: 401 });
});
