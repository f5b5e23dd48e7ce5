import { Hono } from 'hono';

const app = new Hono().basePath('/v1');

app.use('*', async (c, next) => (c.req.header('x-api-key') === c.env.KEY ? next() : c.json({ error: 'Invalid API key' }, 401)));
app.get('/messages', (c) => c.json({ data: [] }));
app.post('/contacts', async (c) => c.json({ data: await c.req.json() }, 201));

export default app;
