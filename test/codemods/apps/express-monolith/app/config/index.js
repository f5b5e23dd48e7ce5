'use strict';

const env = process.env;

module.exports = {
  port: Number(env.PORT || 3000),
  apiKeys: (env.LOYALTY_API_KEYS || 'dev-key').split(','),
  messaging: {
    url: env.MESSAGING_API_URL || 'https://api.example.com',
    version: 'v1',
    key: env.MESSAGING_API_KEY || 'test-key',
    timeout: 60_000,
  },
  payments: {
    url: env.PAYMENTS_URL || 'https://api.payments.example.org/v1',
    key: env.PAYMENTS_KEY || 'pay-test',
  },
};
