import fastify from 'fastify';

const server = fastify({ logger: { redact: ['req.headers["x-api-key"]'] } });

server.addHook('preHandler', async (request, reply) => {
  if (request.headers['x-api-key'] === undefined) await reply.code(401).send({ error: 'x-api-key is missing' });
});

server.get('/v1/contacts', { schema: { headers: { type: 'object', properties: { 'x-api-key': { type: 'string' } } } } }, async () => ({ data: [] }));
server.register(async (scope) => void scope.post('/messages/send', async () => ({ messageId: 'm_1' })), { prefix: '/v1' });

await server.listen({ port: 3000 });
