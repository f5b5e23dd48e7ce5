import { rootCertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { settingsOf } from '../../src/config/settings.ts';
import {
  type MigrationProxyOptions,
  type SandboxOptions,
  type UsageReportOptions,
  StoreError,
  createMigrationProxy,
  createSandbox,
  usageReport,
} from '../../src/index.ts';
import { LogLines } from '../helpers/proxy.ts';

const v2Base = 'http://127.0.0.1:9';
const { logger } = new LogLines();

/** Creates the proxy as JavaScript may, where no type says what is wrong. */
const create = async (options: object): Promise<void> => {
  const proxy = await createMigrationProxy({ v2Base, logger, store: 'none', ...options } as MigrationProxyOptions);
  await proxy.close();
};

describe('an option of the library', () => {
  test.each<[object, string, string]>([
    [{ v2Base: `${v2Base}/v2` }, 'v2Base', 'must end before /v2'],
    [{ v2Base: 'ftp://127.0.0.1' }, 'v2Base', 'is not an http(s) URL'],
    [{ v2Base: null }, 'v2Base', 'null is not an http(s) URL'],
    [{ assumptions: { sunsetAt: 'x' } }, 'assumptions.sunsetAt', 'is not an instant'],
    [{ assumptions: { dailyLimitStatus: 99 } }, 'assumptions.dailyLimitStatus', 'is not a status code'],
    [{ assumptions: { sunsetat: '2026-12-31T00:00:00Z' } }, 'assumptions.sunsetat', 'did you mean sunsetAt?'],
    [{ connectTimeout: -1 }, 'connectTimeout', '-1 is not a duration'],
    [{ headersTimeout: 0 }, 'headersTimeout', '0 is not a duration'],
    [{ bodyTimeout: Number.NaN }, 'bodyTimeout', 'NaN is not a duration'],
    [{ connections: 0 }, 'connections', '0 is not a whole number'],
    [{ queue: 1.5 }, 'queue', '1.5 is not a whole number'],
    [{ maxBody: -1 }, 'maxBody', '-1 is not a size'],
    [{ hashSecret: '' }, 'hashSecret', 'must not be empty'],
    [{ trustedProxies: ['all'] }, 'trustedProxies', 'is not an address or a network'],
    [{ trustedField: 'x-real-ip' }, 'trustedField', 'is not one of either, x-forwarded-for'],
    [{ forwarded: true }, 'forwarded', 'true is not one of none, x-forwarded-for'],
    [{ clients: ['my app'] }, 'clients', 'is not a product name'],
    [{ queryRenames: { listContact: { q: 'search' } } }, 'queryRenames.listContact', 'did you mean listContacts?'],
    [{ mappings: { listContact: {} } }, 'mappings.listContact', 'did you mean listContacts?'],
    [{ keyMap: 'keys.json' }, 'keyMap', 'must be what openKeyMap(path) resolves with'],
    [{ logger: 'info' }, 'logger', 'must be a logger as pino makes one'],
    [{ now: 0 }, 'now', 'must be a function'],
    [{ v2Ca: '/etc/ca.pem' }, 'v2Ca', 'holds no certificate in PEM'],
    [{ v2Ca: true }, 'v2Ca', 'must be a text'],
  ])('%o is refused by its name', async (options, key, problem) => {
    const refused = { name: 'ConfigError', code: 'CONFIG_INVALID', key, message: expect.stringContaining(problem) };
    await expect(create(options)).rejects.toMatchObject(refused);
  });

  test.each<[object, string]>([
    [{ conections: 1 }, 'conections: no such option; did you mean connections?'],
    [{ nothing: 1 }, 'nothing: no such option'],
    [{ usage: {} }, 'usage: no such option'],
  ])('%o, which there is not, is refused', async (options, problem) => {
    await expect(create(options)).rejects.toMatchObject({ code: 'CONFIG_UNKNOWN', message: problem });
  });

  test('is required where there is no default', async () => {
    await expect(create({ v2Base: undefined })).rejects.toMatchObject({ code: 'CONFIG_MISSING', key: 'v2Base' });
  });

  test('of the sandbox, too', () => {
    const options: object = { allowPrivateWebhook: true };
    expect(() => createSandbox(options)).toThrow('allowPrivateWebhook: no such option; did you mean allowPrivateWebhooks?');
    expect(() => createSandbox({ assumptions: { contactPhoneField: 'id' } })).toThrow('must be none of id, createdAt, updatedAt');
    expect(() => createSandbox({ assumptions: { contactFields: ['__proto__'] } })).toThrow('must be none of id');
  });

  test.each([null, 5])('comes in an object, not in %o', (options) => {
    expect(() => createSandbox(options as unknown as SandboxOptions)).toThrow('options: must be an object');
  });

  test('that is a secret is never quoted', async () => {
    await expect(create({ hashSecret: 12345678 })).rejects.toThrow('hashSecret: must be a text');
  });
});

/** An accepted value of each option that the types have. */
type Accepted<Options> = { readonly [Name in keyof Required<Options>]: NonNullable<Options[Name]> };

const proxyOptions: Accepted<MigrationProxyOptions> = {
  v1Base: 'https://api.example.com',
  rollout: { rules: [{ stage: 'observe' }] },
  budget: { reserve: '30%', reuse: { getMessage: '5s' } },
  v2Base,
  logger,
  now: Date.now,
  keyMap: { lookup: () => undefined, close: () => undefined },
  v2Ca: rootCertificates[0] ?? '',
  store: 'none',
  retention: '90d',
  hashSecret: 'secret',
  replica: 'proxy-1',
  assumptions: { sunsetAt: '2027-01-01T00:00:00Z' },
  mappings: { listContacts: { response: { body: '$' } } },
  queryRenames: { listContacts: { q: 'search' } },
  workspaces: [{ name: 'Acme', keys: ['ak_acme_'] }],
  ignore: [{ reason: 'ours', client: 'uptime-check' }],
  clientHeader: 'x-client',
  clients: ['my-app'],
  forwarded: 'none',
  trustedProxies: ['10.0.0.0/8'],
  trustedField: 'forwarded',
  connections: 1,
  queue: 0,
  maxBody: 1024,
  connectTimeout: 1_000,
  headersTimeout: 1_000,
  bodyTimeout: 1_000,
  keepAlive: 1_000,
};
const sandboxOptions: Accepted<SandboxOptions> = {
  clock: '2026-12-30T23:59:59Z',
  seed: 'mine',
  dialect: 'v1',
  envelope: 'v1',
  deprecationHeaders: true,
  allowPrivateWebhooks: true,
  webhookTimeout: 1_000,
  maxRecords: 10,
  assumptions: {},
  onError: () => undefined,
  onEvict: () => undefined,
};
const reportOptions: Accepted<UsageReportOptions> = {
  store: '/nowhere/usage.db',
  since: '30d',
  until: '1d',
  workspaces: [{ name: 'Acme', keys: ['ak_acme_'], rarestJob: '92d' }],
  ignore: [],
  assumptions: {},
  hashSecret: 'secret',
  rarestJob: '7d',
  replicas: ['proxy-1'],
  rollout: { rules: [{ stage: 'observe' }] },
  now: 0,
};

describe.each([
  { command: 'proxy', accepted: proxyOptions, own: ['keyMap', 'v2Ca', 'logger', 'now'], given: create },
  {
    command: 'sandbox',
    accepted: sandboxOptions,
    own: ['onError', 'onEvict'],
    given: async (options: object) => createSandbox(options).close(),
  },
  {
    command: 'report',
    accepted: reportOptions,
    own: ['now'],
    // The options are parsed before the store is looked for.
    given: (options: object) =>
      usageReport({ ...reportOptions, ...options }).then(
        () => undefined,
        (error: unknown) => (error instanceof StoreError ? undefined : Promise.reject(error)),
      ),
  },
] as const)('of the options that are settings of $command', ({ command, accepted, own, given }) => {
  const typed = Object.keys(accepted);
  const settings = settingsOf(command).map(({ name }) => name);

  test.each(Object.entries(accepted))('%s, which is in the types, is accepted, and so is undefined', async (name, value) => {
    const values = name === 'v2Base' || name === 'store' ? [value] : [value, undefined];
    for (const each of values) await expect(given({ [name]: each })).resolves.toBeUndefined();
  });

  test.each(typed.filter((name) => !own.some((other) => other === name)))('%s is looked at: what it cannot be is refused', async (name) => {
    await expect((async () => given({ [name]: Symbol('nothing') }))()).rejects.toMatchObject({ code: 'CONFIG_INVALID', key: name });
  });

  test.each(settings.filter((name) => !typed.includes(name)))('%s, which is not in the types, is refused', async (name) => {
    await expect((async () => given({ [name]: undefined }))()).rejects.toMatchObject({
      code: 'CONFIG_UNKNOWN',
      message: `${name}: is of the command alone; leave it out`,
    });
  });
});
