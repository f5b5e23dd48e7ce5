import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAddressRules } from '../../../src/sandbox/webhooks/address.ts';
import { Deliveries, type DeliveriesState } from '../../../src/sandbox/webhooks/deliveries.ts';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { after, day, raise, start, startReceiver, startService, type Service } from './service.ts';

/** Raises an event and does not wait for it. */
const begin = ({ events, workspace }: Service): string => events.raise(workspace, 'lead.created', {}).id;

describe('the log', () => {
  test('holds the request, the answer and the next try of every attempt', async () => {
    const service = startService();
    const receiver = await startReceiver((_req, res) => void res.writeHead(503, { 'X-Reason': 'tired' }).end('later'));
    const webhook = service.register(receiver.url);
    const raised = service.events.raise(service.workspace, 'order.created', { total: 1 });
    await service.clock.idle();
    expect(service.deliveries.log(service.workspace)).toEqual([
      {
        id: expect.stringMatching(/^dlv_/),
        eventId: raised.id,
        event: 'order.created',
        webhookId: webhook.id,
        url: receiver.url,
        attempt: 1,
        at: start,
        request: { headers: expect.objectContaining({ 'X-Service-Event': 'order.created' }), body: raised.body },
        response: { status: 503, headers: expect.objectContaining({ 'x-reason': 'tired' }), body: 'later' },
        delivered: false,
        nextAttemptAt: after(5),
      },
    ]);
  });
  test('says no next try where every endpoint has received the event', async () => {
    const service = startService();
    service.register((await startReceiver()).url);
    await raise(service);
    const [entry] = service.deliveries.log(service.workspace);
    expect(entry).toMatchObject({ delivered: true, response: { status: 200 } });
    expect(entry).not.toHaveProperty('nextAttemptAt');
  });
  test('is in the order of events and endpoints, however long each receiver takes', async () => {
    const service = startService();
    const release = Promise.withResolvers<void>();
    const slow = await startReceiver((_req, res) => void release.promise.then(() => res.end()), 200);
    const quick = await startReceiver();
    const [first, second] = [service.register(slow.url), service.register(quick.url)];
    const early = begin(service);
    await slow.count(1);
    const late = begin(service);
    await quick.count(2);
    release.resolve();
    await service.clock.idle();
    expect(service.deliveries.log(service.workspace).map(({ eventId, webhookId }) => [eventId, webhookId])).toEqual([
      [early, first.id],
      [early, second.id],
      [late, first.id],
      [late, second.id],
    ]);
  });
  test('keeps as many attempts as it is told to: the oldest go first', async () => {
    const service = startService({ maxRecords: 3 });
    service.register((await startReceiver()).url);
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) {
      ids.push(await raise(service));
    }
    expect(service.deliveries.log(service.workspace).map(({ eventId }) => eventId)).toEqual(ids.slice(2));
  });
  test('counts an attempt once for every KiB that it holds', async () => {
    const service = startService({ maxRecords: 15 });
    service.register((await startReceiver()).url);
    await raise(service);
    const large = await raise(service, { text: 'x'.repeat(14_500) });
    expect(service.deliveries.log(service.workspace).map(({ eventId }) => eventId)).toEqual([large]);
  });
});

describe('events that wait for a retry', () => {
  const names = ({ deliveries }: Service): unknown[] => deliveries.state().pending.map(({ raised }) => JSON.parse(raised.body).data.name);

  test('the oldest are given up where there are too many, and that is told', async () => {
    const told: number[] = [];
    const service = startService({ maxRecords: 2, onEvict: (count) => void told.push(count) });
    const receiver = await startReceiver(500, 500, 500, 200);
    service.register(receiver.url);
    for (const name of ['first', 'second', 'third']) await raise(service, { name });
    await service.clock.advance(day);
    expect(receiver.received.slice(3).map(({ body }) => /second|third|first/.exec(body.toString())?.[0])).toEqual(['second', 'third']);
    expect(told).toEqual([1]);
  });
  test('count once for every KiB begun of their bodies, and the newest one stays, however large it is', async () => {
    const told: number[] = [];
    const service = startService({ maxRecords: 5, onEvict: (count) => void told.push(count) });
    service.register((await startReceiver(500)).url);
    for (const name of ['a', 'b', 'c']) await raise(service, { name });
    await raise(service, { name: 'd', text: 'x'.repeat(2_048) });
    expect([names(service), told]).toEqual([['b', 'c', 'd'], [1]]);
    await raise(service, { name: 'e', text: 'x'.repeat(9_000) });
    expect([names(service), told]).toEqual([['e'], [1, 3]]);
  });
  test('count no more once they are over, nor again with each retry', async () => {
    const service = startService({ maxRecords: 3 });
    const receiver = await startReceiver(200, 500);
    service.register(receiver.url);
    for (const name of ['a', 'b', 'c']) await raise(service, { name });
    await service.clock.advance(40_000);
    await raise(service, { name: 'd' });
    expect(names(service)).toEqual(['b', 'c', 'd']);
  });
});

describe('a clock that runs', () => {
  test('delivers and tries again by itself', async () => {
    const service = startService({ running: true, assumptions: { webhookBackoffMax: 0.01 } });
    const receiver = await startReceiver(500, 500, 200);
    service.register(receiver.url);
    begin(service);
    await receiver.count(3);
    await service.clock.idle();
    expect(service.deliveries.log(service.workspace).map(({ delivered }) => delivered)).toEqual([false, false, true]);
  });
  test('the wait for a retry begins when the receiver has failed, not when it was called', async () => {
    const service = startService();
    const receiver = await startReceiver((_req, res) => {
      service.clock.show({ now: Date.parse(after(8)), frozen: true });
      res.writeHead(500).end();
    });
    service.register(receiver.url);
    await raise(service);
    expect(service.deliveries.log(service.workspace)).toMatchObject([{ at: start, nextAttemptAt: after(13) }]);
  });
});

describe('state', () => {
  /** What a service that is started anew from a snapshot does: the state has been through JSON, and the old one has stopped. */
  function restore(service: Service, state: DeliveriesState = service.deliveries.state()): Deliveries {
    service.deliveries.stop();
    return new Deliveries(service.parts, JSON.parse(JSON.stringify(state)) as DeliveriesState);
  }

  test('retries go on at their time, with the same bytes', async () => {
    const service = startService();
    const receiver = await startReceiver(500, 500, 200);
    service.register(receiver.url);
    begin(service);
    await service.clock.advance(7_000);
    const restored = restore(service);
    await service.clock.advance(day);
    expect(restored.log(service.workspace).map(({ at, attempt }) => [at, attempt])).toEqual([
      [after(0), 1],
      [after(5), 2],
      [after(15), 3],
    ]);
    expect(receiver.received[2]?.body).toEqual(receiver.received[0]?.body);
  });
  test('a round that was under way is made again at once', async () => {
    const service = startService();
    const receiver = await startReceiver(() => undefined, 200);
    service.register(receiver.url);
    begin(service);
    await receiver.count(1);
    const restored = restore(service);
    await service.clock.idle();
    expect(restored.log(service.workspace)).toMatchObject([{ attempt: 1, at: start, delivered: true }]);
    expect(restored.state().pending).toEqual([]);
  });
  test('the log and the notifications are kept', async () => {
    const service = startService();
    service.register((await startReceiver(500)).url);
    begin(service);
    await service.clock.advance(day);
    const state = service.deliveries.state();
    expect([state.log.length, state.notifications.length]).toEqual([5, 1]);
    const restored = restore(service, state);
    expect(restored.state()).toEqual(state);
    expect(restored.notifications(service.workspace)).toEqual(service.deliveries.notifications(service.workspace));
  });
  test('a state does not change with the service that gave it', async () => {
    const service = startService();
    service.register((await startReceiver(500)).url);
    await raise(service);
    const state = service.deliveries.state();
    const before = JSON.stringify(state);
    await service.clock.advance(day);
    expect(JSON.stringify(state)).toBe(before);
  });
});

describe('stop', () => {
  test('breaks off what is under way, and writes nothing of it', async () => {
    const service = startService();
    const broken = Promise.withResolvers<void>();
    const receiver = await startReceiver((req) => void req.socket.on('close', broken.resolve));
    const webhook = service.register(receiver.url);
    begin(service);
    await receiver.count(1);
    service.deliveries.stop();
    await broken.promise;
    await service.clock.advance(day);
    expect([receiver.received.length, service.deliveries.log(service.workspace), webhook.failures]).toEqual([1, [], 0]);
  });
  test('does not wait for a name to resolve, and leaves no timer for it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = Promise.withResolvers<void>();
    const resolve = (): Promise<never> => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const service = startService({ addresses: createAddressRules({ allowPrivate: false, resolve }) });
    service.register('https://hook.example/');
    begin(service);
    await asked.promise;
    expect(vi.getTimerCount()).toBe(1);
    service.deliveries.stop();
    await service.clock.idle();
    expect([service.deliveries.log(service.workspace), vi.getTimerCount()]).toEqual([[], 0]);
  });
  test('takes all retries off in one pass: the clock sets no timer for each', async () => {
    const service = startService({ running: true });
    service.register((await startReceiver(500)).url);
    for (let count = 0; count < 20; count++) begin(service);
    await service.clock.idle();
    const set = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => set.mockRestore());
    expect(service.deliveries.state().pending).toHaveLength(20);
    service.deliveries.stop();
    expect(set).not.toHaveBeenCalled();
  });
  test('takes retries off the agenda', async () => {
    const service = startService();
    const receiver = await startReceiver(500);
    service.register(receiver.url);
    await raise(service);
    service.deliveries.stop();
    await service.clock.advance(day);
    expect([receiver.received.length, service.deliveries.state().pending]).toEqual([1, []]);
  });
  test('an event that is raised later goes nowhere', async () => {
    const service = startService();
    const receiver = await startReceiver();
    service.register(receiver.url);
    service.deliveries.stop();
    await raise(service);
    expect([receiver.received, service.deliveries.state()]).toEqual([[], { pending: [], log: [], notifications: [] }]);
  });
});

test('the same seed and the same calls give the same log and the same notifications', async () => {
  const receiver = await startReceiver(500);
  const run = async () => {
    const sandbox = createSandbox({ seed: 'a', clock: start, allowPrivateWebhooks: true });
    const { store, clock, events, deliveries, demo } = sandbox;
    const workspace = store.workspace(demo.workspaceId);
    if (workspace === undefined) throw new Error('there is no demo workspace');
    for (let count = 0; count < 3; count++) store.addWebhook(workspace, { url: receiver.url, events: ['lead.created'] });
    for (let count = 0; count < 3; count++) events.raise(workspace, 'lead.created');
    await clock.advance(day);
    return { log: deliveries.log(workspace), notifications: deliveries.notifications(workspace) };
  };
  const one = await run();
  expect(one.log).toHaveLength(45);
  expect(await run()).toEqual(one);
});
