import { createHmac } from 'node:crypto';

const signed = ['host', 'date', 'x-api-key'];

export function sign(headers, secret) {
  const text = signed.map((name) => `${name}: ${headers[name]}`).join('\n');
  return createHmac('sha256', secret).update(text).digest('base64');
}
