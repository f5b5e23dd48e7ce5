export default async function contacts(fastify) {
  fastify.addHook('preHandler', fastify.requireKey);

  fastify.get('/contacts', async (request) => {
    const { messaging } = request.server;
    const { data } = await messaging.get('/v1/contacts', { params: { limit: request.query.limit ?? 20 } });
    return { contacts: data };
  });

  fastify.post('/contacts', async (request, reply) => {
    const { data } = await fastify.messaging.post('/v1/contacts', request.body);
    return reply.code(201).send({ created: Boolean(data) });
  });

  fastify.get('/where', async (request) => (await fastify.geocoder.get('/contacts/where', { params: { q: request.query.q } })).data);
}
