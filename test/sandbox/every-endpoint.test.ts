/** What holds for each endpoint of both versions: taken from the contract's rows, so that no endpoint is left out. */
import { describe, expect, test as base } from 'vitest';
import { type Endpoint, v1Endpoints, v2Endpoints } from '../../src/contract/endpoints.ts';
import { routes } from '../../src/sandbox/control/routes.ts';
import { sandboxFixtures, type TestSandbox, versions } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

const endpoints: readonly Endpoint[] = [...Object.values(v1Endpoints), ...Object.values(v2Endpoints)];
const exampleOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path.replace(':id', 'none')}`;
const examples = (matches: (endpoint: Endpoint) => boolean): string[] => endpoints.filter(matches).map(exampleOf);

const forbidden = { status: 403, body: { success: false, code: 'API_KEY_PERMISSION' } };

describe('api.md §§2 and 5: what a key may do', () => {
  test.for(examples(({ method }) => method === 'GET'))('%s: a read-only key may', async (endpoint, { sandbox: { call, demo } }) => {
    const { status } = await call(endpoint, { key: demo.readOnlyKey });
    expect(status).toBe(endpoint.endsWith('none') ? 404 : 200);
  });
  test.for(examples(({ method }) => method === 'POST'))(
    '%s: a read-only key may not, 403 API_KEY_PERMISSION',
    async (endpoint, { sandbox: { call, demo } }) => {
      expect(await call(endpoint, { key: demo.readOnlyKey, json: {} })).toMatchObject(forbidden);
    },
  );
  test.for(examples(({ method }) => method === 'PUT' || method === 'DELETE'))(
    '%s, which is no GET: a read-only key may not',
    async (endpoint, { sandbox: { call, demo } }) => {
      expect(await call(endpoint, { key: demo.readOnlyKey, json: {} })).toMatchObject(forbidden);
    },
  );
  test.for(examples(() => true))('%s: a read & write key may', async (endpoint, { sandbox: { call } }) => {
    const { status } = await call(endpoint, { json: {} });
    // What is sent is not enough, or about nothing that is there: that is said only to whoever may.
    expect([200, 201, 400, 404]).toContain(status);
  });
});

describe('api.md §§4 and 7: bodies', () => {
  const withBody = examples(({ body }) => body === 'json');
  const json = ['Content-Type', 'application/json'];
  test.for(withBody)('%s without Content-Type: 400', async (endpoint, { sandbox: { call } }) => {
    const answer = { status: 400, body: { error: 'Content-Type must be application/json' } };
    expect(await call(endpoint, { raw: '{}' })).toMatchObject(answer);
    expect(await call(endpoint, { raw: '{}', headers: ['Content-Type', 'text/plain'] })).toMatchObject(answer);
  });
  test.for(withBody)('%s with invalid JSON: 400', async (endpoint, { sandbox: { call } }) => {
    expect(await call(endpoint, { raw: '{"name":', headers: json })).toMatchObject({ status: 400, body: { error: 'Invalid JSON' } });
  });
});

describe('api.md §4: what is not listed', () => {
  const listed = new Set(examples(() => true));
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'];
  const paths = new Set(endpoints.map((endpoint) => exampleOf(endpoint).split(' ')[1] ?? ''));
  const unlisted = [...paths].map((path) => [path, methods.filter((method) => !listed.has(`${method} ${path}`))] as const);

  test.for(unlisted)('%s has no other methods: 404, whoever asks', async ([path, others], { sandbox: { call } }) => {
    for (const method of others.filter((other) => !matchesById(`${other} ${path}`))) {
      expect({ method, ...(await call(`${method} ${path}`, { key: null })) }).toMatchObject({ method, status: 404 });
    }
  });
  /** `GET /v1/messages/send` asks for the message whose id is `send`. */
  const matchesById = (call: string): boolean => listed.has(call.replace(/\/send$/, '/none'));
});

describe('api.md §9: what v2 adds', () => {
  const v1Examples = new Set(Object.values(v1Endpoints).map(exampleOf));
  const added = Object.values(v2Endpoints)
    .map((endpoint) => exampleOf(endpoint).replace('/v2/', '/v1/'))
    .filter((example) => !v1Examples.has(example));

  test('is deleting contacts, updating campaigns and webhooks', () => {
    expect(added).toEqual([
      'DELETE /v1/contacts/none',
      'PUT /v1/campaigns/none',
      'POST /v1/webhooks',
      'GET /v1/webhooks',
      'DELETE /v1/webhooks/none',
    ]);
  });
  test.for(added)('v1 has no %s: 404, and nothing is done', async (endpoint, { sandbox }) => {
    const ids = await makeOneOfEach(sandbox);
    const id = endpoint.includes('contacts') ? ids.contact : ids.campaign;
    const before = sandbox.snapshot().store;
    expect(await sandbox.call(endpoint.replace('none', id), { json: { name: 'x' } })).toMatchObject({ status: 404 });
    expect(sandbox.snapshot().store).toEqual(before);
  });
});

/** A contact and a campaign of the demo workspace. */
async function makeOneOfEach({ call }: TestSandbox): Promise<{ contact: string; campaign: string }> {
  const make = async (path: string): Promise<string> => {
    const { body } = await call(`POST ${path}`, { json: { phone: '+491', name: 'Ada' } });
    return (body as { data: { id: string } }).data.id;
  };
  return { contact: await make('/v2/contacts'), campaign: await make('/v2/campaigns') };
}

describe.each(versions)('api.md §1: another workspace, %s', (version) => {
  test('does not see contacts and campaigns, nor change, send or delete them', async ({ sandbox }) => {
    const { contact, campaign } = await makeOneOfEach(sandbox);
    const { dashboard } = sandbox;
    const { id } = dashboard.createWorkspace({ name: 'Other', plan: 'Free' });
    const { value: key } = dashboard.createKey(id, { name: 'Other', access: 'read-write' });
    const before = sandbox.snapshot().store;
    const calls = [
      `GET ${version}/contacts/${contact}`,
      `PUT ${version}/contacts/${contact}`,
      `DELETE ${version}/contacts/${contact}`,
      `GET ${version}/campaigns/${campaign}`,
      `PUT ${version}/campaigns/${campaign}`,
      `POST ${version}/campaigns/${campaign}/send`,
    ];
    for (const endpoint of calls)
      expect({ endpoint, ...(await sandbox.call(endpoint, { key, json: { name: 'Mine' } })) }).toMatchObject({ endpoint, status: 404 });
    expect((await sandbox.call(`GET ${version}/contacts`, { key })).body).toMatchObject({ data: [], total: 0 });
    expect(sandbox.snapshot().store).toEqual(before);
  });
});

describe('api.md §5: the dashboard takes no keys', () => {
  test.for(Object.values(routes).map(({ method, path }) => `${method} ${path.replace(':workspace', 'demo')}`))(
    '%s: a key of the API leads nowhere',
    async (endpoint, { sandbox: { call, demo } }) => {
      const headers = ['Authorization', `Bearer ${demo.readWriteKey}`, 'x-api-key', demo.readWriteKey];
      expect(await call(endpoint, { key: null, headers, json: {} })).toMatchObject({ status: 404, body: { error: 'Not found' } });
    },
  );
});
