import { describe, expect, test as base } from 'vitest';
import { successEnvelopes, type SuccessEnvelope } from '../../src/contract/dialects.ts';
import { endpointIds, v2Endpoints, type V2EndpointId } from '../../src/contract/endpoints.ts';
import { type CallOptions, sandboxFixtures, type TestSandbox } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

/** The instant at which the clocks of test sandboxes stand. */
const now = '2026-08-01T12:00:00.000Z';

interface Expected {
  readonly one: (resource: object) => object;
  readonly sent: (message: object, messageId: string) => object;
  readonly list: (resources: readonly object[], place: object) => object;
}

const expected: Record<SuccessEnvelope, Expected> = {
  v1: {
    one: (data) => ({ success: true, data }),
    sent: (data, messageId) => ({ success: true, messageId, data }),
    list: (data, place) => ({ success: true, data, ...place }),
  },
  data: {
    one: (data) => ({ data }),
    sent: (data) => ({ data }),
    list: (data, meta) => ({ data, meta }),
  },
  bare: {
    one: (resource) => resource,
    sent: (message) => message,
    list: (items, place) => ({ items, ...place }),
  },
};

/** What a test makes before the call: records whose ids and fields the answers show. */
async function records({ store, demo, call }: TestSandbox) {
  const workspace = store.workspace(demo.workspaceId);
  if (workspace === undefined) throw new Error('The demo workspace is gone');
  const message = store.addMessage(workspace, { channel: 'SMS', to: '+15550100', content: 'Hello' });
  const contact = store.addContact(workspace, { phone: '+15550100', name: 'Ada' });
  if ('clash' in contact) throw new Error('The demo workspace has contacts');
  const campaign = store.addCampaign(workspace, { name: 'Autumn' });
  await call('POST /v2/webhooks', { json: hook });
  const [webhook] = workspace.webhooks.newestFirst({ page: 1, limit: 1 }).entries;
  if (webhook === undefined) throw new Error('The webhook endpoint was not registered');
  return { message, contact: contact.contact, campaign, webhook };
}

type Records = Awaited<ReturnType<typeof records>>;

const hook = { url: 'http://127.0.0.1:9/hook', events: ['message.received'] };
const place = { page: 1, limit: 20, total: 1 };

const views = {
  message: ({ message }: Records) => ({
    messageId: message.messageId,
    channel: 'SMS',
    to: '+15550100',
    content: 'Hello',
    status: 'QUEUED',
    createdAt: now,
  }),
  contact: ({ contact }: Records) => ({ id: contact.id, phone: '+15550100', name: 'Ada', createdAt: now, updatedAt: now }),
  campaign: ({ campaign }: Records) => ({ id: campaign.id, name: 'Autumn', status: 'DRAFT', createdAt: now }),
  webhook: ({ webhook }: Records) => ({ id: webhook.id, ...hook, paused: false, createdAt: now }),
};
const id = expect.stringMatching(/^[a-z]+_[0-9a-f]{24}$/);

/** One success of every endpoint, before an envelope. */
interface Success {
  readonly id?: (made: Records) => string;
  readonly options?: CallOptions;
  readonly status: number;
  readonly body: (envelope: Expected, made: Records) => object;
}

const successes: Record<V2EndpointId, Success> = {
  sendMessage: {
    options: { json: { channel: 'EMAIL', to: 'ada@example.com', content: 'Hi' } },
    status: 200,
    body: ({ sent }) => {
      const message = { messageId: id, channel: 'EMAIL', to: 'ada@example.com', content: 'Hi', status: 'QUEUED', createdAt: now };
      return sent(message, id);
    },
  },
  getMessage: { id: ({ message }) => message.messageId, status: 200, body: ({ one }, made) => one(views.message(made)) },
  listMessages: { status: 200, body: ({ list }, made) => list([views.message(made)], place) },
  createContact: {
    options: { json: { email: 'b@example.com' } },
    status: 201,
    body: ({ one }) => one({ id, email: 'b@example.com', createdAt: now, updatedAt: now }),
  },
  getContact: { id: ({ contact }) => contact.id, status: 200, body: ({ one }, made) => one(views.contact(made)) },
  listContacts: { status: 200, body: ({ list }, made) => list([views.contact(made)], place) },
  updateContact: {
    id: ({ contact }) => contact.id,
    options: { json: { notes: 'VIP' } },
    status: 200,
    body: ({ one }, made) => one({ ...views.contact(made), notes: 'VIP' }),
  },
  deleteContact: { id: ({ contact }) => contact.id, status: 200, body: ({ one }, made) => one(views.contact(made)) },
  createCampaign: {
    options: { json: { name: 'Winter', audience: ['all'] } },
    status: 201,
    body: ({ one }) => one({ id, name: 'Winter', audience: ['all'], status: 'DRAFT', createdAt: now }),
  },
  getCampaign: {
    id: ({ campaign }) => campaign.id,
    status: 200,
    body: ({ one }, made) => one({ ...views.campaign(made), stats: { sent: 0 } }),
  },
  sendCampaign: {
    id: ({ campaign }) => campaign.id,
    status: 200,
    body: ({ one }, { campaign }) => one({ id: campaign.id, status: 'SENDING' }),
  },
  updateCampaign: {
    id: ({ campaign }) => campaign.id,
    options: { json: { name: 'Late autumn' } },
    status: 200,
    body: ({ one }, made) => one({ ...views.campaign(made), name: 'Late autumn' }),
  },
  createWebhook: {
    options: { json: hook },
    status: 201,
    body: ({ one }) => one({ id, ...hook, paused: false, createdAt: now, secret: expect.stringMatching(/^whsec_./) }),
  },
  listWebhooks: { status: 200, body: ({ list }, made) => list([views.webhook(made)], place) },
  deleteWebhook: { id: ({ webhook }) => webhook.id, status: 200, body: ({ one }, made) => one(views.webhook(made)) },
};

describe.for(successEnvelopes)('successes of v2 in the envelope %s', (envelope) => {
  test.override({ options: { envelope, allowPrivateWebhooks: true } });

  test.for(endpointIds(v2Endpoints))('%s', async (endpointId, { sandbox }) => {
    const made = await records(sandbox);
    const { method, path } = v2Endpoints[endpointId];
    const { id: idOf, options, status, body } = successes[endpointId];
    const reply = await sandbox.call(`${method} ${path.replace(':id', idOf?.(made) ?? '')}`, options);
    expect([reply.status, reply.headers['content-type']]).toEqual([status, 'application/json; charset=utf-8']);
    expect(reply.body).toEqual(body(expected[envelope], made));
  });

  test('an empty list is one', async ({ sandbox: { call } }) => {
    for (const kind of ['messages', 'contacts', 'webhooks']) {
      expect((await call(`GET /v2/${kind}?page=3&limit=5`)).body).toEqual(expected[envelope].list([], { page: 3, limit: 5, total: 0 }));
    }
  });

  test('a field of a client in the place of the envelope’s own changes nothing of it', async ({ sandbox: { call } }) => {
    const fields = { name: 'x', data: 1, success: false, items: [] };
    const { body } = await call('POST /v2/campaigns', { json: fields });
    expect(body).toEqual(expected[envelope].one({ id, ...fields, status: 'DRAFT', createdAt: now }));
  });

  test('v1, and the errors of v2, are the same as in every envelope', async ({ sandbox: { call } }) => {
    expect((await call('GET /v1/contacts')).body).toEqual({ success: true, data: [], page: 1, limit: 20, total: 0 });
    expect((await call('GET /v2/contacts/none')).body).toEqual({ success: false, error: 'Not found' });
  });
});
