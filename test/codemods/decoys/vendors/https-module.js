const https = require('https');

exports.readMessage = (id, done) =>
  https.get('https://sms.telecom-vendor.com/v1/messages/' + id, { headers: { 'x-api-key': process.env.TELECOM_KEY } }, (res) => {
    let text = '';
    res.on('data', (chunk) => (text += chunk)).on('end', () => done(null, JSON.parse(text)));
  });
