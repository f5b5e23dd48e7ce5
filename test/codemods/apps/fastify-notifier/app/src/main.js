import { buildApp } from './app.js';
import { loadConfig } from './config.js';

export default async function main({ key }) {
  const app = buildApp(loadConfig({ OWN_KEY: 'own', MESSAGING_API_KEY: key }));
  const headers = { 'x-own-key': 'own' };
  const sent = await app.inject({ method: 'POST', url: '/v1/orders/o1/notify', headers, payload: { to: '+15550100001' } });
  const listed = await app.inject({ url: '/v1/contacts', headers });
  await app.close();
  return { sent: sent.statusCode, listed: listed.statusCode };
}
