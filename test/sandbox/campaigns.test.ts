import { describe, expect, test as base } from 'vitest';
import { sandboxFixtures, type TestSandbox, versions } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

const summer = { name: 'Summer', audience: { tags: ['vip'] } };
const createdAt = '2026-08-01T12:00:00.000Z';
const notFound = { status: 404, body: { success: false, error: 'Not found' } };
const badRequest = { status: 400, body: { success: false, error: 'Bad request' } };

async function create({ call }: TestSandbox, json: object = summer): Promise<string> {
  const reply = await call('POST /v1/campaigns', { json });
  expect(reply.status).toBe(201);
  return (reply.body as { data: { id: string } }).data.id;
}

describe.each(versions)('version %s', (version) => {
  const campaigns = `${version}/campaigns`;

  describe('api.md §4: campaigns', () => {
    test('a campaign is created from any object', async ({ sandbox: { call } }) => {
      const { status, body } = await call(`POST ${campaigns}`, { json: summer });
      const { id } = (body as { data: { id: string } }).data;
      expect(id).toMatch(/^cmp_/);
      expect({ status, body }).toEqual({ status: 201, body: { success: true, data: { id, ...summer, status: 'DRAFT', createdAt } } });
    });
    test('a name is not needed, but must be text', async ({ sandbox: { call } }) => {
      expect(await call(`POST ${campaigns}`, { json: {} })).toMatchObject({ status: 201 });
      for (const name of [5, true, {}, ['x']]) expect(await call(`POST ${campaigns}`, { json: { name } })).toMatchObject(badRequest);
    });
    test('fields of the client do not take the place of the service’s own', async ({ sandbox }) => {
      const id = await create(sandbox, { id: 'mine', status: 'SENT', createdAt: 'never', stats: 'many' });
      const { body } = await sandbox.call(`GET ${campaigns}/${id}`);
      expect(body).toEqual({ success: true, data: { id, status: 'DRAFT', createdAt, stats: { sent: 0 } } });
    });
    test('a campaign is read with its stats', async ({ sandbox }) => {
      const id = await create(sandbox);
      const { status, body } = await sandbox.call(`GET ${campaigns}/${id}`);
      const data = { id, ...summer, status: 'DRAFT', createdAt, stats: { sent: 0 } };
      expect({ status, body }).toEqual({ status: 200, body: { success: true, data } });
    });
    test('a campaign is sent, with a body', async ({ sandbox }) => {
      const id = await create(sandbox);
      const { status, body } = await sandbox.call(`POST ${campaigns}/${id}/send`, { json: {} });
      expect({ status, body }).toEqual({ status: 200, body: { success: true, data: { id, status: 'SENDING' } } });
      expect((await sandbox.call(`GET ${campaigns}/${id}`)).body).toMatchObject({ data: { status: 'SENDING' } });
    });
    test('a campaign is sent, without a body or a Content-Type', async ({ sandbox }) => {
      const id = await create(sandbox);
      expect(await sandbox.call(`POST ${campaigns}/${id}/send`)).toMatchObject({ status: 200 });
    });
    test('a campaign that is sent again counts on: what was sent stays so', async ({ sandbox }) => {
      const { call, dashboard } = sandbox;
      const shown = async () => {
        const { status, stats } = ((await call(`GET ${campaigns}/${id}`)).body as { data: { status: string; stats: { sent: number } } })
          .data;
        return `${status} ${stats.sent}`;
      };
      await call('POST /v1/contacts', { json: { phone: '+491' } });
      const id = await create(sandbox);
      const told = [await shown()];
      for (const phone of ['+492', '+493']) {
        await call(`POST ${campaigns}/${id}/send`);
        told.push(await shown());
        dashboard.advanceCampaign('demo', id);
        // Where it is already: nothing more is sent.
        dashboard.setCampaignStatus('demo', id, 'SENT');
        told.push(await shown());
        await call('POST /v1/contacts', { json: { phone } });
      }
      dashboard.setCampaignStatus('demo', id, 'DRAFT');
      told.push(await shown());
      expect(told).toEqual(['DRAFT 0', 'SENDING 0', 'SENT 1', 'SENDING 1', 'SENT 3', 'DRAFT 3']);
    });
    test('a campaign that does not exist: 404', async ({ sandbox: { call } }) => {
      expect(await call(`GET ${campaigns}/cmp_1`)).toMatchObject(notFound);
      expect(await call(`POST ${campaigns}/cmp_1/send`)).toMatchObject(notFound);
    });
  });
});

describe('api.md §4: campaigns on v2 only', () => {
  test('a campaign is updated', async ({ sandbox }) => {
    const id = await create(sandbox);
    const data = { id, ...summer, name: 'Autumn', status: 'DRAFT', createdAt };
    const { status, body } = await sandbox.call(`PUT /v2/campaigns/${id}`, { json: { name: 'Autumn' } });
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data } });
    expect((await sandbox.call(`GET /v1/campaigns/${id}`)).body).toMatchObject({ data });
  });
  test('an update with a name that is no text: 400', async ({ sandbox }) => {
    expect(await sandbox.call(`PUT /v2/campaigns/${await create(sandbox)}`, { json: { name: 5 } })).toMatchObject(badRequest);
  });
  test('updating a campaign that does not exist: 404', async ({ sandbox: { call } }) => {
    expect(await call('PUT /v2/campaigns/cmp_1', { json: {} })).toMatchObject(notFound);
  });
});

describe('the statuses that answers and records have are assumed', () => {
  test.override({
    options: {
      assumptions: {
        createdStatus: 200,
        sendStatus: 202,
        deleteStatus: 202,
        initialCampaignStatus: 'NEW',
        sentCampaignStatus: 'GOING',
        campaignStatuses: ['NEW', 'GOING', 'GONE'],
        initialDeliveryStatus: 'NEW',
      },
    },
  });
  test('other ones can be told', async ({ sandbox: { call } }) => {
    for (const version of versions) {
      const created = await call(`POST ${version}/campaigns`, { json: {} });
      const { id } = (created.body as { data: { id: string } }).data;
      expect(created).toMatchObject({ status: 200, body: { data: { status: 'NEW' } } });
      expect(await call(`POST ${version}/campaigns/${id}/send`)).toMatchObject({ status: 202, body: { data: { status: 'GOING' } } });
      const message = { channel: 'SMS', to: '1', content: 'x' };
      expect(await call(`POST ${version}/messages/send`, { json: message })).toMatchObject({
        status: 202,
        body: { data: { status: 'NEW' } },
      });
      expect(await call(`POST ${version}/contacts`, { json: { phone: version } })).toMatchObject({ status: 200 });
    }
    const { id } = ((await call('POST /v1/contacts', { json: { phone: 'x' } })).body as { data: { id: string } }).data;
    expect(await call(`DELETE /v2/contacts/${id}`)).toMatchObject({ status: 202 });
  });
});

describe('where a campaign is at its end as soon as it is sent', () => {
  test.override({ options: { assumptions: { sentCampaignStatus: 'SENT' } } });
  test('all contacts have been sent to', async ({ sandbox }) => {
    await sandbox.call('POST /v1/contacts', { json: { phone: '+491' } });
    const id = await create(sandbox);
    await sandbox.call(`POST /v1/campaigns/${id}/send`);
    expect((await sandbox.call(`GET /v1/campaigns/${id}`)).body).toMatchObject({ data: { status: 'SENT', stats: { sent: 1 } } });
    await sandbox.call(`POST /v2/campaigns/${id}/send`);
    expect((await sandbox.call(`GET /v2/campaigns/${id}`)).body).toMatchObject({ data: { status: 'SENT', stats: { sent: 2 } } });
  });
});
