import fastify, { type FastifyInstance } from 'fastify';
import { createCalendar } from './calendar.ts';
import type { Config } from './config.ts';
import { MessagingClient } from './messaging/client.ts';
import { reminders } from './routes/reminders.ts';
import { subscribers } from './routes/subscribers.ts';

export function buildApp(config: Config): FastifyInstance {
  const app = fastify({ logger: false });
  const messaging = new MessagingClient(config.messaging);
  reminders(app, messaging, createCalendar(config.calendar));
  subscribers(app, messaging);
  return app;
}
