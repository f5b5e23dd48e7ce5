/** The flags of deliveries, tried as people do: by HTTP alone. */
import { expect, test } from 'vitest';
import { listening, type Running } from '../helpers/process.ts';
import { listenRaw } from '../helpers/raw.ts';
import { serve } from './run.ts';

const sandbox = (...args: readonly string[]): Running => serve(['sandbox', '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', ...args]);

const post = (url: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) });

async function register(running: Running, url: string): Promise<Response> {
  const key = (await running.line(/read & write/, 'stderr')).replace(/.* /, '');
  return post(`${(await listening(running)).url}/v2/webhooks`, { url }, { Authorization: `Bearer ${key}` });
}

test('webhooks do not go to private addresses', async () => {
  await using running = sandbox();
  expect((await register(running, 'https://127.0.0.1/')).status).toBe(400);
});

test('--allow-private-webhooks lets them, and --webhook-timeout says how long a receiver has', async () => {
  // In time for the 8 seconds that a receiver has otherwise.
  const late = await listenRaw((connection) => void setTimeout(() => connection.write('HTTP/1.1 200 OK\r\n\r\n'), 3_000).unref());
  await using running = sandbox('--allow-private-webhooks', '--webhook-timeout', '50ms');
  expect((await register(running, `http://127.0.0.1:${late.port}/`)).status).toBe(201);
  const { adminUrl } = await listening(running);
  await post(`${adminUrl}/workspaces/demo/events`, { event: 'order.created' });
  // Answers once what is due is done.
  await post(`${adminUrl}/clock/advance`, { by: 0 });
  const deliveries = await fetch(`${adminUrl}/workspaces/demo/deliveries`);
  expect(await deliveries.text()).toContain('"TIMEOUT"');
  await late.close();
});
