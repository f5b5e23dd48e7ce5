import { describe, expect, test as base } from 'vitest';
import { call, sandboxFixtures, type Reply, type TestSandbox } from '../../helpers/sandbox.ts';
import { startReceiver } from '../webhooks/service.ts';

const test = base.extend(sandboxFixtures);

const message = { channel: 'SMS', to: '+4915112345678', content: 'Hello' };

/** A request to the control surface. */
function ask({ adminUrl }: TestSandbox, endpoint: string, json?: unknown): Promise<Reply> {
  return call(adminUrl, endpoint, { json });
}

/** A field of an answer. */
function field(reply: Reply, name: string): string {
  return String((reply.body as Record<string, unknown>)[name]);
}

describe('workspaces and keys', () => {
  test('from a workspace to its first call', async ({ sandbox }) => {
    const created = await ask(sandbox, 'POST /workspaces', { name: 'Shop', plan: 'Free' });
    expect(created).toMatchObject({ status: 201, body: { name: 'Shop', plan: 'Free' } });
    const path = `/workspaces/${field(created, 'id')}`;
    const key = await ask(sandbox, `POST ${path}/keys`, { name: 'CRM', access: 'read', expiresAt: '2026-08-02T00:00:00Z' });
    expect(key).toMatchObject({ status: 201, body: { access: 'read', state: 'active' } });
    expect(await sandbox.call('GET /v2/messages', { key: field(key, 'value') })).toMatchObject({ status: 200 });
    expect((await ask(sandbox, `GET ${path}/usage`)).body).toMatchObject({ hour: { used: 1, limit: 100 } });
    expect((await ask(sandbox, 'GET /workspaces')).body).toMatchObject({ workspaces: [{ name: 'Demo' }, {}, { name: 'Shop' }] });
  });
  test('a plan and limits are changed', async ({ sandbox }) => {
    const changes = { plan: 'Pro', limits: { perMinute: 1 } };
    expect(await ask(sandbox, 'PATCH /workspaces/demo', changes)).toMatchObject({ status: 200, body: changes });
    await sandbox.call('GET /v1/messages');
    expect(await sandbox.call('GET /v1/messages')).toMatchObject({ status: 429, body: { code: 'API_KEY_RATE_LIMITED' } });
  });
  test('a key is listed without its value, changed and deleted', async ({ sandbox }) => {
    const created = await ask(sandbox, 'POST /workspaces/demo/keys', { name: 'CRM', access: 'read' });
    const path = `/workspaces/demo/keys/${field(created, 'id')}`;
    expect((await ask(sandbox, 'GET /workspaces/demo/keys')).text).not.toContain(field(created, 'value'));
    expect(await ask(sandbox, `PATCH ${path}`, { perMinute: 3 })).toMatchObject({ status: 200, body: { perMinute: 3 } });
    expect(await ask(sandbox, `DELETE ${path}`)).toMatchObject({ status: 200, body: { state: 'deleted' } });
    expect(await sandbox.call('GET /v1/messages', { key: field(created, 'value') })).toMatchObject({ status: 401 });
  });
});

describe('webhooks and events', () => {
  test.override({ options: { allowPrivateWebhooks: true } });
  test('an endpoint is registered, changed and deleted', async ({ sandbox }) => {
    const created = await ask(sandbox, 'POST /workspaces/demo/webhooks', { url: 'http://127.0.0.1:1/hook' });
    expect(created).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^whsec_/) } });
    const path = `/workspaces/demo/webhooks/${field(created, 'id')}`;
    const renewed = await ask(sandbox, `POST ${path}/secret`);
    expect(renewed).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^whsec_/) } });
    expect(field(renewed, 'secret')).not.toBe(field(created, 'secret'));
    expect(await ask(sandbox, `PATCH ${path}`, { paused: true, events: ['test.ping'] })).toMatchObject({
      status: 200,
      body: { paused: true, events: ['test.ping'] },
    });
    expect((await ask(sandbox, 'GET /workspaces/demo/webhooks')).text).not.toContain('whsec_');
    expect(await ask(sandbox, `DELETE ${path}`)).toMatchObject({ status: 200 });
    expect((await ask(sandbox, 'GET /workspaces/demo/webhooks')).body).toEqual({ webhooks: [] });
  });
  test('past the limit of the plan: 402 WEBHOOK_LIMIT', async ({ sandbox }) => {
    await ask(sandbox, 'PATCH /workspaces/demo', { limits: { webhookEndpoints: 0 } });
    const refused = await ask(sandbox, 'POST /workspaces/demo/webhooks', { url: 'http://127.0.0.1:1/hook' });
    expect(refused).toMatchObject({ status: 402, body: { error: { code: 'WEBHOOK_LIMIT' } } });
  });
  test('test, event and inbound message are delivered and logged', async ({ sandbox }) => {
    const receiver = await startReceiver();
    const { body } = await ask(sandbox, 'POST /workspaces/demo/webhooks', { url: receiver.url });
    const { id } = body as { id: string };
    const event = { event: 'order.created', data: { number: 7 } };
    expect(await ask(sandbox, `POST /workspaces/demo/webhooks/${id}/test`)).toMatchObject({ status: 202, body: { event: 'test.ping' } });
    expect(await ask(sandbox, 'POST /workspaces/demo/events', event)).toMatchObject({ status: 202, body: { event: 'order.created' } });
    const inbound = { from: '+4915112345678', text: 'Hi' };
    expect(await ask(sandbox, 'POST /workspaces/demo/inbound', inbound)).toMatchObject({
      status: 202,
      body: { event: 'message.received' },
    });
    await sandbox.clock.idle();
    expect(receiver.received.map(({ headers }) => headers['x-service-event'])).toEqual(['test.ping', 'order.created', 'message.received']);
    const found = await ask(sandbox, `GET /workspaces/demo/deliveries?event=order.created&webhook=${id}&limit=5`);
    expect(found.body).toMatchObject({ deliveries: [{ event: 'order.created', delivered: true, response: { status: 200 } }] });
  });
});

test('message.received takes no data: the refusal names the way to let a message arrive', async ({ sandbox }) => {
  const event = { event: 'message.received', data: { from: '+4915112345678' } };
  const refused = await ask(sandbox, 'POST /workspaces/demo/events', event);
  const message = expect.stringMatching(/^data: .*…\/inbound/);
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'INVALID', message } } });
});

describe('messages and campaigns', () => {
  test('a message goes through its life', async ({ sandbox }) => {
    const path = `/workspaces/demo/messages`;
    const id = field(await sandbox.call('POST /v2/messages/send', { json: message }), 'messageId');
    expect(await ask(sandbox, `POST ${path}/${id}/advance`)).toMatchObject({ status: 200, body: { status: 'SENT' } });
    expect((await ask(sandbox, `POST ${path}/advance`)).body).toEqual({ advanced: 1 });
    expect(await ask(sandbox, `PUT ${path}/${id}/status`, { status: 'READ' })).toMatchObject({ status: 200, body: { status: 'READ' } });
    expect(await ask(sandbox, `POST ${path}/${id}/advance`)).toMatchObject({ status: 409, body: { error: { code: 'LAST_STATUS' } } });
    expect((await ask(sandbox, `GET ${path}`)).body).toMatchObject({ messages: [{ messageId: id, status: 'READ' }] });
  });
  test('so does a campaign', async ({ sandbox }) => {
    const path = `/workspaces/demo/campaigns`;
    const { body } = await sandbox.call('POST /v2/campaigns', { json: { name: 'Sale' } });
    const { id } = (body as { data: { id: string } }).data;
    expect(await ask(sandbox, `POST ${path}/${id}/advance`)).toMatchObject({ status: 200, body: { status: 'SENDING' } });
    expect(await ask(sandbox, `PUT ${path}/${id}/status`, { status: 'SENT' })).toMatchObject({ status: 200, body: { stats: { sent: 0 } } });
    expect((await ask(sandbox, `GET ${path}`)).body).toMatchObject({ campaigns: [{ id, status: 'SENT' }] });
  });
});

describe('faults', () => {
  test('one is ordered, listed and taken back', async ({ sandbox }) => {
    const rule = { route: 'GET /v2/*', fault: { kind: 'error', status: 503 } };
    const ordered = await ask(sandbox, 'POST /faults', rule);
    expect(ordered).toMatchObject({ status: 201, body: rule });
    expect(await sandbox.call('GET /v2/messages')).toMatchObject({ status: 503 });
    expect((await ask(sandbox, 'GET /faults')).body).toMatchObject({ faults: [{ ...rule, fired: 1 }] });
    expect(await ask(sandbox, `DELETE /faults/${field(ordered, 'id')}`)).toMatchObject({ status: 200, body: { faults: [] } });
    expect(await sandbox.call('GET /v2/messages')).toMatchObject({ status: 200 });
  });
  test.for(['tmes', 'probabilty'])('a field that there is not is refused by its name: %s', async (field, { sandbox }) => {
    const rule = { route: 'GET /v2/*', fault: { kind: 'error', status: 503 }, [field]: 1 };
    const message = expect.stringMatching(new RegExp(`has no ${field}; its fields are route, fault, times, probability`));
    expect(await ask(sandbox, 'POST /faults', rule)).toMatchObject({ status: 400, body: { error: { code: 'INVALID', message } } });
    expect(await sandbox.call('GET /v2/messages')).toMatchObject({ status: 200 });
  });
  test('all are taken back at once', async ({ sandbox }) => {
    for (const path of ['/v1/*', '/v2/*']) await ask(sandbox, 'POST /faults', { route: path, fault: { kind: 'truncated' } });
    expect(await ask(sandbox, 'DELETE /faults')).toMatchObject({ status: 200, body: { faults: [] } });
  });
  test('what is no fault is refused, with what to write', async ({ sandbox }) => {
    const refused = await ask(sandbox, 'POST /faults', { route: '/v2/*', fault: { kind: 'slow' } });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID', message: expect.stringContaining('bytesPerSecond') } },
    });
  });
});

describe('the whole', () => {
  test('a reset leaves nothing but the demo', async ({ sandbox }) => {
    const { body: before } = await ask(sandbox, 'GET /workspaces');
    await sandbox.call('POST /v1/messages/send', { json: message });
    await ask(sandbox, 'POST /workspaces', { name: 'Shop', plan: 'Free' });
    expect(await ask(sandbox, 'POST /reset')).toMatchObject({ status: 200 });
    expect((await ask(sandbox, 'GET /workspaces')).body).toEqual(before);
    expect((await ask(sandbox, 'GET /workspaces/demo/messages')).body).toEqual({ messages: [] });
  });
  test('a snapshot brings everything back', async ({ sandbox }) => {
    await sandbox.call('POST /v1/messages/send', { json: message });
    const snapshot = await ask(sandbox, 'GET /snapshot');
    await ask(sandbox, 'POST /reset');
    expect(await ask(sandbox, 'PUT /snapshot', snapshot.body)).toMatchObject({ status: 200 });
    expect((await ask(sandbox, 'GET /workspaces/demo/messages')).body).toMatchObject({ messages: [message] });
    expect((await ask(sandbox, 'GET /snapshot')).text).toBe(snapshot.text);
  });
  test('a snapshot holds bodies that nest as deep as the API lets them', async ({ sandbox }) => {
    const raw = `{"a":${'['.repeat(199)}${']'.repeat(199)}}`;
    await sandbox.call('POST /v1/campaigns', { raw, headers: ['Content-Type', 'application/json'] });
    const snapshot = await ask(sandbox, 'GET /snapshot');
    expect(await ask(sandbox, 'PUT /snapshot', snapshot.body)).toMatchObject({ status: 200 });
  });
  test('what is no snapshot is refused, and changes nothing', async ({ sandbox }) => {
    await sandbox.call('POST /v1/messages/send', { json: message });
    const refused = await ask(sandbox, 'PUT /snapshot', { version: 1 });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'SNAPSHOT_INVALID' } } });
    expect((await ask(sandbox, 'GET /workspaces/demo/messages')).body).toMatchObject({ messages: [message] });
  });
  test.for(['v1', 'v2'])('GET /openapi/%s.json describes that version', async (version, { sandbox }) => {
    const { body } = await ask(sandbox, `GET /openapi/${version}.json`);
    expect(body).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { version } });
  });
});
