import { describe, expect, test as base } from 'vitest';
import { sandboxFixtures, type TestSandbox } from '../../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

async function send({ call }: TestSandbox): Promise<string> {
  const { body } = await call('POST /v1/messages/send', { json: { channel: 'SMS', to: '+491', content: 'Hello' } });
  return (body as { messageId: string }).messageId;
}

async function createCampaign({ call }: TestSandbox): Promise<string> {
  const { body } = await call('POST /v1/campaigns', { json: { name: 'Sale' } });
  return (body as { data: { id: string } }).data.id;
}

/** What clients see of a resource. */
async function shown({ call }: TestSandbox, path: string): Promise<unknown> {
  return ((await call(`GET ${path}`)).body as { data: unknown }).data;
}

describe('a message', () => {
  test('goes from status to status, as clients see', async ({ sandbox }) => {
    const { dashboard } = sandbox;
    const id = await send(sandbox);
    for (const status of ['SENT', 'DELIVERED', 'READ']) {
      expect(dashboard.advanceMessage('demo', id)).toMatchObject({ messageId: id, status });
      expect(await shown(sandbox, `/v1/messages/${id}`)).toMatchObject({ status });
    }
  });
  test('does not go on after the last one', async ({ sandbox }) => {
    const id = await send(sandbox);
    sandbox.dashboard.setMessageStatus('demo', id, 'READ');
    expect(() => sandbox.dashboard.advanceMessage('demo', id)).toThrow(expect.objectContaining({ code: 'LAST_STATUS', status: 409 }));
  });
  test('fails at any time, and then goes nowhere', async ({ sandbox }) => {
    const id = await send(sandbox);
    expect(sandbox.dashboard.setMessageStatus('demo', id, 'FAILED')).toMatchObject({ status: 'FAILED' });
    expect(() => sandbox.dashboard.advanceMessage('demo', id)).toThrow(expect.objectContaining({ code: 'LAST_STATUS' }));
  });
  test('has no other status', async ({ sandbox }) => {
    const id = await send(sandbox);
    const set = () => sandbox.dashboard.setMessageStatus('demo', id, 'LOST');
    expect(set).toThrow(expect.objectContaining({ code: 'INVALID', message: expect.stringContaining('QUEUED, SENT') }));
  });
  test('is found in its own workspace only', async ({ sandbox }) => {
    const id = await send(sandbox);
    const { id: other } = sandbox.dashboard.createWorkspace({ name: 'Shop', plan: 'Free' });
    expect(() => sandbox.dashboard.advanceMessage(other, id)).toThrow(expect.objectContaining({ code: 'MESSAGE_NOT_FOUND' }));
  });
  test('what a list gave does not change with it', async ({ sandbox }) => {
    const id = await send(sandbox);
    const before = sandbox.dashboard.messages('demo');
    sandbox.dashboard.advanceMessage('demo', id);
    expect(before).toMatchObject([{ status: 'QUEUED' }]);
  });
});

describe('statuses at first that are not on the way', () => {
  test.override({ options: { assumptions: { initialDeliveryStatus: 'ACCEPTED', initialCampaignStatus: 'NEW' } } });
  test('lead to the first one that is', async ({ sandbox }) => {
    const id = await send(sandbox);
    expect(sandbox.dashboard.advanceMessages('demo')).toEqual({ advanced: 1 });
    expect(await shown(sandbox, `/v1/messages/${id}`)).toMatchObject({ status: 'QUEUED' });
    expect(sandbox.dashboard.advanceCampaign('demo', await createCampaign(sandbox))).toMatchObject({ status: 'DRAFT' });
  });
});

test('all messages of a workspace go on at once; those at an end stay there', async ({ sandbox }) => {
  const ids = [await send(sandbox), await send(sandbox), await send(sandbox)];
  sandbox.dashboard.setMessageStatus('demo', ids[0] ?? '', 'READ');
  sandbox.dashboard.setMessageStatus('demo', ids[1] ?? '', 'FAILED');
  expect(sandbox.dashboard.advanceMessages('demo')).toEqual({ advanced: 1 });
  expect(sandbox.dashboard.messages('demo').map(({ status }) => status)).toEqual(['SENT', 'FAILED', 'READ']);
  expect(sandbox.dashboard.messages('demo', { limit: 1 })).toMatchObject([{ messageId: ids[2] }]);
});

describe('a campaign', () => {
  test('was sent to every contact when it is SENT', async ({ sandbox }) => {
    const { dashboard, call } = sandbox;
    for (const phone of ['+491', '+492']) await call('POST /v1/contacts', { json: { phone } });
    const id = await createCampaign(sandbox);
    expect(dashboard.advanceCampaign('demo', id)).toMatchObject({ id, status: 'SENDING', stats: { sent: 0 } });
    expect(dashboard.advanceCampaign('demo', id)).toMatchObject({ status: 'SENT', stats: { sent: 2 } });
    expect(await shown(sandbox, `/v1/campaigns/${id}`)).toMatchObject({ name: 'Sale', status: 'SENT', stats: { sent: 2 } });
    expect(() => dashboard.advanceCampaign('demo', id)).toThrow(expect.objectContaining({ code: 'LAST_STATUS' }));
  });
  test('takes any of its statuses, and no other', async ({ sandbox: { dashboard }, sandbox }) => {
    const id = await createCampaign(sandbox);
    expect(dashboard.setCampaignStatus('demo', id, 'SENT')).toMatchObject({ status: 'SENT' });
    expect(dashboard.setCampaignStatus('demo', id, 'DRAFT')).toMatchObject({ status: 'DRAFT', stats: { sent: 0 } });
    expect(() => dashboard.setCampaignStatus('demo', id, 'FAILED')).toThrow(expect.objectContaining({ code: 'INVALID' }));
    expect(() => dashboard.setCampaignStatus('demo', 'cmp_0', 'SENT')).toThrow(expect.objectContaining({ code: 'CAMPAIGN_NOT_FOUND' }));
    expect(dashboard.campaigns('demo')).toMatchObject([{ id, name: 'Sale' }]);
  });
});

describe('where the assumptions name other statuses', () => {
  test.override({ options: { assumptions: { deliveryStatuses: ['NEW', 'DONE'], initialDeliveryStatus: 'NEW' } } });
  test('a message goes through those', async ({ sandbox }) => {
    const id = await send(sandbox);
    expect(sandbox.dashboard.advanceMessage('demo', id)).toMatchObject({ status: 'DONE' });
  });
});
