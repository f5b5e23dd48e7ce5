import express from 'express';

/** The hook that the CRM calls; `/v1` is its own version. */
export function createApp(messaging) {
  const app = express();
  app.use(express.json());
  app.post('/v1/hooks/contact-created', async (req, res) => {
    const contact = await messaging.addContact(req.body);
    await messaging.greet(req.body.phone);
    res.status(201).json({ id: contact.id });
  });
  return app;
}
