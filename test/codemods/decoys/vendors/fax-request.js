const request = require('request');

module.exports = function sendFax(to, content, callback) {
  request.post(
    { url: 'https://fax.vendor.org/v1/messages/send', headers: { 'x-api-key': process.env.FAX_KEY }, json: { to, content } },
    (error, response, body) => callback(error, body),
  );
};
