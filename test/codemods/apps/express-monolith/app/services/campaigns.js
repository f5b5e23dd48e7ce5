'use strict';

const https = require('https');
const { messaging } = require('../config');

/** Without a library: the job that uses it runs where there is none. */
function post(path, body) {
  return new Promise((resolve, reject) => {
    const target = new URL(path, messaging.url);
    const req = https.request(
      target,
      { method: 'POST', headers: { 'Content-Type': 'application/json', 'x-api-key': messaging.key } },
      (res) => {
        let text = '';
        res.setEncoding('utf8');
        res.on('data', (chunk) => (text += chunk));
        res.on('end', () => (res.statusCode < 300 ? resolve(JSON.parse(text)) : reject(new Error(`Campaigns: ${res.statusCode}`))));
      },
    );
    req.on('error', reject);
    req.end(JSON.stringify(body));
  });
}

exports.create = (name) => post('/v1/campaigns', { name });
exports.start = (id) => post('/v1/campaigns/' + id + '/send', {});
