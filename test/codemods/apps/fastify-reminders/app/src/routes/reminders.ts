import type { FastifyInstance } from 'fastify';
import type { NextEvent } from '../calendar.ts';
import { type MessagingClient, MessagingFailure } from '../messaging/client.ts';

interface ReminderBody {
  user: string;
  phone: string;
  text: string;
}

/** Our own API: POST /v1/reminders, GET /v1/reminders/:id. */
export function reminders(app: FastifyInstance, messaging: MessagingClient, nextEvent: NextEvent): void {
  app.post<{ Body: ReminderBody }>('/v1/reminders', async (request, reply) => {
    const { user, phone, text } = request.body;
    const next = await nextEvent(user);
    try {
      const { messageId } = await messaging.send(phone, next === undefined ? text : `${text} (${next.title})`);
      return reply.code(202).send({ id: messageId });
    } catch (error) {
      if (error instanceof MessagingFailure && error.statusCode < 500) return reply.code(502).send({ error: error.message });
      throw error;
    }
  });

  app.get<{ Params: { id: string } }>('/v1/reminders/:id', async (request) => messaging.status(request.params.id));
}
