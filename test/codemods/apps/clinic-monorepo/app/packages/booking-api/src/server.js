import express from 'express';
import { remind } from '@clinic/notify';

/** Our own API. Partners send us their key as we tell them in docs/partners.md. */
export function createServer({ appointments, partnerKeys }) {
  const app = express();
  app.use(express.json());

  app.use('/v1', (req, res, next) => {
    if (!partnerKeys.has(req.get('x-api-key'))) return res.status(401).json({ error: 'unknown key' });
    next();
  });
  app.get('/v1/appointments', (req, res) => res.json(appointments.all()));
  app.post('/v1/appointments', async (req, res) => {
    const appointment = appointments.add(req.body);
    await remind(appointment);
    res.status(201).json(appointment);
  });
  return app;
}
