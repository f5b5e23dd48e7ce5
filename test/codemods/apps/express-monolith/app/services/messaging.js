'use strict';

const axios = require('axios');
const config = require('../config');

const { url, version, key, timeout } = config.messaging;

const client = axios.create({ baseURL: `${url}/${version}`, timeout, headers: { 'X-API-Key': key } });

async function send(channel, to, content) {
  const { data } = await client.post('/messages/send', { channel, to, content });
  return data.messageId;
}

exports.sendSms = (to, content) => send('SMS', to, content);
exports.sendEmail = (to, content) => send('EMAIL', to, content);

exports.statusOf = async function statusOf(messageId) {
  const { data } = await client.get(`/messages/${messageId}`);
  return data.status;
};
