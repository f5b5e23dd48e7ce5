import Fastify from 'fastify';
import auth from './plugins/auth.js';
import geocoder from './plugins/geocoder.js';
import messaging from './plugins/messaging.js';
import contacts from './routes/contacts.js';
import notifications from './routes/notifications.js';

export function buildApp(config, options = {}) {
  const app = Fastify(options);
  app.register(auth, { ownKey: config.ownKey });
  app.register(messaging, config.messaging);
  app.register(geocoder, config.geocoder);
  app.register(notifications, { prefix: '/v1' });
  app.register(contacts, { prefix: '/v1' });
  app.get('/health', async () => ({ ok: true, version: '/v1' }));
  return app;
}
