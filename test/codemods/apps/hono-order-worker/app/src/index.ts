import type { ExecutionContext, ScheduledEvent } from '@cloudflare/workers-types';
import { Hono } from 'hono';
import type { AppEnv, Bindings } from './env.ts';
import { digest } from './jobs/digest.ts';
import { createMessaging } from './lib/messaging.ts';
import { shopToken } from './middleware/shop-token.ts';
import { orders } from './routes/orders.ts';

const app = new Hono<AppEnv>();

app.use('/v1/*', shopToken);
app.route('/v1', orders);
app.get('/v1/contacts', async (c) => c.json(await createMessaging(c.env).contacts(Number(c.req.query('page') ?? 1))));
app.get('/healthz', (c) => c.text('ok'));

export default {
  fetch: app.fetch,
  scheduled(_event: ScheduledEvent, env: Bindings, ctx: ExecutionContext) {
    ctx.waitUntil(digest(env));
  },
};
