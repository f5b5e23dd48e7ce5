/** Plays the same calls to a sandbox and gives all that it answered; as a process of its own, it prints that. */
import { fileURLToPath } from 'node:url';
import { createSandbox } from '../../../src/index.ts';

const message = { channel: 'SMS', to: '+15550100', content: 'Hi' };
const webhook = { url: 'http://127.0.0.1:9/hook' };

export async function transcript(seed: string): Promise<string> {
  const sandbox = createSandbox({ seed, clock: '2026-08-01T12:00:00Z', allowPrivateWebhooks: true });
  const { url, adminUrl } = await sandbox.listen();
  const lines: unknown[] = [sandbox.demo];
  const key = sandbox.demo.readWriteKey;
  const ask = async (base: string, endpoint: string, json?: object): Promise<void> => {
    const [method = '', path = ''] = endpoint.split(' ');
    const headers = { 'x-api-key': key, authorization: `Bearer ${key}`, ...(json && { 'content-type': 'application/json' }) };
    const response = await fetch(base + path, { method, headers, ...(json && { body: JSON.stringify(json) }) });
    lines.push(`${endpoint} ${response.status} ${await response.text()}`);
  };
  await ask(url, 'POST /v1/messages/send', message);
  await ask(url, 'POST /v2/contacts', { phone: '+15550100' });
  await ask(url, 'POST /v2/campaigns', { name: 'a' });
  await ask(url, 'POST /v2/webhooks', webhook);
  await ask(adminUrl, 'POST /workspaces', { name: 'New', plan: 'Pro' });
  await ask(adminUrl, 'POST /workspaces/demo/keys', { name: 'New', access: 'read' });
  await ask(adminUrl, 'POST /workspaces/demo/webhooks', webhook);
  await ask(adminUrl, 'POST /workspaces/demo/events', { event: 'order.created' });
  await ask(adminUrl, 'POST /workspaces/demo/inbound', { from: '15550199', text: 'Hello' });
  await ask(adminUrl, 'POST /faults', { route: '/v1/*', fault: { kind: 'error', status: 500 }, probability: 0.5 });
  await ask(adminUrl, 'POST /clock/advance', { by: '1h' });
  await ask(adminUrl, 'GET /workspaces/demo/deliveries');
  await ask(adminUrl, 'GET /workspaces/demo/notifications');
  for (let i = 0; i < 8; i++) await ask(url, 'GET /v1/contacts');
  await ask(url, 'GET /v2/messages');
  await ask(adminUrl, 'GET /snapshot');
  await sandbox.close();
  return JSON.stringify(lines, null, 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await transcript(process.argv[2] ?? ''));
