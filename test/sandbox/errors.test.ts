/** api.md §7, row by row: the whole body of every error of v1, and nothing besides. */
import { describe, expect, test as base } from 'vitest';
import { type AssumptionName, type Assumptions, assume } from '../../src/contract/assumptions.ts';
import { type CallOptions, sandboxFixtures, type TestSandbox } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

const message = { channel: 'SMS', to: '+4915112345678', content: 'Hello' };
const ada = { phone: '+491', email: 'ada@example.com' };
const json = ['Content-Type', 'application/json'];

interface Situation {
  readonly name: string;
  /** What is done before the call. */
  readonly given?: (sandbox: TestSandbox) => unknown;
  readonly endpoint: string;
  readonly options?: CallOptions | ((sandbox: TestSandbox) => CallOptions);
  readonly status: number;
  /** The text where it is shown, else the name of its open question. */
  readonly error: 'Missing API key' | 'Invalid API key' | 'API key expired' | AssumptionName;
  /** The name that the text speaks of. */
  readonly field?: string;
  /** What the body holds besides. */
  readonly more?: object;
}

const send = 'POST /v1/messages/send';
const create = 'POST /v1/contacts';

const badRequests: readonly Situation[] = [
  ...['channel', 'to', 'content'].map((field) => {
    const options = { json: { ...message, [field]: undefined } };
    return { name: `no ${field}`, endpoint: send, options, status: 400, error: 'missingFieldText', field } as const;
  }),
  { name: 'another channel', endpoint: send, options: { json: { ...message, channel: 'FAX' } }, status: 400, error: 'invalidChannelText' },
  { name: 'invalid JSON', endpoint: send, options: { raw: '{', headers: json }, status: 400, error: 'invalidJsonText' },
  { name: 'no Content-Type', endpoint: send, options: { raw: '{}' }, status: 400, error: 'contentTypeText' },
  { name: 'JSON that is no object', endpoint: send, options: { raw: '[]', headers: json }, status: 400, error: 'badRequestText' },
  { name: 'no phone and no email', endpoint: create, options: { json: {} }, status: 400, error: 'contactIdentityText' },
];

const bearer = ({ demo }: TestSandbox): CallOptions => ({ key: null, headers: ['Authorization', `Bearer ${demo.readWriteKey}`] });
const twoKeys = ({ demo }: TestSandbox): CallOptions => ({ headers: ['x-api-key', demo.readWriteKey] });
const keyOf =
  (name: 'deletedKey' | 'expiredKey' | 'readOnlyKey') =>
  ({ demo }: TestSandbox): CallOptions => ({ key: demo[name], json: message });

const keys: readonly Situation[] = [
  { name: 'no key', endpoint: send, options: { key: null }, status: 401, error: 'Missing API key' },
  { name: 'an unknown key', endpoint: send, options: { key: 'ak_none' }, status: 401, error: 'Invalid API key' },
  { name: 'a deleted key', endpoint: send, options: keyOf('deletedKey'), status: 401, error: 'Invalid API key' },
  { name: 'an expired key', endpoint: send, options: keyOf('expiredKey'), status: 401, error: 'API key expired' },
  { name: 'a key as Authorization: Bearer', endpoint: send, options: bearer, status: 401, error: 'bearerOnV1Text' },
  { name: 'two keys', endpoint: send, options: twoKeys, status: 401, error: 'repeatedKeyText' },
  {
    name: 'a key that may only read',
    endpoint: send,
    options: keyOf('readOnlyKey'),
    status: 403,
    error: 'permissionText',
    more: { code: 'API_KEY_PERMISSION' },
  },
];

const resources: readonly Situation[] = [
  { name: 'a message that is not there', endpoint: 'GET /v1/messages/msg_none', status: 404, error: 'notFoundText' },
  { name: 'a path that is no endpoint', endpoint: 'GET /v1/nothing', status: 404, error: 'notFoundText' },
  {
    name: 'a contact that is there already',
    given: ({ call }) => call(create, { json: ada }),
    endpoint: create,
    options: { json: { phone: ada.phone } },
    status: 409,
    error: 'contactExistsText',
    more: { data: expect.objectContaining(ada), existed: true },
  },
  {
    name: 'a contact field that is not accepted',
    endpoint: create,
    options: { json: { ...ada, nickname: 'x' } },
    status: 500,
    error: 'serverFaultText',
  },
  {
    name: 'a fault of the server',
    given({ store }) {
      store.addMessage = () => {
        throw new Error('broken on purpose');
      };
    },
    endpoint: send,
    options: { json: message },
    status: 500,
    error: 'serverFaultText',
  },
];

const limit =
  (limits: object) =>
  ({ dashboard }: TestSandbox): unknown =>
    dashboard.changeWorkspace('demo', { limits });
const pastDay = { code: 'API_DAILY_LIMIT', limit: 0, resetAt: '2026-08-02T00:00:00.000Z', upgradeUrl: '/settings/billing' };

const limits: readonly Situation[] = [
  {
    name: 'past the minute',
    given: limit({ perMinute: 0 }),
    endpoint: send,
    status: 429,
    error: 'rateLimitedText',
    more: { code: 'API_KEY_RATE_LIMITED' },
  },
  { name: 'past the day', given: limit({ perDay: 0 }), endpoint: send, status: 429, error: 'dailyLimitText', more: pastDay },
  { name: 'past the end of v1', given: ({ clock }) => clock.set('2026-12-31T00:00:00Z'), endpoint: send, status: 410, error: 'sunsetText' },
];

const situations = [...badRequests, ...keys, ...resources, ...limits];

const texts = Object.keys(assume()).filter((name) => name.endsWith('Text'));
const others: Partial<Assumptions> = Object.fromEntries(texts.map((name) => [name, `Another ${name}`]));
const told = {
  ...others,
  missingFieldText: 'Another {field}',
  // One of the three that are documented.
  bearerOnV1Text: 'Invalid API key',
  repeatedKeyText: 'API key expired',
};

describe.each([
  ['assumed', {}],
  ['told', told],
] as const)('api.md §7: the errors of v1, with texts as they are %s', (_, assumptions) => {
  test.override({ options: { assumptions } });
  test.for(situations)('$name: $status', async ({ given, endpoint, options, status, error, field = '', more }, { sandbox }) => {
    await given?.(sandbox);
    const reply = await sandbox.call(endpoint, typeof options === 'function' ? options(sandbox) : options);
    const answers: Record<string, unknown> = assume(assumptions);
    const text = String(answers[error] ?? error).replace('{field}', field);
    expect([reply.status, reply.headers['content-type']]).toEqual([status, 'application/json; charset=utf-8']);
    expect(reply.body).toEqual({ success: false, error: text, ...more });
  });
});

describe('api.md §§7 and 8: texts of v2 that v1 has no use for', () => {
  test.override({ options: { assumptions: told } });
  test('are as they are told', async ({ sandbox }) => {
    const url = 'https://93.184.216.34/hook';
    const register = async (json: object): Promise<unknown> => (await sandbox.call('POST /v2/webhooks', { json })).body;
    sandbox.dashboard.changeWorkspace('demo', { limits: { webhookEndpoints: 0, perHour: 3 } });
    expect(await register({ url: 'http://93.184.216.34/' })).toEqual({ success: false, error: 'Another webhookUrlText' });
    expect(await register({ url, events: [] })).toEqual({ success: false, error: 'Another webhookEventsText' });
    expect(await register({ url })).toEqual({ success: false, error: 'Another webhookLimitText', code: 'WEBHOOK_LIMIT' });
    expect(await register({ url })).toEqual({ success: false, error: 'Another hourlyLimitText' });
  });
});
