import express from 'express';
import * as messaging from './messaging.js';

const texts = {
  shipped: (order) => `Your order ${order.number} is on its way.`,
  ready: (order) => `Your order ${order.number} waits for you.`,
};

export const app = express();
app.use(express.json());
app.get('/healthz', (req, res) => res.send('ok'));

// The shop's own hook; its version has nothing to do with anybody else's.
app.post('/v1/orders/:number/status', async (req, res) => {
  const text = texts[req.body.status];
  if (req.get('x-api-key') !== process.env.SHOP_KEY) return res.sendStatus(401);
  if (text === undefined) return res.sendStatus(422);
  const { messageId } = await messaging.send(req.body.phone, text({ number: req.params.number }));
  res.status(202).json({ messageId });
});

if (import.meta.main) app.listen(process.env.PORT ?? 8080);
