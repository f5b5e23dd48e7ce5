/** The example against the sandbox's own deliveries. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, type Server, connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openDocument } from '../docs/document.ts';
import { type Sandbox, createSandbox } from '../../src/index.ts';
import { type Receiver, emptyFolder, startReceiver } from './receiver.ts';

const kinds = ['lead.created', 'booking.created', 'order.created', 'message.received'] as const;
const inbound = { from: '+15550100', text: 'Grüße 👋', name: 'Ann' };

/** Listens until the test ends. @returns the port */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  // A server that listens on a port has an AddressInfo.
  return (server.address() as AddressInfo).port;
}

interface World {
  readonly sandbox: Sandbox;
  readonly webhookId: string;
  readonly receiver: Receiver;
  /** Starts it anew, at the same address and over the same database, as one does to give it another secret. */
  restart(secret: string): Promise<Receiver>;
  /** What the receiver answered, the newest last. */
  statuses(): (number | undefined)[];
}

/** A sandbox whose clock stands still, with the example registered as a webhook endpoint. */
async function startWorld(): Promise<World> {
  const sandbox = createSandbox({ clock: '2026-08-01T12:00:00.000Z', allowPrivateWebhooks: true });
  // The endpoint has an address before the receiver runs: only the registration tells the secret that the receiver is started with.
  let port = 0;
  const address = await listen(
    createServer((socket) => {
      const to = connect(port, '127.0.0.1');
      socket
        .on('error', () => to.destroy())
        .pipe(to)
        .on('error', () => socket.destroy())
        .pipe(socket);
    }),
  );
  const { id, secret } = await sandbox.dashboard.registerWebhook('demo', { url: `http://127.0.0.1:${address}/webhooks` });
  const folder = emptyFolder();
  const restart = async (secret: string): Promise<Receiver> => {
    const receiver = await startReceiver(secret, folder);
    port = Number(new URL(receiver.url).port);
    onTestFinished(() => receiver[Symbol.asyncDispose]());
    return receiver;
  };
  onTestFinished(() => sandbox.close());
  return {
    sandbox,
    webhookId: id,
    receiver: await restart(secret),
    restart,
    statuses: () =>
      sandbox.dashboard
        .deliveries('demo', { webhook: id })
        .map(({ response }) => response?.status)
        .toReversed(),
  };
}

test('an inbound message is received, verified and handled', async () => {
  const { sandbox, receiver, statuses } = await startWorld();
  sandbox.dashboard.receiveMessage('demo', inbound);
  await sandbox.clock.idle();
  expect(statuses()).toEqual([204]);
  expect(await receiver.linesTo(/message/)).toEqual(['handled message.received of 2026-08-01T12:00:00.000Z']);
  expect(receiver.inbox()).toEqual([{ sender: '+15550100', text: 'Grüße 👋' }]);
});

test('every kind of event is handled', async () => {
  const { sandbox, receiver } = await startWorld();
  for (const kind of kinds) {
    sandbox.dashboard.raise('demo', kind);
    await sandbox.clock.idle();
  }
  expect(await receiver.linesTo(/message/)).toEqual(kinds.map((kind) => `handled ${kind} of 2026-08-01T12:00:00.000Z`));
});

test('a click on Test is shown', async () => {
  const { sandbox, webhookId, receiver, statuses } = await startWorld();
  sandbox.dashboard.testWebhook('demo', webhookId);
  await sandbox.clock.idle();
  expect(statuses()).toEqual([204]);
  expect(await receiver.linesTo(/ping/)).toEqual(['handled test.ping of 2026-08-01T12:00:00.000Z']);
});

test('a retry that another endpoint has caused is answered and not handled again', async () => {
  const { sandbox, receiver, statuses } = await startWorld();
  const answers = [500, 204];
  const other = await listen(createHttpServer((_, res) => res.writeHead(answers.shift() ?? 0).end()));
  await sandbox.dashboard.registerWebhook('demo', { url: `http://127.0.0.1:${other}/` });
  sandbox.dashboard.receiveMessage('demo', inbound);
  await sandbox.clock.advance('1d');
  expect([answers, statuses()]).toEqual([[], [204, 204]]);
  // As its README shows.
  const [, ...shown] = openDocument('examples/webhook-receiver/README.md').documented('receiver.js').output.trim().split('\n');
  expect(await receiver.linesTo(/repeated/)).toEqual(shown);
  expect(receiver.inbox()).toHaveLength(1);
});

test('a regenerated secret ends the old one at once, and the retry after a restart with the new one is handled', async () => {
  const { sandbox, webhookId, receiver, restart, statuses } = await startWorld();
  const { secret } = sandbox.dashboard.regenerateSecret('demo', webhookId);
  sandbox.dashboard.receiveMessage('demo', inbound);
  await sandbox.clock.idle();
  expect(statuses()).toEqual([401]);
  expect(receiver.inbox()).toEqual([]);

  const restarted = await restart(secret);
  await sandbox.clock.advance('5s');
  expect(statuses()).toEqual([401, 204]);
  expect(restarted.inbox()).toHaveLength(1);
});
