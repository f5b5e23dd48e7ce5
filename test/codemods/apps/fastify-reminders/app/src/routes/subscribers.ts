import type { FastifyInstance } from 'fastify';
import type { MessagingClient } from '../messaging/client.ts';

export function subscribers(app: FastifyInstance, messaging: MessagingClient): void {
  app.post<{ Body: { phone: string } }>('/v1/contacts', async (request, reply) => {
    const contact = await messaging.addContact({ phone: request.body.phone });
    return reply.code(201).send(contact);
  });
  app.get<{ Params: { id: string } }>('/v1/subscribers/:id', async (request) => messaging.contact(request.params.id));
}
