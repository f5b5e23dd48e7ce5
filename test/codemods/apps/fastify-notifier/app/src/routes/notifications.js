const body = { type: 'object', required: ['to'], properties: { to: { type: 'string' }, text: { type: 'string' } } };

export default async function notifications(fastify) {
  fastify.addHook('preHandler', fastify.requireKey);

  fastify.post('/orders/:id/notify', { schema: { body } }, async (request, reply) => {
    const { to, text = `Your order ${request.params.id} is on its way` } = request.body;
    const sent = await request.sendText(to, text);
    return reply.code(202).send({ sent: Boolean(sent) });
  });

  fastify.get('/messages/:id', async function show(request, reply) {
    const { status, data } = await this.messaging.get(`/v1/messages/${request.params.id}`, { validateStatus: (code) => code < 500 });
    return reply.code(status === 200 ? 200 : 404).send(status === 200 ? data : { error: 'unknown' });
  });
}
