/** Closes a sandbox in the midst of everything, and says so; the process then ends by itself, or never. */
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createSandbox } from '../../../src/index.ts';

const sandbox = createSandbox({ clock: '2026-08-01T12:00:00Z', allowPrivateWebhooks: true, webhookTimeout: 600_000 });
// Timers too are left behind by a clock that runs.
sandbox.clock.resume();
sandbox.clock.at(sandbox.clock.now() + 600_000, () => undefined);
const { url, adminUrl } = await sandbox.listen();

// A receiver that never answers.
const receiver = createServer();
await once(receiver.listen(0, '127.0.0.1'), 'listening');
const { port } = receiver.address() as AddressInfo;
const received = once(receiver, 'request');
await sandbox.dashboard.registerWebhook('demo', { url: `http://127.0.0.1:${port}/hook` });
sandbox.dashboard.raise('demo', 'lead.created');
await received;

// A call that waits for that delivery, one that a fault delays, one that is over and keeps its connection, and a connection without a call.
const headers = { 'x-api-key': sandbox.demo.readOnlyKey };
const json = { 'content-type': 'application/json' };
const advanced = fetch(`${adminUrl}/clock/advance`, { method: 'POST', headers: json, body: '{"by":"1d"}' }).then(({ status }) => status);
sandbox.faults.add({ route: 'GET /v1/contacts', fault: { kind: 'latency', ms: 600_000 } });
const delayed = fetch(`${url}/v1/contacts`, { headers }).then(({ status }) => status);
console.log((await fetch(`${url}/v1/messages`, { headers })).status);
const silent = connect(Number(new URL(url).port), '127.0.0.1');
await once(silent, 'connect');

await sandbox.close();
console.log(`closed ${await advanced} ${await delayed}`);
receiver.close();
