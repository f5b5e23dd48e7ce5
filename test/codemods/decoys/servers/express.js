const express = require('express');

const app = express();

app.use((req, res, next) => {
  const key = req.headers['x-api-key'] || req.query.api_key;
  if (key !== process.env.PARTNER_KEY) return res.status(401).json({ success: false, error: 'Missing API key' });
  next();
});

app.get('/v1/messages', (req, res) => res.json({ success: true, data: [] }));
app.get('/v1/messages/:id', (req, res) => res.json({ success: true, data: { messageId: req.params.id } }));
app.post('/v1/messages/send', express.json(), (req, res) => res.json({ success: true, messageId: 'm_1' }));

module.exports = app;
