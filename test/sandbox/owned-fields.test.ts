/** What belongs to the service: whatever a client sends by that name, no answer gives it back as the service's own. */
import { describe, expect, test as base } from 'vitest';
import { sandboxFixtures, type TestSandbox, versions } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

const forged = 'forged';
/** Of any resource, and of the envelopes that answers come in. */
const names = [
  'id',
  'messageId',
  'status',
  'stats',
  'createdAt',
  'updatedAt',
  'existed',
  'workspace',
  'workspaceId',
  'secret',
  'paused',
  'failures',
  'key',
];
const forgery = Object.fromEntries(names.map((name) => [name, forged]));

/** The fields that are the service's, by the resource; what else a client sends is its own, or ignored. */
const owned = {
  message: ['messageId', 'status', 'createdAt'],
  contact: ['id', 'createdAt', 'updatedAt'],
  campaign: ['id', 'status', 'stats', 'createdAt'],
  webhook: ['id', 'paused', 'createdAt', 'secret', 'failures'],
} as const;

type Resource = keyof typeof owned;
const required: Record<Resource, object> = {
  message: { channel: 'SMS', to: '+1', content: 'x' },
  contact: { phone: '+1' },
  campaign: { name: 'x' },
  webhook: { url: 'http://127.0.0.1:9/hook' },
};

/** Every operation that takes a body or shows what one said; `:id` stands for the resource that was made. */
const operations: readonly (readonly [Resource, versions: readonly string[], endpoint: string, takesBody: boolean])[] = [
  ['message', versions, 'POST /messages/send', true],
  ['message', versions, 'GET /messages/:id', false],
  ['message', versions, 'GET /messages', false],
  ['campaign', versions, 'POST /campaigns', true],
  ['campaign', versions, 'GET /campaigns/:id', false],
  ['campaign', ['/v2'], 'PUT /campaigns/:id', true],
  ['campaign', versions, 'POST /campaigns/:id/send', true],
  ['webhook', ['/v2'], 'POST /webhooks', true],
  ['webhook', ['/v2'], 'GET /webhooks', false],
  ['webhook', ['/v2'], 'DELETE /webhooks/:id', false],
];
const creations: Record<Exclude<Resource, 'contact'>, string> = {
  message: 'POST /v2/messages/send',
  campaign: 'POST /v2/campaigns',
  webhook: 'POST /v2/webhooks',
};

const dataOf = (body: unknown): Record<string, unknown>[] => [(body as { data: Record<string, unknown> }).data].flat();

/** Makes a resource with a body that claims all the names. @returns its id */
async function make({ call }: TestSandbox, resource: Exclude<Resource, 'contact'>): Promise<string> {
  const { body } = await call(creations[resource], { json: { ...forgery, ...required[resource] } });
  const [data = {}] = dataOf(body);
  return String(resource === 'message' ? data['messageId'] : data['id']);
}

const cases = operations.flatMap(([resource, of, endpoint, takesBody]) =>
  of.map((version) => ({ resource, endpoint: endpoint.replace(' ', ` ${version}`), takesBody })),
);

describe('no field of the service is a client’s', () => {
  test.override({ options: { allowPrivateWebhooks: true } });
  test.for(cases)('$endpoint', async ({ resource, endpoint, takesBody }, { sandbox }) => {
    const id = await make(sandbox, resource as Exclude<Resource, 'contact'>);
    const json = { ...forgery, ...required[resource] };
    const { status, body } = await sandbox.call(endpoint.replace(':id', id), takesBody ? { json } : {});
    expect(status).toBeLessThan(300);
    for (const data of dataOf(body)) for (const name of owned[resource]) expect([name, data[name]]).not.toEqual([name, forged]);
    expect(body).not.toHaveProperty('existed');
    expect(body).not.toHaveProperty('messageId', forged);
  });

  test.for(['POST /v1/contacts', 'POST /v2/contacts', 'PUT /v1/contacts/:id', 'PUT /v2/contacts/:id'])(
    '%s accepts none of their names',
    async (endpoint, { sandbox: { call } }) => {
      const { body } = await call('POST /v1/contacts', { json: { phone: '+2' } });
      const [{ id } = {}] = dataOf(body);
      for (const name of names) {
        const reply = await call(endpoint.replace(':id', String(id)), { json: { phone: '+3', [name]: forged } });
        expect([name, reply.status]).toEqual([name, 500]);
      }
      expect(dataOf((await call('GET /v2/contacts')).body)).toMatchObject([{ id, phone: '+2' }]);
    },
  );

  test('the dashboard shows them of the service too', async ({ sandbox }) => {
    await make(sandbox, 'campaign');
    expect(sandbox.dashboard.campaigns('demo')).toMatchObject([{ status: 'DRAFT', stats: { sent: 0 }, name: 'x' }]);
  });
});
