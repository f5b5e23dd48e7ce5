import { Hono } from 'hono';
import type { AppEnv } from '../env.ts';
import { locate } from '../lib/geocoder.ts';
import { createMessaging, MessagingError } from '../lib/messaging.ts';

export const orders = new Hono<AppEnv>();

orders.post('/orders/:number/shipped', async (c) => {
  const { phone, address } = await c.req.json<{ phone: string; address: string }>();
  const { lat, lng } = await locate(c.env, address);
  try {
    const { messageId } = await createMessaging(c.env).sendText(phone, `Order ${c.req.param('number')} is near ${lat},${lng}.`);
    await c.env.CACHE.put(`order:${c.req.param('number')}`, messageId);
    return c.json({ messageId }, 202);
  } catch (error) {
    if (error instanceof MessagingError && error.status === 429) return c.json({ error: 'later' }, 503);
    throw error;
  }
});

orders.get('/orders/:number/message', async (c) => {
  const id = await c.env.CACHE.get(`order:${c.req.param('number')}`);
  if (id === null) return c.notFound();
  const upstream = await fetch(`${c.env.MESSAGING_URL}/messages/${id}`, { headers: { 'x-api-key': c.env.MESSAGING_KEY } });
  return c.json(await upstream.json());
});
