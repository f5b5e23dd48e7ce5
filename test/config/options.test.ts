import { describe, expect, onTestFinished, test } from 'vitest';
import { type MigrationProxyOptions, type SandboxOptions, createMigrationProxy, createSandbox } from '../../src/index.ts';
import { LogLines } from '../helpers/proxy.ts';

const v2Base = 'http://127.0.0.1:9';
const { logger } = new LogLines();

/** Creates the proxy as JavaScript may, where no type says what is wrong. */
const create = (options: object): unknown => createMigrationProxy({ v2Base, logger, ...options } as MigrationProxyOptions);

describe('an option of the library', () => {
  test.each<[object, string, string]>([
    [{ v2Base: `${v2Base}/v2` }, 'v2Base', 'must end before /v2'],
    [{ v2Base: 'ftp://127.0.0.1' }, 'v2Base', 'is not an http(s) URL'],
    [{ v2Base: undefined }, 'v2Base', 'undefined is not an http(s) URL'],
    [{ assumptions: { sunsetAt: 'x' } }, 'assumptions.sunsetAt', 'is not an instant'],
    [{ assumptions: { dailyLimitStatus: 99 } }, 'assumptions.dailyLimitStatus', 'is not a status code'],
    [{ assumptions: { sunsetat: '2026-12-31T00:00:00Z' } }, 'assumptions.sunsetat', 'did you mean sunsetAt?'],
    [{ connectTimeout: -1 }, 'connectTimeout', '-1 is not a duration'],
    [{ headersTimeout: 0 }, 'headersTimeout', '0 is not a duration'],
    [{ bodyTimeout: Number.NaN }, 'bodyTimeout', 'NaN is not a duration'],
    [{ unreadyAfter: -1 }, 'unreadyAfter', '-1 is not a duration'],
    [{ connections: 0 }, 'connections', '0 is not a whole number'],
    [{ queue: 1.5 }, 'queue', '1.5 is not a whole number'],
    [{ maxBody: -1 }, 'maxBody', '-1 is not a size'],
    [{ hashSecret: '' }, 'hashSecret', 'must not be empty'],
    [{ trustedProxies: ['all'] }, 'trustedProxies', 'is not an address or a network'],
    [{ forwarded: true }, 'forwarded', 'true is not one of none, x-forwarded-for'],
    [{ clients: ['my app'] }, 'clients', 'is not a product name'],
    [{ queryRenames: { listContact: { q: 'search' } } }, 'queryRenames.listContact', 'did you mean listContacts?'],
    [{ mappings: { listContact: {} } }, 'mappings.listContact', 'did you mean listContacts?'],
  ])('%o is refused by its name', (options, key, problem) => {
    expect(() => create(options)).toThrow(expect.objectContaining({ name: 'ConfigError', code: 'CONFIG_INVALID', key }));
    expect(() => create(options)).toThrow(problem);
  });

  test.each<[object, string]>([
    [{ conections: 1 }, 'conections: no such option; did you mean connections?'],
    [{ nothing: 1 }, 'nothing: no such option'],
  ])('%o, which there is not, is refused', (options, problem) => {
    expect(() => create(options)).toThrow(expect.objectContaining({ code: 'CONFIG_UNKNOWN', message: problem }));
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

  test('that is a secret is never quoted', () => {
    expect(() => create({ hashSecret: 12345678 })).toThrow('hashSecret: must be a text');
  });

  test('that is undefined is as one that is not given', () => {
    const handler = createMigrationProxy({ v2Base, logger, connections: undefined, queue: undefined } as unknown as MigrationProxyOptions);
    onTestFinished(() => handler.close());
    expect(handler).toBeInstanceOf(Function);
  });
});
