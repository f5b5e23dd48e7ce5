import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/config/errors.ts';
import { loadSettings, type Sources } from '../../src/config/load.ts';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'config-'));
});
afterEach(() => rm(cwd, { recursive: true }));

interface Given extends Partial<Sources> {
  readonly file?: object;
}

/** Loads with only what the test gives; a file is written as JSON. */
async function load<C extends 'proxy' | 'sandbox' | 'rollout'>(command: C, { flags = {}, env = {}, file }: Given = {}) {
  if (file !== undefined) await writeFile(join(cwd, 'migrate-v2.config.json'), JSON.stringify(file));
  return loadSettings(command, { flags, env, cwd });
}

async function refusal(command: 'proxy' | 'sandbox', given: Given): Promise<ConfigError> {
  const error: unknown = await load(command, given).catch((reason: unknown) => reason);
  if (error instanceof ConfigError) return error;
  throw new Error(`expected a ConfigError, got ${String(error)}`);
}

describe('precedence', () => {
  const file = { seed: 'top level', sandbox: { seed: 'section' } };
  const env = { MIGRATE_V2_SEED: 'environment' };

  test.each<[string, Given, string]>([
    ['a default stands where nothing is given', {}, 'sandbox'],
    ['the top level of the file overrides the default', { file: { seed: 'top level' } }, 'top level'],
    ['the section of the command overrides the top level', { file }, 'section'],
    ['the environment overrides the file', { file, env }, 'environment'],
    ['a flag overrides the environment', { file, env, flags: { seed: 'flag' } }, 'flag'],
    ['an empty environment variable counts as not set', { file, env: { MIGRATE_V2_SEED: '' } }, 'section'],
  ])('%s', async (_name, given, seed) => {
    expect((await load('sandbox', given)).seed).toBe(seed);
  });

  test('keys at the top level and variables of other commands do not disturb', async () => {
    const settings = await load('sandbox', { file: { v2Base: 'nonsense', dialect: 'text' }, env: { MIGRATE_V2_KEY_MAP: 'nowhere' } });
    expect(settings.dialect).toBe('text');
  });

  test('the same flag has a default of its own for each command', async () => {
    expect((await load('sandbox')).listen).toEqual({ host: '127.0.0.1', port: 9000 });
    expect((await load('proxy', { flags: { sandbox: true } })).listen).toEqual({ host: '127.0.0.1', port: 8080 });
  });

  test('rollout in the file is a table of rules and no section; its command reads the section of the proxy', async () => {
    const rollout = { rules: [{ stage: 'observe' }] };
    for (const file of [{ rollout }, { proxy: { rollout } }]) {
      expect(await load('rollout', { file })).toMatchObject({ rollout: { rules: [{ stage: 'observe' }] }, format: 'table' });
    }
    expect(await load('rollout', { file: { proxy: { listen: 1, store: 'none' }, format: 'csv' } })).toMatchObject({ store: 'none' });
    await expect(load('rollout', { file: { rollout: { store: 'none' } } })).rejects.toThrow(/rollout\.store/);
  });

  test('sandbox: true in the file is the setting of the proxy, a table the section of the sandbox', async () => {
    expect((await load('proxy', { file: { sandbox: true } })).sandbox).toBe(true);
    expect((await load('proxy', { file: { sandbox: { seed: 'x' }, proxy: { sandbox: true } } })).sandbox).toBe(true);
  });

  test('--no-sandbox overrides the file', async () => {
    const settings = await load('proxy', { file: { sandbox: true }, flags: { sandbox: false, 'v2-base': 'http://v2.test' } });
    expect(settings.sandbox).toBe(false);
  });
});

describe('assumptions', () => {
  test('sources are joined name by name', async () => {
    const { assumptions } = await load('sandbox', {
      file: { assumptions: { pageDefault: 3, limitMax: 50, sendStatus: 202 } },
      env: { MIGRATE_V2_ASSUME: 'limitMax=60,sendStatus=201' },
      flags: { assume: ['sendStatus=200'] },
    });
    expect(assumptions).toEqual({ pageDefault: 3, limitMax: 60, sendStatus: 200 });
  });

  test('a comma in the environment separates only before the next name', async () => {
    const { assumptions } = await load('sandbox', { env: { MIGRATE_V2_ASSUME: 'contactFields=phone,email,notFoundText=No, not here' } });
    expect(assumptions).toEqual({ contactFields: ['phone', 'email'], notFoundText: 'No, not here' });
  });

  test('one flag takes its value whole', async () => {
    const { assumptions } = await load('sandbox', { flags: { assume: 'notFoundText=a,b=c' } });
    expect(assumptions).toEqual({ notFoundText: 'a,b=c' });
  });

  test('a value has the type of what is assumed', async () => {
    const assume = ['putNeedsWrite=false', 'dailyLimitFallback=0', 'migrationGuideUrl=', 'sunsetAt=2026-12-31T23:59:59+01:00'];
    const { assumptions } = await load('sandbox', { flags: { assume } });
    expect(assumptions).toEqual({
      putNeedsWrite: false,
      dailyLimitFallback: 0,
      migrationGuideUrl: '',
      sunsetAt: '2026-12-31T23:59:59+01:00',
    });
  });

  test.each([
    ['sunsetat=2026-12-31T00:00:00Z', '--assume sunsetat: unknown assumption; did you mean sunsetAt? (from the command line)'],
    ['sunsetAt=31 December', '--assume sunsetAt: "31 December" is not an instant: write 2026-12-31T00:00:00Z (from the command line)'],
    ['putNeedsWrite=maybe', '--assume putNeedsWrite: "maybe" is not true or false (from the command line)'],
    ['sendStatus=99', '--assume sendStatus: "99" is not a status code from 200 to 299, other than 204 and 205 (from the command line)'],
    ['limitMax=0', '--assume limitMax: "0" is not a whole number from 1 to 1000000000 (from the command line)'],
    ['migrationGuideUrl=guide', '--assume migrationGuideUrl: "guide" is not an http(s) URL (from the command line)'],
    ['sunsetAt', '--assume: "sunsetAt" is not name=value (from the command line)'],
    [
      'webhookEventsDefault=lead.created,order.create',
      '--assume webhookEventsDefault: "order.create" is none of lead.created, booking.created, order.created, message.received, test.ping; did you mean order.created? (from the command line)',
    ],
    ['webhookEventsDefault=', '--assume webhookEventsDefault: must name at least one (from the command line)'],
    ['deliveryStatuses=', '--assume deliveryStatuses: must name at least one (from the command line)'],
    ['campaignStatuses=', '--assume campaignStatuses: must name at least one (from the command line)'],
    ['campaignStatuses=DRAFT,,SENT', '--assume campaignStatuses: must not be empty (from the command line)'],
  ])('%s is refused', async (assume, message) => {
    expect((await refusal('sandbox', { flags: { assume } })).message).toBe(message);
  });
});

describe('what refers to something else', () => {
  test('a path of a flag is relative to the working directory', async () => {
    expect((await load('proxy', { flags: { sandbox: true, 'key-map': 'keys.json' } })).keyMap).toBe(join(cwd, 'keys.json'));
  });

  test('a path in a file is relative to the file', async () => {
    const folder = await mkdtemp(join(cwd, 'conf-'));
    await writeFile(join(folder, 'own.json'), JSON.stringify({ sandbox: true, keyMap: 'keys.json' }));
    expect((await load('proxy', { flags: { config: join(folder, 'own.json') } })).keyMap).toBe(join(folder, 'keys.json'));
  });

  test.each([
    ['a value', 'as it is', 'as it is'],
    ['an environment variable', 'env:SECRET', 'from the environment'],
    ['a file, without the final newline', 'file:secret.txt', 'from a file'],
  ])('a secret can be %s', async (_name, given, secret) => {
    await writeFile(join(cwd, 'secret.txt'), 'from a file\n');
    const settings = await load('proxy', { flags: { sandbox: true, 'hash-secret': given }, env: { SECRET: 'from the environment' } });
    expect(settings.hashSecret).toBe(secret);
  });

  test.each([
    ['env:NOWHERE', '--hash-secret: the environment variable NOWHERE is not set (from the command line)'],
    ['file:nowhere', /^--hash-secret: cannot read the secret: ENOENT.*\(from the command line\)$/],
    ['file:empty', '--hash-secret: empty is empty (from the command line)'],
  ])('a secret that is not there is refused: %s', async (given, message) => {
    await writeFile(join(cwd, 'empty'), '\n');
    expect((await refusal('proxy', { flags: { sandbox: true, 'hash-secret': given } })).message).toMatch(message);
  });

  test.each([
    ['a path, relative to where it was written', 'usage.db', () => join(cwd, 'usage.db')],
    ['none', 'none', () => 'none'],
    ['the URL of a database', 'postgres://proxy@db.internal/usage', () => 'postgres://proxy@db.internal/usage'],
    ['a variable that holds its URL', 'env:USAGE', () => 'postgresql://proxy:secret@db.internal/usage'],
  ])('a store can be %s', async (_name, store, expected) => {
    const settings = await load('proxy', {
      flags: { sandbox: true, store },
      env: { USAGE: 'postgresql://proxy:secret@db.internal/usage' },
    });
    expect(settings.store).toBe(expected());
  });

  test.each(['postgres:/u:s3cret@h', 'postgres//u:s3cret@h', 'postgresql:u:s3cret@h', 'u:s3cret@h/usage'])(
    'a mistyped URL of a store is no file, and its password is not shown: %s',
    async (store) => {
      const { message } = await refusal('proxy', { flags: { sandbox: true, store } });
      expect(message).toMatch(/^--store: is neither a path nor a URL/);
      expect(message).not.toContain('s3cret');
    },
  );

  test('spaces around the address of a store are none of it', async () => {
    const settings = await load('proxy', { flags: { sandbox: true, store: ' postgres://u:s3cret@h/usage ' } });
    expect(settings.store).toBe('postgres://u:s3cret@h/usage');
  });

  test('a secret of the wrong type is not shown', async () => {
    expect((await refusal('proxy', { file: { sandbox: true, hashSecret: 31337 } })).message).toBe(
      '--hash-secret: must be a text (from migrate-v2.config.json)',
    );
  });
});

describe('errors name key and source', () => {
  const code = 'CONFIG_UNKNOWN';
  test.each<[string, 'proxy' | 'sandbox', Given, Partial<ConfigError>]>([
    [
      'a misspelt flag',
      'proxy',
      { flags: { lisen: '1' } },
      { code, key: '--lisen', message: '--lisen: proxy has no such flag; did you mean --listen?' },
    ],
    [
      'a flag of another command',
      'proxy',
      { flags: { seed: '1' } },
      { code, key: '--seed', message: '--seed: proxy has no such flag; migrate-v2 proxy --help lists them' },
    ],
    [
      'a misspelt environment variable',
      'sandbox',
      { env: { MIGRATE_V2_LISEN: '1' } },
      {
        code,
        key: 'MIGRATE_V2_LISEN',
        source: 'the environment',
        message: 'MIGRATE_V2_LISEN: no setting has this environment variable; did you mean MIGRATE_V2_LISTEN? (from the environment)',
      },
    ],
    [
      'a key of the file in the spelling of the flag',
      'proxy',
      { file: { 'v2-base': 'http://v2.test' } },
      {
        code,
        key: 'v2-base',
        source: 'migrate-v2.config.json',
        message:
          'v2-base: neither a setting nor the section of a command (proxy, sandbox, openapi, migrate, report, usage); did you mean v2Base? (from migrate-v2.config.json)',
      },
    ],
    [
      'a key in the section of a command that does not have it, whatever command runs',
      'proxy',
      { file: { sandbox: { v2Base: 'http://v2.test' } } },
      { code, key: 'v2Base', message: 'v2Base: no setting of sandbox (from migrate-v2.config.json, section sandbox)' },
    ],
    ['the section of a command that is no table', 'sandbox', { file: { proxy: 5 } }, { code, key: 'proxy' }],
    [
      'a flag given twice',
      'sandbox',
      { flags: { listen: ['1', '2'] } },
      { message: '--listen: is given more than once; keep one (from the command line)' },
    ],
    ['a flag without a value', 'sandbox', { flags: { listen: '' } }, { message: '--listen: needs a value (from the command line)' }],
    [
      'a value of the environment',
      'sandbox',
      { env: { MIGRATE_V2_DIALECT: 'xml' } },
      {
        code: 'CONFIG_INVALID',
        key: '--dialect',
        message: '--dialect: "xml" is not one of v1, nested, problem, text (from MIGRATE_V2_DIALECT)',
      },
    ],
    [
      'a value of the file',
      'proxy',
      { file: { v2Base: 'htp:/x' } },
      { key: '--v2-base', message: '--v2-base: "htp:/x" is not an http(s) URL (from migrate-v2.config.json)' },
    ],
    [
      'an endpoint that does not exist',
      'proxy',
      { file: { sandbox: true, mappings: { sendMesage: {} } } },
      {
        key: 'mappings.sendMesage',
        message: 'mappings.sendMesage: unknown v1 endpoint; did you mean sendMessage? (from migrate-v2.config.json)',
      },
    ],
    [
      'a name deep in a table',
      'proxy',
      { file: { sandbox: true, queryRenames: { listContacts: { page: 1 } } } },
      { message: 'queryRenames.listContacts.page: 1 is not a text (from migrate-v2.config.json)' },
    ],
  ])('%s', async (_name, command, given, expected) => {
    expect(await refusal(command, given)).toMatchObject(expected);
  });
});

describe('settings of the proxy that depend on each other', () => {
  const v2 = { 'v2-base': 'http://v2.test' };
  test.each<[string, Given, string]>([
    ['neither v2Base nor sandbox', {}, '--v2-base: is required; give the base address of v2, or --sandbox to try the proxy without one'],
    [
      'both v2Base and sandbox',
      { flags: v2, env: { MIGRATE_V2_SANDBOX: '1' } },
      '--v2-base: excludes --sandbox, which is on (from MIGRATE_V2_SANDBOX); give one of the two, or --no-sandbox (from the command line)',
    ],
    [
      'a certificate without its key',
      { flags: { ...v2, 'tls-cert': 'a.pem' } },
      '--tls-key: is required with --tls-cert (from the command line)',
    ],
    [
      'a key without its certificate',
      { flags: v2, env: { MIGRATE_V2_TLS_KEY: 'a.pem' } },
      '--tls-cert: is required with --tls-key (from MIGRATE_V2_TLS_KEY)',
    ],
    [
      'more time for the head than for the request',
      { flags: { ...v2, 'request-timeout': '5s' } },
      '--head-timeout: is longer than --request-timeout, which includes it (from the command line)',
    ],
  ])('%s is refused', async (_name, given, message) => {
    expect((await refusal('proxy', given)).message).toBe(message);
  });

  test('tables of the file reach the proxy', async () => {
    const file = {
      v2Base: 'https://v2.test/base/',
      clients: ['my-app', 'other,third'],
      mappings: { getMessage: { response: { body: '$' } } },
      queryRenames: { listContacts: { limit: 'perPage' } },
    };
    expect(await load('proxy', { file })).toMatchObject({ ...file, v2Base: 'https://v2.test/base', clients: ['my-app', 'other', 'third'] });
  });
});

describe('how long the record is kept', () => {
  test.each([
    ['28d', 28],
    ['4w', 28],
    ['400d', 400],
  ])('can be %s', async (retention, days) => {
    expect((await load('proxy', { flags: { sandbox: true, retention, 'rarest-job': '14d' } })).retention).toBe(days * 86_400_000);
  });

  test.each<[string, object]>([
    ['the rarest job', { 'rarest-job': '31d' }],
    ['that of a workspace', { 'rarest-job': '7d', config: { workspaces: [{ name: 'Acme', keys: ['mk_acme'], rarestJob: '92d' }] } }],
  ])('cannot be shorter than twice %s', async (_name, { config, ...flags }: { config?: object }) => {
    const { code, message } = await refusal('proxy', {
      flags: { sandbox: true, retention: '61d', ...flags },
      ...(config && { file: config }),
    });
    expect({ code, message }).toEqual({
      code: 'CONFIG_CONFLICT',
      message: expect.stringMatching(/^--retention: is shorter than twice the rarest job: .* a shorter --rarest-job/),
    });
  });

  test.each(['27d', '600h', '1m'])('cannot be %s, which no verdict could come from', async (retention) => {
    const { code, message } = await refusal('proxy', { flags: { sandbox: true, retention } });
    expect({ code, message }).toEqual({
      code: 'CONFIG_INVALID',
      message:
        '--retention: is too short: a verdict takes 14 days, or twice the longest pause of a client; give 28d or more (from the command line)',
    });
  });
});
