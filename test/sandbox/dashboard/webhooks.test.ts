import { createHmac } from 'node:crypto';
import { describe, expect, test as base } from 'vitest';
import { eventKindNames } from '../../../src/contract/events.ts';
import { sandboxFixtures } from '../../helpers/sandbox.ts';
import { type Receiver, startReceiver } from '../webhooks/service.ts';

const test = base.extend(sandboxFixtures);
test.override({ options: { allowPrivateWebhooks: true } });

/** The kinds and the data of what a receiver was sent. */
function received({ received }: Receiver): unknown[] {
  return received.map(({ body }) => JSON.parse(body.toString()) as unknown);
}

describe('api.md §§2, 3, 6, 8: webhook endpoints', () => {
  test('the secret is shown when the endpoint is registered, and never again', async ({ sandbox: { dashboard } }) => {
    const { secret, ...webhook } = await dashboard.registerWebhook('demo', { url: 'http://127.0.0.1:1/hook', events: ['order.created'] });
    expect(secret).toMatch(/^whsec_./);
    expect(webhook).toMatchObject({ url: 'http://127.0.0.1:1/hook', events: ['order.created'], paused: false, failures: 0 });
    expect(dashboard.webhooks('demo')).toEqual([webhook]);
  });
  test('events are those of the assumption where none are chosen, and each counts once', async ({ sandbox: { dashboard } }) => {
    const { id, events } = await dashboard.registerWebhook('demo', { url: 'http://127.0.0.1:1/hook' });
    expect(events).toEqual(['lead.created', 'booking.created', 'order.created', 'message.received']);
    const changed = dashboard.changeWebhook('demo', id, { events: ['lead.created', 'lead.created'] });
    expect(changed.events).toEqual(['lead.created']);
  });
  test('an endpoint past the limit of the plan is refused', async ({ sandbox: { dashboard } }) => {
    const { id } = dashboard.createWorkspace({ name: 'Shop', plan: 'Free' });
    const register = () => dashboard.registerWebhook(id, { url: 'http://127.0.0.1:1/hook' });
    const results = await Promise.allSettled([register(), register(), register()]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(results[2]).toMatchObject({ reason: { code: 'WEBHOOK_LIMIT', status: 402 } });
  });
  test('once the secret is regenerated, the old one signs nothing any more', async ({ sandbox: { dashboard, clock } }) => {
    const receiver = await startReceiver();
    const { id, secret: old } = await dashboard.registerWebhook('demo', { url: receiver.url });
    const { secret } = dashboard.regenerateSecret('demo', id);
    dashboard.testWebhook('demo', id);
    await clock.idle();
    const [delivery] = receiver.received;
    const signature = createHmac('sha256', secret)
      .update(delivery?.body ?? '')
      .digest('hex');
    expect(secret).not.toBe(old);
    expect(delivery?.headers['x-service-signature']).toBe(`sha256=${signature}`);
  });
  test('a paused endpoint receives nothing until it is resumed', async ({ sandbox: { dashboard, clock } }) => {
    const receiver = await startReceiver();
    const { id } = await dashboard.registerWebhook('demo', { url: receiver.url });
    expect(dashboard.changeWebhook('demo', id, { paused: true })).toMatchObject({ paused: true });
    dashboard.raise('demo', 'lead.created', { number: 1 });
    dashboard.changeWebhook('demo', id, { paused: false });
    dashboard.raise('demo', 'lead.created', { number: 2 });
    await clock.idle();
    expect(received(receiver)).toMatchObject([{ event: 'lead.created', data: { number: 2 } }]);
  });
  test('an endpoint receives the events that are chosen for it, from then on', async ({ sandbox: { dashboard, clock } }) => {
    const receiver = await startReceiver();
    const { id } = await dashboard.registerWebhook('demo', { url: receiver.url, events: ['lead.created'] });
    dashboard.raise('demo', 'order.created');
    dashboard.changeWebhook('demo', id, { events: ['order.created'] });
    dashboard.raise('demo', 'order.created', { number: 2 });
    await clock.idle();
    expect(received(receiver)).toMatchObject([{ event: 'order.created', data: { number: 2 } }]);
  });
  test('a deleted endpoint is gone', async ({ sandbox: { dashboard } }) => {
    const { id } = await dashboard.registerWebhook('demo', { url: 'http://127.0.0.1:1/hook' });
    expect(dashboard.deleteWebhook('demo', id)).toMatchObject({ id });
    expect(dashboard.webhooks('demo')).toEqual([]);
    expect(() => dashboard.deleteWebhook('demo', id)).toThrow(expect.objectContaining({ code: 'WEBHOOK_NOT_FOUND' }));
  });
});

describe('events', () => {
  test.for(eventKindNames)('%s is raised with a sample of its data', async (event, { sandbox: { dashboard, clock } }) => {
    const receiver = await startReceiver();
    await dashboard.registerWebhook('demo', { url: receiver.url, events: [event] });
    expect(dashboard.raise('demo', event)).toMatchObject({ event, timestamp: '2026-08-01T12:00:00.000Z' });
    await clock.idle();
    expect(received(receiver)).toEqual([{ event, data: expect.any(Object), timestamp: '2026-08-01T12:00:00.000Z' }]);
  });
  test('Test sends test.ping to one endpoint, whatever it has chosen', async ({ sandbox: { dashboard, clock } }) => {
    const [receiver, other] = [await startReceiver(), await startReceiver()];
    const { id } = await dashboard.registerWebhook('demo', { url: receiver.url, events: ['lead.created'] });
    await dashboard.registerWebhook('demo', { url: other.url, events: ['test.ping'] });
    dashboard.testWebhook('demo', id);
    await clock.idle();
    expect([received(receiver), received(other)]).toMatchObject([[{ event: 'test.ping' }], []]);
  });
  test('an inbound message raises message.received', async ({ sandbox: { dashboard, clock } }) => {
    const receiver = await startReceiver();
    await dashboard.registerWebhook('demo', { url: receiver.url });
    dashboard.receiveMessage('demo', { from: '+49 151 12345678', text: 'Hi', name: 'Ada' });
    await clock.idle();
    const data = { from: '4915112345678', text: 'Hi', contactName: 'Ada', contactPhone: '+4915112345678' };
    expect(received(receiver)).toMatchObject([{ event: 'message.received', data }]);
  });
  test('message.received is raised without data only: the documented body follows from the message', ({ sandbox: { dashboard } }) => {
    const raise = () => dashboard.raise('demo', 'message.received', { from: '+4915112345678' });
    expect(raise).toThrow(expect.objectContaining({ code: 'INVALID', message: expect.stringContaining('receiveMessage') }));
    expect(JSON.parse(dashboard.raise('demo', 'message.received').body)).toMatchObject({ data: { from: '15550100123' } });
  });
  test('an inbound message comes from a phone number', ({ sandbox: { dashboard } }) => {
    const receive = () => dashboard.receiveMessage('demo', { from: 'Ada', text: 'Hi' });
    expect(receive).toThrow(expect.objectContaining({ code: 'INVALID', message: expect.stringContaining('from ') }));
  });
});

describe('the log of deliveries', () => {
  test('has the newest attempt first, with request, response and next try', async ({ sandbox: { dashboard, clock } }) => {
    const receiver = await startReceiver(500, 204);
    const { id } = await dashboard.registerWebhook('demo', { url: receiver.url });
    const raised = dashboard.raise('demo', 'order.created', { number: 1 });
    await clock.advance('5s');
    expect(dashboard.deliveries('demo')).toMatchObject([
      { webhookId: id, attempt: 2, at: '2026-08-01T12:00:05.000Z', response: { status: 204 }, delivered: true },
      {
        eventId: raised.id,
        event: 'order.created',
        attempt: 1,
        request: { headers: { 'X-Service-Event': 'order.created' }, body: raised.body },
        response: { status: 500 },
        delivered: false,
        nextAttemptAt: '2026-08-01T12:00:05.000Z',
      },
    ]);
  });
  test('can be had for one kind of event, for one endpoint, and shorter', async ({ sandbox: { dashboard, clock } }) => {
    const { url } = await startReceiver();
    const { id: first } = await dashboard.registerWebhook('demo', { url });
    await dashboard.registerWebhook('demo', { url });
    dashboard.raise('demo', 'order.created');
    dashboard.raise('demo', 'lead.created');
    await clock.idle();
    expect(dashboard.deliveries('demo')).toHaveLength(4);
    expect(dashboard.deliveries('demo', { webhook: first })).toMatchObject([{ event: 'lead.created' }, { event: 'order.created' }]);
    expect(dashboard.deliveries('demo', { webhook: first, event: 'order.created' })).toMatchObject([{ event: 'order.created' }]);
    expect(dashboard.deliveries('demo', { limit: 1 })).toMatchObject([{ event: 'lead.created' }]);
  });
  test('after 5 failures the workspace is notified', async ({ sandbox: { dashboard, clock } }) => {
    const { url } = await startReceiver(500);
    const { id } = await dashboard.registerWebhook('demo', { url });
    dashboard.raise('demo', 'lead.created');
    await clock.advance('1d');
    expect(dashboard.notifications('demo')).toMatchObject([{ webhookId: id }]);
    expect(dashboard.webhooks('demo')).toMatchObject([{ id, failures: 5, paused: false }]);
  });
});

describe('where private addresses are not allowed', () => {
  test.override({ options: { allowPrivateWebhooks: false } });
  test.for([
    ['http://example.com/hook', 'https://'],
    ['https://127.0.0.1/hook', '--allow-private-webhooks'],
    ['nonsense', 'absolute'],
  ] as const)('%s is refused, with what to do about it', async ([url, says], { sandbox: { dashboard } }) => {
    const refusal = { code: 'WEBHOOK_URL', status: 400, message: expect.stringContaining(says) };
    await expect(dashboard.registerWebhook('demo', { url })).rejects.toMatchObject(refusal);
    expect(dashboard.webhooks('demo')).toEqual([]);
  });
});
