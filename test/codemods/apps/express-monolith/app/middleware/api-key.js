'use strict';

const { apiKeys } = require('../config');

/** Who calls us has one of our keys. */
module.exports = function apiKey(req, res, next) {
  const given = req.get('x-api-key') || req.query.api_key;
  if (!apiKeys.includes(given)) return res.status(401).json({ error: 'x-api-key is missing or unknown' });
  next();
};
