const superagent = require('superagent');

const BASE = 'https://push.vendor.net';

exports.send = (to, content) => superagent.post(`${BASE}/v1/messages/send`).set('x-api-key', process.env.PUSH_KEY).send({ to, content });
exports.message = (id) => superagent.get(`${BASE}/v1/messages/${id}`).set('x-api-key', process.env.PUSH_KEY);
