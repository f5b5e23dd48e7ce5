'use strict';

const express = require('express');
const apiKey = require('./middleware/api-key');

module.exports = function createApp() {
  const app = express();
  app.use(express.json());
  app.use('/v1', apiKey);
  app.use('/v1/customers', require('./routes/v1/customers'));
  app.use('/v1/messages', require('./routes/v1/messages'));
  return app;
};
