import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deliveryRules } from '../../../src/contract/events.ts';
import type { WebhookEndpoint } from '../../../src/sandbox/store/workspace.ts';
import { createAddressRules } from '../../../src/sandbox/webhooks/address.ts';
import { after, day, raise, startReceiver, startService, type Receiver, type Service } from './service.ts';

const counts = (receivers: readonly Receiver[]): number[] => receivers.map(({ received }) => received.length);
const signed = ({ received }: Receiver, secret: string): boolean[] =>
  received.map(
    ({ headers, body }) => headers['x-service-signature'] === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  );

describe('api.md §6: what is sent', () => {
  test('event, data and timestamp and nothing else, as one JSON text', async () => {
    const service = startService();
    const receiver = await startReceiver();
    service.register(receiver.url);
    await raise(service, { name: 'Zoë', list: [1, null] });
    expect(receiver.received[0]?.body.toString()).toBe(
      '{"event":"lead.created","data":{"name":"Zoë","list":[1,null]},"timestamp":"2026-08-01T12:00:00.000Z"}',
    );
  });
  test('the documented fields, with a signature over the exact bytes', async () => {
    const service = startService();
    const receiver = await startReceiver();
    const { secret } = service.register(receiver.url);
    await raise(service, { name: 'Zoë' });
    expect(receiver.received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      'x-service-event': 'lead.created',
    });
    expect(signed(receiver, secret)).toEqual([true]);
  });
  test('the same bytes in every attempt', async () => {
    const service = startService();
    const receiver = await startReceiver(500);
    const { secret } = service.register(receiver.url);
    await raise(service);
    await service.clock.advance(day);
    expect(receiver.received.map(({ body }) => body.toString())).toEqual(
      Array.from({ length: 5 }, () => receiver.received[0]?.body.toString()),
    );
    expect(signed(receiver, secret)).toEqual([true, true, true, true, true]);
  });
  test('one POST for each endpoint, signed with its own secret', async () => {
    const service = startService();
    const [one, other] = [await startReceiver(), await startReceiver()];
    const [first, second] = [service.register(one.url), service.register(other.url)];
    await raise(service);
    expect([signed(one, first.secret), signed(other, second.secret), first.secret === second.secret]).toEqual([[true], [true], false]);
  });
});

describe('who receives an event', () => {
  test('the endpoints that have chosen its kind', async () => {
    const service = startService();
    const [chosen, not] = [await startReceiver(), await startReceiver()];
    service.register(chosen.url, ['order.created', 'lead.created']);
    service.register(not.url, ['order.created']);
    await raise(service);
    expect(counts([chosen, not])).toEqual([1, 0]);
  });
  test('no endpoint of another workspace', async () => {
    const service = startService();
    const receiver = await startReceiver();
    const other = service.store.createWorkspace('Other', 'Free');
    service.store.addWebhook(other, { url: receiver.url, events: ['lead.created'] });
    await raise(service);
    expect([receiver.received, service.deliveries.log(other)]).toEqual([[], []]);
  });
  test('no paused endpoint', async () => {
    const service = startService();
    const receiver = await startReceiver();
    service.register(receiver.url).paused = true;
    await raise(service);
    expect(receiver.received).toEqual([]);
  });
  test('no endpoint that was paused then, though it is resumed before a retry', async () => {
    const service = startService();
    const [active, resumed] = [await startReceiver(500), await startReceiver()];
    service.register(active.url);
    const webhook = service.register(resumed.url);
    webhook.paused = true;
    await raise(service);
    webhook.paused = false;
    await service.clock.advance(day);
    expect(counts([active, resumed])).toEqual([5, 0]);
  });
  test('no endpoint that was registered after the event, not even in a retry', async () => {
    const service = startService();
    const [early, late] = [await startReceiver(500), await startReceiver()];
    service.register(early.url);
    await raise(service);
    service.register(late.url);
    await service.clock.advance(day);
    expect(counts([early, late])).toEqual([5, 0]);
  });
  test('test.ping: the endpoint whose Test was clicked, whatever it has chosen', async () => {
    const service = startService();
    const [clicked, other] = [await startReceiver(), await startReceiver()];
    const webhook = service.register(clicked.url, ['order.created']);
    service.register(other.url);
    service.events.test(service.workspace, webhook);
    await service.clock.idle();
    expect(counts([clicked, other])).toEqual([1, 0]);
    expect(clicked.received[0]?.headers['x-service-event']).toBe('test.ping');
  });
  test('test.ping reaches a paused endpoint, in retries too: its receiver may be under repair', async () => {
    const service = startService();
    const receiver = await startReceiver(500, 200);
    const webhook = service.register(receiver.url);
    webhook.paused = true;
    service.events.test(service.workspace, webhook);
    await service.clock.advance(day);
    expect(receiver.received).toHaveLength(2);
  });
});

describe('api.md §6: retries', () => {
  test('five attempts in all: at once and after 5, 15, 35 and 75 seconds', async () => {
    const service = startService();
    const times: string[] = [];
    const receiver = await startReceiver((_req, res) => {
      times.push(new Date(service.clock.now()).toISOString());
      res.writeHead(500).end();
    });
    service.register(receiver.url);
    await raise(service);
    await service.clock.advance(day);
    const expected = [0, 5, 15, 35, 75].map(after);
    expect(times).toEqual(expected);
    const log = service.deliveries.log(service.workspace);
    expect(log.map(({ at }) => at)).toEqual(expected);
    expect(log.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([...expected.slice(1), undefined]);
    expect(log.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
  });
  test('not a millisecond before it is due', async () => {
    const service = startService();
    const receiver = await startReceiver(500);
    service.register(receiver.url);
    await raise(service);
    await service.clock.advance(deliveryRules.firstBackoff - 1);
    expect(receiver.received).toHaveLength(1);
    await service.clock.advance(1);
    expect(receiver.received).toHaveLength(2);
  });
  test('assumptions webhookBackoffMultiplier and webhookBackoffMax', async () => {
    const service = startService({ assumptions: { webhookBackoffMultiplier: 3, webhookBackoffMax: 30 } });
    service.register((await startReceiver(500)).url);
    await raise(service);
    await service.clock.advance(day);
    expect(service.deliveries.log(service.workspace).map(({ at }) => at)).toEqual([0, 5, 20, 50, 80].map(after));
  });
  test('one failing endpoint has all endpoints tried again', async () => {
    const service = startService();
    const [good, failing] = [await startReceiver(), await startReceiver(500, 200)];
    service.register(good.url);
    service.register(failing.url);
    await raise(service);
    await service.clock.advance(day);
    expect(counts([good, failing])).toEqual([2, 2]);
  });
  test('none once every endpoint has answered with a 2xx', async () => {
    const service = startService();
    const receivers = await Promise.all([200, 204, 299].map((status) => startReceiver(status)));
    for (const { url } of receivers) service.register(url);
    await raise(service);
    await service.clock.advance(day);
    expect(counts(receivers)).toEqual([1, 1, 1]);
    expect(service.deliveries.state().pending).toEqual([]);
  });
  test('a redirect is not followed, and is a failure', async () => {
    const service = startService();
    const target = await startReceiver();
    const receiver = await startReceiver((_req, res) => void res.writeHead(307, { Location: target.url }).end(), 200);
    service.register(receiver.url);
    await raise(service);
    await service.clock.advance(day);
    expect(counts([target, receiver])).toEqual([0, 2]);
    expect(service.deliveries.log(service.workspace)[0]).toMatchObject({ delivered: false, response: { status: 307 } });
  });
  test('a receiver that does not answer in time has failed', async () => {
    const service = startService({ timeout: 50 });
    const receiver = await startReceiver(() => undefined);
    service.register(receiver.url);
    await raise(service);
    expect(service.deliveries.log(service.workspace)).toMatchObject([
      { delivered: false, error: { code: 'TIMEOUT' }, nextAttemptAt: after(5) },
    ]);
  });
  test('a receiver that breaks the connection has failed, and is tried again', async () => {
    const service = startService();
    const receiver = await startReceiver((req) => req.socket.resetAndDestroy(), 200);
    service.register(receiver.url);
    await raise(service);
    await service.clock.advance(day);
    const log = service.deliveries.log(service.workspace);
    expect(log).toMatchObject([{ error: { code: 'RESET' }, delivered: false }, { delivered: true }]);
  });
  test('two events are retried each at its own time', async () => {
    const service = startService();
    service.register((await startReceiver(500, 500, 200)).url);
    await raise(service);
    await service.clock.advance(2_000);
    await raise(service);
    await service.clock.advance(day);
    expect(service.deliveries.log(service.workspace).map(({ at }) => at)).toEqual([0, 2, 5, 7].map(after));
  });
});

describe('what changes between two attempts', () => {
  async function failOnce(change: (service: Service, webhook: WebhookEndpoint) => void) {
    const service = startService();
    const [changed, other] = [await startReceiver(500, 200), await startReceiver()];
    const webhook = service.register(changed.url);
    service.register(other.url);
    await raise(service);
    const { secret } = webhook;
    change(service, webhook);
    await service.clock.advance(day);
    return { service, changed, other, webhook, secret };
  }

  test('an endpoint that was paused gets no retry; the others do', async () => {
    const { changed, other } = await failOnce((_service, webhook) => {
      webhook.paused = true;
    });
    expect(counts([changed, other])).toEqual([1, 2]);
  });
  test('an endpoint that was deleted gets no retry; the others do', async () => {
    const { changed, other } = await failOnce(({ store, workspace }, webhook) => store.deleteWebhook(workspace, webhook));
    expect(counts([changed, other])).toEqual([1, 2]);
  });
  test('an endpoint that was paused and resumed in time gets the retry', async () => {
    const { changed } = await failOnce((_service, webhook) => {
      webhook.paused = true;
      webhook.paused = false;
    });
    expect(counts([changed])).toEqual([2]);
  });
  test('api.md §3: a regenerated secret signs the next attempt, the old one is dead at once', async () => {
    const { changed, webhook, secret } = await failOnce(({ store }, webhook) => store.regenerateSecret(webhook));
    expect(signed(changed, secret)).toEqual([true, false]);
    expect(signed(changed, webhook.secret)).toEqual([false, true]);
  });
  test('an endpoint that has chosen other events gets no retry: it wants no more of this kind', async () => {
    const { changed, other } = await failOnce((_service, webhook) => {
      webhook.events = ['order.created'];
    });
    expect(counts([changed, other])).toEqual([1, 2]);
  });
  test('the event ends once nobody is left to receive it', async () => {
    const service = startService();
    const webhook = service.register((await startReceiver(500)).url);
    await raise(service);
    service.store.deleteWebhook(service.workspace, webhook);
    await service.clock.advance(5_000);
    expect(service.deliveries.state().pending).toEqual([]);
  });
});

describe('what changes while a name is looked up', () => {
  /** Registers an endpoint whose name is looked up for as long as the change takes. */
  async function changeMeanwhile(change: (service: Service, webhook: WebhookEndpoint) => void) {
    const resolve = async (): Promise<string[]> => {
      change(service, webhook);
      return ['127.0.0.1'];
    };
    const service = startService({ addresses: createAddressRules({ allowPrivate: true, resolve }) });
    const receiver = await startReceiver();
    const webhook = service.register(receiver.url.replace('127.0.0.1', 'hook.example'));
    const { secret } = webhook;
    await raise(service);
    return { service, receiver, webhook, secret };
  }

  test.for<[string, (service: Service, webhook: WebhookEndpoint) => void]>([
    [
      'paused',
      (_service, webhook) => {
        webhook.paused = true;
      },
    ],
    ['deleted', ({ store, workspace }, webhook) => store.deleteWebhook(workspace, webhook)],
  ])('nothing is sent to an endpoint that is %s, and nothing is tried again', async ([, change]) => {
    const { service, receiver, webhook } = await changeMeanwhile(change);
    expect([receiver.received, service.deliveries.state(), webhook.failures]).toEqual([[], { pending: [], log: [], notifications: [] }, 0]);
  });
  test('api.md §3: a secret that is regenerated signs this very attempt', async () => {
    const { receiver, webhook, secret } = await changeMeanwhile(({ store }, webhook) => store.regenerateSecret(webhook));
    expect([signed(receiver, webhook.secret), signed(receiver, secret)]).toEqual([[true], [false]]);
  });
});

test('nobody is told of an endpoint that was deleted while it failed; the attempt is in the log', async () => {
  const service = startService();
  const receiver = await startReceiver((_req, res) => {
    service.store.deleteWebhook(service.workspace, webhook);
    res.writeHead(500).end();
  });
  const webhook = service.register(receiver.url);
  webhook.failures = 4;
  await raise(service);
  const { deliveries, workspace } = service;
  expect([deliveries.log(workspace).length, webhook.failures, deliveries.notifications(workspace)]).toEqual([1, 4, []]);
});

describe('api.md §6: setup rules at the time of the delivery', () => {
  test('an address that is not public is not called: the log says why', async () => {
    const service = startService({ addresses: createAddressRules({ allowPrivate: false, resolve: async () => ['127.0.0.1'] }) });
    const receiver = await startReceiver();
    service.register(receiver.url.replace('http://127.0.0.1', 'https://hook.example'));
    await raise(service);
    expect(receiver.received).toEqual([]);
    const [entry] = service.deliveries.log(service.workspace);
    expect(entry).toMatchObject({ delivered: false, error: { code: 'NOT_PUBLIC' }, nextAttemptAt: after(5) });
    expect(entry).not.toHaveProperty('request');
  });
  test('the name is resolved anew for every attempt', async () => {
    const answers = ['127.0.0.2', '127.0.0.1'];
    const resolve = async (): Promise<string[]> => answers.splice(0, 1);
    const service = startService({ addresses: createAddressRules({ allowPrivate: true, resolve }) });
    const receiver = await startReceiver();
    service.register(receiver.url.replace('127.0.0.1', 'hook.example'));
    await raise(service);
    await service.clock.advance(day);
    const log = service.deliveries.log(service.workspace);
    expect(log.map(({ delivered }) => delivered)).toEqual([false, true]);
  });
  test('a name that does not resolve in time is a failure', async () => {
    const resolve = (): Promise<string[]> => new Promise(() => undefined);
    const service = startService({ addresses: createAddressRules({ allowPrivate: false, resolve, timeout: 20 }) });
    service.register('https://hook.example/');
    await raise(service);
    expect(service.deliveries.log(service.workspace)).toMatchObject([{ error: { code: 'UNRESOLVED' } }]);
  });
  test('a name that takes as long as the receiver may leaves no time, and no timer of a negative one, of which Node would warn', async () => {
    const warnings: string[] = [];
    const warn = ({ name }: Error): number => warnings.push(name);
    process.on('warning', warn);
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
      process.off('warning', warn);
    });
    const resolve = async (): Promise<string[]> => {
      vi.advanceTimersByTime(8_001);
      return ['127.0.0.1'];
    };
    const service = startService({ timeout: 8_000, addresses: createAddressRules({ allowPrivate: true, resolve }) });
    service.register((await startReceiver(() => undefined)).url.replace('127.0.0.1', 'hook.example'));
    await raise(service);
    expect(service.deliveries.log(service.workspace)).toMatchObject([{ error: { code: 'TIMEOUT' } }]);
    expect(warnings).toEqual([]);
  });
});
