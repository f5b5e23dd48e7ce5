/** What api.md leaves open, where no other test shows what the sandbox does. */
import { describe, expect, test as base } from 'vitest';
import { sandboxFixtures, versions } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

describe.each(versions)('version %s', (version) => {
  test('api.md §4: further fields of a send are no error, and are not kept', async ({ sandbox: { call } }) => {
    const message = { channel: 'SMS', to: '+491', content: 'Hello' };
    const further = { subject: 'x', messageId: 'mine', status: 'READ', createdAt: 'never' };
    const { status, body } = await call(`POST ${version}/messages/send`, { json: { ...message, ...further } });
    const { messageId, data } = body as { messageId: string; data: object };
    expect(status).toBe(200);
    expect(data).toEqual({ messageId, ...message, status: 'QUEUED', createdAt: '2026-08-01T12:00:00.000Z' });
    expect(messageId).toMatch(/^msg_/);
  });

  describe('pageDefault 2', () => {
    test.override({ options: { assumptions: { pageDefault: 2 } } });
    test('api.md §4: the page is as assumed where none is asked for', async ({ sandbox: { call } }) => {
      for (const phone of ['+491', '+492']) await call('POST /v1/contacts', { json: { phone } });
      expect((await call(`GET ${version}/contacts?limit=1`)).body).toMatchObject({ data: [{ phone: '+491' }], page: 2, total: 2 });
    });
  });

  test('api.md §5: a key without an expiry date does not expire', async ({ sandbox: { call, clock, demo, dashboard } }) => {
    expect(dashboard.keys('demo')).toContainEqual(expect.objectContaining({ state: 'active', expiresAt: null }));
    await clock.set(version === '/v1' ? '2026-12-30T23:59:59Z' : '2099-01-01T00:00:00Z');
    expect((await call(`GET ${version}/contacts`, { key: demo.readOnlyKey })).status).toBe(200);
  });
});

test('api.md §2: nothing but its creation gives a key its name, access and value', ({ sandbox: { dashboard } }) => {
  const { id } = dashboard.createKey('demo', { name: 'CRM', access: 'read' });
  for (const changes of [{ name: 'Shop' }, { access: 'read-write' }, { value: 'ak_mine' }]) {
    expect(() => dashboard.changeKey('demo', id, { perMinute: null, ...changes })).toThrow(expect.objectContaining({ code: 'INVALID' }));
  }
});

describe('where other statuses are assumed', () => {
  test.override({ options: { assumptions: { failedDeliveryStatus: 'LOST', campaignStatuses: ['DRAFT', 'DONE'] } } });
  test('api.md §3: delivery fails, and campaigns go on, by those', async ({ sandbox: { call, dashboard } }) => {
    await call('POST /v1/messages/send', { json: { channel: 'SMS', to: '+491', content: 'Hello' } });
    const [message] = dashboard.messages('demo');
    expect(dashboard.setMessageStatus('demo', message?.messageId ?? '', 'LOST')).toMatchObject({ status: 'LOST' });
    const { body } = await call('POST /v1/campaigns', { json: {} });
    expect(dashboard.advanceCampaign('demo', (body as { data: { id: string } }).data.id)).toMatchObject({ status: 'DONE' });
  });
});

describe('webhookEventsDefault told', () => {
  test.override({ options: { assumptions: { webhookEventsDefault: ['order.created'] } } });
  test('api.md §6: an endpoint that names no events receives those', async ({ sandbox: { call, dashboard } }) => {
    const url = 'https://93.184.216.34/hook';
    expect((await call('POST /v2/webhooks', { json: { url } })).body).toMatchObject({ data: { events: ['order.created'] } });
    expect(await dashboard.registerWebhook('demo', { url })).toMatchObject({ events: ['order.created'] });
  });
});

describe('createdStatus and deleteStatus told', () => {
  test.override({ options: { assumptions: { createdStatus: 202, deleteStatus: 203 } } });
  test('api.md §4: webhook endpoints are created and deleted with those', async ({ sandbox: { call } }) => {
    const created = await call('POST /v2/webhooks', { json: { url: 'https://93.184.216.34/hook' } });
    const { id } = (created.body as { data: { id: string } }).data;
    expect([created.status, (await call(`DELETE /v2/webhooks/${id}`)).status]).toEqual([202, 203]);
  });
});
