'use strict';

const config = require('../config');
const { createHttp } = require('../lib/http');

const http = createHttp({ baseURL: config.payments.url, headers: { 'x-api-key': config.payments.key } });

exports.charge = (customer, amount) => http.post('/charges', { customer, amount });
exports.messagesOf = (charge) => http.get(`/messages/${charge}`);
