import { describe, expect, test as base } from 'vitest';
import { assume } from '../../../src/contract/assumptions.ts';
import { errorDialects, successEnvelopes } from '../../../src/contract/dialects.ts';
import { webhookEndpointsPerWorkspace } from '../../../src/contract/limits.ts';
import { type Plan, plans } from '../../../src/contract/plans.ts';
import { sandboxFixtures, startSandbox, type Reply, type TestSandbox } from '../../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

// An address needs no name to be resolved; nothing is called when an endpoint is registered.
const url = 'https://93.184.216.34/hook';
const created = '2026-08-01T12:00:00.000Z';

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly secret?: string;
}

const endpointIn = ({ body }: Reply): Endpoint => (body as { data: Endpoint }).data;
const register = (sandbox: TestSandbox, json: object = { url }, key = sandbox.demo.readWriteKey): Promise<Reply> =>
  sandbox.call('POST /v2/webhooks', { json, key });
const idsListed = async (sandbox: TestSandbox, key = sandbox.demo.readWriteKey): Promise<string[]> => {
  const { body } = await sandbox.call('GET /v2/webhooks?limit=100', { key });
  return (body as { data: Endpoint[] }).data.map(({ id }) => id);
};

/** A key of a new workspace. */
function keyOf({ store }: TestSandbox, plan: Plan, access: 'read' | 'read-write' = 'read-write'): string {
  return store.keys.create(store.createWorkspace('Other', plan), { name: 'Test', access }).value;
}

describe('api.md §4: POST /v2/webhooks', () => {
  test('registers an endpoint and answers with it', async ({ sandbox }) => {
    expect(await register(sandbox, { url, events: ['order.created'] })).toMatchObject({
      status: 201,
      body: {
        success: true,
        data: {
          id: expect.stringMatching(/^wh_/),
          url,
          events: ['order.created'],
          paused: false,
          createdAt: created,
          secret: expect.stringMatching(/^whsec_\w{24}$/),
        },
      },
    });
  });
  test('api.md §2: every endpoint has a secret of its own, which is shown this once', async ({ sandbox }) => {
    const replies = [await register(sandbox), await register(sandbox)];
    const secrets = replies.map((reply) => endpointIn(reply).secret ?? '');
    expect(new Set(secrets).size).toBe(2);
    const list = await sandbox.call('GET /v2/webhooks');
    const deleted = await sandbox.call(`DELETE /v2/webhooks/${endpointIn(replies[0] ?? list).id}`);
    for (const { status, text } of [list, deleted]) {
      expect(status).toBe(200);
      expect(text).not.toContain('whsec_');
    }
  });
  test('the same URL may be registered twice', async ({ sandbox }) => {
    const ids = [endpointIn(await register(sandbox)).id, endpointIn(await register(sandbox)).id];
    expect(new Set(await idsListed(sandbox))).toEqual(new Set(ids));
  });

  describe('api.md §6: the URL', () => {
    const refused = {
      'no URL': undefined,
      'a number': 1,
      'an empty text': '',
      'no absolute URL': '/hook',
      'plain http': 'http://93.184.216.34/',
      'a loopback address': 'https://127.0.0.1/',
      'a private address': 'https://10.1.2.3/',
      'a loopback address in IPv6': 'https://[::1]/',
      'another protocol': 'ftp://93.184.216.34/',
    };
    test.for([
      ['  https://93.184.216.34/hook \n', 'https://93.184.216.34/hook'],
      ['https:\\\\93.184.216.34', 'https://93.184.216.34/'],
      ['https://93.184.216.34/é ü', 'https://93.184.216.34/%C3%A9%20%C3%BC'],
      ['https://93.184.216.34/\ud800', 'https://93.184.216.34/%EF%BF%BD'],
      ['https://1572395042/', 'https://93.184.216.34/'],
    ] as const)('%j is shown as the URI it is read as', async ([given, url], { sandbox }) => {
      expect(endpointIn(await register(sandbox, { url: given })).url).toBe(url);
    });
    test.for(Object.entries(refused))('%s: 400', async ([, url], { sandbox }) => {
      expect(await register(sandbox, { url })).toMatchObject({
        status: 400,
        body: { success: false, error: assume().webhookUrlText },
      });
      expect(await idsListed(sandbox)).toEqual([]);
    });
    test('allowPrivateWebhooks lets private addresses and http pass', async () => {
      await using sandbox = await startSandbox({ allowPrivateWebhooks: true });
      expect(await register(sandbox, { url: 'http://127.0.0.1:1/hook' })).toMatchObject({ status: 201 });
    });
  });

  describe('api.md §6: the events', () => {
    test('assumption webhookEventsDefault: all but test.ping where none are named', async ({ sandbox }) => {
      const expected = ['lead.created', 'booking.created', 'order.created', 'message.received'];
      expect(endpointIn(await register(sandbox)).events).toEqual(expected);
    });
    test('a kind that is named twice counts once', async ({ sandbox }) => {
      const events = ['order.created', 'lead.created', 'order.created'];
      expect(endpointIn(await register(sandbox, { url, events })).events).toEqual(['order.created', 'lead.created']);
    });
    test.for([[[]], ['order.created'], [['order.created', 'order.deleted']], [[1]], [{}], [true]])(
      '%j is no list of kinds: 400',
      async ([events], { sandbox }) => {
        expect(await register(sandbox, { url, events })).toMatchObject({
          status: 400,
          body: { success: false, error: assume().webhookEventsText },
        });
      },
    );
  });
});

describe('api.md §8: webhook endpoints per plan', () => {
  const limits: Partial<Record<Plan, number | null>> = webhookEndpointsPerWorkspace;
  const limited = plans.flatMap((plan) => {
    const limit = limits[plan];
    return typeof limit === 'number' ? [{ plan, limit }] : [];
  });
  const pastLimit = { status: 402, body: { success: false, code: 'WEBHOOK_LIMIT', error: assume().webhookLimitText } };

  test('four plans have a limit', () => {
    expect(limited).toEqual([
      { plan: 'Free', limit: 2 },
      { plan: 'Starter', limit: 10 },
      { plan: 'Growth', limit: 30 },
      { plan: 'Pro', limit: 100 },
    ]);
  });
  test.for(limited)('$plan: $limit endpoints, exactly, though names resolve while others register', async ({ plan, limit }) => {
    await using sandbox = await startSandbox({ allowPrivateWebhooks: true });
    const key = keyOf(sandbox, plan);
    const draft = { url: 'http://localhost/hook' };
    const replies = await Promise.all(Array.from({ length: limit + 5 }, () => register(sandbox, draft, key)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(limit);
    for (const reply of replies.filter(({ status }) => status !== 201)) expect(reply).toMatchObject(pastLimit);
    expect(await idsListed(sandbox, key)).toHaveLength(limit);
  });
  test.for(['Agency', 'Enterprise'] as const)('%s: unlimited', async (plan, { sandbox }) => {
    const key = keyOf(sandbox, plan);
    const replies = await Promise.all(Array.from({ length: 101 }, () => register(sandbox, { url }, key)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
  });
  test('assumption webhookEndpointsEnterprise: a number', async () => {
    await using sandbox = await startSandbox({ assumptions: { webhookEndpointsEnterprise: 1 } });
    expect(await register(sandbox)).toMatchObject({ status: 201 });
    expect(await register(sandbox)).toMatchObject(pastLimit);
  });
  test('a deleted endpoint makes room for another', async ({ sandbox }) => {
    const key = keyOf(sandbox, 'Free');
    const { id } = endpointIn(await register(sandbox, { url }, key));
    await register(sandbox, { url }, key);
    expect(await register(sandbox, { url }, key)).toMatchObject(pastLimit);
    await sandbox.call(`DELETE /v2/webhooks/${id}`, { key });
    expect(await register(sandbox, { url }, key)).toMatchObject({ status: 201 });
  });
  test('endpoints of another workspace do not count', async ({ sandbox }) => {
    const [key, other] = [keyOf(sandbox, 'Free'), keyOf(sandbox, 'Free')];
    for (let count = 0; count < 2; count++) await register(sandbox, { url }, key);
    expect(await register(sandbox, { url }, other)).toMatchObject({ status: 201 });
  });
  test('a URL that is refused is no endpoint past the limit: 400', async ({ sandbox }) => {
    const key = keyOf(sandbox, 'Free');
    for (let count = 0; count < 2; count++) await register(sandbox, { url }, key);
    expect(await register(sandbox, { url: 'https://127.0.0.1/' }, key)).toMatchObject({ status: 400 });
  });
});

describe('api.md §4: GET /v2/webhooks', () => {
  test('lists the endpoints, the newest first', async ({ sandbox }) => {
    const first = endpointIn(await register(sandbox));
    const second = endpointIn(await register(sandbox, { url, events: ['test.ping'] }));
    const { status, body } = await sandbox.call('GET /v2/webhooks');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        data: [
          { id: second.id, url, events: ['test.ping'], paused: false, createdAt: created },
          { id: first.id, url, events: first.events, paused: false, createdAt: created },
        ],
        page: 1,
        limit: 20,
        total: 2,
      },
    });
  });
  test('says that an endpoint is paused', async ({ sandbox }) => {
    const { id } = endpointIn(await register(sandbox));
    const webhook = sandbox.store.workspace(sandbox.demo.workspaceId)?.webhooks.get(id);
    if (webhook !== undefined) webhook.paused = true;
    expect(await sandbox.call('GET /v2/webhooks')).toMatchObject({ body: { data: [{ id, paused: true }] } });
  });
  test('pages like the other lists', async ({ sandbox }) => {
    const first = endpointIn(await register(sandbox));
    await register(sandbox);
    expect(await sandbox.call('GET /v2/webhooks?page=2&limit=1')).toMatchObject({ body: { data: [{ id: first.id }], total: 2 } });
  });
});

describe('api.md §4: DELETE /v2/webhooks/:id', () => {
  test('deletes the endpoint and answers with it', async ({ sandbox }) => {
    const { secret, ...endpoint } = endpointIn(await register(sandbox));
    expect(secret).toMatch(/^whsec_/);
    const { status, body } = await sandbox.call(`DELETE /v2/webhooks/${endpoint.id}`);
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data: endpoint } });
    expect(await idsListed(sandbox)).toEqual([]);
  });
  test('twice, and one that does not exist: 404', async ({ sandbox }) => {
    const { id } = endpointIn(await register(sandbox));
    await sandbox.call(`DELETE /v2/webhooks/${id}`);
    for (const gone of [id, 'wh_1', '%00', '..', '__proto__', 'a%2Fb', 'x'.repeat(4_096)]) {
      expect(await sandbox.call(`DELETE /v2/webhooks/${gone}`)).toMatchObject({ status: 404, body: { error: 'Not found' } });
    }
  });
});

describe('api.md §1: workspaces', () => {
  test('no endpoint of another workspace is seen or deleted', async ({ sandbox }) => {
    const { id } = endpointIn(await register(sandbox));
    const other = keyOf(sandbox, 'Free');
    expect(await idsListed(sandbox, other)).toEqual([]);
    expect(await sandbox.call(`DELETE /v2/webhooks/${id}`, { key: other })).toMatchObject({ status: 404 });
    expect(await idsListed(sandbox)).toEqual([id]);
  });
  test.for(['GET /v1/webhooks', 'POST /v1/webhooks', 'DELETE /v1/webhooks/wh_1'])(
    'v1 has no webhooks: %s is 404',
    async (endpoint, { sandbox }) => {
      expect(await sandbox.call(endpoint)).toMatchObject({ status: 404 });
    },
  );
  test('a read-only key lists, and neither registers nor deletes', async ({ sandbox }) => {
    const { id } = endpointIn(await register(sandbox));
    const key = sandbox.demo.readOnlyKey;
    expect(await idsListed(sandbox, key)).toEqual([id]);
    const denied = { status: 403, body: { code: 'API_KEY_PERMISSION' } };
    expect(await register(sandbox, { url }, key)).toMatchObject(denied);
    expect(await sandbox.call(`DELETE /v2/webhooks/${id}`, { key })).toMatchObject(denied);
  });
});

describe('how v2 writes it', () => {
  const members = ['id', 'url', 'events', 'paused', 'createdAt'];
  const withSecret = [...members, 'secret'];

  test.for(successEnvelopes)('envelope %s', async (envelope) => {
    await using sandbox = await startSandbox({ envelope });
    const created = await register(sandbox);
    const resource = (envelope === 'bare' ? created.body : endpointIn(created)) as Endpoint;
    expect([created.status, Object.keys(resource)]).toEqual([201, withSecret]);
    const list = (await sandbox.call('GET /v2/webhooks')).body as { data?: object[]; items?: object[] };
    const [listed] = (envelope === 'bare' ? list.items : list.data) ?? [];
    expect(Object.keys(listed ?? {})).toEqual(members);
    const deleted = (await sandbox.call(`DELETE /v2/webhooks/${resource.id}`)).body as { data?: object };
    expect((envelope === 'bare' ? deleted : deleted.data) ?? {}).toEqual(listed);
  });
  test.for(errorDialects)('dialect %s: 402 has its text, and its code where the dialect has codes', async (dialect) => {
    await using sandbox = await startSandbox({ dialect });
    const key = keyOf(sandbox, 'Free');
    for (let count = 0; count < 2; count++) await register(sandbox, { url }, key);
    const { status, text } = await register(sandbox, { url }, key);
    expect([status, text.includes(assume().webhookLimitText), text.includes('WEBHOOK_LIMIT')]).toEqual([402, true, dialect !== 'text']);
  });
});
