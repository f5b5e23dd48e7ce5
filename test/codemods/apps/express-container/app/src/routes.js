import { Router } from 'express';

export const router = Router();

router.post('/bookings', async (req, res) => {
  await res.locals.reminders.remind(req.body);
  res.status(201).json({ ok: true });
});

router.get('/v1/guests', async (req, res) => {
  const contacts = await req.messaging.request('GET', '/v1/contacts');
  res.json({ guests: Array.isArray(contacts) ? contacts.length : typeof contacts });
});

router.get('/v1/guests/:id', async (req, res) => {
  const { messaging } = req;
  res.json(await messaging.request('GET', `/v1/contacts/${encodeURIComponent(req.params.id)}`));
});

router.get('/v1/weather', async (req, res) => {
  const answer = await req.app.locals.container.resolve('weather').request('/today');
  res.json(await answer.json());
});
