import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { assume, openQuestions } from '../../src/contract/assumptions.ts';
import { type Endpoint, v1Endpoints, v2Endpoints } from '../../src/contract/endpoints.ts';
import { deliveryHead, eventKindNames } from '../../src/contract/events.ts';
import { openapiDocument } from '../../src/openapi/document.ts';
import type { Api, OpenApiDocument } from '../../src/openapi/types.ts';
import { createValidators } from '../helpers/answers-validators.ts';
import { apis, document, operation, operations, readings } from './documents.ts';
import { known, knownAnswers, knownParameters, knownSchemas } from './known.ts';
import * as shown from './shown.ts';

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

describe('what the reference does not show is marked', () => {
  const documentsOf = (api: Api): readonly OpenApiDocument[] =>
    api === 'v1' ? [document('v1')] : readings.map((reading) => openapiDocument('v2', reading));

  test.each(apis)('by the name of an open question or a sentence, in %s', (api) => {
    for (const mark of marksIn(document(api))) expect(mark.includes(' ') || mark in openQuestions, mark).toBe(true);
  });

  test('in v1, all properties but these', () => {
    expect(knownSchemas(document('v1'))).toEqual(shown.schemas('v1'));
  });

  test('in v2, all properties but those of a message and of deliveries', () => {
    for (const made of documentsOf('v2')) {
      expect(knownSchemas(made)).toEqual(shown.schemas('v2'));
      for (const kind of eventKindNames) {
        const { requestBody, parameters = [] } = made.webhooks?.[kind]?.post ?? {};
        expect(known(requestBody)).toEqual({ required: true, content: { 'application/json': { schema: shown.deliveryBody(kind) } } });
        expect(parameters.map(({ name }) => name)).toEqual(['User-Agent', deliveryHead.eventField, deliveryHead.signatureField]);
      }
    }
  });

  test.each(apis)('in %s, all statuses but these', (api) => {
    const endpoints: Readonly<Record<string, Endpoint>> = api === 'v1' ? v1Endpoints : v2Endpoints;
    for (const made of documentsOf(api)) {
      for (const [id, endpoint] of Object.entries(endpoints)) {
        const { answers, ...rest } = knownAnswers(operation(made, id).responses);
        expect(answers.toSorted(), id).toEqual(shown.answers(api, id, endpoint));
        expect(rest, id).toEqual({
          bodies: api === 'v1' && id === 'sendMessage' ? { 200: [shown.sendAnswer] } : {},
          headers: api === 'v1' ? { '429 Retry-After': shown.dailyRetryAfter } : {},
        });
      }
      expect(knownAnswers(made['x-unlisted'].responses)).toEqual({ answers: ['404 NotFoundError'], bodies: {}, headers: {} });
    }
  });

  test('and all that announces the end of v1', () => {
    expect(known(document('v1').components.headers)).toEqual({});
  });

  test('all request bodies but that of sending a message over v1', () => {
    const left = apis.flatMap(documentsOf).flatMap((made) =>
      operations(made).flatMap(({ operationId, requestBody }) => {
        const body: unknown = known(requestBody);
        return body === undefined ? [] : [[`${made.info.version} ${operationId}`, body]];
      }),
    );
    const nothing = { 'application/json': {} };
    expect(Object.fromEntries(left)).toEqual({
      'v1 sendMessage': { required: true, content: { 'application/json': { schema: shown.sendBody } } },
      'v1 createContact': { required: true, content: nothing },
      'v1 updateContact': { required: true, content: nothing },
      'v1 createCampaign': { required: true, content: nothing },
      'v1 sendCampaign': { required: false, content: nothing },
    });
  });

  test('all parameters but those of the path and of paging v1 contacts', () => {
    for (const made of apis.flatMap(documentsOf)) {
      for (const [path, item] of Object.entries(made.paths)) {
        for (const one of Object.values(item)) {
          const pages = made.info.version === 'v1' && one.operationId === 'listContacts';
          expect(knownParameters(one)).toEqual({ ...(pages && shown.paging), ...(path.includes('{id}') && { id: shown.id }) });
        }
      }
    }
  });

  test('and another 401 text than the three that are shown', () => {
    const { schemas } = document('v1', { bearerOnV1Text: 'No' }).components;
    expect(schemas['MissingKeyError']?.['properties']).toMatchObject({
      error: { anyOf: [{ const: 'Missing API key' }, { const: 'No', 'x-assumption': 'bearerOnV1Text' }] },
    });
  });
});

/** Every mark in a part of a document. */
function* marksIn(part: unknown): Generator<string> {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, inner] of Object.entries(part)) {
    if (name !== 'x-assumption') yield* marksIn(inner);
    else if (typeof inner === 'string') yield inner;
    else yield* Object.values<string>(inner);
  }
}
