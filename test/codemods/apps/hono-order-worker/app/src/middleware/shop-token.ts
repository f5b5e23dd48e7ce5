import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../env.ts';

/** Shops call us with a token of ours. */
export const shopToken = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.header('x-api-key') !== c.env.SHOP_TOKEN) return c.json({ error: 'unauthorized' }, 401);
  c.set('shop', c.req.query('shop') ?? 'main');
  await next();
});
