import fp from 'fastify-plugin';

export default fp(async (fastify, { ownKey }) => {
  fastify.decorate('requireKey', async (request, reply) => {
    if (request.headers['x-own-key'] !== ownKey) return reply.code(401).send({ error: 'unauthorized' });
  });
});
