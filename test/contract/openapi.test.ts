import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { type Assumptions, assume, openQuestions } from '../../src/contract/assumptions.ts';
import { errorDialects, successEnvelopes } from '../../src/contract/dialects.ts';
import { type Endpoint, v1Endpoints, v2Endpoints } from '../../src/contract/endpoints.ts';
import { eventKindNames } from '../../src/contract/events.ts';
import { openapiDocument } from '../../src/contract/openapi/document.ts';
import type { Api, OpenApiDocument, Operation } from '../../src/contract/openapi/types.ts';
import { createValidators } from '../helpers/answers-validators.ts';

const apis = ['v1', 'v2'] as const;
const defaults = { dialect: 'v1', envelope: 'v1' } as const;
const document = (api: Api, overrides: Partial<Assumptions> = {}): OpenApiDocument =>
  openapiDocument(api, { ...defaults, assumptions: assume(overrides) });

const operations = ({ paths }: OpenApiDocument): readonly Operation[] => Object.values(paths).flatMap((item) => Object.values(item));
const operation = (from: OpenApiDocument, id: string): Operation => {
  const found = operations(from).find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
};

/** Every way in which v2 can write; v1 has one. */
const readings = errorDialects.flatMap((dialect) => successEnvelopes.map((envelope) => ({ dialect, envelope, assumptions: assume() })));

/** What a validator of OpenAPI finds wrong. */
async function faults(made: OpenApiDocument): Promise<unknown> {
  // It resolves references in place.
  const { valid, errors } = await new Validator().validate({ ...structuredClone(made) });
  return valid ? undefined : errors;
}

describe('the OpenAPI document', () => {
  test('of v1 is valid', async () => {
    expect(await faults(document('v1'))).toBeUndefined();
  });

  test.each(readings)('of v2 with the dialect $dialect and the envelope $envelope is valid', async (reading) => {
    expect(await faults(openapiDocument('v2', reading))).toBeUndefined();
  });

  // Errors depend on the dialect alone, and successes on the envelope.
  test.each([
    ['v1', 'v1', 'v1'],
    ['v2', 'v1', 'v1'],
    ['v2', 'nested', 'data'],
    ['v2', 'problem', 'bare'],
    ['v2', 'text', 'v1'],
  ] as const)('of %s with the dialect %s and the envelope %s has schemas that Ajv compiles in strict mode', (api, dialect, envelope) => {
    expect(() => createValidators(openapiDocument(api, { assumptions: assume(), dialect, envelope })).compileAll()).not.toThrow();
  });

  test('of v1 is the same however v2 writes', () => {
    const all = readings.map((reading) => openapiDocument('v1', reading));
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  test.each([
    ['v1', v1Endpoints],
    ['v2', v2Endpoints],
  ] as const)('of %s holds exactly the endpoints of the contract', (api, endpoints: Readonly<Record<string, Endpoint>>) => {
    const listed = Object.entries(document(api).paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path.replace('{id}', ':id')}`),
    );
    expect(listed.toSorted()).toEqual(
      Object.entries(endpoints)
        .map(([id, { method, path }]) => `${id}: ${method} ${path}`)
        .toSorted(),
    );
  });

  test('says that all of v1 is deprecated, and nothing of v2', () => {
    expect(operations(document('v1')).every(({ deprecated }) => deprecated)).toBe(true);
    expect(operations(document('v2')).some(({ deprecated }) => deprecated)).toBe(false);
  });

  test('names where each version carries the key', () => {
    expect(document('v1').components.securitySchemes).toEqual({ key: { type: 'apiKey', in: 'header', name: 'x-api-key' } });
    expect(document('v2').components.securitySchemes).toMatchObject({ key: { type: 'http', scheme: 'bearer' } });
  });

  test('of v2 alone has webhooks, one for each kind of event', () => {
    expect(document('v1').webhooks).toBeUndefined();
    expect(Object.keys(document('v2').webhooks ?? {})).toEqual([...eventKindNames]);
  });

  test('follows the answers to open questions', () => {
    const made = document('v1', { createdStatus: 299, dailyLimitStatus: 403, sunsetStatus: 404, putNeedsWrite: false });
    expect(Object.keys(operation(made, 'createContact').responses)).toContain('299');
    expect(Object.keys(operation(made, 'updateContact').responses)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '429',
      '500',
    ]);
    expect(operation(made, 'updateContact').responses['403']?.['x-assumption']).toBe('dailyLimitStatus');
    expect(operation(made, 'updateContact').responses['403']?.headers).toMatchObject({ 'Retry-After': { required: true } });
    expect(document('v2', { contactSearchParameter: 'name' })).toSatisfy(
      (v2: OpenApiDocument) => operation(v2, 'listContacts').parameters?.filter(({ name }) => name === 'name').length === 1,
    );
    expect(document('v1', { migrationGuideUrl: 'https://example.com/guide' }).externalDocs).toMatchObject({
      url: 'https://example.com/guide',
    });
  });
});

describe('the statuses', () => {
  const statuses = (api: Api, id: string) => Object.keys(operation(document(api), id).responses).map(Number);

  test.each([
    ['v1', 'sendMessage', [200, 400, 401, 403, 410, 413, 429, 500]],
    ['v1', 'getMessage', [200, 401, 404, 410, 429, 500]],
    ['v1', 'listContacts', [200, 401, 410, 429, 500]],
    ['v1', 'createContact', [201, 400, 401, 403, 409, 410, 413, 429, 500]],
    ['v1', 'updateContact', [200, 400, 401, 403, 404, 409, 410, 413, 429, 500]],
    ['v2', 'deleteContact', [200, 401, 403, 404, 429, 500]],
    ['v2', 'createWebhook', [201, 400, 401, 402, 403, 413, 429, 500]],
    ['v2', 'listWebhooks', [200, 401, 429, 500]],
  ] as const)('of %s %s', (api, id, expected) => {
    expect(statuses(api, id)).toEqual(expected);
  });
});

/** What stands in a document below a place, and whether something there or above says that it is assumed; a reference ends the way. */
function* places(value: unknown, path: readonly string[] = [], marked = false): Generator<{ path: string; name: string; marked: boolean }> {
  if (typeof value !== 'object' || value === null) return;
  const here = marked || 'x-assumption' in value;
  for (const [name, inner] of Object.entries(value)) {
    const inside = [...path, name];
    const own = typeof inner === 'object' && inner !== null && 'x-assumption' in inner;
    yield { path: inside.join('/'), name, marked: here || own };
    yield* places(inner, inside, here);
  }
}

describe('what the reference does not show is marked', () => {
  const all = (api: Api) => [...places(document(api))];
  const isProperty = ({ path }: { path: string }) => path.split('/').at(-2) === 'properties';
  const unmarked = (api: Api) => [
    ...new Set(
      all(api)
        .filter((place) => isProperty(place) && !place.marked)
        .map(({ name }) => name),
    ),
  ];

  test.each(apis)('by the name of an open question or a sentence, in %s', (api) => {
    const marks = JSON.stringify(document(api)).matchAll(/"x-assumption":"([^"]*)"/g);
    for (const [, mark = ''] of marks) expect(mark.includes(' ') || mark in openQuestions, mark).toBe(true);
  });

  test('in v1, all properties but these', () => {
    expect(unmarked('v1').toSorted()).toEqual(
      // §2 and §4: the message, its sending and the 409; §7: errors and the daily limit. The texts of `error` carry marks of their own.
      ['channel', 'code', 'content', 'data', 'error', 'existed', 'limit', 'messageId', 'resetAt', 'success', 'to'].toSorted(),
    );
  });

  test('in v2, all properties but those of a message and of deliveries', () => {
    expect(unmarked('v2').toSorted()).toEqual([
      'channel',
      'contactId',
      'contactName',
      'contactPhone',
      'content',
      'conversationId',
      'data',
      'event',
      'from',
      'messageId',
      'receivedAt',
      'text',
      'timestamp',
      'to',
    ]);
  });

  test.each([
    ['v1', ['400', '401', '403', '404', '409', '429', '500']],
    ['v2', ['400', '401', '402', '403', '404', '409', '500']],
  ] as const)('in %s, all statuses but these', (api, shown) => {
    const statuses = all(api).filter(({ path }) => path.startsWith('paths/') && path.split('/').at(-2) === 'responses');
    expect(new Set(statuses.filter(({ marked }) => !marked).map(({ name }) => name))).toEqual(new Set(shown));
  });

  test('all parameters but those of the path and of paging v1 contacts', () => {
    const parameters = apis.flatMap((api) =>
      operations(document(api)).flatMap(({ operationId, parameters = [] }) =>
        parameters
          .filter((parameter) => !('x-assumption' in parameter))
          .map(({ name }) => (name === 'id' ? name : `${api} ${operationId} ${name}`)),
      ),
    );
    expect(new Set(parameters)).toEqual(new Set(['id', 'v1 listContacts page', 'v1 listContacts limit']));
  });

  test('and the texts of errors, but those of a 401', () => {
    const { schemas } = document('v1').components;
    const texts = Object.entries(schemas).filter(([name]) => name.endsWith('Error'));
    const shown = texts.filter(([, schema]) => !JSON.stringify(schema['properties']).includes('Text"')).map(([name]) => name);
    expect(shown.toSorted()).toEqual(['BodyTooLargeError', 'ExpiredKeyError', 'InvalidKeyError', 'MissingKeyError']);
  });

  test('and another 401 text than the three that are shown', () => {
    const { schemas } = document('v1', { bearerOnV1Text: 'No' }).components;
    expect(schemas['MissingKeyError']?.['properties']).toMatchObject({
      error: { anyOf: [{ const: 'Missing API key' }, { const: 'No', 'x-assumption': 'bearerOnV1Text' }] },
    });
  });
});
